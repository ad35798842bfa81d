# UPC programs over MPI against the same MPI called by hand: `scripts/bench cluster`, which reads this with `.`.
#
# Two hosts of scripts/cluster share the cores of this machine, so only ratios count, of programs that run in turns on the same
# hosts. Each program reports medians of many repetitions; a line has the figure and the reference of the round whose ratio is
# the median of all rounds. Collectives are called in a loop with a barrier after each, on both sides, except that those of UPC
# with ALLSYNC need none. The mean of barriers shows those that take far longer than the median. Accesses to data of the same
# node are those of `scripts/bench upc`, the best of many repetitions, compiled for both networks; loops over own elements are
# to be equal, with 5 % for run-to-run variability.
absent() {
    printf 'bench: %s\n' "$*" >&2
    exit 77
}

# Of the MPI that is asked for. Open MPI's leaves out its headers where there is no file.
is_compiler() {
    printf '#include <mpi.h>\n#ifndef %s\n#error\n#endif\n' "$macro" >"$scratch/which.c"
    "$1" -E "$scratch/which.c" >/dev/null 2>&1
}
first_command() { # first_command <test> <command>...
    test=$1
    shift
    for command in "$@"; do
        path=$(command -v "$command") && "$test" "$path" && printf '%s\n' "$path" && return
    done
    return 1
}
case $mpi in
openmpi)
    macro=OPEN_MPI mpi_name="Open MPI" launchers="mpirun.openmpi mpirun" ;;
mpich)
    macro=MPICH_VERSION mpi_name=MPICH launchers="mpiexec.hydra mpirun.mpich mpirun" ;;
esac
mpicc=$(first_command is_compiler "mpicc.$mpi" mpicc) || absent "no mpicc of $mpi_name"
# shellcheck disable=SC2086 # several names
launcher=$(first_command true $launchers) || absent "no launcher of $mpi_name"
has_c_compiler || absent "no C compiler"
scripts/cluster 2 true || exit

rounds=$runs repetitions=200 repetitions_near=100 many=8
if [ -n "$short" ]; then
    [ "$rounds" -gt 0 ] || rounds=1
    repetitions=3 repetitions_near=2 many=4
fi
[ "$rounds" -gt 0 ] || rounds=7
upcc=$(upc_compiler)

over_mpi() { "$upcc" -network=mpi -mpicc="$mpicc" -O2 "$@"; }
on_one_machine() { "$upcc" -network=smp -O2 "$@"; }
for program in far together quiet empty; do
    over_mpi -DREPETITIONS="$repetitions" -o "$scratch/$program" "bench/cluster/$program.upc"
done
on_one_machine -DREPETITIONS="$repetitions" -o "$scratch/smp-quiet" bench/cluster/quiet.upc
for program in own_elements remote_reads; do
    over_mpi -DREPETITIONS="$repetitions_near" -o "$scratch/$program" "bench/upc/$program.upc"
    on_one_machine -DREPETITIONS="$repetitions_near" -o "$scratch/smp-$program" "bench/upc/$program.upc"
done
"$mpicc" -O2 -DREPETITIONS="$repetitions" -o "$scratch/messages" bench/cluster/messages.c
for program in together empty; do
    "$mpicc" -O2 -DREPETITIONS="$repetitions" -o "$scratch/mpi-$program" "bench/cluster/$program.c"
done

printf '%s, 2 hosts on a machine with %s cores, load %s; medians of %s repetitions and %s rounds\n' \
    "$mpi_name" "$(nproc)" "$(cut -d ' ' -f 1-3 /proc/loadavg)" "$repetitions" "$rounds"
scripts/cluster --slots "$many" 2 bench/cluster/run.sh "$mpi" "$launcher" "$scratch" "$rounds" "$many" >"$scratch/results"

# compare <title> <program> <its figure> <program of the reference> <its figure> <target> <ratio | smaller | larger> <unit>
compare() {
    awk -F '\t' -v OFS='\t' -v title="$1" -v program="$2" -v figure="$3" -v other="$4" -v reference="$5" \
        -v target="$6" -v kind="$7" -v unit="$8" '
        $2 == program && $3 == figure { of[$1] = $4 }
        $2 == other && $3 == reference { against[$1] = $4 }
        END {
            for (round in of) {
                if (!(round in against))
                    continue
                # By insertion: the number of rounds is small.
                for (i = count++; i > 0 && ratio(sorted[i - 1]) > ratio(round); i--)
                    sorted[i] = sorted[i - 1]
                sorted[i] = round
            }
            if (count == 0) {
                print "bench: no figure for " title > "/dev/stderr"
                exit 1
            }
            middle = sorted[int((count - 1) / 2)]
            print title, of[middle], against[middle], target, kind, unit
        }
        function ratio(round) { return of[round] / (against[round] + 1e-9) }
    ' "$scratch/results" >"$scratch/line" && table <"$scratch/line"
}

