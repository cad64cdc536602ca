package slurm

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// If nodes change the environment again and again, a job that submits other jobs still has the
// environment of the first call.
func TestEnvironmentIsKept(t *testing.T) {
	first := os.Environ()
	t.Cleanup(func() {
		os.Clearenv()
		for _, v := range first {
			name, value, _ := strings.Cut(v, "=")
			_ = os.Setenv(name, value)
		}
	})
	for _, v := range []string{"SLURM_JOB_ID=1", "SBATCH_QOS=high", "PATH=/usr/bin:/bin", "ODD=a 'b' \"c\"\n=d\x01", "EMPTY="} {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	_ = os.Unsetenv("SLURM_CONF")
	kept := KeptEnvironment()
	for range 3 {
		for name, value := range map[string]string{"PATH": os.Getenv("PATH") + ":/more", "TMPDIR": "/of/a/dead/job", "EMPTY": "x",
			"SLURM_JOB_ID": "2", "SLURM_CONF": "/node/slurm.conf"} {
			t.Setenv(name, value)
		}
		name, value, _ := strings.Cut(kept[0], "=")
		t.Setenv(name, value)
		if err := RestoreEnvironment(); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("ODD") != "a 'b' \"c\"\n=d\x01" || os.Getenv("PATH") != "/usr/bin:/bin" || os.Getenv("TMPDIR") == "/of/a/dead/job" ||
			os.Getenv("SLURM_JOB_ID")+os.Getenv("SBATCH_QOS") != "" || os.Getenv("SLURM_CONF") != "/node/slurm.conf" {
			t.Errorf("restored as %q", os.Environ())
		}
		next := KeptEnvironment()
		if without := strings.Replace(next[0], `,"SLURM_CONF=/node/slurm.conf"`, "", 1); !slices.Equal([]string{without}, kept) {
			t.Errorf("%q, then %q", kept, next)
		}
	}
}
