# The two commands of the README are `make run` and `make test`.
GO ?= go

.PHONY: build run test race lint fuzz bench test-slurm test-slurm-full clean

build: # both programs, into bin/
	@$(GO) build -o bin/ ./cmd/...

run: build # the main job, in small: data, plan, cells, tables
	bin/gdrun simulate benchmark --graph 1 --trials 2 --out data
	bin/gdrun plan quick --data data --out runs/quick
	bin/gdrun local runs/quick
	bin/gdmerge runs/quick --out report/quick

test:
	$(GO) test ./...

race: # the packages whose code runs on several goroutines or processes
	$(GO) test -race -short ./jobs ./io/results ./io/seal ./learners/... ./projection/...

lint:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags invariants ./projection/...
	$(GO) test -run . ./cmd/internal/house

FUZZTIME ?= 10s
fuzz: # every fuzz target for FUZZTIME
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

BENCH ?= .
COUNT ?= 6
bench: # in Go's own format, for benchstat
	$(GO) test -run '^$$' -bench '$(BENCH)' -count $(COUNT) -timeout 2h ./projection/... ./learners ./io/... ./jobs/...

# On a cluster of its own, which it installs where it can, starts and stops; else it says why not.
ON_CLUSTER = TESTCLUSTER_MAX_ARRAY=50 TESTCLUSTER_CPUS=4 TESTCLUSTER_MEM=4000 slurm/testcluster/with.sh
LIVE = $(GO) test -count=1 -p 1 -parallel 16

test-slurm: # slurm/, and what gdrun does on a cluster, with one fault of each kind
	$(ON_CLUSTER) $(LIVE) -timeout 10m -run '^Test(Live|Shellcheck)' ./slurm/... ./cmd/gdrun

test-slurm-full: # a trial of Table 1, and the faults again and again; a quarter of an hour; prints a table of them
	GRAPHDA_CLUSTER_FULL=1 $(ON_CLUSTER) $(LIVE) -timeout 60m -v -run '^TestLive(Table1)?$$' ./cmd/gdrun

clean: # what building and `make run` leave
	rm -rf bin data runs report
