# The two commands of the README are `make run` and `make test`.
GO ?= go

.PHONY: dist test-dist build man install uninstall run experiments-quick test size confidence-study tune-study choice-study predict-study covariate-study survival-study golden torture race lint fuzz bench test-slurm test-slurm-full clean

BIN ?= bin
# Where git does not want to tell, --version says that the revision is unknown.
BUILDVCS = $(shell git status > /dev/null 2>&1 && echo auto || echo false)
build: # both programs, into bin/, without libraries of this machine, so that any node of a cluster can run them
	@CGO_ENABLED=0 $(GO) build -buildvcs=$(BUILDVCS) -ldflags '-s -w' -o $(BIN)/ ./cmd/...

man: build # the manual's pages, of the programs' own definitions
	@rm -rf $(BIN)/man
	@for p in gdrun gdmerge; do $(BIN)/$$p man $(BIN)/man; done

# To a folder of the user's own, unless PREFIX names another; DESTDIR goes before it, for packages.
PREFIX ?= $(HOME)/.local
TO = $(DESTDIR)$(PREFIX)
INSTALLED = $(foreach p,gdrun gdmerge,$(TO)/bin/$(p) $(TO)/share/man/man1/$(p).1 $(TO)/share/man/man1/$(p)-*.1 \
	$(TO)/share/bash-completion/completions/$(p) $(TO)/share/zsh/site-functions/_$(p) \
	$(TO)/share/fish/vendor_completions.d/$(p).fish)
install: man # programs, manual pages, completion of bash, zsh and fish
	@mkdir -p $(sort $(dir $(INSTALLED)))
	@for p in gdrun gdmerge; do \
		install -m 755 $(BIN)/$$p $(TO)/bin/$$p && \
		install -m 644 $(BIN)/man/$$p*.1 $(TO)/share/man/man1/ && \
		$(BIN)/$$p completion bash > $(TO)/share/bash-completion/completions/$$p && \
		$(BIN)/$$p completion zsh > $(TO)/share/zsh/site-functions/_$$p && \
		$(BIN)/$$p completion fish > $(TO)/share/fish/vendor_completions.d/$$p.fish || exit 1; \
	done
	@echo "installed gdrun and gdmerge in $(TO)/bin, with manual pages and completion in $(TO)/share"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "$(PREFIX)/bin is not in your PATH";; esac

uninstall: # what install has put there
	rm -f $(INSTALLED)

RELEASE = $(shell sed -n 's/^const Version = "\(.*\)"/\1/p' io/seal/version.go)
REVISION = $(shell git rev-parse --short=12 HEAD 2> /dev/null || cat VERSION)
PACK = tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct) -c
dist: # release files: programs for three systems, sources with their modules, checksums; the same bytes each time
	@rm -rf dist && mkdir -p dist/made
	@set -e; for system in linux-amd64 linux-arm64 darwin-arm64; do \
		name=graphda-$(RELEASE)-$$system; echo "$$name"; mkdir dist/made/$$name; cp README.md LICENSE dist/made/$$name/; \
		CGO_ENABLED=0 GOOS=$${system%-*} GOARCH=$${system#*-} $(GO) build -trimpath -buildvcs=false \
			-ldflags '-s -w -X graphda/cmd/internal/command.revision=$(REVISION)' -o dist/made/$$name/ ./cmd/gdrun ./cmd/gdmerge; \
		(cd dist/made && $(PACK) $$name) | gzip -n > dist/$$name.tar.gz; \
	done
	@set -e; name=graphda-$(RELEASE); git archive --prefix=$$name/ HEAD | tar -x -C dist/made; echo "$$name-source"; \
		(cd dist/made/$$name && $(GO) mod vendor && echo $(REVISION) > VERSION); \
		(cd dist/made && $(PACK) $$name) | gzip -n > dist/$$name-source.tar.gz
	@rm -rf dist/made; cd dist && sha256sum *.tar.gz > SHA256SUMS && cat SHA256SUMS

test-dist: # two releases are the same to the byte, and the sources build without network
	@set -e; try=$$(mktemp -d); trap 'rm -rf "$$try"' EXIT; \
		$(MAKE) dist; cp dist/SHA256SUMS "$$try/"; $(MAKE) dist; cmp dist/SHA256SUMS "$$try/SHA256SUMS"; \
		tar -xzf dist/graphda-$(RELEASE)-source.tar.gz -C "$$try"; \
		PREFIX="$$try/made" "$$try/graphda-$(RELEASE)/packaging/build.sh"; "$$try/made/bin/gdrun" --version
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) vet ./...
	@if command -v apptainer > /dev/null; then $(MAKE) build && apptainer build --force dist/gdrun.sif packaging/graphda.def; \
	else echo "apptainer is not installed here: the image is not tried"; fi

