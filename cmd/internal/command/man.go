package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/io/seal"
)

func manCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "man", Hidden: true, Usage: "write the manual pages into a folder", ArgsUsage: "FOLDER",
		Action: func(c *cli.Context) error {
			dir, err := One(c, "a folder")
			if err != nil {
				return err
			}
			whole := commandOf(app)
			if len(app.Commands) == 0 {
				whole.Flags = setUpFlags(whole.Flags)
			}
			return writePages(dir, &whole)
		},
	}
}

func writePages(dir string, c *cli.Command) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := strings.ReplaceAll(c.HelpName, " ", "-")
	if err := os.WriteFile(filepath.Join(dir, name+".1"), []byte(manPage(c, name)), 0o666); err != nil {
		return err
	}
	for _, below := range c.Subcommands {
		below.HelpName = c.HelpName + " " + below.Name
		if below.Hidden {
			continue
		}
		if err := writePages(dir, below); err != nil {
			return err
		}
	}
	return nil
}

var heads = regexp.MustCompile(`(?m)^([A-Z ]+):\n`)

func manPage(c *cli.Command, name string) string {
	text := helpText(c, 72) + "\n" + exitCodes(72) // 72 columns fit man's margins on a terminal of 80
	text = heads.ReplaceAllString(roff.Replace(text), ".fi\n.SH $1\n.nf\n")
	text = strings.SplitN(text, ".fi\n", 3)[2] // drops the heading NAME
	return fmt.Sprintf(".TH %s 1 \"\" \"graphda %s\" \"graphda\"\n.SH NAME\n%s \\- %s\n%s.fi\n",
		strings.ToUpper(roff.Replace(name)), seal.Version, roff.Replace(name), roff.Replace(c.Usage), text)
}

// roff escapes text for man. A dot at the beginning of a line would need an escape too, but help texts have none.
var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`)
