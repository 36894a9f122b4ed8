# What servers that test engines call (OpenBench: `make EXE=NAME`): builds a program that speaks UCI
# or UGI under any name, as `alesia uci` and `alesia ugi` do.
EXE ?= alesia-uci

.PHONY: all
all:
	ALESIA_SPEAKS_UCI=1 cargo build --release --locked --package alesia --target-dir target/engine
	cp target/engine/release/alesia $(EXE)
