# How exact `pgastool time` is, on simulated clusters whose truth is known: `scripts/bench timing`, which reads this with
# `.`.
#
# The simulation's figures are the same on all machines, and repeat to the last digit. Then follow repetitions on this
# machine.
need_rust
say "building"
cargo build --release --quiet -p pgas-timing --example timing-method
cargo build --release --quiet -p pgas-timing-report --example false-alarms
cargo build --release --quiet --workspace --bins
examples=$(target_directory)/release/examples
pgastool=$(target_directory)/release/pgastool

if [ -n "$short" ]; then
    set -- 8 3
else
    set -- 400 10
fi
[ "$runs" -eq 0 ] || set -- "$1" "$runs"
"$examples/timing-method" "$@" || fail "the simulation ended early"
printf '\n'
"$examples/false-alarms" "$1" || fail "the simulation ended early"

# Repetitions on this machine, the methods in turns: what the machine does meanwhile is the same for all of them. A new start
# of the threads, on other cores or with other memory, changes the time itself, so repetitions within one start are shown
# apart from those in several. Only rule 1 ends a measurement, so that each method has its full number of launches.
printf '\nRelative standard error of %s repetitions on this machine, 2 threads: within a start (median of %s starts), and of\n' "$2" "$2"
printf 'the means of the starts\n'
printf '%-10s %-18s %8s %12s %9s %10s %10s\n' compiler operation bytes method mean within starts
repeat() {
    with=$1 operations=$2
    shift 2
    for round in $(seq "$repetitions"); do
        for method in window barrier loop; do
            # The operations are words without blanks.
            # shellcheck disable=SC2086
            "$pgastool" time $operations "$@" -n 2 --size 8,1Ki --method $method --repeat "$repetitions" \
                --error 0 --no-timer-check -o "$scratch/$method.$round.json" >/dev/null 2>&1 || fail "$operations could not be timed"
        done
    done
    for method in window barrier loop; do
        python3 bench/timing/repeated.py "$with" "$method" "$scratch/$method".*.json
    done
}
repetitions=$2
repeat UPC 'upc_barrier upc_all_broadcast'
if command -v mpicc >/dev/null; then
    # As root, and with more processes than cores.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    repeat MPI 'MPI_Barrier MPI_Bcast' --with mpicc
else
    say "there is no mpicc: MPI is left out"
fi
