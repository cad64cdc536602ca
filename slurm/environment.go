package slurm

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// keptVariable has, in a follow-up job, the environment of the call that sent the first one. The jobs that it sends get
// that environment, and not what Slurm and the node have made of it.
const keptVariable = "GDRUN_ENVIRONMENT"

// KeptEnvironment returns the variable for a job that submits others.
func KeptEnvironment() []string {
	own := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !reaches(name) || name == keptVariable
	})
	slices.Sort(own)
	text, _ := json.Marshal(own) // of texts alone it does not fail
	if len(text) > 120<<10 {     // Linux takes 128 KiB of a variable; the job keeps what Slurm makes of it
		text = nil
	}
	return []string{keptVariable + "=" + string(text)}
}

// RestoreEnvironment gives this process the environment that its job was sent with. The node knows better where the
// cluster is.
func RestoreEnvironment() error {
	text := os.Getenv(keptVariable)
	if text == "" {
		return nil
	}
	var all []string
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return fmt.Errorf("%s: %w", keptVariable, err)
	}
	for name, fate := range variables {
		if value, ok := os.LookupEnv(name); ok && fate.passed {
			all = append(all, name+"="+value)
		}
	}
	os.Clearenv()
	for _, v := range all {
		if name, value, _ := strings.Cut(v, "="); name != "" {
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}
