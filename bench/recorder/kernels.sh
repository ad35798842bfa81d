# Bytes and run time of recording the NAS kernels and Jacobi's iteration.

if [ -n "$short" ]; then
    sized="is:S cg:S jacobi:16,20"
    timed="is:S"
    all_events="is:S"
else
    sized="is:W ep:A cg:A ft:A mg:A jacobi:64,200"
    timed="is:B ep:A cg:B ft:A mg:B jacobi:160,300"
    all_events="is:A cg:A"
fi

# build_kernel <kernel>:<class> <name> <options of pgastool compile>: makes $scratch/<name>, once.
# Its variables are its own, as those of run_kernel.
build_kernel() (
    kernel=${1%%:*} class=${1##*:} name=$2
    shift 2
    [ ! -f "$scratch/$name" ] || exit 0
    [ -d "$scratch/fixtures" ] || cp -R npb-fixtures "$scratch/fixtures"
    target=$kernel.$class
    [ "$kernel" != jacobi ] || target=jacobi
    rm -f "$scratch/fixtures/$kernel/$target"
    make -s -C "$scratch/fixtures/$kernel" CLASS="$class" CC="$pgastool compile --upcc embedded $*" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        fail "$kernel does not build"
    }
    mv "$scratch/fixtures/$kernel/$target" "$scratch/$name"
)

# Arguments of a program: Jacobi's iteration has its size there.
arguments_of() {
    case $1 in
    jacobi:*) printf '%s' "${1##*:}" | tr , ' ' ;;
    esac
}

# run_kernel <kernel>:<class> <program> <options of pgastool run>: prints seconds, and those of processors; the experiment
# is $memory/e.
run_kernel() (
    kernel=$1 program=$2
    shift 2
    if [ "${1:-}" != --no-measure ]; then
        rm -rf "$memory/e"
        set -- -o "$memory/e" "$@"
    fi
    start=$(date +%s%N)
    # shellcheck disable=SC2046
    "$pgastool" --quiet run -n 2 "$@" -- "$scratch/$program" $(arguments_of "$kernel") >"$scratch/log" 2>&1 &&
        grep -q 'Verification = SUCCESSFUL' "$scratch/log" || {
        cat "$scratch/log" >&2
        fail "$program does not run and verify with $*"
    }
    end=$(date +%s%N)
    # The second line is of all processes that this subshell has waited for; in a pipe it would be of another one.
    times >"$scratch/times"
    awk -v wall=$((end - start)) '
        function seconds(text) { split(text, part, /[ms]/); return 60 * part[1] + part[2] }
        NR == 2 { print wall / 1e9, seconds($1) + seconds($2) }' "$scratch/times"
)

