// Package inspect describes the content of a file or folder in a few lines, for `gdrun inspect`. It can describe
// datasets, runs, shards, models, trials of samples and tables. To add a kind, write a function and add it to kinds.
package inspect

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/results"
	"graphda/io/table"
	"graphda/jobs/plan"
)

// A Line states a fact (Text) about a subject (About).
type Line struct{ About, Text string }

// Table returns a table of the lines.
func Table(lines []Line) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Key: "about", Head: "About", Words: true}, {Key: "text", Head: "Text", Words: true}}}
	for _, l := range lines {
		t.Rows = append(t.Rows, []table.Cell{table.Word(l.About), table.Word(l.Text)})
	}
	return t
}

type kind struct {
	is       func(path string, info fs.FileInfo) bool
	describe func(path string) ([]Line, error)
}

// kinds lists the kinds of files and folders. Inspect describes any other file as a table.
var kinds = []kind{
	{func(path string, _ fs.FileInfo) bool { return plan.IsRun(path) }, describeRun},
	{func(_ string, info fs.FileInfo) bool { return info.IsDir() }, describeDataset},
	{isShard, describeShard},
	{isModel, describeModel},
	{isSamples, describeSamples},
}

// Inspect describes the file or folder at path, and checks its whole content. If `force` is set, a compressed table may
// exceed the size limit. If nothing is at path, the error wraps fs.ErrNotExist.
func Inspect(path string, force bool) ([]Line, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	k := slices.IndexFunc(kinds, func(k kind) bool { return k.is(path, info) })
	if k < 0 {
		return describeTable(path, force)
	}
	return kinds[k].describe(path)
}

func isShard(path string, _ fs.FileInfo) bool {
	_, ok := results.ParseShardName(filepath.Base(path))
	return ok
}
