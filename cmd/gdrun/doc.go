// Gdrun plans and runs experiments in online learning with graph-structured sparsity:
// grids of cells, each one pass of a method with its parameters over one trial of a
// dataset. Gdmerge turns the results into tables and figures.
//
//	gdrun experiments          list the built-in experiments, their tables and figures
//	gdrun reproduce EXPERIMENT give a table or figure of the paper, from nothing to its report
//	gdrun simulate KIND        draw a dataset of the paper: benchmark, mnist or kegg
//	gdrun import               make a dataset of your own tables
//	gdrun tune DATASET         choose a setting for a dataset of your own, and make a model of it
//	gdrun learn                learn on from samples as they come
//	gdrun predict              score new samples with such a model
//	gdrun explain              show what a model selects of its network
//	gdrun confidence DATASET   tell which features are selected not by chance alone
//	gdrun inspect PATH         tell what a dataset, a run, a shard, a model or a table holds
//	gdrun methods              list the methods with their parameters
//	gdrun cell                 run one method with one setting on one trial
//	gdrun plan EXPERIMENT      expand an experiment into cells and pack them into tasks
//	gdrun local RUN            run what is missing of a plan on this machine
//	gdrun task RUN             run one task of a plan, as an array element does
//	gdrun submit RUN           run what is missing of a plan on a Slurm cluster
//	gdrun status RUN           tell how far a run has come
//	gdrun cancel RUN           cancel all jobs of a run that wait or run
//	gdrun project              find a connected subgraph of your own graph
//	gdrun completion SHELL     print a script by which bash, zsh or fish completes commands
//
// gdrun COMMAND --help tells the flags of a command. They may stand before or after its
// argument. make install installs this program with its page of the manual, man gdrun, and
// scripts by which shells complete what is typed. The folder docs has pages for users.
//
// # The paper
//
// Reproduce draws the data that are not there, plans a built-in experiment, runs what is
// missing of it on this machine, and writes its report; --scale quick takes its reduced form,
// and --until stops after an earlier step. Interrupted, the same command goes on where it was:
//
//	gdrun experiments
//	gdrun reproduce figure6 --scale quick
//	gdrun reproduce benchmark --until plan
//
// The sections below tell of these steps one by one.
//
// # Data
//
// A dataset is a directory of a graph, a table of features, and a file of samples for each
// trial, in Parquet or Arrow. Here is a small one of the paper's kind:
//
//	$ gdrun simulate benchmark --graph 1 --mu 0.3 --trials 2 --train 100 --valid 50 --test 50 --out data
//	data/graph01-mu0.3: 2 trials of 200 samples, 26 nodes of 1089 raised by 0.3
//
// The other two kinds come from raw files that this program does not have: the images of
// MNIST, and a network of proteins with its pathways and expressions. --help tells their
// names. --raw, or the environment variable GRAPHDA_DATA, names a folder with the folders
// mnist and kegg in it:
//
//	gdrun simulate mnist --raw raw --digit all --model constant --out data
//	gdrun simulate kegg --raw raw --strategy all --out data
//
// # Your own data
//
// A table of samples, such as a data frame that was saved as CSV, and the edges of a network
// make a dataset. This is samples.csv:
//
//	sample,status,MDM2,TP53,CDK2,EGFR
//	S1,tumour,2.1,0.3,1.0,4.2
//	S2,normal,0.4,1.9,1.2,3.9
//	S3,tumour,1.8,0.1,0.7,4.4
//	S4,normal,0.2,2.2,0.8,4.1
//	S5,tumour,2.4,0.6,1.1,3.8
//	S6,normal,0.7,1.7,0.9,4.0
//
// and this edges.csv:
//
//	source,target,cost
//	TP53,MDM2,0.5
//	TP53,CDK2,1
//	CDK2,CCNE1,1
//
// One column is the label, one has the samples' ids, all others are features, but for those of
// --drop and one that is named split. Without the latter, every trial is a random split of its own.
//
//	$ gdrun import --samples samples.csv --label status --positive tumour --edges edges.csv --standardise --trials 2 --out data/tumours
//	read samples.csv: 6 samples of 4 features, ids by column "sample"; labels by column "status"
//	read edges.csv: edges by columns "source" and "target", with costs "cost"; 3 of 4 nodes are features (75 %), 3 of 4 features are nodes (75 %)
//	data/tumours: 4 features (1 isolated), 2 edges, 2 trials
//	samples of a trial: train 2 (1 positive), valid 2 (1 positive), test 2 (1 positive)
//	labels: "tumour" is +1, "normal" is −1
//	try: gdrun tune data/tumours
//
// On stderr are notes about what was left out: here an edge to CCNE1, which is no feature.
// --features names a table of what is known about the features, by name: truth, group, row
// and col; --groups one with a row for each feature of each group. Nothing is left of an
// import that fails.
//
// # Samples as they come
//
// Learn takes samples one by one, from standard input or a file, as CSV, NDJSON or an Arrow stream. It predicts
// each with what was learned before it, and then learns it. The model's file is written again every 1,000
// samples (--every) and at the end, for predict to read. It begins with a model of tune (--from), or from zero
// with a dataset's features and network:
//
//	$ gdrun learn --model live.parquet --dataset data/tumours --method adam --set alpha=0.1 --label status --samples samples.csv
//	samples,mistakes,mistakes_wbar,loss,loss_wbar,selected
//	6,0,0,0.527987,0.567144,4
//
// Killed at any moment, it is given the same samples again: those that the file has learned are passed over,
// and in the end the file has the same bytes as if nothing had happened. Other samples are refused, unless
// --next lets them follow:
//
//	gdrun learn --model live.parquet --label status --next < tuesday.csv
//	gdrun learn --model live.parquet --label status --samples growing.csv --follow
//
// Explain writes the selected features and the edges between them as tables, as GraphML for Cytoscape and the
// like, and as a picture:
//
//	$ gdrun explain --model live.parquet --out explained
//	explained: 4 features, 0 connectors and 2 edges in 2 parts
//
// # One cell
//
// The measures are those of the last iterate w and of the running average w̄ after each
// checkpoint. With --format json they are a flat object, and --out writes them to an Arrow
// file.
//
//	$ gdrun cell --dataset data/graph01-mu0.3 --method da-iht --set gamma=50,s=26 --checkpoints 50,100
//	$ gdrun cell --dataset data/graph01-mu0.3 --trial 1 --method adam --set alpha=0.01 --format json --out cell.arrow
//
// # An experiment
//
// An experiment is a built-in one, such as table1, or a YAML file. Each parameter of a method
// is a value or a list; all combinations are run. This is small.yaml:
//
//	name: small
//	loss: logistic
//	datasets: [graph01-mu0.3]
//	checkpoints: [50, 100] # default: after all training samples
//	selection: [validation]
//	methods:
//	  - method: da-iht
//	    gamma: [10, 50]
//	    s: [15, 26]
//	  - {method: adam, alpha: [0.001, 0.01]}
//	reports:
//	  - {name: small, kind: classification, checkpoint: 100}
//
// Planning reads all data and checks every setting before anything runs. The same
// experiment may be planned again; another one is refused. A file that says like: table1
// takes what it leaves out from that built-in experiment.
//
//	$ gdrun plan small.yaml --data data --out runs/small
//	12 cells (6 a trial, 2 trials), about 0s of CPU time on this machine, packed into 2 tasks of 1 GiB
//	gives small
//	run them with: gdrun local runs/small
//	$ gdrun task runs/small --index 1
//	runs/small: 6 cells done, 0 failed
//	$ gdrun local runs/small -j 2
//	runs/small: 12 cells done, 0 failed
//	$ gdrun status runs/small --format csv
//	dataset,method,cells,done,failed,running,queued,missing
//	graph01-mu0.3,da-iht,8,8,0,0,0,0
//	graph01-mu0.3,adam,4,4,0,0,0,0
//
// A run may be interrupted at any moment, also by kill -9 or a power cut: the same command
// goes on where it was. Several processes may work on one run.
//
// An experiment that has become larger, by more values, methods or trials, is planned into
// the same folder: only its new cells are computed. The checkpoints, the selection and the traces
// of reports stay as they were, or the larger one needs a folder of its own, where --reuse takes
// the finished cells of other runs:
//
//	gdrun plan larger.yaml --out runs/larger --reuse runs/small
//
// # On a cluster
//
// On a login node of a Slurm cluster, submit takes the place of local. It submits job
// arrays, one element for each task, as many arrays as the cluster's limits ask for:
//
//	gdrun submit runs/table1 -n                                    # show the scripts and commands, do nothing
//	gdrun submit runs/table1 --time 45:00 --partition short --merge
//	gdrun status runs/table1 --watch
//	gdrun cancel runs/table1
//
// A task stops before its time limit and goes back into the queue by itself. Whatever else
// ends it, the same submit brings back what is missing and only that: what is done is on
// the disk, and what waits or runs is left alone. Cells that are not a task of their own
// any more are packed into new ones, with the time that finished cells have really taken.
// --retry-failed adds the cells that failed. --merge chains a job that runs gdmerge once all
// others have ended, and leaves its report in the folder report in the run's folder; where only that
// job is lacking, it is submitted alone. The scripts and a journal of all jobs are kept in
// submissions/, the logs in logs/.
//
// Cells that need more memory, or more time than --time, go to arrays of their own. More
// than 100 CPU hours or 500 tasks are asked about first, unless there is --yes.
//
// Jobs measure what they take, and later ones ask for that. What ran out of memory asks for
// twice as much, up to --max-mem, what reached its time limit before a cell was finished for
// more time, and a node on which two jobs have died is not used again; status tells what jobs
// died of. With --whole-node a task has a node to itself. --max-jobs and --max-core-hours leave
// the rest to a later submit. What this means for a cluster is in docs/for-admins.md.
//
// # Your own graph
//
// The projections that the methods use work on any graph with a weight or a prize on each
// node, and so does the solver for prize-collecting Steiner forests behind them. Here the
// weights are the true vector of the simulated data:
//
//	$ gdrun project --graph data/graph01-mu0.3/graph.parquet --weights data/graph01-mu0.3/features.parquet --column truth --sparsity 26 --out module.graphml
//	module.graphml: 26 nodes, 25 edges, 1 tree
//
// # Output and exit codes
//
// Results are on stdout, all else is on stderr: progress, which is a bar on a terminal and a
// line now and then elsewhere, and errors, of one line each.
//
// A file that is there is replaced if the command has written it itself and nobody has changed
// it since; others only with --force, and what the command reads never. Which of its files
// have no checksum inside, a folder notes in .graphda-files.
//
//	0   done
//	1   a cell failed, or the content of a file is bad
//	2   usage or configuration: an unknown name, a missing path, a plan that does not match
//	3   cells are missing, running or queued (status)
//	75  stopped early by INT, TERM, HUP or USR1; the same command goes on
package main
