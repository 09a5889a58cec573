package lazyregexp

import "testing"

func TestNew(t *testing.T) {
	r := New(`^\$([a-z])$`)
	if !r().MatchString("$b") || r().MatchString("b") {
		t.Error("it does not match just a $ and a letter")
	}
	if first, second := r(), r(); first != second {
		t.Error("it is compiled at every use")
	}
}

// TestLate fails if New compiles: every start of the program would pay for it.
func TestLate(t *testing.T) {
	r := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("the first use of a pattern that cannot be compiled does not panic")
		}
	}()
	r()
}
