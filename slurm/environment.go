package slurm

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// keptVariable gives a follow-up job the environment of the user's call.
const keptVariable = "GDRUN_ENVIRONMENT"

// KeptEnvironment returns a variable that holds this process's environment, for a job that submits other jobs.
func KeptEnvironment() []string {
	own := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !reaches(name) || name == keptVariable
	})
	slices.Sort(own)
	text, _ := json.Marshal(own) // cannot fail for texts
	if len(text) > 120<<10 {     // Linux allows 128 KiB
		text = nil
	}
	return []string{keptVariable + "=" + string(text)}
}

// RestoreEnvironment gives this process the environment that KeptEnvironment stored, except for variables that locate
// the cluster.
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
