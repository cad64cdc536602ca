package owndata

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/probes"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name:  "import",
		Usage: "make a dataset from your own tables",
		UsageText: `gdrun import --samples s.csv --edges e.csv --out data/mine
gdrun import --samples s.tsv.gz --label status --positive tumour --id patient --edges e.csv \
 --trials 50 --standardise --out data/tumours
gdrun import --samples expression.gct --labels clinical.tsv --id sample --label status --positive tumour \
 --edges network.sif --missing mean --standardise --out data/gct
gdrun import --samples s.csv --edges string.txt --confidence combined_score --out data/string
gdrun import --samples s.csv --task regression --edges e.csv --groups pathways.csv --out data/doses
gdrun import --samples s.csv --task survival --time days --event died --edges e.csv --out data/survival`,
		Description: `Reads a table of samples and the edges of a network, and writes a dataset directory. The table has a row
for each sample. One column is the label, and every other column is a feature. --drop COLUMN ignores a column. If the
rows are genes, add --transpose. If the labels are in another file, name it with --labels.

A column named split, with the words train, valid and test, says how each sample is used. Without this column, import
makes random splits, one for each of the --trials: in each class, 60 % of the samples train, 20 % validate and 20 %
test. The order of rows does not matter. If --out is a dataset of an earlier import, it is replaced.

The edges need two columns for the two ends. If their names are not source and target or other usual names, give
--source and --target. A column cost is optional; the default is 1. import leaves out edges to nodes that are not
features. If most names do not match, it refuses the tables.

Files are .csv, .tsv or .txt, plain or compressed with gzip, .parquet, or Arrow IPC (.arrow, .feather, .ipc, .arrows).
Samples may also be .gct, or .npy with a file of names. Networks may also be .sif, .graphml, .edgelist, .edges and
.ncol, and groups .gmt. A .csv may be separated by semicolons, and then its numbers may have decimal commas. In text
files, import ignores an apostrophe before a text that begins with =, +, @ or -.`,
		Flags: slices.Concat(importFiles(), command.EdgeFlags(), importSamples()),
		Action: func(c *cli.Context) error {
			request, err := importRequest(c)
			if err != nil {
				return err
			}
			progress := command.NewProgress(c.App.ErrWriter, "trial", 0, 0)
			result, err := importing.Import(c.Context, request, func(done, total int) {
				if total > 1 {
					progress.Reach(done, total)
				}
			})
			progress.Close()
			if err != nil {
				return err
			}
			command.Notes(c, "note: ", result.Notes)
			printImported(c, result)
			return nil
		},
	}
}

func importFiles() []cli.Flag {
	return command.Group("Files",
		&cli.StringFlag{Name: "samples", Usage: "`FILE` of samples (required)"},
		labelsFlag(),
		&cli.StringFlag{Name: "edges", Usage: "`FILE` of the network's edges: source, target, cost (required)"},
		&cli.StringFlag{Name: "features", Usage: "`FILE` with a row for each feature: name, and truth, row and col, or x " +
			"and y"},
		&cli.StringFlag{Name: "groups", Usage: "`FILE` of groups of features, with a row for each member: feature, group"},
		&cli.StringFlag{Name: "out", Usage: "`FOLDER` of the dataset; the dataset of an earlier import is replaced " +
			"(required)"},
		&cli.BoolFlag{Name: "force", Usage: "allow import to leave out more than a tenth of the samples, and to read " +
			"compressed files that unpack to more than 100 times their size or 256 MB"},
	)
}

