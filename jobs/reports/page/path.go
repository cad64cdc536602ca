package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A step is a command of a path with absolute places, and its numbers.
var step = regexp.MustCompile(`([A-Za-z])([^A-Za-z]*)`)

// shorten writes a path of lines and curves in tenths of its unit, which nobody sees, from each
// place to the next: half as long. Paths of other commands stay as they are.
func shorten(path string) string {
	s := shortener{}
	for _, m := range step.FindAllStringSubmatch(path, -1) {
		numbers := strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
		want, known := map[string]int{"M": 2, "L": 2, "C": 6, "Z": 0}[m[1]]
		if !known || len(numbers) != want {
			return path
		}
		places := make([]int, want)
		for i, text := range numbers {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return path
			}
			places[i] = int(math.Round(10 * v))
		}
		s.add(m[1], places)
	}
	return s.out.String()
}

// A shortener is where a path has come, in tenths, and what was written of it.
type shortener struct {
	at, start [2]int
	last      string
	out       strings.Builder
}

func (s *shortener) add(command string, places []int) {
	relative := strings.ToLower(command)
	if relative != s.last && !(relative == "l" && s.last == "m") { // lines follow a move as they are
		s.out.WriteString(relative)
		s.last = relative
	} else if relative == "m" { // what follows a move would be a line
		s.out.WriteString(relative)
	}
	for i, v := range places {
		tenths := v - s.at[i%2]
		text := strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
		if -10 < tenths && tenths < 10 {
			text = strings.Replace(text, "0.", ".", 1)
		}
		if tenths >= 0 {
			s.out.WriteByte(' ')
		}
		s.out.WriteString(text)
	}
	switch command {
	case "Z":
		s.at = s.start
	case "M":
		s.at = [2]int(places)
		s.start = s.at
	default:
		s.at = [2]int(places[len(places)-2:])
	}
}
