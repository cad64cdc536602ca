// Package inspect describes in a few lines what a file or folder holds: a dataset, run, shard, model, trial of samples
// or table. It is what `gdrun inspect` runs. To add a kind, write a function and a line in kinds.
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

// A Line is one thing to know: what it is about, and what there is to say.
type Line struct{ About, Text string }

// Table is what there is to know as a table.
func Table(lines []Line) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Key: "about", Head: "About", Words: true}, {Key: "text", Head: "Text", Words: true}}}
	for _, l := range lines {
		t.Rows = append(t.Rows, []table.Cell{table.Word(l.About), table.Word(l.Text)})
	}
	return t
}

// A kind is something that can be looked at.
type kind struct {
	is       func(path string, info fs.FileInfo) bool
	describe func(path string) ([]Line, error)
}

// kinds are all kinds. The first that a path is of is taken; anything else is a table.
var kinds = []kind{
	{func(path string, _ fs.FileInfo) bool { return plan.IsRun(path) }, describeRun},
	{func(_ string, info fs.FileInfo) bool { return info.IsDir() }, describeDataset},
	{isShard, describeShard},
	{isModel, describeModel},
	{isSamples, describeSamples},
}

// Inspect looks at what is at path, and checks all of it. With force a compressed table may be of any size. An error
// about a path where nothing is wraps fs.ErrNotExist.
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
