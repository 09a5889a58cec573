package bundle

import "sync"

// job is a piece of work on one folder: the folder itself, or some of its files.
type job struct {
	folder *folder
	// Files from first to before end; none of them for the folder itself.
	first, end int
}

// queue hands out jobs, the last one first, so that few folders are open at a
// time. It is empty for good when no job is waiting and none is under way.
type queue struct {
	mu      sync.Mutex
	wake    *sync.Cond
	waiting []job
	open    int // jobs waiting or under way
	err     error
}

func newQueue() *queue {
	q := new(queue)
	q.wake = sync.NewCond(&q.mu)
	return q
}

// push adds jobs; the last of them is the next.
func (q *queue) push(jobs ...job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, jobs...)
	q.open += len(jobs)
	if len(jobs) == 1 {
		q.wake.Signal()
	} else {
		q.wake.Broadcast()
	}
}

// next waits for a job. It returns false when there is none left to come, or
// the work was stopped.
func (q *queue) next() (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && q.open > 0 && q.err == nil {
		q.wake.Wait()
	}
	if q.err != nil || len(q.waiting) == 0 {
		return job{}, false
	}
	last := len(q.waiting) - 1
	j := q.waiting[last]
	q.waiting[last] = job{}
	q.waiting = q.waiting[:last]
	return j, true
}

// done says that a job that next returned is finished.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open--; q.open == 0 {
		q.wake.Broadcast()
	}
}

// stop ends the work with an error; the first one counts.
func (q *queue) stop(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.wake.Broadcast()
}

// stopped returns the error the work was stopped with.
func (q *queue) stopped() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}
