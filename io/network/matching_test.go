package network

import (
	"fmt"
	"strings"
	"testing"
)

// If ids may be written differently, an error says so, with examples. Ids that agree only in a number belong to other
// samples, so there is no advice to join them.
func TestAlike(t *testing.T) {
	ten := func(format string) (all []string) {
		for i := range 10 {
			all = append(all, fmt.Sprintf(format, 120+i))
		}
		return all
	}
	const other = "they belong to other samples"
	for _, test := range []struct{ names, others, want string }{
		{"NKI_%d", "VDX_%d", other}, {"NKI.%d", "VDX.%d", other}, {"a:%d", "b:%d", other}, {"NKI-%d", "VDX-%d", ""},
		{"S%d", "P%d", other}, {"patient %d", "sample %d", other}, {"GSM%d", "S%d", other},
		{"A%d.1", "A%d.2", other}, {"TCGA-02-0%d-01A", "TCGA-02-0%d-11A", other}, {"S1-%d", "S1%d", ""},
		{"NKI_%d", "%d", "prefix"}, {"%d", "NKI_%d", "prefix"}, {"NKI_%d", "nki_%d", "case"}, {"a:S%d", "S%d", "prefix"},
		{"S%d", "%d", "letters or zeros"}, {"S%d", "S0%d", "letters or zeros"}, {"s%d", "S-%d", "signs"},
		{"A%d.1", "A%d", "version"}, {"TCGA-02-0%d-01A", "TCGA-02-0%d", "TCGA"},
		{"TCGA-02-0%d-01A-21", "TCGA-02-0%d-01B", "TCGA"}, {"TCGA-02-0%d", "TCGA.02.0%d", "signs"},
		{"Zoe\u0308%d", "Zo\u00eb%d", "look the same"}, {"A%d", "A\u200b%d", "look the same"}, {"\uff21%d", "A%d", "look the same"},
		{"Zo\u00e9%d", "Zo\u00eb%d", ""}, {"Zoe%d", "Zo\u00eb%d", ""}, {"fi%d", "\ufb01%d", "look the same"},
		{"X%d-1", "%d.1", "signs"}, {"a%d", "b%d", ""}, {"gene%d", "7%d", ""},
	} {
		why, examples := Alike(ten(test.names), ten(test.others))
		if !strings.Contains(why, test.want) || (why == "") != (test.want == "") || (examples == "") != (why == "") {
			t.Errorf("%s and %s: %q (%s), want %q", test.names, test.others, why, examples, test.want)
		}
		if test.want == "look the same" && !strings.Contains(examples, `\u`) {
			t.Errorf("%s and %s: examples %s look the same", test.names, test.others, examples)
		}
		if test.want == other && !strings.Contains(examples, fmt.Sprintf("%q and %q", fmt.Sprintf(test.names, 120),
			fmt.Sprintf(test.others, 120))) {
			t.Errorf("%s and %s: examples %s", test.names, test.others, examples)
		}
	}
}

// If no spelling explains the difference, genes belong to two systems of names. Numbers of two
// organisms are not joined.
func TestMismatch(t *testing.T) {
	for _, test := range []struct{ names, others, want string }{
		{"hsa-miR-%d", "%d", "symbols and numbers"}, {"hsa:%d", "mmu:%d", ""}, {"hsa:%d", "%d", "prefix"},
		{"ENSG00000%06d.5", "ENSG00000%06d.7", "version"}, {"ENSG00000%06d", "GENE%d", "Ensembl genes and symbols"},
		{"9606.ENSP00000%06d", "ENSP00000%06d", "prefix"}, {"tp%d", "TP%d", "case"},
	} {
		var names, others []string
		for i := range 10 {
			names, others = append(names, fmt.Sprintf(test.names, i+1)), append(others, fmt.Sprintf(test.others, i+1))
		}
		if why := Mismatch(names, others); !strings.Contains(why, test.want) || (why == "") != (test.want == "") {
			t.Errorf("%s and %s: %q, want %q", test.names, test.others, why, test.want)
		}
		if why := Spelling(names, others); strings.Contains(why, "systems") {
			t.Errorf("%s and %s: %q is no spelling", test.names, test.others, why)
		}
	}
}
