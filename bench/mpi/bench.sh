# An analysis shared by several processes: `scripts/bench mpi`, which reads this with `.`.
#
# Each experiment is analysed by 1, 2 and 4 processes in turns, each on one core (--jobs 1), from a warm cache; all files of
# the results must be the same to the byte. Times are those of whole commands, mpirun included, the best of several runs, as
# ratio to one process of the same run. More processes than there are cores show that it works, not how fast it is.
if [ -n "${PGAS_BENCH_TOOLS:-}" ]; then
    tools=$PGAS_BENCH_TOOLS
else
    need_rust
    need_mpi
    say "building"
    build_with_mpi
    tools=$(target_directory)/release
fi
for tool in "$tools/pgastool" "$tools/examples/synthetic"; do
    [ -x "$tool" ] || fail "no $tool; cargo build --release --workspace --bins --lib --examples --features pgastool/mpi makes it"
done

if [ -n "$short" ]; then
    [ "$runs" -gt 0 ] || runs=1
else
    [ "$runs" -gt 0 ] || runs=3
fi
processes="1 2 4"
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root

# together <processes> <experiment>: analyses it; with one process, without mpirun.
together() {
    if [ "$1" -eq 1 ]; then
        "$tools/pgastool" --quiet analyze --jobs 1 "$2" >"$scratch/out" 2>&1
    else
        mpirun ${root:-} --oversubscribe --bind-to none -n "$1" \
            "$tools/pgastool" --quiet analyze --jobs 1 "$2" >"$scratch/out" 2>&1
    fi || {
        cat "$scratch/out" >&2
        fail "the analysis by $1 processes did not end well"
    }
}

# compare <name> <experiment>
compare() {
    rm -f "$scratch"/best.*
    for run in $(seq "$runs"); do
        for number in $processes; do
            rm -rf "$2/analysis"
            begin=$(date +%s%N)
            together "$number" "$2"
            end=$(date +%s%N)
            echo "$((end - begin))" >>"$scratch/best.$number"
            rm -rf "$scratch/of.$number"
            mv "$2/analysis" "$scratch/of.$number"
            diff -r "$scratch/of.1" "$scratch/of.$number" >&2 ||
                fail "$1: the result of $number processes is not that of one"
        done
    done
    for number in $processes; do
        best=$(sort -n "$scratch/best.$number" | head -n 1)
        [ "$number" -eq 1 ] && one=$best
        plural=es
        [ "$number" -ne 1 ] || plural=
        printf '%s, %s process%s\t%s\t%s\t0\tratio\ts\n' "$1" "$number" "$plural" \
            "$(echo "$best" | awk '{ print $1 / 1e9 }')" "$(echo "$one" | awk '{ print $1 / 1e9 }')"
    done | table
}

printf 'analysis by several processes, %s cores; seconds, the best of %s; results are the same to the byte\n' "$(nproc)" "$runs"
# Where threads synchronise seldom, an event takes less time; so there are more.
for kind in 100:100000000 10:40000000 0:20000000; do
    calls=${kind%:*} events=${kind#*:}
    [ -z "$short" ] || events=300000
    rm -rf "$scratch/experiment"
    "$tools/examples/synthetic" write "$scratch/experiment" 64 "$events" "$calls"
    "$tools/examples/synthetic" decode "$scratch/experiment" >/dev/null
    between="$calls calls between"
    [ "$calls" -gt 0 ] || between='no calls between'
    compare "64 threads, $events events, $between barriers" "$scratch/experiment"
done
# A real program.
(cd "$scratch" && "$tools/pgastool" --quiet demo jacobi >/dev/null)
experiment=$(find "$scratch" -type d -name 'pgas_*' | head -n 1)
[ -n "$experiment" ] || fail "the demonstration left no experiment"
compare "jacobi, as recorded" "$experiment"
