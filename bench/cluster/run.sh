#!/bin/sh
# Runs the programs of `scripts/bench cluster` in turns on the cluster that it is called in, and prints their figures: round
# <tab> program <tab> name of the figure <tab> value. Programs that are compared run one after the other, and the one that
# comes first changes from round to round.
#
#     bench/cluster/run.sh <openmpi|mpich> <its launcher> <directory of the programs> <rounds> <processes on each host for memory>
set -eu
mpi=$1 launcher=$2 programs=$3 rounds=$4 many=$5

# start <processes on each host> <hosts> <variable of the environment or -> <program>
start() {
    total=$(($1 * $2))
    variable=
    case $mpi/$3 in
    */-) ;;
    openmpi/*) variable="-x $3" ;;
    mpich/*) variable="-genv ${3%%=*} ${3#*=}" ;;
    esac
    # shellcheck disable=SC2086 # two or three words, or none
    case $mpi in
    openmpi) timeout 300 "$launcher" -N "$1" -n "$total" $variable "$programs/$4" ;;
    mpich) timeout 300 "$launcher" -ppn "$1" -n "$total" $variable "$programs/$4" ;;
    esac
}

# alone <program>: one for a single machine, with two threads
alone() { PGAS_THREADS=2 "$programs/$1"; }

# figures <name in the results> <command>...
figures() {
    name=$1
    shift
    "$@" >"$programs/output" 2>&1 </dev/null || {
        cat "$programs/output" >&2
        printf 'run.sh: %s ended with an error\n' "$name" >&2
        exit 1
    }
    awk -F '\t' -v OFS='\t' -v round="$round" -v program="$name" \
        'NF >= 2 { print round, program, $1, $2 }' "$programs/output"
}

# in_turns <command of figures> <command of figures>
in_turns() {
    if [ $((round % 2)) -eq 1 ]; then
        eval "$1"
        eval "$2"
    else
        eval "$2"
        eval "$1"
    fi
}

for round in $(seq "$rounds"); do
    in_turns "figures far start 1 2 PGAS_FAR_CACHE=0 far" "figures messages start 1 2 - messages"
    in_turns "figures messages-again start 1 2 - messages" "figures far-cached start 1 2 - far"
    in_turns "figures together-2 start 1 2 - together" "figures mpi-together-2 start 1 2 - mpi-together"
    in_turns "figures together-4 start 2 2 - together" "figures mpi-together-4 start 2 2 - mpi-together"
    for program in own_elements remote_reads; do
        in_turns "figures $program start 2 1 - $program" "figures smp-$program alone smp-$program"
    done
    in_turns "figures quiet start 1 2 - quiet" "figures smp-quiet alone smp-quiet"
    in_turns "figures empty-2 start 1 2 - empty" "figures mpi-empty-2 start 1 2 - mpi-empty"
    in_turns "figures empty-many start $many 2 - empty" "figures mpi-empty-many start $many 2 - mpi-empty"
done
