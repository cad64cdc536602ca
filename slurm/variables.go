package slurm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A fate says what happens to an environment variable of Slurm. A job must not depend on the user's environment, so its
// script contains all options.
type fate struct {
	passed bool   // whether Slurm's commands get the variable, because it locates the cluster
	option string // option of sbatch that gets the value, unless the user gave the option; "" means none
}

// variables lists the variables of Slurm that have an effect. Slurm's commands do not get the others, which describe
// the job in which this program runs, or would change scripts or output.
var variables = map[string]fate{
	"SLURM_CONF": {passed: true}, "SLURM_CONF_SERVER": {passed: true}, "SLURM_JWT": {passed: true},
	"SLURM_SACK_JWKS": {passed: true}, "SLURM_SACK_KEY": {passed: true},

	"SBATCH_ACCOUNT": {option: "account"}, "SBATCH_PARTITION": {option: "partition"}, "SBATCH_QOS": {option: "qos"},
	"SBATCH_CONSTRAINT": {option: "constraint"}, "SBATCH_TIMELIMIT": {option: "time"},
	"SBATCH_MEM_PER_CPU": {option: "mem-per-cpu"}, "SBATCH_MEM_PER_NODE": {option: "mem"},
	"SBATCH_CLUSTERS": {option: clusters}, "SLURM_CLUSTERS": {option: clusters},

	"SBATCH_CORE_SPEC": {option: "core-spec"}, "SBATCH_CPUS_PER_GPU": {option: "cpus-per-gpu"},
	"SBATCH_EXCLUSIVE": {option: "exclusive"}, "SBATCH_EXPORT": {option: "export"}, "SBATCH_GPUS": {option: "gpus"},
	"SBATCH_GPUS_PER_NODE": {option: "gpus-per-node"}, "SBATCH_GPUS_PER_TASK": {option: "gpus-per-task"},
	"SBATCH_GRES": {option: "gres"}, "SBATCH_HINT": {option: "hint"}, "SBATCH_LICENSES": {option: "licenses"},
	"SBATCH_RESERVATION": {option: "reservation"}, "SBATCH_THREADS_PER_CORE": {option: "threads-per-core"},
	"SBATCH_WCKEY": {option: "wckey"},
}

// clusters is the option of all commands that names the cluster to ask.
const clusters = "clusters"

// commands lists the prefixes of Slurm's variables.
var commands = []string{"SLURM_", "SBATCH_", "SQUEUE_", "SACCT_", "SCANCEL_", "SCONTROL_", "SINFO_"}

// reaches tells whether Slurm's commands get the named variable.
func reaches(name string) bool {
	return variables[name].passed ||
		!slices.ContainsFunc(commands, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// Inherit fills empty fields from sbatch's environment variables.
func (r *Resources) Inherit(getenv func(string) string) {
	fields := r.fields()
	for _, name := range slices.Sorted(maps.Keys(variables)) { // SBATCH_MEM_PER_CPU comes before SBATCH_MEM_PER_NODE
		option, value := variables[name].option, getenv(name)
		field := fields[option]
		switch {
		case option == "" || option == clusters || value == "":
		case strings.HasPrefix(option, "mem") && r.Mem+r.MemPerCPU != "":
		case field != nil && *field == "":
			*field = value
		case field == nil && !slices.ContainsFunc(r.Extra, func(o string) bool {
			return o == "--"+option || strings.HasPrefix(o, "--"+option+"=")
		}):
			r.Extra = append(r.Extra, "--"+option+"="+value)
		}
	}
}

// ClusterOf returns the cluster that the environment names, or "". Several clusters are an error, because jobs wait for
// each other only within a cluster.
func ClusterOf(getenv func(string) string) (string, error) {
	for _, name := range []string{"SBATCH_CLUSTERS", "SLURM_CLUSTERS"} {
		if value := getenv(name); value != "" {
			if value == "all" || !only(value, letters+nameSigns) {
				return "", fmt.Errorf("%s = %q, want the name of one cluster", name, value)
			}
			return value, nil
		}
	}
	return "", nil
}

// Ignored lists the variables of sbatch in environ that have no effect on jobs.
func Ignored(environ []string) (names []string) {
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "SBATCH_") && value != "" && variables[name] == (fate{}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