func importSamples() []cli.Flag {
	return command.Group("Samples", append(readingFlags(),
		&cli.Float64Flag{Name: "min-matched", Value: importing.DefaultMinMatched,
			Usage: "smallest share of names that must match: of the network's nodes, or of the features if these are " +
				"fewer"},
		&cli.BoolFlag{Name: "connectors", Usage: "also keep nodes that were not measured, if they connect two or more " +
			"features"},
		&cli.StringFlag{Name: "feature-names", Usage: "`FILE` with the names of the columns of a .npy file: a table with a " +
			"column name or gene, or a .txt file with one name per line", DefaultText: "for x.npy, x.columns.txt"},
		&cli.StringFlag{Name: "sample-names", Usage: "`FILE` with the names of the rows of a .npy file",
			DefaultText: "for x.npy, x.rows.txt"},
		command.OneOf(&cli.StringFlag{Name: "probes", DefaultText: "each column is a feature", Usage: "make one feature " +
			"from several columns of a gene (same name, or same gene by --aliases): the column with the largest variance, or " +
			"the mean"},
			probes.AllRules...),
		command.OneOf(&cli.StringFlag{Name: "missing", Value: string(sampletable.MissingError), Usage: "what to do with " +
			"missing values; means and medians come from each trial's training samples"}, sampletable.Missings...),
		command.OneOf(&cli.StringFlag{Name: "unlabelled", Value: "error", Usage: "what to do with samples without a label"},
			"error", "drop"),
		&cli.StringFlag{Name: "label", Value: sampletable.DefaultLabel,
			Usage: "`COLUMN` of the label, in the samples or in --labels"},
		command.OneOf(&cli.StringFlag{Name: "task", Value: string(sampletable.Classification), Usage: "kind of labels: " +
			"classes (classification), numbers (regression) or times of an event (survival)"}, sampletable.Tasks...),
		&cli.StringFlag{Name: "time", Usage: "`COLUMN` of the times, above 0: until the event, or until the last " +
			"observation without an event; for --task survival"},
		&cli.StringFlag{Name: "event", Usage: "`COLUMN` that says whether the time ends with an event: 1 or 0; for " +
			"other words, name the event with --positive"},
		&cli.StringFlag{Name: "strata", DefaultText: "one", Usage: "`COLUMN` of groups of samples; each group has its own " +
			"baseline hazard, and times are compared only within a group"},
		positiveFlag("1, yes or true"), restFlag(),
		&cli.StringFlag{Name: "id", DefaultText: "an index, or a first column with a name such as id or sample",
			Usage: "`COLUMN` of the samples' ids, read as text; \"\" means the names of the rows"},
		&cli.StringFlag{Name: "patient", DefaultText: "each sample is a patient",
			Usage: "`COLUMN` of the samples' patients, in the samples or in --labels; a patient's samples are all in the same " +
				"part of a split"},
		&cli.StringSliceFlag{Name: "covariates", Usage: "`COLUMN,...` to adjust predictions for, such as age,sex; they are " +
			"not features; in the samples or in --labels; put a name that has a comma in quotation marks"},
		&cli.StringSliceFlag{Name: "batch", Usage: "`COLUMN,...` to adjust for, if new samples have other values, such as " +
			"the site or the batch"},
		&cli.StringFlag{Name: "sample-weight", DefaultText: "the same for all", Usage: "`COLUMN` of the samples' weights, " +
			"numbers of at least 0; in the samples or in --labels"},
		&cli.StringSliceFlag{Name: "drop", Usage: "`COLUMN` to ignore, so that it is not a feature; may be repeated; " +
			"--drop split ignores the column split and makes random splits"},
		&cli.IntFlag{Name: "trials", DefaultText: fmt.Sprintf("%d; 1 if the samples have a column split",
			importing.DefaultTrials), Usage: "number of random splits of the samples; reports allow for the samples that " +
			"splits share"},
		&cli.IntFlag{Name: "folds", DefaultText: "none", Usage: "number of folds; each trial tests on one fold, validates " +
			"on the next fold and trains on the other folds"},
		&cli.IntFlag{Name: "repeats", Value: 1, Usage: "number of times that the samples are shuffled and cut into " +
			"--folds; there are folds × repeats trials"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of all trials"},
		&cli.BoolFlag{Name: "standardise", Aliases: []string{"standardize"},
			Usage: "scale every feature to mean 0 and standard deviation 1 over each trial's training samples"},
	)...)
}

func positiveFlag(otherwise string) cli.Flag {
	return &cli.StringFlag{Name: "positive", DefaultText: otherwise,
		Usage: "the `LABEL` that means +1, or an event; the other label means −1"}
}

func restFlag() cli.Flag {
	return &cli.BoolFlag{Name: "rest", Usage: "treat all labels except --positive as −1"}
}

func labelsFlag() cli.Flag {
	return &cli.StringFlag{Name: "labels", Usage: "`FILE` of labels and covariates, if they are not in the samples' " +
		"file; rows are joined by the samples' ids"}
}

func readingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "transpose", Usage: "the samples' file has a row for each feature and a column for each sample"},
		&cli.StringFlag{Name: "sep", DefaultText: "as in the file", Usage: "separator of fields in the samples' file: a " +
			"character, tab or space"},
		command.OneOf(&cli.StringFlag{Name: "decimal", DefaultText: "as in the file",
			Usage: "decimal sign of the samples' file"}, ".", ","),
	}
}