# Bytes that OTF2's files of events take in all, as they are or after zstd of a level.
otf2_bytes() {
    if [ "$1" = none ]; then
        cat "$memory"/otf2/traces/*.evt | wc -c
    else
        cat "$memory"/otf2/traces/*.evt | zstd -q "-$1" -c | wc -c
    fi
}

bytes_per_event() {
    printf 'bytes of an event, 2 threads, everything recorded, whole files\n'
    cc -std=gnu11 -O2 -w -o "$scratch/convert" bench/recorder/convert.c bench/recorder/archive.c bench/recorder/fail.c \
        -lopen-trace-format2
    for program in $sized; do
        build_kernel "$program" "$program.recorded"
        run_kernel "$program" "$program.recorded" --throttle off >/dev/null
        # shellcheck disable=SC2046
        set -- $("$trace_sizes" counts "$memory/e")
        rm -rf "$memory/otf2" "$memory/e.elg"
        mkdir "$memory/otf2"
        "$pgastool" --quiet convert "$memory/e" --to epilog -o "$memory/e.elg" >/dev/null ||
            fail "the events of $program cannot be written as EPILOG"
        "$trace_sizes" records "$memory/e" >"$memory/records"
        "$scratch/convert" "$memory/otf2" <"$memory/records" || fail "the events of $program cannot be written with OTF2"
        rm "$memory/records"
        awk -v name="${program%.*}" -v events="$1" -v native="$2" -v epilog="$(wc -c <"$memory/e.elg")" -v otf2="$(otf2_bytes none)" \
            -v zstd1="$(otf2_bytes 1)" -v zstd3="$(otf2_bytes 3)" 'BEGIN {
            figure = name ", " events " events"
            printf "%s, EPILOG\t%s\t%s\t15\tsmaller\tbytes\n", figure, native / events, epilog / events
            printf "%s, OTF2\t%s\t%s\t0\tsmaller\tbytes\n", name, native / events, otf2 / events
            printf "%s, OTF2 and zstd -1\t%s\t%s\t0.50\tratio\tbytes\n", name, native / events, zstd1 / events
            printf "%s, OTF2 and zstd -3\t%s\t%s\t0.50\tratio\tbytes\n", name, native / events, zstd3 / events
        }' | table
    done
    rm -rf "$memory/otf2" "$memory/e.elg"
}

# median <column>
median() {
    awk -v c="$1" '{ print $c }' | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

# compare <kernel>:<class> <program> <options>: runs it and the one without instrumentation in turns; leaves the times in
# $scratch/plain and $scratch/recorded, and the last experiment.
compare() {
    kernel_class=$1 measured=$2
    shift 2
    : >"$scratch/plain"
    : >"$scratch/recorded"
    run=0
    while [ "$run" -lt "$runs" ]; do
        run_kernel "$kernel_class" "$kernel_class.plain" --no-measure >>"$scratch/plain"
        run_kernel "$kernel_class" "$measured" "$@" >>"$scratch/recorded"
        run=$((run + 1))
    done
    set -- $("$trace_sizes" counts "$memory/e")
    events=$1 waited=$3
    plain=$(median 1 <"$scratch/plain")
    recorded=$(median 1 <"$scratch/recorded")
    processor_plain=$(median 2 <"$scratch/plain")
    processor_recorded=$(median 2 <"$scratch/recorded")
    least_plain=$(sort -n "$scratch/plain" | awk 'NR == 1 { print $1 }')
    least_recorded=$(sort -n "$scratch/recorded" | awk 'NR == 1 { print $1 }')
}

overhead() {
    printf 'run time of whole programs, 2 threads, in turns with the same without instrumentation, %s runs\n' "$runs"
    if [ -r /proc/loadavg ]; then
        awk -v cores="$(nproc)" '$1 > cores / 4 {
            printf "  (other programs keep %s of %s cores busy: times of whole programs say little)\n", $1, cores
        }' /proc/loadavg
    fi
    # As a user would: IS without the functions that are called once for each key.
    for program in $timed; do
        build_kernel "$program" "$program.plain" --no-instrument
        case $program in
        is:*)
            build_kernel "$program" "$program.filtered" --filter is.filter
            measured=$program.filtered
            ;;
        *)
            build_kernel "$program" "$program.recorded"
            measured=$program.recorded
            ;;
        esac
        compare "$program" "$measured"
        awk -v name="$program" -v events="$events" -v plain="$plain" -v recorded="$recorded" -v lp="$least_plain" \
            -v lr="$least_recorded" -v pp="$processor_plain" -v pr="$processor_recorded" 'BEGIN {
            distance = events > 0 ? 2e6 * plain / events : 0
            printf "%s, %.3f s, an event every %.1f us, median\t%.3f\t-\t%s\tfigure\t%%\n", name, plain, distance,
                100 * (recorded / plain - 1), (distance >= 10 ? 1 : 0)
            printf "%s, ... best runs\t%.3f\t-\t0\tfigure\t%%\n", name, 100 * (lr / lp - 1)
            printf "%s, ... processor time with the helper, median\t%.3f\t-\t0\tfigure\t%%\n", name,
                100 * ((pr + 0.01) / (pp + 0.01) - 1)
        }' | table
    done

    printf 'cost of an event to a thread when all are recorded, against that of the variadic entry in the mix above\n'
    for program in $all_events; do
        build_kernel "$program" "$program.plain" --no-instrument
        all=$program.recorded
        case $program in
        cg:*)
            all=$program.all
            build_kernel "$program" "$all" --functions all --inst-local
            ;;
        *) build_kernel "$program" "$all" --accesses all --functions all ;;
        esac
        all_events_line "$program" "the disk keeps up" --throttle off
        all_events_line "$program" "zstd -12, buffers of 64K" --throttle off --buffer 64K --compress 12
        all_events_line "$program" "without a helper" --throttle off --sync-io
        time_line "$program" "throttled" "$all"
        time_line "$program" "sums alone" "$all" --profile
    done
    program=${all_events%% *}
    build_kernel "$program" "$program.filtered" --filter is.filter
    time_line "$program" "filtered" "$program.filtered"
}

# all_events_line <kernel>:<class> <what> <options>: of the program $all. With zstd -12 and small buffers, the helper cannot
# keep up, as with a slow disk.
all_events_line() {
    line_program=$1 line_what=$2
    shift 2
    compare "$line_program" "$all" "$@"
    awk -v name="$line_program, $line_what" -v events="$events" -v cost="$event_cost" -v plain="$plain" \
        -v recorded="$recorded" -v waited="$waited" 'BEGIN {
        whole = (recorded - plain) * 2e9 / events
        printf "%s, %s events\t%.3f\t%s\t0\tratio\n", name, events, whole, cost
        printf "%s, without recorded waiting\t%.3f\t%s\t1\tratio\n", name, whole - waited / events, cost
    }' | table
}

# time_line <kernel>:<class> <what> <program> <options>
time_line() {
    line_program=$1 line_what=$2 line_measured=$3
    shift 3
    compare "$line_program" "$line_measured" "$@"
    awk -v name="$line_program, $line_what, against no instrumentation" -v plain="$plain" -v recorded="$recorded" 'BEGIN {
        printf "%s\t%.3f\t%.3f\t0\tratio\ts\n", name, recorded, plain
    }' | table
}
