package figures

import (
	"slices"
	"testing"
)

// ranked are five methods, of which the first three and the last three do not differ.
func ranked() *Ranking {
	return &Ranking{
		Info: Info{Name: "ranked"}, Axis: "mean rank of F1 over 10 datasets",
		Ranked: []Ranked{
			{"graphda", "GraphDA", 1.2}, {"da-iht", "DA-IHT", 2.5}, {"adagrad", "AdaGrad", 2.5}, {"l1-rda", "ℓ1-RDA", 3.8},
			{"adam", "Adam", 5},
		},
		Bars: [][2]int{{0, 2}, {2, 4}},
	}
}

func TestRankingStructure(t *testing.T) {
	r := ranked()
	doc := document(t, drawn(t, r, "svg"))
	labels := texts(doc)
	for _, want := range []string{"GraphDA  1.20", "DA-IHT  2.50", "AdaGrad  2.50", "ℓ1-RDA  3.80", "Adam  5.00", r.Axis, "1", "5"} {
		if !slices.Contains(labels, want) {
			t.Errorf("no %q in %q", want, labels)
		}
	}
	if _, n := strokesOf(doc, "stroke", ink); n != 2 {
		t.Errorf("%d strokes of ink, want two bars", n)
	}
	wantCSV(t, r, "key,label,rank,bars\ngraphda,GraphDA,1.2,1\nda-iht,DA-IHT,2.5,1\nadagrad,AdaGrad,2.5,1 2\n"+
		"l1-rda,ℓ1-RDA,3.8,2\nadam,Adam,5,2\n")
	r.Bars = [][2]int{{0, 4}}
	if p := r.Parts(); p.Pieces[0].Note != "Nothing differs: a bar joins all of them." || len(p.Pieces) != 1 || len(p.Keys) != 0 || p.Pieces[0].Letters != tickSize {
		t.Errorf("parts %+v", p)
	}
}
