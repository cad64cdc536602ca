package command

import (
	"context"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// completed is testApp with flags that name their values, and an argument that has names.
func completed() *cli.App {
	app := testApp()
	app.Metadata = map[string]any{Names: map[string]func() []string{
		"EXPERIMENT": func() []string { return []string{"table1", "table2", "kegg"} },
	}}
	app.Commands[0].ArgsUsage = "EXPERIMENT"
	app.Commands[0].Flags = append(app.Commands[0].Flags, OneOf(&cli.StringFlag{Name: "loss"}, "logistic", "hinge"))
	app.Commands = append(app.Commands, &cli.Command{Name: "rub", Hidden: true})
	return app
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "run draw"}, // a blank stands for no word
		{"r", "run"},
		{"x", ""},
		{"x ", ""},
		{"draw ", "grid"},
		{"draw grid -", "--jobs --out --dry-run --set --help"},
		{"run --o", "--out"},
		{"run --out x --o", ""},
		{"run -j 2 --j", ""}, // by its short name
		{"run --set a=1 --s", "--set"},
		{"run --out ", ""},
		{"run --loss ", "logistic hinge"},
		{"run --loss h", "hinge"},
		{"run --loss=h", "--loss=hinge"},
		{"run --loss = h", "hinge"},
		{"run --loss =", "logistic hinge"},
		{"run --loss hinge ", "table1 table2 kegg"},
		{"run --dry-run t", "table1 table2"},
		{"run kegg --l", "--loss"},
		{"draw grid ", ""},
	} {
		var got []string
		for _, one := range candidates(completed(), strings.Split(c.line, " ")) {
			got = append(got, one.word)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %s", c.line, got, c.want)
		}
	}
}

// The manual's page names every command and flag; what man makes of it is tested with make install.
func TestManPage(t *testing.T) {
	var b strings.Builder
	app := &cli.App{Name: "app", Usage: "do a-b", Writer: &b, Commands: []*cli.Command{{Name: "plan", Usage: "make a plan",
		Flags: []cli.Flag{&cli.StringFlag{Name: "out", Usage: "folder of the run"}}}}}
	if err := Run(context.Background(), app, []string{"app", "man"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".TH app 1", "do a-b", "plan", "make a plan", "--out", "folder of the run"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, &b)
		}
	}
}
