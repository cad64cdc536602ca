package slurm

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// plain lists the bytes that are not special to a shell, at any place in a word.
const plain = letters + "%+,-./:=@_"

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Quote quotes v, so that a POSIX shell reads it as one word.
func Quote(v string) string {
	if v != "" && only(v, plain) {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
}

var inJob = regexp.MustCompile(`\$\{?(TMPDIR|USER|SLURM_JOB_ID)\b\}?`)

// Expand quotes v as one word, in which the job's shell still expands $TMPDIR, $USER and $SLURM_JOB_ID.
func Expand(v string) string {
	var b strings.Builder
	at := 0
	for _, m := range inJob.FindAllStringSubmatchIndex(v, -1) {
		if m[0] > at {
			b.WriteString(Quote(v[at:m[0]]))
		}
		b.WriteString(`"$` + v[m[2]:m[3]] + `"`)
		at = m[1]
	}
	if at < len(v) || at == 0 {
		b.WriteString(Quote(v[at:]))
	}
	return b.String()
}

func shLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// Words splits a text at blanks. Text in quotes stays together. A backslash is an ordinary character.
func Words(text string) (words []string, err error) {
	word, inWord, quote := "", false, rune(0)
	for _, r := range text + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote != 0 || !unicode.IsSpace(r):
			word, inWord = word+string(r), true
		case inWord:
			words, word, inWord = append(words, word), "", false
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q: a quote is not closed", text)
	}
	return words, nil
}

func only(s, alphabet string) bool {
	for i := range len(s) {
		if strings.IndexByte(alphabet, s[i]) < 0 {
			return false
		}
	}
	return true
}

// checkWord returns an error if v cannot be in a script or an argument, not even quoted.
func checkWord(what, v string) error {
	switch {
	case strings.ContainsRune(v, 0):
		return fmt.Errorf("%s = %q contains a zero byte", what, v)
	case strings.Contains(v, "\r\n"):
		return fmt.Errorf("%s = %q contains a carriage return (a DOS line end), which sbatch refuses; remove it", what, v)
	}
	return nil
}

func checkAlphabet(what, v, signs string) error {
	if !only(v, letters+signs) {
		return fmt.Errorf("%s = %q, want letters, digits and any of %s", what, v, signs)
	}
	return nil
}