# sum <title> <target> <unit> <divisor> [<+ or -> <program> <its figure>]...: the median of all rounds
sum() {
    title=$1 target=$2 unit=$3 divisor=$4
    shift 4
    while [ $# -gt 0 ]; do
        printf '%s\t%s\t%s\n' "$1" "$2" "$3"
        shift 3
    done >"$scratch/terms"
    awk -F '\t' -v OFS='\t' -v divisor="$divisor" '
        NR == FNR { sign[$2 OFS $3] = $1 "1"; next }
        ($2 OFS $3) in sign { sum[$1] += sign[$2 OFS $3] * $4 }
        END { for (round in sum) print sum[round] / divisor }
    ' "$scratch/terms" "$scratch/results" | sort -n |
        awk -v OFS='\t' -v title="$title" -v target="$target" -v unit="$unit" '
            { value[NR] = $1 }
            END { print title, value[int((NR + 1) / 2)], "-", target, "figure", unit }
        ' | table
}

# near <program>: all of its figures
near() {
    awk -F '\t' -v program="$1" '$2 == program && $1 == 1 && $3 !~ /^\(/ { print $3 }' "$scratch/results" >"$scratch/names"
    while IFS= read -r name; do
        case $name in
        # Single accesses, though the elements are the thread's own.
        'remote read,'* | *' for with steps '* | *' [i * THREADS + MYTHREAD]') target=1.5 ;;
        *) target=1.05 ;;
        esac
        compare "$name" "$1" "$name" "smp-$1" "$name" "$target" ratio ns
    done <"$scratch/names"
}

printf 'data of the other host, against MPI_Send and MPI_Recv; its thread waits in a barrier\n'
compare "read, 8 bytes, no cache; a round trip" far read messages "round trip" 1.3 ratio us
compare "upc_memget, 4 MiB; request and message" far-cached get messages-again get 0.9 larger MB/s
compare "upc_memput, 4 MiB; message and answer" far-cached put messages-again put 0.9 larger MB/s
printf 'data of the other host, against other accesses\n'
compare "read, its thread computes; its thread waits" far "read, target computes" far "read, target waits" 3 ratio us
compare "element of a walk, cache; no cache" far-cached walk far walk 50 smaller ns
for processes in 4 2; do
    # Two have a core each.
    target=1.3
    [ "$processes" -eq 4 ] || target=0
    printf '%s processes, against MPI_Barrier, MPI_Bcast and MPI_Reduce; a barrier after each collective\n' "$processes"
    compare "upc_barrier" "together-$processes" barrier "mpi-together-$processes" barrier $target ratio us
    compare "upc_barrier, mean" "together-$processes" "barrier, mean" "mpi-together-$processes" "barrier, mean" 0 ratio us
    for collective in broadcast reduction; do
        case $collective in broadcast) name=upc_all_broadcast ;; reduction) name=upc_all_reduceL ;; esac
        compare "$name, 8 bytes, NOSYNC" "together-$processes" $collective "mpi-together-$processes" $collective \
            $target ratio us
        compare "$name, 8 bytes, ALLSYNC, no barrier after" "together-$processes" "$collective, ALLSYNC" \
            "mpi-together-$processes" $collective 0 ratio us
    done
done
printf 'data of the same host, against -network=smp, 2 threads\n'
near own_elements
near remote_reads
printf 'a program that makes no calls: other threads of the process, in percent of a core\n'
sum "asleep" 1 % 1 + quiet "asleep, other threads"
sum "asleep, those of MPI alone" 0 % 1 + mpi-empty-2 "asleep, other threads"
sum "computing" 1 % 1 + quiet "computing, other threads"
compare "CPU time of an iteration; -network=smp" quiet "computing, iteration" smp-quiet "computing, iteration" 1.01 ratio ns
printf 'memory of a process beyond what MPI needs, share of what is shared included\n'
sum "with one other process" 16384 KiB 1 + empty-2 memory - mpi-empty-2 memory
files="memory, not of files"
sum "for each other process, of $((2 * many))" 64 KiB $((2 * many - 2)) + empty-many "$files" - mpi-empty-many "$files" \
    - empty-2 "$files" + mpi-empty-2 "$files"
