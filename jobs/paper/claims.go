package paper

import (
	"bytes"
	_ "embed"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed claims.yaml
var claimsYAML []byte

// A Claim is a statement of the paper about its experiments, with a test. claims.yaml explains the keys and the forms.
type Claim struct {
	Name        string            `yaml:"name"`
	Quote       string            `yaml:"quote"`
	Text        string            `yaml:"text"`
	Where       string            `yaml:"where"`
	Form        string            `yaml:"form"`
	Measure     string            `yaml:"measure"`
	Methods     []string          `yaml:"methods"`
	Against     []string          `yaml:"against"`
	Models      []string          `yaml:"models"`
	Datasets    []string          `yaml:"datasets"`
	Checkpoints []int             `yaml:"checkpoints"`
	Values      map[string]Number `yaml:"values"`
	Parameter   string            `yaml:"parameter"`
	Remark      string            `yaml:"remark"`
}

// Claims returns the paper's claims, in the order of the paper's text. Callers must not modify the slice.
var Claims = sync.OnceValue(func() []Claim {
	var file struct {
		Sets   map[string]any `yaml:"sets"` // YAML values that claims share by anchors
		Claims []Claim        `yaml:"claims"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(claimsYAML))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		panic("paper: claims.yaml: " + err.Error()) // cannot happen: the file is built in
	}
	return file.Claims
})
