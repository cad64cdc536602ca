package merge

// Seconds is the CPU time that the cells' learning took in all, without evaluation.
func (g *Grid) Seconds() float64 {
	byCell := map[string]float64{}
	for _, r := range g.Rows() {
		byCell[r.Cell] = max(byCell[r.Cell], r.Seconds)
	}
	sum := 0.0
	for _, r := range g.Rows() { // in plan order, so that the sum has the same bits
		sum += byCell[r.Cell]
		delete(byCell, r.Cell)
	}
	return sum
}
