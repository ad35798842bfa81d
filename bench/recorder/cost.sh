# The cost of an event, with the same sequences of events going to nothing but the clock, to the recorder on two ways, and
# to OTF2.

# build_cost <flags...>
build_cost() {
    cc -std=gnu11 -O2 -w "$@" -Icrates/measure/include -Icrates/upc-runtime/include -o "$scratch/cost" \
        bench/recorder/cost*.c bench/recorder/archive.c bench/recorder/fail.c crates/measure/c/gasp_decoder.c \
        "$tools/libpgas_measure.a" -lopen-trace-format2 -lpthread -ldl -lm
}

# run_cost <file of results> <ways...>: everything is recorded unless $throttle says otherwise.
run_cost() {
    results=$1
    shift
    mkdir -p "$memory/cost"
    env PGAS_THROTTLE="${throttle:-off}" "$scratch/cost" "$memory/cost" "$rounds" "$repetitions" "$@" >"$results"
}

# The files that the last repetition left hold what was fed in.
check_cost() {
    for way in direct gasp addresses; do
        for sequence in 0 1 2; do
            set -- $("$trace_sizes" counts "$memory/cost/$way-$sequence")
            fed=$(awk -F '\t' -v way="$way" -v n="$sequence" 'BEGIN { split("tiny calls,mix,accesses", name, ",") }
                $2 == way && $1 == name[n + 1] { print $3 }' "$scratch/cost.all")
            # Waiting for a buffer is recorded on top of it: an Enter and an Exit, once a buffer.
            [ "$1" -ge "$fed" ] && [ "$1" -le $((fed + fed / 1000 + 100)) ] ||
                fail "the recorder kept $1 of $fed events ($way, sequence $sequence)"
        done
    done
}

cost_per_event() {
    clock='time stamp counter'
    build_cost
    run_cost "$scratch/cost.all" || {
        [ $? -eq 3 ] || fail "the programs that measure the cost of an event failed"
        clock='monotonic clock'
        build_cost -DMONOTONIC
        run_cost "$scratch/cost.all" || fail "the programs that measure the cost of an event failed"
    }
    check_cost
    throttle=100000,10
    run_cost "$scratch/cost.throttled" clock direct
    throttle=
    rm -rf "$memory/cost"

    printf 'cost of an event to the thread (time without a core not counted), %s, best of %s, files in %s\n' "$clock" "$repetitions" "${memory%/*}"
    awk -F '\t' '
        { events[$1, $2] = $4; whole[$1, $2] = $5; processor[$1, $2] = $6; sequences[$1] }
        END {
            n = split("tiny calls\tmix", order, "\t")
            for (i = 1; i <= n; i++) {
                s = order[i]
                clock = whole[s, "clock"]
                printf "%s: direct entry beside the clock, OTF2\t%s\t%s\t0.50\tratio\n", s, whole[s, "direct"] - clock,
                    whole[s, "otf2"] - clock
                printf "%s: variadic entry beside the clock, OTF2\t%s\t%s\t1.00\tratio\n", s, whole[s, "gasp"] - clock,
                    whole[s, "otf2"] - clock
                printf "%s: direct entry in all, bare clock\t%s\t%s\t1.60\tratio\n", s, whole[s, "direct"], clock
                printf "%s: ... before the end of recording, OTF2\t%s\t%s\t0\tratio\n", s, events[s, "direct"],
                    events[s, "otf2"]
                printf "%s: ... processor time with the helper, OTF2\t%s\t%s\t0\tratio\n", s, processor[s, "direct"],
                    processor[s, "otf2"]
            }
            for (s in sequences) {
                more = whole[s, "live"] - whole[s, "direct"]
                printf "%s: ns that a live page adds to the direct entry, 1\t%s\t1\t1.00\tratio\n", s, more > 0 ? more : 0
            }
            printf "accesses: variadic entry with addresses, without\t%s\t%s\t0\tratio\n", whole["accesses", "addresses"],
                whole["accesses", "gasp"]
        }' "$scratch/cost.all" | table
    awk -F '\t' '{ whole[$1, $2] = $5 }
        END { printf "tiny calls: direct entry, throttled, bare clock\t%s\t%s\t0\tratio\n", whole["tiny calls", "direct"],
            whole["tiny calls", "clock"] }' "$scratch/cost.throttled" | table
    # Total cost of an event through the decoder to a thread: the measure for whole programs.
    event_cost=$(awk -F '\t' '$1 == "mix" && $2 == "gasp" { print $5 }' "$scratch/cost.all")
}
