# What sampling takes of a program's CPU time, and how much of it is the kernel's.

# run_sampled <way>: milliseconds of a run.
run_sampled() {
    rm -rf "$memory/sampled"
    mkdir -p "$memory/sampled/streams"
    case $1 in
    off | auto | 1000) PGAS_SAMPLE=$1 PGAS_EXPERIMENT=$memory/sampled "$scratch/sampling" "$steps" ;;
    handler) "$scratch/sampling" "$steps" 1000 ;;
    timer) "$scratch/sampling" "$steps" 1000 0 ;;
    esac
}

sampling() {
    cc -std=gnu11 -O2 -Icrates/measure/include -Icrates/upc-runtime/include -o "$scratch/sampling" \
        bench/recorder/sampling.c crates/measure/c/gasp_decoder.c "$tools/libpgas_measure.a" -lpthread -ldl -lm
    steps=500 turns=$((4 * runs))
    [ -z "$short" ] || steps=20
    ways='off auto 1000'
    if "$scratch/sampling" 0 1000 >/dev/null 2>&1; then
        ways="$ways handler timer"
    else
        say "the kernel refuses perf_event_open: the recorder samples at its ticks, and there is nothing to compare with"
    fi
    for turn in $(seq "$turns"); do
        for way in $ways; do
            printf '%s\t%s\n' "$way" "$(run_sampled "$way")"
        done
    done >"$scratch/sampled"
    printf 'CPU time of a loop that is sampled, least of %s runs in turns\n' "$turns"
    awk -F '\t' '
        !($1 in least) || $2 < least[$1] { least[$1] = $2 }
        END {
            text["auto"] = "sampled by default, recorded without samples"
            text["1000"] = "1000 samples a second, without"
            text["handler"] = "1000 signals a second without a recorder, without"
            text["timer"] = "1000 interrupts of a timer a second alone, without"
            n = split("auto 1000 handler timer", order, " ")
            for (i = 1; i <= n; i++)
                if (order[i] in least)
                    printf "%s\t%s\t%s\t%s\tratio\tms\n", text[order[i]], least[order[i]], least["off"],
                        i == 1 ? "1.01" : "0"
        }' "$scratch/sampled" | table
    rm -rf "$memory/sampled"
}
