#!/bin/sh
# Round trips between two hosts, in turns: of tasks, and of MPI by hand. Run by scripts/cluster.
#
#     bench/tasks/hosts.sh <directory of the programs> <rounds>
set -eu
best() { sort -g "$1" | head -n 1; }
for _ in $(seq "$2"); do
    PGAS_TASK_PROCESSORS=2 mpirun -n 2 "$1/hosts" --tasks-of-two-processes >>"$1/own"
    mpirun -n 2 "$1/ping-pong" >>"$1/mpi"
done
printf 'round trip, two hosts (MPI by hand)\t%s\t%s\t1.3\tratio\tns\n' "$(best "$1/own")" "$(best "$1/mpi")"
