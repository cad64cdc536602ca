package slurm

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Resources are what a job asks for. A zero field means the cluster's default.
type Resources struct {
	Time        string   // time limit in sbatch's format; see ParseTime
	Mem         string   // memory on the node, such as 2G (K, M, G or T; default M); 0 means all memory of the node
	MemPerCPU   string   // alternative to Mem
	CPUsPerTask int      // number of processors; 0 means the default, 1
	WholeNode   bool     // whether each job gets all processors of a node, at least CPUsPerTask
	Partition   string   // one name, or several names separated by commas
	Account     string   //
	QOS         string   //
	Constraint  string   // required features of nodes, such as "intel&gpu"
	Exclude     string   // nodes to avoid, such as n1,n2
	Extra       []string // further options of sbatch, each in the form --name=value
}

// Validate returns an error that names every value that sbatch would refuse or misread.
func (r *Resources) Validate() error {
	var errs []error
	check := func(err error) { errs = append(errs, err) }
	if r.Time != "" {
		_, err := ParseTime(r.Time)
		check(err)
	}
	check(checkMemory("mem", r.Mem))
	check(checkMemory("mem-per-cpu", r.MemPerCPU))
	if r.Mem != "" && r.MemPerCPU != "" {
		check(errors.New("want only one of --mem and --mem-per-cpu"))
	}
	if r.CPUsPerTask < 0 {
		check(fmt.Errorf("cpus-per-task = %d, want at least 1", r.CPUsPerTask))
	}
	check(checkAlphabet("partition", r.Partition, "_.,+-"))
	check(checkAlphabet("account", r.Account, "_.,+@-"))
	check(checkAlphabet("qos", r.QOS, "_.,+-"))
	check(checkAlphabet("constraint", r.Constraint, "_.,:=&|*!()[]-"))
	check(checkAlphabet("exclude", r.Exclude, "_.,[]-"))
	for _, option := range r.Extra {
		check(checkExtra(option))
	}
	return errors.Join(errs...)
}

func (r *Resources) options() []string {
	cpus := ""
	if r.CPUsPerTask > 0 {
		cpus = strconv.Itoa(r.CPUsPerTask)
	}
	var options []string
	if r.WholeNode {
		options = append(options, "--nodes=1", "--exclusive")
	}
	fields := r.fields()
	fields["cpus-per-task"], fields["exclude"] = &cpus, &r.Exclude
	for _, name := range []string{"time", "mem", "mem-per-cpu", "cpus-per-task", "partition", "account", "qos",
		"constraint", "exclude"} {
		if value := *fields[name]; value != "" {
			options = append(options, "--"+name+"="+value)
		}
	}
	return options
}

// fields returns the fields that environment variables may set, by sbatch's option.
func (r *Resources) fields() map[string]*string {
	return map[string]*string{"time": &r.Time, "mem": &r.Mem, "mem-per-cpu": &r.MemPerCPU, "partition": &r.Partition,
		"account": &r.Account, "qos": &r.QOS, "constraint": &r.Constraint}
}

func checkMemory(what, v string) error {
	if v == "" {
		return nil
	}
	if _, err := ParseMemory(v); err != nil {
		return fmt.Errorf("%s = %w", what, err)
	}
	return nil
}

// ParseMemory reads a size in sbatch's format, such as 2G or 500. It returns MiB, rounded up.
func ParseMemory(v string) (mib int, err error) {
	number := strings.TrimRight(v, "KMGTkmgt")
	n, err := strconv.ParseUint(number, 10, 40)
	if err != nil || len(v)-len(number) > 1 || n > 1<<31 {
		return 0, fmt.Errorf("%q, want a number with a unit K, M, G or T, such as 2G", v)
	}
	switch strings.ToUpper(v[len(number):]) {
	case "K":
		return int(n+1023) / 1024, nil
	case "G":
		return int(n) << 10, nil
	case "T":
		return int(n) << 20, nil
	}
	return int(n), nil
}

// FormatMemory returns a size in MiB in sbatch's format.
func FormatMemory(mib int) string {
	if mib > 0 && mib%1024 == 0 {
		return strconv.Itoa(mib/1024) + "G"
	}
	return strconv.Itoa(mib) + "M"
}

// noRequeue is sbatch's option that prevents a requeue when a node fails.
const noRequeue = "--no-requeue"

// ofTasks lists options only for jobs that compute. A follow-up job gets all other options, which a site may require.
var ofTasks = []string{"bb", "contiguous", "core-spec", "cores-per-socket", "cpu-freq", "cpus-per-gpu", "distribution",
	"exclusive", "extra-node-info", "gpu-bind", "gpu-freq", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task",
	"gres", "gres-flags", "hint", "hold", "mem-bind", "mem-per-gpu", "mincpus", "network", "no-requeue", "nodelist",
	"ntasks-per-core", "ntasks-per-gpu", "ntasks-per-node", "ntasks-per-socket", "overcommit", "oversubscribe",
	"sockets-per-node", "spread-job", "switches", "thread-spec", "threads-per-core", "time-min", "tmp", "use-min-nodes"}

// AskedMemory returns the memory of a task in MiB, or 0 for all memory of the node or for the cluster's default.
func (r *Resources) AskedMemory() int {
	text, times := r.Mem, 1
	if text == "" {
		text, times = r.MemPerCPU, max(1, r.CPUsPerTask)
	}
	mib, err := ParseMemory(text)
	if err != nil {
		return 0
	}
	return mib * times
}

// OfAllJobs returns the options in extra that also suit a job that computes nothing.
func OfAllJobs(extra []string) []string {
	return slices.DeleteFunc(slices.Clone(extra), func(option string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(option, "--"), "=")
		return slices.Contains(ofTasks, name)
	})
}

// own lists the options of sbatch that this package sets itself, and what the user can use instead.
var own = []struct{ name, instead string }{
	{"time", "--time"}, {"mem", "--mem"}, {"mem-per-cpu", "--mem-per-cpu"}, {"cpus-per-task", "--cpus-per-task"},
	{"partition", "--partition"}, {"account", "--account"}, {"qos", "--qos"}, {"constraint", "--constraint"},
	{"array", ""}, {"chdir", ""}, {"clusters", "the variable SLURM_CLUSTERS"}, {"dependency", ""}, {"error", ""},
	{"job-name", ""}, {"kill-on-invalid-dep", ""}, {"open-mode", ""}, {"output", ""}, {"parsable", ""},
	{"quiet", ""},
	{"requeue", ""}, {"signal", ""}, {"test-only", ""}, {"verbose", ""}, {"version", ""}, {"wait", ""}, {"wrap", ""},
	{"help", ""}, {"usage", ""},
}

// checkExtra refuses options that would break a script. It refuses their abbreviations too, because sbatch accepts any
// unambiguous prefix of an option's name.
func checkExtra(option string) error {
	if err := checkWord("sbatch option", option); err != nil {
		return err
	}
	if strings.ContainsAny(option, "\"\\\n") {
		return fmt.Errorf("sbatch option %q: remove quotes, backslashes and line ends, which are not allowed", option)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(option, "--"), "=")
	if !strings.HasPrefix(option, "--") || name == "" || !only(name, letters+"-") {
		return fmt.Errorf("sbatch option %q, want --name or --name=value", option)
	}
	for _, o := range own {
		if !strings.HasPrefix(o.name, strings.ToLower(name)) {
			continue
		}
		if o.instead == "" {
			return fmt.Errorf("sbatch option %q: gdrun sets --%s itself; leave the option out", option, o.name)
		}
		return fmt.Errorf("sbatch option %q: use %s instead", option, o.instead)
	}
	return nil
}
