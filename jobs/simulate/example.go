package simulate

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/samples"
	"graphda/io/seal"
)

// In tumours, the genes from moduleFrom to moduleTo, which are neighbours, are higher by 1. In the second hospital, the
// gene miscalibrated is too high by 1.
const (
	exampleGenes         = 60
	moduleFrom, moduleTo = 21, 26
	miscalibrated        = 22
)

//go:embed example.yaml
var exampleExperiment string

// Example returns the files of docs/tutorial.md. The seed decides all numbers:
//
//	samples.csv      150 patients with their status; G21 to G26 are higher in tumours
//	network.csv      a ring of 60 genes with some more edges
//	cohort2.csv      90 patients of another hospital
//	new.csv          6 patients without a status
//	shuffled.csv     samples.csv with its statuses shuffled, so that there is nothing to find
//	experiment.yaml  three methods to compare on benchmark data
func Example(seed uint64) []seal.Named {
	first, second := drawPatients(seed, "samples", 150, 75), drawPatients(seed, "cohort2", 90, 30)
	for _, p := range second {
		p.genes[miscalibrated-1]++
	}
	shuffled := slices.Clone(first)
	samples.PartRand(seed, "example", "shuffled statuses").Shuffle(len(shuffled), func(i, j int) {
		shuffled[i].status, shuffled[j].status = shuffled[j].status, shuffled[i].status
	})
	unknown := drawPatients(seed, "new", 6, 3)
	var files []seal.Named
	for _, f := range [][2]string{{"samples.csv", patientTable(first, true)}, {"network.csv", exampleNetwork()},
		{"cohort2.csv", patientTable(second, true)}, {"new.csv", patientTable(unknown, false)},
		{"shuffled.csv", patientTable(shuffled, true)}, {"experiment.yaml", exampleExperiment}} {
		files = append(files, seal.Named{Name: f[0], Fill: func(w io.Writer) error {
			_, err := io.WriteString(w, f[1])
			return err
		}})
	}
	return files
}

type patient struct {
	id, status string
	genes      []float64 // the tables add 7 to these values
}

// drawPatients draws n patients with the given number of tumours. Ids begin with the first letter of the table's name.
func drawPatients(seed uint64, table string, n, tumours int) []patient {
	rng := samples.PartRand(seed, "example", table)
	all := make([]patient, n)
	for i := range all {
		all[i] = patient{fmt.Sprint(strings.ToUpper(table[:1]), i+1), "normal", make([]float64, exampleGenes)}
		fillNormal(rng, all[i].genes)
	}
	for _, i := range rng.Perm(n)[:tumours] {
		all[i].status = "tumour"
		for j := moduleFrom; j <= moduleTo; j++ {
			all[i].genes[j-1]++
		}
	}
	return all
}

// patientTable returns the patients as CSV. If known is true, it includes their status.
func patientTable(all []patient, known bool) string {
	var b strings.Builder
	row := func(id, status string, gene func(j int) string) {
		b.WriteString(id)
		if known {
			b.WriteString("," + status)
		}
		for j := range exampleGenes {
			b.WriteString("," + gene(j))
		}
		b.WriteString("\n")
	}
	row("patient", "status", func(j int) string { return fmt.Sprint("G", j+1) })
	for _, p := range all {
		row(p.id, p.status, func(j int) string { return fmt.Sprintf("%.2f", 7+p.genes[j]) })
	}
	return b.String()
}

// exampleNetwork returns a ring of the genes with one more edge at every eighth gene.
func exampleNetwork() string {
	var b strings.Builder
	b.WriteString("source,target\n")
	for j := range exampleGenes {
		fmt.Fprintf(&b, "G%d,G%d\n", j+1, (j+1)%exampleGenes+1)
	}
	for j := 1; j < exampleGenes; j += 8 {
		fmt.Fprintf(&b, "G%d,G%d\n", j+1, (j+27)%exampleGenes+1)
	}
	return b.String()
}
