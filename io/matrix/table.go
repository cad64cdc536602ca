package matrix

import "graphda/io/tabular"

func init() { tabular.Register(tabular.Format{Extensions: []string{".npy"}, Open: openTable}) }

// openTable opens an array of NumPy as a table, with the names that stand in other files.
func openTable(path string, o tabular.Options) (tabular.Source, error) {
	m, err := loadNPY(path, o.OpenFile)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, m.Rows)
	for i := range values {
		values[i] = m.Row(i)
	}
	return tabular.NewNamedMatrix(path, o, values)
}
