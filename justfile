# Short names for the scripts; `just` lists them.

default:
    @just --list

# The whole cycle on a bundled program: is (default) or jacobi
demo *program:
    scripts/demo {{program}}

# Everything that must hold before a change goes in
test:
    scripts/test

# What takes too long for each change, before a release
nightly *steps:
    scripts/nightly {{steps}}

# Speed of compiled UPC programs and of the compiler (upc), what recording costs (recorder), or speed and memory of the
# analysis (analyze), against the targets
bench what="upc":
    scripts/bench {{what}}

# Programs that are killed, and disks that are full: what the recorder leaves then
torture:
    scripts/torture recorder

# Wait states that are found against those that programs really have
accuracy *options:
    scripts/accuracy {{options}}

# Live search against the analysis, of the programs of accuracy/.
live-accuracy *options:
    scripts/live-accuracy {{options}}

# The NAS kernels, built and verified
kernels:
    scripts/kernels

# Install below a prefix
install prefix="~/.local":
    scripts/install --prefix {{prefix}}

# Format all code
fmt:
    cargo fmt --all

# The documentation of the code, in a browser
doc:
    cargo doc --workspace --no-deps --open
