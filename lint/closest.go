package lint

// Closest returns the word of a list that a misspelt one most likely stands
// for, and whether any is near enough to be named in a message: at most one
// edit for each three letters, and never more than three. An edit is a letter
// added, left out, replaced, or two neighbours swapped. The case of ASCII
// letters, and a hyphen in place of an underscore, do not count. Of several
// words equally near, the first wins.
func Closest(word string, among []string) (string, bool) {
	const mostEdits = 3
	w := foldWord(word)
	best, nearest := "", min(mostEdits, max(1, len(w)/3))+1
	for _, candidate := range among {
		if n := edits(w, foldWord(candidate), nearest); n < nearest {
			best, nearest = candidate, n
		}
	}
	return best, best != ""
}

// foldWord returns the letters that two spellings of one word share.
func foldWord(s string) []rune {
	folded := []rune(s)
	for i, r := range folded {
		switch {
		case 'A' <= r && r <= 'Z':
			folded[i] = r + 'a' - 'A'
		case r == '_':
			folded[i] = '-'
		}
	}
	return folded
}

// edits returns the number of edits between two words, or limit when there are
// at least that many (optimal string alignment distance).
func edits(a, b []rune, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	before := make([]int, len(b)+1) // the row two letters up
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], limit)
}
