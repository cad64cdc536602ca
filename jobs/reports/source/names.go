package source

import (
	"regexp"
	"strings"
)

// datasetNames tell how the paper calls a dataset, by patterns of their names.
var datasetNames = []struct {
	pattern *regexp.Regexp
	label   string
}{
	{regexp.MustCompile(`^graph(\d\d)-mu([\d.]+)$`), "Graph$1, μ = $2"},
	{regexp.MustCompile(`^kegg-([12])$`), "Strategy $1"},
	{regexp.MustCompile(`^mnist-(\d)-(normalized|constant|gaussian)$`), "Digit $1, $2 model"},
}

// DatasetLabel is a dataset's name for a reader: as the paper calls it, or as it is.
func DatasetLabel(name string) string {
	for _, n := range datasetNames {
		if n.pattern.MatchString(name) {
			return strings.Replace(n.pattern.ReplaceAllString(name, n.label), "gaussian", "Gaussian", 1)
		}
	}
	return name
}
