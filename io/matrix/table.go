package matrix

import "graphda/io/tabular"

func init() { tabular.Register(tabular.Format{Extensions: []string{".npy"}, Open: openTable}) }

// openTable opens an array of NumPy as a table, with the names that stand beside it.
func openTable(path string, _ tabular.Options) (tabular.Source, error) {
	m, err := loadNPY(path)
	if err != nil {
		return nil, err
	}
	ids, names, err := tabular.NamesOf(path, m.Rows, m.Cols)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, m.Rows)
	for i := range values {
		values[i] = m.Row(i)
	}
	return tabular.NewMatrix(ids, names, values), nil
}
