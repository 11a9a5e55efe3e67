# OpenValet: `make up` runs everything on this machine, `make test` checks everything.
# Each target installs what it needs first; see .ci/setup.

SWIFT = $(shell .ci/setup --swift)
PYTHON = .venv/bin/python
# A process each: a target's servers and threads are gone before the next begins. One test at a time:
# none fails because its neighbours keep the machine busy.
UNITS = $(filter-out JourneyTests,$(notdir $(wildcard Tests/*Tests)))

.PHONY: up test bench format lint clean setup

up: setup ## Builds for speed, starts everything, says what to do next.
	$(SWIFT) build -c release
	@.build/release/openvalet up

test: setup lint .venv/installed ## Every check: format, documents, unit, contract and journey tests.
	$(PYTHON) Tests/check_documents.py
	$(SWIFT) build --build-tests
	@set -e; for target in $(UNITS); do \
		echo "== $$target"; $(SWIFT) test --skip-build --no-parallel --filter "^$$target\."; \
	done
	@echo "== JourneyTests, one after the other: each runs a whole system"
	@$(SWIFT) test --skip-build --no-parallel --filter "^JourneyTests\."

bench: setup ## Measures what README claims, beside baselines of the same run.
	$(SWIFT) build -c release
	@command -v wrk >/dev/null || .ci/setup --also wrk
	@.build/release/Bench

format: setup ## Rewrites the sources in the house's format.
	$(SWIFT) format --in-place --recursive Package.swift Shared Services Tests

lint: setup ## Refuses what `make format` would change.
	$(SWIFT) format lint --strict --recursive Package.swift Shared Services Tests

clean: ## Removes what was built; the data folder stays.
	rm -rf .build .venv

setup:
	@.ci/setup

.venv/installed: Tests/requirements.txt
	python3 -m venv .venv
	$(PYTHON) -m pip install --quiet --requirement Tests/requirements.txt
	@touch $@