// rowNames tells whether the user has typed --id "", which means that the names of the rows are the ids of the samples.
func rowNames(c *cli.Context) bool { return c.IsSet("id") && c.String("id") == "" }

func importRequest(c *cli.Context) (r importing.Request, err error) {
	if err := command.Need(c, "samples", "edges", "out"); err != nil {
		return r, err
	}
	r = importing.Request{
		Table: sampletable.Table{
			Samples: c.String("samples"), Labels: c.String("labels"), Force: c.Bool("force"),
			Probes: probes.Rule(c.String("probes")), Missing: sampletable.Missing(c.String("missing")),
			Unlabelled: c.String("unlabelled"),
			Label:      c.String("label"), Task: sampletable.Task(c.String("task")), Positive: c.String("positive"),
			Rest: c.Bool("rest"), ID: c.String("id"), RowNames: rowNames(c),
			Patient: c.String("patient"), Drop: c.StringSlice("drop"),
			Covariates: c.StringSlice("covariates"), Batches: c.StringSlice("batch"), Weight: c.String("sample-weight"),
			Event: c.String("event"), Strata: c.String("strata"),
		},
		Features: c.String("features"), Groups: c.String("groups"), Out: c.String("out"),
		Edges: command.EdgeRequest(c, "edges"), MinMatched: c.Float64("min-matched"),
		Connectors: c.Bool("connectors"),
		Trials:     c.Int("trials"), Seed: c.Uint64("seed"), Standardise: c.Bool("standardise"),
	}
	if r.Text, err = textOptions(c); err != nil {
		return r, err
	}
	switch times := r.Task == sampletable.Survival; {
	case times && c.IsSet("label"):
		return r,
			userinput.Errorf("label = %q is for classes and numbers; with --task survival, use --time and --event instead",
				r.Label)
	case times:
		r.Label = c.String("time")
	case c.IsSet("time"):
		return r, userinput.Errorf("time = %q needs --task survival", c.String("time"))
	}
	return r, setFolds(c, &r)
}

// positive refuses a value of a named flag that is not from 1 to 10⁹, because products of larger numbers overflow.
func positive(c *cli.Context, names ...string) error { return upTo(1_000_000_000, c, names...) }

func upTo(most int, c *cli.Context, names ...string) error {
	for _, name := range names {
		switch n := c.Int(name); {
		case c.IsSet(name) && n < 1:
			return userinput.Errorf("%s = %d, want at least 1", name, n)
		case n > most:
			return userinput.Errorf("%s = %d, want at most %d", name, n, most)
		}
	}
	return nil
}

