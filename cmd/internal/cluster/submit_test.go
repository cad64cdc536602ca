package cluster

import (
	"context"
	"os"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
)

// On a terminal, only yes means yes. An interrupt is an answer too.
func TestAsk(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "yes": true, "\n": false, "n\n": false, "": false} {
		var out strings.Builder
		if err := ask(t.Context(), strings.NewReader(answer), &out, "Submit?"); (err == nil) != want || out.String() != "Submit? [y/N] " {
			t.Errorf("%q: %v, %q", answer, err, out.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	if err := ask(ctx, r, new(strings.Builder), "Submit?"); command.ExitCode(err) != command.Stopped {
		t.Errorf("interrupted: %v", err)
	}
}
