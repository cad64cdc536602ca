package explaining

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
)

// The style is about attributes and roles that the network has, its sizes end at the largest weight, and it is XML.
func TestStyle(t *testing.T) {
	s := must1(Select(example(t, "graphda")))
	var b strings.Builder
	must(t, s.style(&b))
	names, roles := map[string]string{}, []string{}
	for _, k := range nodeKeys {
		names[k.Name] = map[string]string{"string": "string", "double": "float"}[k.Type]
	}
	for i := range s.Nodes {
		roles = append(roles, s.Nodes[i].Role())
	}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	mapped := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		must(t, err)
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		of := map[string]string{}
		for _, a := range e.Attr {
			of[a.Name.Local] = a.Value
		}
		if name, ok := of["attributeName"]; ok {
			if mapped++; names[name] != of["attributeType"] {
				t.Errorf("%s: attribute %q of type %q, the network's is %q", e.Name.Local, name, of["attributeType"], names[name])
			}
		}
		if role, ok := of["attributeValue"]; ok && !slices.Contains(roles, role) {
			t.Errorf("no node has the role %q", role)
		}
	}
	if mapped != 4 || !strings.Contains(b.String(), `attrValue="-2"`) || !strings.Contains(b.String(), `attrValue="2"`) {
		t.Errorf("%d attributes are mapped: %s", mapped, &b)
	}
}