func setFolds(c *cli.Context, r *importing.Request) error {
	if err := positive(c, "trials", "folds", "repeats"); err != nil {
		return err
	}
	switch folds, repeats := c.Int("folds"), c.Int("repeats"); {
	case c.IsSet("folds") && c.IsSet("trials"):
		return userinput.Errorf("with --folds, leave out --trials, because there are folds × repeats trials")
	case c.IsSet("repeats") && !c.IsSet("folds"):
		return userinput.Errorf("repeats = %d needs --folds; add --folds", repeats)
	case c.IsSet("folds") && folds < 3:
		return userinput.Errorf("folds = %d, want at least 3: one for testing, one for validation, the others for "+
			"training", folds)
	case c.IsSet("folds"):
		r.Folds, r.Trials = folds, folds*repeats
	}
	return nil
}

// ofKinds lists flags about the samples' file, with the kinds of files to which they apply.
var ofKinds = [][2]string{{"feature-names", ".npy"}, {"sample-names", ".npy"}, {"sep", ".csv .tsv .txt"},
	{"decimal", ".csv .tsv .txt .gct"}}

func textOptions(c *cli.Context) (o dataframe.Options, err error) {
	kind := filepath.Ext(strings.TrimSuffix(strings.ToLower(c.String("samples")), ".gz"))
	for _, f := range ofKinds {
		if c.IsSet(f[0]) && c.String("samples") != "-" && !slices.Contains(strings.Fields(f[1]), kind) {
			return o, userinput.Errorf("--%s is only for files of %s, not for %s; leave it out", f[0], f[1], c.String("samples"))
		}
	}
	o.Flags = true
	o.Names, o.IDs, o.Transpose = c.String("feature-names"), c.String("sample-names"), c.Bool("transpose")
	switch sep := []rune(c.String("sep")); {
	case !c.IsSet("sep"):
	case string(sep) == "tab" || string(sep) == `\t`:
		o.Separator = '\t'
	case string(sep) == "space":
		o.Separator = ' '
	case len(sep) == 1 && !strings.ContainsRune("\"\r\n", sep[0]) && sep[0] != unicode.ReplacementChar:
		o.Separator = sep[0]
	default:
		return o, userinput.Errorf("sep = %q, want one character, tab or space", c.String("sep"))
	}
	if decimal := c.String("decimal"); decimal != "" {
		o.Decimal = decimal[0]
	}
	if o.Decimal == ',' && o.Separator == ',' {
		return o, userinput.Errorf("--sep and --decimal are both a comma; want different characters")
	}
	return o, nil
}

func printImported(c *cli.Context, r *importing.Result) {
	w := c.App.Writer
	for _, line := range r.Read {
		fmt.Fprintln(w, "read "+line)
	}
	fmt.Fprintf(w, "%s: %s; %s, %s\n", r.Dir, choice.Size(r.Features, r.Connected, r.Largest, r.Joining,
		r.Connectors), message.Count(r.Edges, "edge"), message.Count(r.Trials, "trial"))
	var splits []string
	for i, name := range []string{"train", "valid", "test"} {
		s := r.Splits[i]
		text := fmt.Sprintf("%s %s", name, message.Number(s.Samples))
		if r.Event != "" {
			text += fmt.Sprintf(" (%s, %.0f %% censored)", message.Count(s.Positive, "event"),
				100*float64(s.Samples-s.Positive)/float64(s.Samples))
		} else if r.Positive != "" {
			text += fmt.Sprintf(" (%s positive)", message.Number(s.Positive))
		}
		splits = append(splits, text)
	}
	fmt.Fprintf(w, "samples of a trial: %s\n", strings.Join(splits, ", "))
	switch {
	case r.Event != "" && r.Negative == "":
		fmt.Fprintf(w, "%s: %s is an event\n", message.Text(r.Event), message.Text(r.Positive))
	case r.Event != "":
		fmt.Fprintf(w, "%s: %s is an event, %s is censored\n", message.Text(r.Event), message.Text(r.Positive),
			message.Text(r.Negative))
	case r.Positive != "":
		fmt.Fprintf(w, "labels: %q is +1, %q is −1\n", r.Positive, r.Negative)
	}
	command.Next(c, "gdrun", "tune", r.Dir)
}
