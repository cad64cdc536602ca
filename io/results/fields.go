package results

import (
	"math"
	"time"
)

// A Field is a column of result files as other formats print it.
type Field struct {
	Name string
	Role Role
	// Value returns a row's value: nil for null, else a string (a parameter's word, a
	// time in RFC 3339), an int64 or a float64, which may be infinite.
	Value func(r *Row) any
}

// Fields lists the columns of result files with these hyperparameters, in their order.
func Fields(layout Layout) []Field {
	words := map[string][]string{}
	for _, p := range layout {
		words[p.Name] = p.Words
	}
	var fields []Field
	for _, c := range columnsOf(layout) {
		get := c.value
		choices := words[c.Name]
		fields = append(fields, Field{Name: c.Name, Role: c.role, Value: func(r *Row) any {
			switch v := get(r).(type) {
			case int:
				return int64(v)
			case float64:
				if math.IsNaN(v) {
					return nil
				}
				if choices != nil {
					return choices[int(v)]
				}
				return v
			case time.Time:
				if v.IsZero() {
					return nil
				}
				return v.UTC().Format(time.RFC3339Nano)
			case string:
				if v == "" && c.Nullable {
					return nil
				}
				return v
			default:
				return v
			}
		}})
	}
	return fields
}
