package remote

// SetRead sets how many bytes a reader takes itself to have read.
func SetRead(r *Reader, n int64) { r.read = n }
