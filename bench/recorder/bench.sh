# Cost of recording: `scripts/bench recorder`, which reads this with `.`.
need_c_compiler
need_command make make
need_command zstd zstd
need_header otf2/otf2.h libopen-trace-format2-dev

if [ -n "${PGAS_BENCH_TOOLS:-}" ]; then
    tools=$PGAS_BENCH_TOOLS
else
    need_rust
    say "building"
    cargo build --release --quiet -p pgastool -p pgas-upcc -p pgas-measure
    cargo build --release --quiet -p pgas-trace --example trace_sizes
    tools=$(target_directory)/release
fi
for part in pgastool pgas-upcc libpgas_measure.a examples/trace_sizes; do
    [ -f "$tools/$part" ] || fail "no $part in $tools; cargo build --release --workspace --all-targets makes it"
done
pgastool=$tools/pgastool
trace_sizes=$tools/examples/trace_sizes

# Files of events go to memory where there is a disk in memory: all formats are written to the same place.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    memory=$(mktemp -d /dev/shm/pgas-bench.XXXXXX)
    trap 'rm -rf "$scratch" "$memory"' EXIT
else
    memory=$scratch/memory
    mkdir "$memory"
fi

if [ -n "$short" ]; then
    rounds=200 repetitions=1
    [ "$runs" -gt 0 ] || runs=1
else
    rounds=150000 repetitions=15
    [ "$runs" -gt 0 ] || runs=3
fi

# CPU time of programs with many small accesses and calls, and of the NAS kernels.
whole_programs() {
    need_command python3 python3
    PATH=$tools:$PATH python3 bench/recorder/programs.py "$scratch" "$runs" "$short"
}

# What live pages and `watch` cost the NAS kernels.
live_pages() {
    need_command python3 python3
    PATH=$tools:$PATH python3 bench/recorder/live.py "$scratch" "$runs" "$short"
}

. bench/recorder/cost.sh
. bench/recorder/kernels.sh
. bench/recorder/sampling.sh
case $only in
'' | cost | bytes | time | programs | sampling | live) ;;
*) fail "'$only' is no part; there are: cost, bytes, time, programs, sampling, live" ;;
esac
# Whole programs are compared with the cost of an event.
case $only in
bytes | programs | sampling | live) ;;
*) cost_per_event ;;
esac
[ -n "$only" ] && [ "$only" != bytes ] || bytes_per_event
[ -n "$only" ] && [ "$only" != time ] || overhead
[ -n "$only" ] && [ "$only" != sampling ] || sampling
[ -n "$only" ] && [ "$only" != programs ] || whole_programs
[ -n "$only" ] && [ "$only" != live ] || live_pages
