package safefile

import "testing"

// What looks like a formula is written as a text, and only that.
func TestEncode(t *testing.T) {
	for field, want := range map[string]string{
		`=HYPERLINK("x")`: `'=HYPERLINK("x")`, "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)",
		"'=x": "''=x", "''@": "'''@", " =x": "' =x", "\t=x": "'\t=x", "-1+1": "'-1+1", "-": "'-",
		"-1.5": "-1.5", "+1e-9": "+1e-9", "-Inf": "-Inf", "'-1": "'-1", "": "", "'": "'", "'a": "'a", "a=b": "a=b", "1-2": "1-2", "é": "é",
	} {
		if got := encodeField(field); got != want || DecodeField(got) != field {
			t.Errorf("%q is written %q and read %q, want %q", field, got, DecodeField(got), want)
		}
	}
}

// Whatever is written is read back equal, and nothing of it begins as a formula.
func FuzzEncode(f *testing.F) {
	for _, field := range []string{"=1", "'=1", "-1", "- 1", "''+a\n", " \t@\""} {
		f.Add(field)
	}
	f.Fuzz(func(t *testing.T, field string) {
		text := encodeField(field)
		if got := DecodeField(text); got != field {
			t.Errorf("%q is written %q and read %q", field, text, got)
		}
		if isFormula(text) && text[0] != '\'' {
			t.Errorf("%q is written %q", field, text)
		}
	})
}
