package inspect

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
)

func isModel(path string, _ fs.FileInfo) bool {
	return strings.HasSuffix(path, ".parquet") && model.Is(path)
}

func describeModel(path string) ([]Line, error) {
	m, err := model.Read(path)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s, %s loss", message.Count(len(m.Features), "feature"), m.Loss)
	if m.Positive != "" {
		text += fmt.Sprintf("; scores of at least %.3g are %q, the others %q", m.Weights[0].Threshold, m.Positive, m.Negative)
	}
	if s := m.Survival; s != nil {
		text += fmt.Sprintf("; scores are log hazard ratios of %q", s.Event)
	}
	if m.Scaling != nil {
		text += "; it standardises the features"
	}
	if m.Median != nil {
		text += ", and replaces missing values by training medians"
	}
	lines := []Line{{"model", text}}
	if found := m.Made[model.Found]; found != "" {
		lines = []Line{{"found", found}, lines[0]}
		delete(m.Made, model.Found)
	}
	if m.Covariates != nil {
		lines = append(lines, Line{"adjusted", "for " + m.Covariates.String()})
	}
	if s := m.Survival; s != nil {
		text := fmt.Sprintf("by column %q, until %.4g", s.Time, s.Last())
		if s.Strata != "" {
			text += fmt.Sprintf(", for each of the %d values of %q", len(s.Baselines), s.Strata)
		}
		lines = append(lines, Line{"baseline hazard", text})
	}
	for i := range m.Weights {
		w := &m.Weights[i]
		var selected []string
		for j, v := range w.W {
			if v != 0 {
				selected = append(selected, m.Features[j])
			}
		}
		lines = append(lines, Line{w.Name, fmt.Sprintf("%s with nonzero weights: %s",
			message.Count(len(selected), "feature"), dataframe.Some(selected))})
	}
	if s := m.State; s != nil {
		lines = append(lines, Line{"learner", strings.TrimSpace(s.Method + " " + pairs(s.Parameters))})
		if s.Learned > 0 {
			lines = append(lines, Line{"learned", fmt.Sprintf("%s one by one, %d of them from the last stream",
				message.Count(s.Learned, "sample"), s.Stream.Samples)})
		}
	}
	return append(lines, Line{"made by", pairs(m.Made)}), nil
}

func pairs(values map[string]string) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		all = append(all, key+"="+values[key])
	}
	return strings.Join(all, ", ")
}
