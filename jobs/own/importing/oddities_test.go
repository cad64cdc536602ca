package importing

import (
	"fmt"

	"graphda/jobs/own/sampletable"
	"math/rand/v2"
	"strings"
	"testing"
)

// oddTable writes 40 samples of 12 genes in a ring, whose values are made by value, with more columns; and their network.
func oddTable(t *testing.T, head string, value func(rng *rand.Rand, sample, gene int) string, more func(sample int) string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var s, e strings.Builder
	s.WriteString("id,y" + head)
	e.WriteString("source,target\n")
	for j := range 12 {
		fmt.Fprintf(&s, ",G%d", j)
		fmt.Fprintf(&e, "G%d,G%d\n", j, (j+1)%12)
	}
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range 40 {
		fmt.Fprintf(&s, "\nP%02d,%.2f%s", i, rng.NormFloat64(), more(i))
		for j := range 12 {
			s.WriteString("," + value(rng, i, j))
		}
	}
	write(t, "s.csv", s.String()+"\n")
	write(t, "e.csv", e.String())
}

func real64(rng *rand.Rand, _, _ int) string { return fmt.Sprintf("%.4f", rng.NormFloat64()) }
func nothing(int) string                     { return "" }

// firstNote imports the table of numbers and returns the first note.
func firstNote(t *testing.T, change func(r *Request)) string {
	t.Helper()
	r := tableRequest()
	r.Task = sampletable.Regression
	change(&r)
	return append(run(t, r).Notes, "")[0]
}

func same(*Request) {}

// A column that hardly is a feature is named first; one that the network has is not.
func TestUnlikeColumns(t *testing.T) {
	oddTable(t, ",event", real64, func(i int) string { return fmt.Sprintf(",%d", i%2) })
	want := `column "event" is taken for a feature, but it has 0 and 1 where the others have fractions, and no edge: if it is none, --drop "event" leaves it out`
	if got := firstNote(t, same); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	oddTable(t, ",event", real64, func(i int) string { return fmt.Sprintf(",%d", i%2) })
	write(t, "e.csv", "source,target\nG0,event\nG1,G2\nG2,G3\nG3,G4\nG4,G5\nG5,G6\nG6,G7\nG7,G8\n")
	if got := firstNote(t, same); strings.Contains(got, "is taken for a feature") {
		t.Errorf("a node of the network: %q", got)
	}
}

// Counts are told from values that are whole numbers and no counts.
func TestRawCounts(t *testing.T) {
	oddTable(t, "", func(rng *rand.Rand, _, _ int) string { return fmt.Sprint(int(100 * rng.ExpFloat64())) }, nothing)
	if got := firstNote(t, same); !strings.HasPrefix(got, "THE VALUES LOOK LIKE RAW COUNTS: whole numbers, with a variance above the mean in 12 of 12 features") {
		t.Errorf("counts: %q", got)
	}
	for name, value := range map[string]func(rng *rand.Rand, _, _ int) string{
		"genotypes": func(rng *rand.Rand, _, _ int) string { return fmt.Sprint(rng.IntN(2) + rng.IntN(2)) }, "fractions": real64,
	} {
		oddTable(t, "", value, nothing)
		if got := firstNote(t, same); strings.Contains(got, "COUNTS") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Samples that are nearly the same are named, unless they are known to be of one patient.
func TestAlikeSamples(t *testing.T) {
	patients := make([][12]float64, 20)
	replicate := func(rng *rand.Rand, i, j int) string {
		if i%2 == 0 {
			patients[i/2][j] = 5*float64(j) + rng.NormFloat64()
		}
		return fmt.Sprintf("%.4f", patients[i/2][j]+0.01*rng.NormFloat64())
	}
	who := func(i int) string { return fmt.Sprintf(",Q%d", i/2) }
	oddTable(t, ",who", replicate, who)
	got := firstNote(t, func(r *Request) { r.Drop = []string{"who"} })
	if !strings.HasPrefix(got, "20 pairs of samples correlate above 0.99, as P") || !strings.HasSuffix(got, "several samples of one patient? --patient COLUMN keeps them on one side of each split") {
		t.Errorf("replicates: %q", got)
	}
	oddTable(t, ",who", replicate, who)
	if got := firstNote(t, func(r *Request) { r.Patient = "who" }); strings.Contains(got, "correlate") {
		t.Errorf("patients: %q", got)
	}
	oddTable(t, "", func(rng *rand.Rand, _, j int) string { return fmt.Sprintf("%.4f", 5*float64(j)+rng.NormFloat64()) }, nothing)
	if got := firstNote(t, same); strings.Contains(got, "correlate") {
		t.Errorf("different samples: %q", got)
	}
}

// A table whose rows are features is known by its first column, with labels in it or not.
func TestForgottenTranspose(t *testing.T) {
	oddTable(t, "", real64, nothing)
	var labels, genes strings.Builder
	labels.WriteString("sample,y\n")
	genes.WriteString("gene")
	for i := range 12 {
		fmt.Fprintf(&labels, "S%d,%d\n", i, i%2)
		fmt.Fprintf(&genes, ",S%d", i)
	}
	for j := range 12 {
		fmt.Fprintf(&genes, "\nG%d%s", j, strings.Repeat(",0.5", 12))
	}
	write(t, "labels.csv", labels.String())
	write(t, "genes.csv", genes.String()+"\n")
	write(t, "both.csv", strings.Replace(genes.String(), "gene,S0", "gene,y", 1)+"\n")
	for _, change := range []func(r *Request){
		func(r *Request) { r.Samples = "genes.csv" },
		func(r *Request) { r.Samples, r.Labels, r.Task = "genes.csv", "labels.csv", sampletable.Classification },
		func(r *Request) { r.Samples = "both.csv" },
	} {
		r := tableRequest()
		r.Task = sampletable.Regression
		change(&r)
		_, err := Import(t.Context(), r, nil)
		if err == nil || !strings.Contains(err.Error(), "--transpose") || strings.Contains(err.Error(), "system") {
			t.Errorf("%s, labels %q: %v", r.Samples, r.Labels, err)
		}
	}
}
