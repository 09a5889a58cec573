package frontmatter

// alignment tells where the characters of a corrected line stood: what is in
// both keeps its place.
type alignment struct {
	line           int // from 0
	prefix, suffix int // characters that both lines share
	length, longer int // of the corrected line, and by how much it is longer
}

func align(line int, was, now string) alignment {
	old, new := []rune(was), []rune(now)
	a := alignment{line: line, length: len(new), longer: len(new) - len(old)}
	most := min(len(old), len(new))
	for a.prefix < most && old[a.prefix] == new[a.prefix] {
		a.prefix++
	}
	for a.suffix < most-a.prefix && old[len(old)-1-a.suffix] == new[len(new)-1-a.suffix] {
		a.suffix++
	}
	return a
}

// column returns the column in the line as it was, of one in the corrected line.
func (a alignment) column(col int) int {
	switch {
	case col-1 <= a.prefix:
		return col
	case col-1 >= a.length-a.suffix:
		return col - a.longer
	default:
		return a.prefix + 1
	}
}
