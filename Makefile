# `make run` shows the service at work, `make test` runs its tests; both make what they need first.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
GOOGLEAPIS := build/googleapis/google/rpc/status.proto
# Adapters for frameworks have environments of their own, in which `make adapters` tries them.
ADAPTERS := $(filter-out clients/python-cli,$(wildcard clients/python-*))
PYTHON_CODE := server tests bench tools clients/python clients/python-cli clients/adapters $(ADAPTERS) clients/conformance deploy docs
INPUT ?=
# Every process that is started would compile about 1,500 modules again: without their bytecode a server starts in twice the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup image image-requirements run test test-drills call-counts check format format-check lint types generate generated-fresh secret-rules breaking audit sbom bench drills docs clean
.PHONY: adapters helm pythons agents-clients clients clients-fresh conformance packages release-client release-database mesh mesh-config client-python client-typescript client-go client-java client-rust

setup: $(STAMP) ## the environment in .venv

$(STAMP): pyproject.toml clients/python/pyproject.toml clients/python-cli/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Camillo needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.5,<1"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable clients/python --editable clients/python-cli
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable ".[dev,docs]"
	touch $@

# docker is passed over where its daemon does not answer, as in many containers.
IMAGE ?= camillo
image: ## the container image IMAGE, with docker, podman or buildah
	@if docker info > /dev/null 2>&1; then set -- docker build; \
	elif command -v podman > /dev/null; then set -- podman build --ignorefile deploy/Dockerfile.dockerignore; \
	elif command -v buildah > /dev/null; then set -- buildah build --ignorefile deploy/Dockerfile.dockerignore; \
	elif command -v docker > /dev/null; then echo 'docker is installed, but its daemon does not answer: start it, or install podman or buildah' >&2; exit 1; \
	else echo 'no builder of images here: install docker, podman or buildah' >&2; exit 1; fi; \
	echo "$$@" --file deploy/Dockerfile --tag '$(IMAGE)' .; "$$@" --file deploy/Dockerfile --tag '$(IMAGE)' .

# What is pinned stays as it is; take a line out to have it chosen anew.
image-requirements: $(STAMP) ## versions and checksums of what the image installs, in deploy/requirements.txt
	$(BIN)/uv pip compile --quiet --no-header --no-annotate --generate-hashes --only-binary :all: --python-version 3.12 \
		--extra documents --python-platform x86_64-manylinux_2_28 --output-file deploy/requirements.txt pyproject.toml clients/python/pyproject.toml

# As a variable of the environment, so that a name with blanks stays one argument, and nothing in it is a command.
run: override export INPUT := $(value INPUT)
run: $(STAMP) ## start the server, remember INPUT (default: this project's Markdown), ask five questions, show a bundle, serve
	@$(BIN)/camillo demo $${INPUT:+"$$INPUT"}

# One worker more than there are cores on a small machine: tests that start and kill processes mostly wait for them.
WORKERS ?= 3
# They kill servers and stop databases, measure whole servers, or run what vendors, users and earlier releases have.
DRILLS := $(addprefix tests/,agents benchmarks compatibility faults installation mesh)
# A file stays with one worker, whose servers its tests share.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile
test: $(STAMP) ## every test but drills, against real Postgres
	$(PYTEST) $(addprefix --ignore=,$(DRILLS))

test-drills: $(STAMP) ## the drills alone
	$(PYTEST) $(DRILLS)

call-counts: $(STAMP) ## what calls run, measured anew, in tests/rpc/call_counts.json
	CAMILLO_WRITE_CALL_COUNTS=1 $(BIN)/python -m pytest -q tests/rpc/test_call_counts.py

check: $(STAMP) format-check lint types generated-fresh breaking test test-drills ## what CI runs

format: $(STAMP)
	$(BIN)/ruff format $(PYTHON_CODE)
	$(BIN)/ruff check --fix $(PYTHON_CODE)
	$(BIN)/buf format --write proto

format-check: $(STAMP)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/buf format --diff --exit-code proto

lint: $(STAMP) $(GOOGLEAPIS)
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/buf lint

types: $(STAMP)
	$(BIN)/mypy

# The rules of bandit are among those of ruff that `make lint` holds.
audit: $(STAMP) ## known vulnerabilities of what the image installs
	$(BIN)/python -m deploy.audit

sbom: $(STAMP) ## what the image installs, as a bill of materials (CycloneDX), in build/sbom.cdx.json
	mkdir -p build
	$(BIN)/cyclonedx-py requirements deploy/requirements.txt --pyproject pyproject.toml --output-reproducible --validate --output-file build/sbom.cdx.json 2> /dev/null
	@echo "build/sbom.cdx.json: $$($(BIN)/python -c 'import json; print(len(json.load(open("build/sbom.cdx.json"))["components"]))') packages"

