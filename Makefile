# dambase: endgame tablebases for draughts.
.DEFAULT_GOAL := help
.PHONY: help run build test race lint bench fuzz clean

GO      ?= go
DB      := ./tables
ADDR    := 127.0.0.1:8080
PIECES  := 3
# No cgo: the commands are static binaries.
export CGO_ENABLED ?= 0

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

go-is-there:
	@command -v $(GO) >/dev/null || { echo "dambase needs Go 1.26 or later: install it from https://go.dev/dl/ and put it on the PATH" >&2; exit 2; }

build: go-is-there ## build bin/tbgen and bin/tbserve
	$(GO) build -trimpath -o bin/ ./cmd/...

run: build ## build, generate small tables of every variant, serve them on ADDR
	@DB="$(DB)" PIECES="$(PIECES)" ADDR="$(ADDR)" ./run.sh

test: go-is-there ## vet and run all tests
	$(GO) vet ./...
	$(GO) test -timeout 60m ./...

race: go-is-there ## run the tests of the concurrent packages under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short -timeout 60m ./...

lint: go-is-there ## gofumpt and staticcheck
	@test -z "$$($(GO) run mvdan.cc/gofumpt@v0.12.0 -l . | tee /dev/stderr)"
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

bench: go-is-there ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: go-is-there ## fuzz each reader of foreign text for 20 seconds
	$(GO) test -run '^$$' -fuzz FuzzFEN -fuzztime 20s ./engine
	$(GO) test -run '^$$' -fuzz FuzzMove -fuzztime 20s ./engine
	$(GO) test -run '^$$' -fuzz FuzzPDN -fuzztime 20s ./engine
	$(GO) test -run '^$$' -fuzz FuzzRuleFile -fuzztime 20s ./engine
	$(GO) test -run '^$$' -fuzz FuzzChunk -fuzztime 20s ./storage
	$(GO) test -run '^$$' -fuzz FuzzCatalogue -fuzztime 20s ./storage

clean: ## remove bin and ./tables
	rm -rf bin ./tables
