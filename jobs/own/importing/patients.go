package importing

import (
	"unicode/utf8"

	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// patientColumn returns the column of the samples' patients; −1: none is asked for, or the labels' file has it.
func (r *Request) patientColumn(t *tabular.Table) (int, error) {
	if r.Patient == "" {
		return -1, nil
	}
	i, err := t.Find(r.Patient)
	if err == nil && i < 0 && r.Labels == "" {
		err = usage.Errorf("patient = %q, which is no column of %s; its columns are %s", r.Patient, r.Samples,
			tabular.Some(t.Columns()))
	}
	return i, err
}

// readPatients takes the samples' patients, if they are asked for.
func (in *reader) readPatients() error {
	r := in.request
	switch {
	case r.Patient == "":
		return nil
	case in.patient >= 0 && in.joined != nil && in.joined.patient >= 0:
		return usage.Errorf("patient = %q, which is a column of %s and of %s; want it in one of them", r.Patient, r.Samples,
			r.Labels)
	case in.patient < 0 && in.joined.patient < 0:
		return usage.Errorf("patient = %q, which is no column of %s nor of %s", r.Patient, r.Samples, r.Labels)
	}
	path := r.Samples
	if in.patient < 0 {
		path = r.Labels
	}
	var problems tabular.Problems
	for _, f := range in.patients {
		switch {
		case tabular.IsMissing(f.text):
			problems.Add(path, f.wrong(path, "is %q, want the sample's patient", f.text))
		case !utf8.ValidString(f.text):
			problems.Add(path, f.wrong(path, "is %q, which is not UTF-8", f.text))
		}
		in.data.patients = append(in.data.patients, f.text)
	}
	return problems.Err()
}