packages: $(STAMP) ## what a release publishes, in build/packages; ONLY=pypi for one registry
	$(BIN)/python -m tools.packages build/packages $(addprefix --only ,$(ONLY))

# The document of OpenAPI has the comments of the contract, which descriptors in Python do not have.
SERVICE_CONFIGS := clients/service_config.json clients/go/service_config.json clients/java/src/main/resources clients/rust/src/service_config.json clients/typescript/src/service-config.ts
CONTRACT_COMMENTS := tools/openapi/comments.json
OPENAPI := server/camillo_server/doors/gateway/assets/openapi.json
generate: $(STAMP) $(GOOGLEAPIS) ## the clients' code from proto/, and its comments
	$(BIN)/buf generate --template clients/buf.gen.yaml 2>/dev/null
	$(BIN)/python clients/python/tools/service_config.py
	$(BIN)/python clients/python/tools/generate_sync.py
	$(BIN)/python -m docs.site.comments $(CONTRACT_COMMENTS)
	$(BIN)/python -m tools.openapi $(OPENAPI)

generated-fresh: generate ## fails when generated code differs from what is committed
	git diff --exit-code --stat -- clients/python/src $(SERVICE_CONFIGS) $(CONTRACT_COMMENTS) $(OPENAPI)
	test -z "$$(git status --porcelain -- clients/python/src $(SERVICE_CONFIGS) $(CONTRACT_COMMENTS) $(OPENAPI))"

# The rules by which secrets are known, from a release of gitleaks (its source comes as a Go module).
GITLEAKS ?= v8.30.1
secret-rules: $(STAMP)
	source=$$(go mod download -json github.com/zricethezav/gitleaks/v8@$(GITLEAKS) \
		| $(BIN)/python -c 'import json, sys; print(json.load(sys.stdin)["Dir"])') && \
		$(BIN)/python -m tools.import_secret_rules "$$source/config/gitleaks.toml" $(GITLEAKS:v%=%)

# The contract may only grow. AGAINST names the commit that it is compared with.
AGAINST ?= $(shell git rev-parse --verify --quiet origin/main || git rev-parse --verify --quiet main || git rev-parse HEAD)
breaking: $(STAMP) $(GOOGLEAPIS)
	rm -rf build/against && mkdir -p build/against/build
	git archive $(AGAINST) proto buf.yaml | tar -x -C build/against
	cp -r build/googleapis build/against/build/
	$(BIN)/buf breaking --against build/against

# buf would fetch google/rpc and google/api from its registry; the wheel that the server needs anyway has them, too.
$(GOOGLEAPIS): $(STAMP)
	mkdir -p $(@D)
	mkdir -p build/googleapis/google/api
	cd "$$($(BIN)/python -c 'import google.rpc.status_pb2 as m; print(m.__file__.removesuffix("/status_pb2.py"))')" && \
		cp status.proto error_details.proto "$(CURDIR)/$(@D)/"
	cd "$$($(BIN)/python -c 'import google.api.http_pb2 as m; print(m.__file__.removesuffix("/http_pb2.py"))')" && \
		cp annotations.proto http.proto "$(CURDIR)/build/googleapis/google/api/"

# MODEL: a directory with an ONNX model. DATA: chats for bench.quality. CASES: texts with and without secrets, TRAJECTORIES:
# runs of agents, both for bench.artifacts.
MODEL ?=
DATA ?=
CASES ?=
TRAJECTORIES ?=
BENCH_MODEL := $(if $(MODEL),--model $(MODEL))
BENCH_TEXTS := $(if $(CASES),--cases '$(CASES)') $(if $(TRAJECTORIES),--trajectories '$(TRAJECTORIES)')
bench: $(STAMP) ## every benchmark, in turn; MODEL=DIR, DATA=DIR, CASES=FILE and TRAJECTORIES=DIR are optional
	$(BIN)/python -m bench.foundation --json $(BENCH_MODEL)
	$(BIN)/python -m bench.recall --json $(BENCH_MODEL)
	$(BIN)/python -m bench.scale --json
	$(BIN)/python -m bench.artifacts --json $(BENCH_TEXTS)
	$(BIN)/python -m bench.context --json $(BENCH_MODEL)
	$(BIN)/python -m bench.lifecycle --json
	$(BIN)/python -m bench.fairness --json
	$(BIN)/python -m bench.clients --json
	$(BIN)/python -m bench.peers --json
	@if [ -z '$(DATA)' ]; then echo 'skipped bench.quality: say where chats are, make bench DATA=DIR'; \
		else $(BIN)/python -m bench.quality --json --data '$(DATA)' $(BENCH_MODEL); fi

