package selection

import "testing"

// What Describe says is what Best does, see TestBest.
func TestDescribe(t *testing.T) {
	for _, c := range []struct{ name, reading, loss, want string }{
		{Validation, "", "logistic", "w and w̄ each have the hyperparameters of the best accuracy on the validation split, of equals those with the fewest mistakes on the way."},
		{Validation, "", "least_squares", "w and w̄ each have the hyperparameters of the least squared error on the validation split."},
		{ValidationLast, "", "logistic", "w and w̄ each have the hyperparameters of the best accuracy on the validation split, of equals the last in plan order."},
		{OracleF1, "", "least_squares", "w and w̄ each have the hyperparameters of the best F1 against the true support, which a user of the method would not know."},
		{Paper, "benchmark", "logistic", "w and w̄ each have the hyperparameters of the best accuracy on the validation split, but mistakes and nonzeros of w̄ are read from the cell chosen for w, as in the published tables (the reading that gave the published numbers)."},
		{Paper, "mnist", "least_squares", "w and w̄ each have the hyperparameters of the best F1 against the true support, which a user of the method would not know (the reading that gave the published numbers)."},
		{Paper, "kegg", "logistic", "w and w̄ each have the hyperparameters of the best accuracy on the validation split, of equals the last in plan order (the reading that gave the published numbers)."},
	} {
		if got := mustParse(t, c.name, c.reading, c.loss).Describe(); got != c.want {
			t.Errorf("%s %s under %s: %q", c.name, c.reading, c.loss, got)
		}
	}
}
