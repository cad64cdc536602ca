package simulate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/io/dataframe"
	"graphda/io/matrix"
	"graphda/io/samples"
)

// These are accepted names of KEGG's raw files.
var (
	geneNames    = []string{"genes.csv", "genes.csv.gz"}
	edgeNames    = []string{"edges.csv.gz", "edges.csv"}
	pathwayNames = []string{"pathways.csv.gz", "pathways.csv"}
	exprNames    = []string{"expr.npy", "expr.csv", "expr.csv.gz"}
	keggNames    = [][]string{geneNames, edgeNames, pathwayNames, exprNames}
)

type keggRaw struct {
	genes    []string
	index    map[string]int32 // index of each gene, by name
	null     []bool           // by gene: whether it was not measured
	target   []bool           // by gene: whether it is in the target pathway
	graph    *graph.Graph
	pathways [][]int32 // genes of each pathway, ascending
	expr     *matrix.Matrix
}

// features returns the genes as features. The truth is 1 in the target pathway, and 0 elsewhere.
func (r *keggRaw) features() *samples.Features {
	f := &samples.Features{Names: r.genes, Truth: make([]float64, len(r.genes)), Groups: r.pathways,
		Measured: make([]bool, len(r.genes))}
	for i, in := range r.target {
		f.Measured[i] = !r.null[i]
		if in {
			f.Truth[i] = 1
		}
	}
	return f
}