# SHORT=1: three minutes instead of thirty.
SHORT ?=
drills: $(STAMP) ## servers, workers, Postgres and networks that fail under load, and what has to hold all the same
	$(BIN)/python -m bench.drills --json $(if $(SHORT),--short)

ONLY ?=
# Each client is made with the tools of its language. One that is missing is named and its client skipped; in CI it fails.
needs = for tool in $(1); do command -v $$tool > /dev/null || { echo "$$tool is not here: skipped $@"; exit $${CI:+1}; }; done

clients: client-python client-typescript client-go client-java client-rust ## build and test the clients

client-python: $(STAMP)
	$(BIN)/python -m tools.packages build/packages --only pypi
	$(BIN)/python -m pytest -q -n $(WORKERS) clients/python/tests

client-typescript:
	@$(call needs,node npm); cd clients/typescript && npm ci --no-audit --no-fund && npm run lint && npm test && npm pack --dry-run

client-go:
	@$(call needs,go); cd clients/go && go vet ./... && go test ./... && test -z "$$(gofmt -l .)"

client-java:
	@$(call needs,java mvn); cd clients/java && mvn -q -B verify

client-rust: export CARGO_TARGET_DIR := $(CURDIR)/build/cargo
client-rust:
	@$(call needs,cargo); cd clients/rust && cargo fmt --all --check && cargo clippy --quiet --workspace --all-targets -- -D warnings && \
		cargo test --quiet --workspace && cargo package --quiet --allow-dirty --no-verify

clients-fresh: export CARGO_TARGET_DIR := $(CURDIR)/build/cargo
clients-fresh: $(GOOGLEAPIS) ## fails when generated code of a client differs from what is committed
	@$(call needs,node npm go java mvn cargo); clients/typescript/generate.sh && clients/java/generate.sh && clients/rust/generate.sh && \
		$(BIN)/buf generate --template clients/go/buf.gen.yaml && git diff --exit-code --stat -- clients && \
		test -z "$$(git status --porcelain -- clients)"

agents-clients: $(STAMP) ## coding agents as their vendors publish them, each against a scripted model and a server of the tests
	@tests/agents/install.sh || { echo "the coding agents cannot be installed here: skipped $@"; exit $${CI:+1}; }; \
		$(BIN)/python -m pytest -q -n 2 --dist loadgroup tests/agents

adapters: $(STAMP) ## adapters for frameworks, each beside the newest and the oldest version of its framework; ONLY=python-anthropic for one
	$(BIN)/python -m clients.adapters $(addprefix --only ,$(ONLY))

conformance: $(STAMP) ## every scenario of clients/scenarios.yaml, in every language
	$(BIN)/python -m clients.conformance

# What is kept there is tried against every later server: CONTRIBUTING.md, "A release".
FROM ?= HEAD
AS ?=
release-client: $(STAMP) ## keep the Python client of commit FROM in tests/compatibility, under its version or the name AS
	$(BIN)/python clients/python/tools/release_client.py $(FROM) $(AS)

release-database: $(STAMP) ## keep a database of the server of commit FROM in tests/compatibility, under its version or the name AS
	$(BIN)/python -m tests.compatibility.release_database $(FROM) $(AS)

# For so long at least the servers are restarted under load: the goal is to be watched for 60.
MESH_SECONDS ?= 12
mesh: $(STAMP) ## servers behind a real Envoy; Kubernetes manifests against their schema
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable ".[dev,mesh]"
	CAMILLO_TEST_MESH_SECONDS=$(MESH_SECONDS) $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup tests/mesh

pythons: $(STAMP) ## the wheels in clean environments of Python 3.11 to 3.14, and the demo there; ONLY=3.13 for one
	$(BIN)/python -m tools.pythons $(addprefix --only ,$(ONLY))

# Helm's releases are on a host of its own; as a Go module it comes from where other modules do.
HELM := v3.22.0
build/helm/helm:
	GOBIN=$(CURDIR)/build/helm go install helm.sh/helm/v3/cmd/helm@$(HELM)

helm: $(STAMP) ## the chart, linted and rendered by a helm that is built here (the first time takes minutes)
	@$(call needs,go); $(MAKE) --no-print-directory build/helm/helm && \
		$(BIN)/uv pip install --quiet --python $(BIN)/python --editable ".[dev,mesh]" && $(BIN)/python -m pytest -q tests/mesh/test_helm.py

mesh-config: $(STAMP) ## Envoy's configuration, for replicas on this machine
	$(BIN)/python -m deploy.envoy.render build/envoy

docs: $(STAMP) ## guides and references of the contract, the command line and every language here, in build/site
	$(BIN)/python -m docs.site build/site

clean:
	rm -rf $(VENV) build
