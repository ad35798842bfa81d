# Calls of OpenSHMEM, measured and not: `scripts/bench shmem`, which reads this with `.`.
#
# The same program is linked with and without the wrappers; both run in turns on two PEs. The difference of a call is
# compared with an Enter and an Exit with the same attributes that a program gives to the recorder by hand.
command -v oshcc >/dev/null 2>&1 || {
    printf 'bench: no oshcc\n' >&2
    exit 77
}
if [ -n "${PGAS_BENCH_TOOLS:-}" ]; then
    tools=$PGAS_BENCH_TOOLS
else
    need_rust
    say "building"
    cargo build --release --quiet -p pgastool -p pgas-measure
    tools=$(target_directory)/release
fi

blocks=200 calls=2000
[ "$runs" -gt 0 ] || runs=5
if [ -n "$short" ]; then
    blocks=3 calls=100 runs=1
fi
# As tests set it, too: Debian's Open MPI crashes at the end without the first one.
export OMPI_MCA_opal_common_ucx_opal_mem_hooks=0 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

oshcc -O2 -o "$scratch/plain" bench/shmem/calls.c
"$tools/pgastool" compile oshcc -O2 -o "$scratch/measured" bench/shmem/calls.c
cc -O2 -Icrates/measure/include -o "$scratch/direct" bench/shmem/direct.c "$tools/libpgas_measure.a" -lpthread -ldl -lm

direct() {
    rm -rf "$scratch/direct.experiment"
    mkdir -p "$scratch/direct.experiment/streams"
    printf '{"schema": 1, "program": "direct", "arguments": [], "threads": 1, "host": "", "started": "", "started_unix_ns": 0, "tool_version": "", "state": "running"}\n' \
        >"$scratch/direct.experiment/experiment.json"
    PGAS_EXPERIMENT=$scratch/direct.experiment PGAS_THROTTLE=off "$scratch/direct" "$blocks" "$calls"
}

for run in $(seq "$runs"); do
    oshrun -n 2 "$scratch/plain" "$blocks" "$calls" | sed 's/^/plain\t/'
    rm -rf "$scratch/experiment"
    "$tools/pgastool" run --quiet --throttle off -n 2 -o "$scratch/experiment" "$scratch/measured" "$blocks" "$calls" |
        sed 's/^/measured\t/'
    direct | sed 's/^/direct\t/'
done >"$scratch/results"

printf 'calls of OpenSHMEM, 2 PEs, the best block of %s runs in turns; recording beside an Enter and an Exit by hand\n' "$runs"
awk -F '\t' '
    !(($1, $2) in best) || $3 < best[$1, $2] { best[$1, $2] = $3 }
    $1 == "plain" && !($2 in seen) { seen[$2]; order[++n] = $2 }
    END {
        for (i = 1; i <= n; i++) {
            name = order[i]
            added = best["measured", name] - best["plain", name]
            printf "%s: without recording\t%s\t0\t0\t\n", name, best["plain", name]
            printf "%s: recording it, by hand\t%s\t%s\t1.50\tratio\n", name, added, best["direct", "direct"]
        }
    }
' "$scratch/results" | table
