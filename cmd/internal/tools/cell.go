package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/io/network"
	"graphda/io/results"
	"graphda/io/results/export"
	"graphda/io/safefile"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/learners"
)

func cellCommand() *cli.Command {
	return &cli.Command{
		Name:      "cell",
		Usage:     "run one method with one setting on one trial",
		ArgsUsage: "DATASET",
		UsageText: `gdrun cell data/graph01-mu0.3 --trial 0 --method graphda \
 --set gamma=100,s=26 --checkpoints 400`,
		Description: `Learns online from the training samples, in their order. Then it prints how well two models predict the
validation and test samples and find the true features: the last iterate w, and the running average w̄.

With --format json, each checkpoint is one flat object with the columns of result files. gdrun methods lists the
parameters. --weights writes the features with the columns name, weight (w) and weight_wbar (w̄), for gdrun project
--weights or a spreadsheet. Its last row is named
` + network.Intercept + `. A sample's score is the intercept plus the sum of its
features times their weights. A score of at least 0 predicts the label +1.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dataset", Usage: "`FOLDER` of the dataset, instead of the argument", Hidden: true},
			&cli.IntFlag{Name: "trial", Usage: "number of the dataset's trial"},
			command.OneOf(&cli.StringFlag{Name: "method", Usage: "method to run (required)"}, learners.MethodNames()...),
			&cli.StringSliceFlag{Name: "set", Usage: "parameters, `NAME=VALUE,...`, such as gamma=100,s=26; may be repeated"},
			command.OneOf(&cli.StringFlag{Name: "loss", Value: "logistic", Usage: "loss that learning minimises"},
				learners.LossNames()...),
			&cli.StringFlag{Name: "checkpoints", Usage: "numbers of training samples after which to evaluate, `N,N`, such as " +
				"100,200 (default: after all)"},
			&cli.StringFlag{Name: "out", Usage: "also write the rows to this Arrow `FILE`"},
			&cli.StringFlag{Name: "weights", Usage: "also write the weights at the last checkpoint to this CSV `FILE`; - " +
				"prints only the weights"},
			command.ForceFlag(),
			command.TableFlag(),
		},
		Action: runCell,
	}
}

func runCell(c *cli.Context) error {
	req, err := cellRequest(c)
	if err != nil {
		return err
	}
	place, err := cellOutput(c, req.Dataset)
	if err != nil {
		return err
	}
	weights := c.String("weights")
	if weights != "" && weights != "-" {
		req.Learned = func(names []string, m results.Model) error {
			return place.Write(weights, func(w io.Writer) error { return writeWeights(w, names, m) })
		}
	}
	if weights == "-" {
		command.PrintData(c)
		req.Learned = func(names []string, m results.Model) error { return writeWeights(c.App.Writer, names, m) }
	}
	progress := command.NewProgress(c.App.ErrWriter, "sample", 0, 0)
	progress.Patience, req.Progress = time.Second, progress.Reach
	rows, err := executor.RunCell(c.Context, req)
	progress.Close()
	if err != nil {
		return err
	}
	if out := c.String("out"); out != "" {
		if err := results.WriteTable(out, plan.Layout(), rows); err != nil {
			return err
		}
	}
	if weights != "-" {
		if err := printRows(c, rows); err != nil {
			return err
		}
	}
	if last := rows[len(rows)-1]; last.Failed() {
		advice := ""
		if strings.HasSuffix(last.Error, learners.ErrDiverged.Error()) {
			advice = "; try smaller steps (gdrun methods says which parameter makes steps smaller)"
		}
		return message.Because(run.ErrFailed, "the cell failed: %s%s", last.Error, advice)
	}
	return nil
}

func cellRequest(c *cli.Context) (req executor.CellRequest, err error) {
	if err := command.Need(c, "method"); err != nil {
		return req, err
	}
	dataset, err := datasetOf(c)
	if err != nil {
		return req, err
	}
	switch {
	case c.String("out") == "-":
		return req, userinput.Errorf("out = -, want the name of a file; to print the rows, use --format csv")
	case c.String("weights") == "-" && c.IsSet("format"):
		return req, userinput.Errorf("--weights - prints the weights instead of the measures, so leave out --format")
	}
	req = executor.CellRequest{Dataset: dataset, Trial: c.Int("trial"), Method: c.String("method"),
		Loss: c.String("loss")}
	if req.Params, err = command.Params(c.StringSlice("set")); err != nil {
		return req, err
	}
	req.Checkpoints, err = command.Checkpoints(c.String("checkpoints"))
	return req, err
}

func datasetOf(c *cli.Context) (string, error) {
	switch {
	case c.IsSet("dataset") && c.NArg() > 0:
		return "", userinput.Errorf("--dataset and the argument %s both name a dataset; give only one of "+
			"them", c.Args().First())
	case c.IsSet("dataset"):
		return c.String("dataset"), nil
	}
	return command.One(c, "the folder of a dataset")
}

// cellOutput checks that --out and --weights may be written, before the cell runs.
func cellOutput(c *cli.Context, dataset string) (seal.Output, error) {
	place := command.Place(c)
	out, weights := c.String("out"), c.String("weights")
	if out != "" && filepath.Clean(out) == filepath.Clean(weights) {
		return place, userinput.Errorf("--out and --weights are both %s; name different files", out)
	}
	if ds, err := samples.Open(dataset); err == nil { // errors are reported later, when the cell runs
		if place.Inputs, err = ds.Files(); err != nil {
			return place, err
		}
	}
	if weights != "" && weights != "-" {
		if err := place.Check(weights); err != nil {
			return place, err
		}
	}
	if out == "" {
		return place, nil
	}
	made := place
	made.Sealed = results.CheckTable
	return place, made.Check(out)
}

// writeWeights writes the weights of all features in w and w̄, and both intercepts. gdrun project can read the file.
func writeWeights(w io.Writer, names []string, m results.Model) error {
	if slices.Contains(names, network.Intercept) {
		return fmt.Errorf("a feature is named %s, but --weights uses this name for the intercept; rename the "+
			"feature", network.Intercept)
	}
	weights := make([][2]float64, len(names))
	for k, model := range []*results.Sparse{&m.W, &m.Wbar} {
		for i, j := range model.Index {
			weights[j][k] = model.Value[i]
		}
	}
	lines := [][]string{{"name", "weight", "weight_wbar"}}
	for j, pair := range weights {
		lines = append(lines, []string{names[j], table.Shortest(pair[0]), table.Shortest(pair[1])})
	}
	lines = append(lines, []string{network.Intercept, table.Shortest(m.W.Intercept),
		table.Shortest(m.Wbar.Intercept)})
	return safefile.WriteCSV(w, lines)
}

func printRows(c *cli.Context, rows []results.Row) error {
	w := c.App.Writer
	switch c.String("format") {
	case "json":
		for i := range rows {
			if err := writeFlat(w, &rows[i]); err != nil {
				return err
			}
		}
		return nil
	case "csv":
		pointers := make([]*results.Row, len(rows))
		for i := range rows {
			pointers[i] = &rows[i]
		}
		return export.WriteCSV(w, plan.Layout(), pointers)
	}
	for i := range rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t := rowTable(&rows[i])
		if rows[i].Failed() {
			fmt.Fprintf(w, "%s\n%s\nfailed: %s\n", t.Title, t.Subtitle, rows[i].Error)
			continue
		}
		if err := command.Tables(c, t); err != nil {
			return err
		}
	}
	return nil
}

// writeFlat writes a row as one JSON object, with keys in the order of the columns. Undefined and infinite values are
// null.
func writeFlat(w io.Writer, r *results.Row) error {
	var b bytes.Buffer
	for i, f := range results.Fields(plan.Layout()) {
		v := f.Value(r)
		if f.Role == results.RoleParameter && v == nil {
			continue // the method has no such parameter
		}
		if x, ok := v.(float64); ok && math.IsInf(x, 0) {
			v = nil
		}
		value, err := json.Marshal(v)
		if err != nil {
			return err
		}
		open := ",\n  "
		if i == 0 {
			open = "{\n  "
		}
		fmt.Fprintf(&b, "%s%q: %s", open, f.Name, value)
	}
	b.WriteString("\n}\n")
	_, err := w.Write(b.Bytes())
	return err
}

func rowTable(r *results.Row) *table.Table {
	var params []string
	for _, f := range results.Fields(plan.Layout()) {
		if v := f.Value(r); f.Role == results.RoleParameter && v != nil {
			params = append(params, fmt.Sprintf("%s=%v", f.Name, v))
		}
	}
	t := &table.Table{
		Title:    fmt.Sprintf("%s %s", r.Method, strings.Join(params, " ")),
		Subtitle: fmt.Sprintf("%s, trial %d, after %d samples; cell %.12s…", r.Dataset, r.Trial, r.Checkpoint, r.Cell),
		Columns:  []table.Column{{Head: "", Words: true}, {Head: "w"}, {Head: "w̄"}, {Head: "", Words: true}},
	}
	for _, m := range results.MetricColumns {
		a, b := *m.At(&r.W), *m.At(&r.Wbar)
		if math.IsNaN(a) && math.IsNaN(b) {
			continue
		}
		if m.Name == "regret" && math.IsNaN(r.W.Recall) && formatMeasure(a) == formatMeasure(r.W.CumulativeLoss) {
			continue // without a truth, the best fixed model fits perfectly, so regret says nothing new
		}
		t.Rows = append(t.Rows, []table.Cell{table.Word(m.Name), table.Of(a, formatMeasure), table.Of(b, formatMeasure),
			table.Word(m.Doc)})
	}
	t.Notes = []string{fmt.Sprintf("learned in %.3g s", r.Seconds)}
	if r.Solves > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d Steiner forests were computed; %d of %d projections returned fewer than "+
			"s nodes or more than (1 + ω)s nodes", r.Solves, r.Unbracketed, 2*r.Checkpoint))
	}
	if r.HeadBound > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d of %d head projections reused the last support; each is proven to "+
			"capture at least %.3g of the largest possible norm", r.KeptHeads, r.Checkpoint, r.HeadBound))
	}
	return t
}

// formatMeasure formats whole numbers from 2 on without decimals, and other values with four decimals.
func formatMeasure(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) >= 2 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}
