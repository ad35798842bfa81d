# How fast the analysis is, and that it is right: `scripts/bench analyze`, which reads this with `.`.
#
# Synthetic experiments whose waiting is known are made one after another, and removed again: for 10^8 events some 220 MB.
# Threads synchronise twice (a lock, and an operation of all) in 424 events, about as in the NAS kernels; lines marked dense
# are of experiments in which they do so in 24 events.
# All are read from a warm cache. Figures of speed are the best of several runs in turns.
if [ -n "${PGAS_BENCH_TOOLS:-}" ]; then
    synthetic=$PGAS_BENCH_TOOLS/examples/synthetic
else
    need_rust
    say "building"
    cargo build --release --quiet -p pgas-analyze --example synthetic
    synthetic=$(target_directory)/release/examples/synthetic
fi
[ -f "$synthetic" ] || fail "no $synthetic; cargo build --release --workspace --all-targets makes it"

if [ -n "$short" ]; then
    sizes="20000 60000" most=60000 threads_of_speed="2 16" dense="2 60000"
    [ "$runs" -gt 0 ] || runs=1
else
    sizes="1000000 10000000 100000000" most=100000000 threads_of_speed="2 16 64 1024" dense="2 10000000 64 10000000"
    [ "$runs" -gt 0 ] || runs=3
fi
cores=2

build_inputs() { # make <threads> <events> [<calls between synchronisations>]
    rm -rf "$scratch/experiment"
    "$synthetic" write "$scratch/experiment" "$1" "$2" "${3:-100}"
    # Into the cache.
    "$synthetic" decode "$scratch/experiment" >/dev/null
}

# Analyses with this number of cores, and keeps the line with the figures in $scratch/line; the program fails if a
# figure of the result is not the true one.
run() { # run <analyze or decode> <cores>
    "$synthetic" "$1" "$scratch/experiment" "$2" >"$scratch/out" || fail "the analysis is wrong, or did not end well"
    head -n 1 "$scratch/out" >"$scratch/line"
}

# The smaller of a time that was kept in a file and that of the last run, which is field 3.
keep_least() { # keep_least <name>
    awk -F '\t' -v before="$(cat "$scratch/$1" 2>/dev/null || echo 1e9)" \
        '{ print ($3 < before + 0 ? $3 : before) }' "$scratch/line" >"$scratch/kept"
    mv "$scratch/kept" "$scratch/$1"
}

# Two analyses on one core each, side by side: what the machine gives to two cores that share nothing of the program.
side_by_side() {
    "$synthetic" analyze "$scratch/experiment" 1 >"$scratch/out" &
    other=$!
    "$synthetic" analyze "$scratch/experiment" 1 >"$scratch/out2" || fail "the analysis did not end well"
    wait "$other" || fail "the analysis did not end well"
    cat "$scratch/out" "$scratch/out2" | awk -F '\t' -v OFS='\t' \
        '$1 == "analysed" && $3 > slower { slower = $3 } END { print "analysed", 0, slower }' >"$scratch/line"
}

# line <name> <figure> <unit> <target> <what the target is for>
line() {
    printf '%s\t%s\t-\t%s\t%s\t%s\n' "$1" "$2" "$4" "$5" "$3" | table
}

speed() {
    printf 'speed and memory, %s events; %s cores; the best of %s runs\n' "$most" "$cores" "$runs"
    for threads in $threads_of_speed; do
        build_inputs "$threads" "$most"
        speed_of "$threads threads"
    done
    # shellcheck disable=SC2086 # pairs of threads and events
    set -- $dense
    while [ $# -gt 0 ]; do
        build_inputs "$1" "$2" 0
        speed_of "$1 threads, dense"
        shift 2
    done
}

speed_of() { # speed_of <name>: of the experiment that was made last
    name=$1
    rm -f "$scratch"/least_* "$scratch/memory"
    for _ in $(seq "$runs"); do
        run decode $cores
        keep_least least_decode
        run analyze 1
        keep_least least_one
        run analyze $cores
        keep_least least_two
        cut -f 2,5 "$scratch/line" >"$scratch/memory"
        side_by_side
        keep_least least_side
    done
    read -r events memory <"$scratch/memory"
    one=$(cat "$scratch/least_one") two=$(cat "$scratch/least_two")
    side=$(cat "$scratch/least_side") decode=$(cat "$scratch/least_decode")
    # Lines of the table want small figures: nanoseconds an event are what 20 million events a second are 50 of.
    line "$name: time per event" "$(awk -v e="$events" -v s="$two" 'BEGIN { print s / e * 1e9 }')" ns 50 figure
    line "$name: million events a second" "$(awk -v e="$events" -v s="$two" 'BEGIN { print e / s / 1e6 }')" M/s 0 figure
    line "$name: largest memory" "$memory" MiB 300 figure
    printf '%s: time on one core beside %s\t%s\t%s\t1.8\tsmaller\ts\n' "$name" "$cores" "$two" "$one" | table
    line "$name: what two separate analyses gain from two cores" \
        "$(awk -v one="$one" -v side="$side" 'BEGIN { print 2 * one / side }')" times 0 figure
    printf '%s: beside reading the events alone\t%s\t%s\t0\tratio\ts\n' "$name" "$two" "$decode" | table
}

linear() {
    printf 'time against the number of events, 16 threads\n'
    before=
    for size in $sizes; do
        build_inputs 16 "$size"
        rm -f "$scratch/least"
        for _ in $(seq "$runs"); do
            run analyze $cores
            keep_least least
        done
        events=$(cut -f 2 "$scratch/line")
        memory=$(cut -f 5 "$scratch/line")
        now=$(awk -v e="$events" -v s="$(cat "$scratch/least")" 'BEGIN { print s / e * 1e9 }')
        # Where everything is over in milliseconds, starting and ending counts.
        most_ratio=1.2
        [ -n "$before" ] || most_ratio=0
        printf '%s events: time per event, beside the size before\t%s\t%s\t%s\t%s\tns\n' \
            "$size" "$now" "${before:--}" "$most_ratio" "$([ -n "$before" ] && echo ratio || echo figure)" | table
        line "$size events: largest memory" "$memory" MiB 300 figure
        before=$now
    done
}

instructions() {
    if ! command -v valgrind >/dev/null 2>&1; then
        printf 'instructions per event: not counted, there is no valgrind\n'
        return
    fi
    printf 'instructions per event, as valgrind counts them\n'
    size=1000000
    [ -z "$short" ] || size=20000
    for what in decode analyze; do
        for events in $((size / 2)) "$size"; do
            build_inputs 2 "$events"
            RAYON_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
                "$synthetic" $what "$scratch/experiment" 1 >"$scratch/out" 2>"$scratch/err" || {
                cat "$scratch/err" >&2
                fail "valgrind failed"
            }
            count=$(sed -n 's/.*Collected : *//p' "$scratch/err")
            printf '%s\t%s\n' "$(head -n 1 "$scratch/out" | cut -f 2)" "$count"
        done | awk -F '\t' -v what=$what '
            { events[NR] = $1; count[NR] = $2 }
            END { printf "%s: each further event\t%s\t-\t0\tfigure\t\n", what, (count[2] - count[1]) / (events[2] - events[1]) }
        ' | table
    done
}

case $only in
'' | speed | linear | instructions) ;;
*) fail "'$only' is no part; there are: speed, linear, instructions" ;;
esac
[ -n "$only" ] && [ "$only" != speed ] || speed
[ -n "$only" ] && [ "$only" != linear ] || linear
[ -n "$only" ] && [ "$only" != instructions ] || instructions