func readKEGG(dir string) (*keggRaw, error) {
	r := &keggRaw{index: map[string]int32{}}
	for _, f := range []struct {
		names []string
		read  func(path string) error
	}{
		{geneNames, r.readGenes}, {edgeNames, r.readEdges}, {pathwayNames, r.readPathways}, {exprNames, r.readExpressions},
	} {
		path, err := oneOf(dir, f.names...)
		if err != nil {
			return nil, err
		}
		if err := f.read(path); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func readTable(path string, row func(t *dataframe.Table) error, columns ...string) error {
	t, err := dataframe.OpenColumns(path, columns...)
	if err != nil {
		return err
	}
	defer t.Close()
	for t.Next() {
		if err := row(t); err != nil {
			return err
		}
	}
	return t.Err()
}

// readGenes reads the genes, in the order of the expressions' columns.
func (r *keggRaw) readGenes(path string) error {
	targets := 0
	err := readTable(path, func(t *dataframe.Table) error {
		number, gene, kind, target := t.Text(0), t.Text(1), t.Text(2), t.Text(3)
		i := len(r.genes)
		if number != fmt.Sprint(i) {
			return t.Bad(0, "is %q, want %d: genes must be in the order of the columns of expressions", number, i)
		}
		if gene == "" {
			return t.Bad(1, "is empty, want a gene's name")
		}
		if first, ok := r.index[gene]; ok {
			return t.Bad(1, "is %q, as in the row of index %d", gene, first)
		}
		if kind != "real" && kind != "filled" && kind != "null" {
			return t.Bad(2, "is %q, want real, filled or null", kind)
		}
		if target != "0" && target != "1" {
			return t.Bad(3, "is %q, want 0 or 1", target)
		}
		r.genes, r.index[gene] = append(r.genes, gene), int32(i)
		r.null, r.target = append(r.null, kind == "null"), append(r.target, target == "1")
		if target == "1" {
			targets++
		}
		return nil
	}, "index", "gene", "kind", Target)
	if err == nil && targets == 0 {
		err = &dataframe.Error{Path: path, Column: Target, Err: errors.New("is 1 for no gene, want one at least")}
	}
	return err
}

// gene returns the index of the gene named in column i of the table's current row.
func (r *keggRaw) gene(t *dataframe.Table, i int) (int32, error) {
	g, ok := r.index[t.Text(i)]
	if !ok {
		return 0, t.Bad(i, "is %q, which is not in the file of genes", t.Text(i))
	}
	return g, nil
}

// readEdges reads the network. Genes may have no edge.
func (r *keggRaw) readEdges(path string) error {
	var edges []graph.Edge
	var costs []float64
	rows := map[graph.Edge]dataframe.Row{} // row of each edge in the file; U is the lower index
	err := readTable(path, func(t *dataframe.Table) error {
		u, err := r.gene(t, 0)
		if err != nil {
			return err
		}
		v, err := r.gene(t, 1)
		if err != nil {
			return err
		}
		cost, err := t.Number(2)
		if err != nil {
			return err
		}
		pair := graph.Edge{U: min(u, v), V: max(u, v)}
		switch first, ok := rows[pair]; {
		case u == v:
			return t.Bad(1, "is %q, the same as gene_a; a gene has no edge to itself", t.Text(1))
		case ok:
			return t.Bad(1, "is %q, but %v has this edge, too; want each edge once", t.Text(1), first)
		case cost < 0:
			return t.Bad(2, "is %s, want at least 0", t.Text(2))
		}
		rows[pair] = t.Row()
		edges, costs = append(edges, graph.Edge{U: u, V: v}), append(costs, cost)
		return nil
	}, "gene_a", "gene_b", "cost")
	if err == nil {
		r.graph, err = graph.New(len(r.genes), edges, costs)
	}
	return err
}

// readPathways reads the pathways, in the order of their first rows.
func (r *keggRaw) readPathways(path string) error {
	numbers := map[string]int{}
	type membership struct {
		pathway int
		gene    int32
	}
	rows := map[membership]dataframe.Row{}
	err := readTable(path, func(t *dataframe.Table) error {
		id := t.Text(0)
		if id == "" {
			return t.Bad(0, "is empty, want a pathway")
		}
		g, err := r.gene(t, 1)
		if err != nil {
			return err
		}
		k, ok := numbers[id]
		if !ok {
			k = len(r.pathways)
			numbers[id] = k
			r.pathways = append(r.pathways, nil)
		}
		m := membership{k, g}
		if first, ok := rows[m]; ok {
			return t.Bad(1, "is %q, but %v has this gene of %s, too; want each gene once", t.Text(1), first, id)
		}
		rows[m] = t.Row()
		r.pathways[k] = append(r.pathways[k], g)
		return nil
	}, "pathway_id", "gene")
	for _, members := range r.pathways {
		slices.Sort(members)
	}
	if err == nil && len(r.pathways) == 0 {
		err = &dataframe.Error{Path: path, Err: errors.New("has no row, want one at least")}
	}
	return err
}

// readExpressions reads a matrix with a row for each sample and a column for each gene.
func (r *keggRaw) readExpressions(path string) error {
	m, err := matrix.Read(path)
	if err != nil {
		return err
	}
	if m.Cols != len(r.genes) {
		return fmt.Errorf("%s: is a matrix of %d × %d, want %d columns, one for each gene", path, m.Rows, m.Cols,
			len(r.genes))
	}
	if m.Rows < 2 {
		return fmt.Errorf("%s: has %d row, want at least 2 samples", path, m.Rows)
	}
	for j, name := range m.Names {
		if name != r.genes[j] {
			return fmt.Errorf("%s: column %d (counting from 1) is %q, want %q: columns have the order of the file of genes",
				path, j+1, name, r.genes[j])
		}
	}
	for i, v := range m.Data {
		if math.Abs(v) > largestExpression {
			return fmt.Errorf("%s: row %d, column %d (counting from 0): is %v, want a size of at most %v: covariances overflow",
				path, i/m.Cols, i%m.Cols, v, largestExpression)
		}
	}
	r.expr = m
	return nil
}

// largestExpression is the largest absolute expression with which sums of squares do not overflow.
const largestExpression = 1e100

// Target is the pathway whose genes are shifted in positive samples: endometrial cancer. The column of this name in the
// gene file marks its genes.
const Target = "hsa05213"