run: build # a first experiment: data, plan, cells, and one page with tables and figures
	bin/gdrun simulate benchmark --graph 1 --trials 2 --out data
	bin/gdrun plan benchmark --scale quick --dataset graph01-mu0.3 --data data --out runs/table1-quick
	bin/gdrun local runs/table1-quick
	bin/gdmerge runs/table1-quick --out report/table1-quick

EXPERIMENTS ?= $$(bin/gdrun experiments --format names)
experiments-quick: build # every table and figure of the paper, reduced; GRAPHDA_DATA names MNIST and KEGG files
	@set -e; for e in $(EXPERIMENTS); do \
		case "$$(bin/gdrun experiments --format csv | grep "^$$e,quick,")" in \
		*,mnist,*|*,kegg,*) if [ -z "$$GRAPHDA_DATA" ]; then echo "== $$e: skipped, GRAPHDA_DATA names no folder of its files"; continue; fi;; \
		esac; \
		echo "== $$e"; start=$$(date +%s); \
		bin/gdrun reproduce "$$e" --scale quick > /dev/null; \
		echo "== $$e: $$(($$(date +%s) - start)) s, report/$$e-quick/report.html"; \
	done

size: # lines outside tests and of tests, and packages of more than 2,000 lines or 24 files
	@git ls-files '*.go' | xargs wc -l | awk '$$2 == "total" { next } \
		$$2 ~ /_test\.go$$|(^|\/)[a-z]*test\/|cmd\/internal\/(scenario|house)\// { tests += $$1 } \
		$$2 !~ /_test\.go$$|(^|\/)[a-z]*test\/|cmd\/internal\/(scenario|house)\// { \
			lines += $$1; p = $$2; sub(/\/[^\/]*$$/, "", p); of[p] += $$1; files[p]++ } \
		END { print lines " lines outside tests, " tests " of tests and their helpers"; \
			for (p in of) if (of[p] > 2000 || files[p] > 24) print of[p] " lines in " files[p] " files: " p | "sort -rn" }'

test:
	$(GO) test ./...

STUDY ?= confidence.csv
confidence-study: # false modules where the truth is known, docs/measured.md; core-hours; goes on where it ended
	GRAPHDA_STUDY=$(abspath $(STUDY)) $(GO) test ./jobs/own/confidence -run "TestConfidenceStudy|TestNetworkStudy" -count=1 -timeout 0 -v

tune-study: STUDY = tune.csv
tune-study: # how often tune finds something, with and without a signal, docs/measured.md; core-hours; goes on where it ended
	GRAPHDA_STUDY=$(abspath $(STUDY)) $(GO) test ./jobs/own/tuning -run TestTuneStudy -count=1 -timeout 0 -v

choice-study: STUDY = choice.csv
choice-study: # which features tune chooses, with right and wrong networks, docs/choice.md; core-hours; goes on where it ended
	GRAPHDA_STUDY=$(abspath $(STUDY)) $(GO) test ./jobs/own/tuning -run TestChoiceStudy -count=1 -timeout 0 -v

