package command

import (
	"context"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestComplete(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "run draw completion"}, // a blank stands for no word
		{"r", "run"},
		{"x", ""},
		{"draw ", "grid"},
		{"draw grid -", "--jobs --out --dry-run --set --quiet --color --help"},
		{"run --o", "--out"},
		{"run --out x --o", ""},
		{"run --set a=1 --s", "--set"},
		{"run --out ", ""},
		{"run --loss ", "logistic hinge"},
		{"run --loss h", "hinge"},
		{"run --loss hinge ", "table1 table2 kegg"},
		{"run --dry-run t", "table1 table2"},
		{"run kegg --l", "--loss"},
		{"run kegg --loss ", "logistic hinge"},
		{"run --loss = h", ""}, // what bash makes of --loss=h
		{"run --loss =", ""},
		{"run --out", "--out"}, // complete as it is
		{"run --loss=hinge --l", ""},
		{"draw grid -j 2 --jo", ""},
		{"what ru", ""},
		{"run kegg -- ", ""}, // and nothing runs
		{"draw grid ", ""},
		{"draw grid loss ", ""},
	} {
		var out strings.Builder
		app := testApp()
		app.Writer = &out
		app.Metadata = map[string]any{Names: map[string]func() []string{
			"EXPERIMENT": func() []string { return []string{"table1", "table2", "kegg"} },
		}}
		app.Commands[0].ArgsUsage = "EXPERIMENT"
		app.Commands[0].Flags = append(app.Commands[0].Flags, OneOf(&cli.StringFlag{Name: "loss"}, "logistic", "hinge"))
		app.Commands = append(app.Commands, &cli.Command{Name: "rub", Hidden: true})
		args := append(strings.Split("app "+c.line, " "), completing)
		err := Run(context.Background(), app, args)
		var got []string
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got = append(got, word)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, %v, want %s", c.line, got, err, c.want)
		}
	}
}
