package owndata

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/model"
	"graphda/io/table"
)

// screen is the largest number of lines that tune, confidence and evaluate print.
const screen = 24

func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "verbose", Usage: "print all tables with all their rows and notes"},
		command.ForceFlag(), command.TableFlag(),
	}
}

// show prints an answer, or only the verdict with --quiet. On stderr it lists the written files and what to do next.
func show(c *cli.Context, answer *table.Answer, advice string, wrote ...string) error {
	format, width, lines := c.String("format"), command.TableWidth(c), 0
	var after []string
	if answer.Page != "" {
		wrote = append(wrote, answer.Page)
		after = append(after, "wrote "+strings.Join(wrote, " and "))
	}
	if advice != "" {
		after = append(after, advice)
	}
	if format == "text" && !c.Bool("verbose") && !c.Bool("wide") {
		if c.Bool("quiet") {
			_, err := fmt.Fprintln(c.App.Writer, answer.Verdict)
			return err
		}
		lines = screen - 1 // progress needs one line
		for _, text := range after {
			lines -= len(table.Lines(text, width-2, "  "))
		}
	}
	if err := answer.Print(c.App.Writer, format, width, lines); err != nil {
		return err
	}
	if format == "csv" {
		command.Notes(c, "", strings.Split(answer.Lead(), "\n"))
	}
	command.Notes(c, "", after)
	return nil
}

// tellFinding repeats tune's verdict on the model's dataset.
func tellFinding(w io.Writer, m *model.Model) {
	if found := m.Made[model.Found]; found != "" {
		command.Note(w, "%s", found)
	}
}