PREDICT_STUDY ?= predict.csv
predict-study: # calibration and labels of predictions of new samples, docs/measured.md; ten minutes; goes on where it ended
	GRAPHDA_STUDY=$(abspath $(PREDICT_STUDY)) $(GO) test ./jobs/own/predicting -run TestPredictStudy -count=1 -timeout 0 -v

covariate-study: STUDY = covariates.csv
covariate-study: # features and predictions with a batch and an age, docs/measured.md; ten minutes; goes on where it ended
	GRAPHDA_STUDY=$(abspath $(STUDY)) $(GO) test ./jobs/own/predicting -run TestCovariateStudy -count=1 -timeout 0 -v

survival-study: STUDY = survival.csv
survival-study: # features and predictions of times of an event, docs/measured.md; ten minutes; goes on where it ended
	GRAPHDA_STUDY=$(abspath $(STUDY)) $(GO) test ./jobs/own/predicting -run TestSurvivalStudy -count=1 -timeout 0 -v

golden: # rewrite what the scenarios and pages expect with what the commands print now; then read the diff
	$(GO) test ./cmd/gdrun ./cmd/gdmerge -run "Scenarios|ManualPages" -update

CASES ?= .
torture: SHELL = bash
torture: # damaged files, full disks, failing system calls, logouts, one's own data: all cases, for half an hour at most; `make test` takes a few
	@set -o pipefail; GRAPHDA_TORTURE=full $(GO) test -count=1 -timeout 2h -v -run '$(CASES)' ./cmd/internal/torture | \
		grep --line-buffered -v '^ *\(===\|--- PASS\)'

race: # the packages whose code runs on several goroutines or processes; needs a C compiler
	CGO_ENABLED=1 $(GO) test -race -short ./jobs/program ./jobs/run ./jobs/executor ./io/results ./io/seal ./io/planfile ./learners/...

STATICCHECK = v0.8.2
lint:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags invariants ./projection/...
	$(GO) test -run . ./cmd/internal/house
	@if $(GO) mod download honnef.co/go/tools@$(STATICCHECK) 2>/dev/null; then \
		echo "staticcheck ./..."; $(GO) run honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK) ./...; \
	else echo "staticcheck skipped: no Go module proxy can be reached to fetch it"; fi

FUZZTIME ?= 10s
fuzz: # every fuzz target for FUZZTIME, without the minimiser, which large seeds keep busy all the time
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime=1x $$pkg; \
		done; \
	done

BENCH ?= .
COUNT ?= 6
bench: # in Go's own format, for benchstat
	$(GO) test -run '^$$' -bench '$(BENCH)' -count $(COUNT) -timeout 2h ./projection/... ./learners ./io/... ./jobs/...

# On a cluster of its own, which it installs where it can, starts and stops; else it says why not.
ON_CLUSTER = TESTCLUSTER_MAX_ARRAY=20 TESTCLUSTER_CPUS=4 TESTCLUSTER_MEM=4000 TESTCLUSTER_FAULTS=1 slurm/testcluster/with.sh
LIVE = $(GO) test -count=1 -p 1 -parallel 24

test-slurm: # slurm/, and what gdrun does on a cluster, with one fault of each kind
	$(ON_CLUSTER) $(LIVE) -timeout 10m -run '^Test(Live|Shellcheck)' ./slurm/... ./cmd/gdrun
	TESTCLUSTER_SACCT=1 slurm/testcluster/with.sh $(LIVE) -timeout 10m -run '^TestLive(Limits|Accounting)$$' ./slurm ./cmd/gdrun

test-slurm-full: # a thousand faults; half an hour; prints a table of them
	TESTCLUSTER_SACCT=1 slurm/testcluster/with.sh $(LIVE) -timeout 10m -v -run '^TestLiveLimits$$' ./cmd/gdrun
	GRAPHDA_CLUSTER_FULL=1 $(ON_CLUSTER) $(LIVE) -parallel 16 -timeout 2h -v -run '^TestLive$$' ./cmd/gdrun

clean: # what building and `make run` leave
	rm -rf bin data runs report
