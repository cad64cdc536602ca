package program

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"graphda/jobs/experiment"
)

// keysOf are the keys of a struct in JSON.
func keysOf(t reflect.Type) (keys []string) {
	for f := range t.Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			keys = append(keys, keysOf(f.Type)...)
		case key != "-":
			keys = append(keys, key)
		}
	}
	return keys
}

// The lines and the entry on docs/programs.md are read as this package and package experiment read them, and no key is
// left out.
func TestPage(t *testing.T) {
	text := must1(os.ReadFile("../../docs/programs.md"))
	page := string(text)
	lines := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(lines) != 3 {
		t.Fatalf("%d blocks of JSON, want 3", len(lines))
	}
	hello, greeting, _ := strings.Cut(lines[0][1], "\n")
	first, second, _ := strings.Cut(lines[2][1], "\n")
	question := strings.ReplaceAll(lines[1][1], "\n", "")
	q := &Question{Cell: "5f2c…", Checkpoints: []int{100, 101}}
	second = strings.Replace(second, `"checkpoint":400`, `"checkpoint":101`, 1)
	for line, into := range map[string]any{hello: new(Hello), greeting: new(Greeting), question: new(Question)} {
		if err := decode([]byte(line), into); err != nil {
			t.Error(err)
		}
	}
	for k, line := range []string{first, second} {
		if _, err := q.check([]byte(line), k, Shape{2, 1, 1}); err != nil {
			t.Error(err)
		}
	}
	for block, s := range map[string]any{hello: Hello{}, question: Question{}, page: Answer{}} {
		for _, key := range keysOf(reflect.TypeOf(s)) {
			if !strings.Contains(block, `"`+key+`":`) && !strings.Contains(block, "\n| `"+key+"` |") {
				t.Errorf("no key %q of %T in %.60s", key, s, block)
			}
		}
	}

	_, entry, _ := strings.Cut(page, "```yaml\n")
	entry, _, _ = strings.Cut(entry, "```")
	var read struct{ Methods []map[string]any }
	if err := yaml.Unmarshal([]byte(entry), &read); err != nil || len(read.Methods) != 1 {
		t.Fatalf("%d entries, error %v", len(read.Methods), err)
	}
	experimentText := "name: x\nloss: logistic\ndatasets: [graph01-mu0.3]\n" + entry
	if _, err := experiment.Parse("page.yaml", []byte(experimentText), experiment.ScaleFull); err != nil {
		t.Error(err)
	}
	_, err := experiment.Parse("page.yaml", []byte(strings.Replace(experimentText, "    command", "    comand", 1)), experiment.ScaleFull)
	_, known, _ := strings.Cut(err.Error(), "a program has ")
	for _, key := range strings.Split(known, ", ") {
		if _, ok := read.Methods[0][key]; !ok {
			t.Errorf("the entry on the page has no %q", key)
		}
	}
}
