package slurm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A fate is what becomes of an environment variable of Slurm. Scripts say all that their jobs ask for, so that a job is
// the same whoever submits it, and from wherever.
type fate struct {
	passed bool   // to Slurm's commands: it says where the cluster is
	option string // of sbatch that has its value, unless the user gave the option
}

// variables are the variables of sbatch that mean something here. All other variables of Slurm's commands are removed:
// they describe the job in which this program runs, or would change what the commands print, or what a script says.
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

// clusters is the option by which all commands name the cluster that they ask.
const clusters = "clusters"

// commands begin the names of the variables of Slurm's commands.
var commands = []string{"SLURM_", "SBATCH_", "SQUEUE_", "SACCT_", "SCANCEL_", "SCONTROL_", "SINFO_"}

// reaches tells whether an environment variable reaches Slurm's commands.
func reaches(name string) bool {
	return variables[name].passed ||
		!slices.ContainsFunc(commands, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// Inherit takes what is empty from the variables by which sbatch takes defaults.
func (r *Resources) Inherit(getenv func(string) string) {
	fields := r.fields()
	for _, name := range slices.Sorted(maps.Keys(variables)) { // memory by processor before that by node
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

// ClusterOf returns the cluster that the environment names, empty if it names none. All jobs of a submission go to one
// cluster, because they wait for each other.
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

// Ignored lists the variables of sbatch in an environment that have no effect on jobs of this program.
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
