package main

import (
	"encoding/json"
	"reflect"
	"testing"

	"graphda/jobs/experiment"
	"graphda/learners"
)

// The lists in JSON hold all that there is.
func TestListsInJSON(t *testing.T) {
	catalog, err := experiment.Catalog()
	must(t, err)
	var entries []experiment.CatalogEntry
	must(t, json.Unmarshal([]byte(ok(t, "experiments", "--format", "json").stdout), &entries))
	if !reflect.DeepEqual(entries, catalog) {
		t.Errorf("json holds\n%+v\nwant\n%+v", entries, catalog)
	}
	var methods []methodJSON
	must(t, json.Unmarshal([]byte(ok(t, "methods", "--format", "json").stdout), &methods))
	if len(methods) != len(learners.Methods) || !reflect.DeepEqual(methods, methodList()) {
		t.Errorf("json holds\n%+v\nwant\n%+v", methods, methodList())
	}
}
