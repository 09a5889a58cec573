package bundle

import (
	"fmt"
	"strings"

	"github.com/skillpack/skillpack/internal/invisible"
	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

// checkHidden reports the characters that readers of a text file do not see.
func (w *worker) checkHidden(f *folder, path string) {
	found := w.reader.content.hidden.Places
	for i, p := range found {
		text := hiddenText(p)
		if more := w.reader.content.hidden.More; i == len(found)-1 && more > 0 {
			text += " (the file has more, in " + message.Counted(more, "line") + ")"
		}
		w.report(f, lint.New("invisible-text", "%s", text).At(w.shown(path), p.Line, p.Column))
	}
}

// hiddenText says what is invisible in one line, and what it hides.
func hiddenText(p invisible.Place) string {
	what := map[invisible.Class]string{
		invisible.Tag: "invisible tag character", invisible.ZeroWidth: "zero-width character", invisible.Direction: "bidirectional control",
	}[p.Class]
	remove := ": delete it"
	if p.Count > 1 {
		remove = ": delete them"
	}
	if p.Class == invisible.Tag && strings.TrimSpace(p.Text) != "" {
		verb := " spells "
		if p.Count > 1 {
			verb = " spell "
		}
		return message.Counted(p.Count, what) + verb + message.Quote(p.Text) + remove
	}
	name := lookalike.Name(p.First)
	if p.Class == invisible.Tag {
		name = fmt.Sprintf("U+%04X", p.First) // its name is that of the class
	}
	text := what + " " + name
	if p.Count > 1 {
		text = message.Counted(p.Count, what) + ", the first " + name + ","
	}
	if p.Class != invisible.Tag {
		text += " in " + message.Quote(p.Text)
	}
	return text + remove
}
