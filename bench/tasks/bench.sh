# Costs of tasks and channels: `scripts/bench tasks`, which reads this with `.`.
#
# A round measures each of our operations and then the one of crossbeam's channels beside it; the fastest of all rounds are
# compared, as others were disturbed. A message is a send and a receive, also where it is recorded. Tasks in C are compared to the same crossbeam channel, which was measured just before.
need_rust
need_command cc gcc
say "building"
cargo build --release --quiet -p pgastool -p pgas-upcc -p pgas-measure
cargo build --release --quiet -p pgas-tasks --features record --example messages
cp "$(target_directory)/release/examples/messages" "$scratch/recorder"
hosts=
if command -v mpicc >/dev/null && command -v mpirun >/dev/null && scripts/cluster 2 true; then
    hosts=yes
    cargo build --release --quiet -p pgas-tasks --features mpi --example costs
    cp "$(target_directory)/release/examples/costs" "$scratch/hosts"
    mpicc -O2 bench/tasks/ping-pong.c -o "$scratch/ping-pong"
fi
cargo build --release --quiet -p pgas-tasks --example costs --example messages
cargo build --release --quiet -p pgas-tasks-c
cc -O2 -pthread -I crates/tasks-c/include bench/tasks/messages.c "$(target_directory)/release/libpgas_tasks_c.a" -ldl -lm \
    -o "$scratch/messages"
if [ -n "$short" ]; then
    rounds=2 tasks=20000 c_tasks=2000
else
    rounds=30 tasks=1000000 c_tasks=1000000
fi
[ "$runs" -eq 0 ] || rounds=$runs
printf '\nTasks and channels, %s rounds\n' "$rounds"
"$(target_directory)/release/examples/costs" "$rounds" "$tasks" >"$scratch/costs" || fail "the benchmark ended early"
PGAS_TASK_PROCESSORS=1 "$scratch/messages" "$rounds" "$c_tasks" >"$scratch/c" || fail "the benchmark in C ended early"
read -r message bytes <"$scratch/c"
crossbeam=$(awk -F '\t' '/^8 bytes, one processor/ { print $3 }' "$scratch/costs")
plain=$("$(target_directory)/release/examples/messages" "$rounds")
idle=$(env -u PGAS_EXPERIMENT "$scratch/recorder" "$rounds")
recorded=$("$(target_directory)/release/pgastool" run -n 1 -o "$scratch/e" "$scratch/recorder" "$rounds" 2>"$scratch/run" | head -n 1)
if [ -n "$hosts" ]; then
    scripts/cluster --slots 1 2 bench/tasks/hosts.sh "$scratch" "$([ -n "$short" ] && echo 1 || echo 5)" >>"$scratch/costs" ||
        fail "the benchmark over MPI ended early"
fi
{
    cat "$scratch/costs"
    printf '8 bytes, tasks in C, one processor (crossbeam: one thread)\t%s\t%s\t2\tratio\n' "$message" "$crossbeam"
    printf '8 bytes, with the recorder, not recorded (plain)\t%s\t%s\t0\tratio\tns\n' "$idle" "$plain"
    printf '8 bytes, recorded (plain)\t%s\t%s\t0\tratio\tns\n' "$recorded" "$plain"
    printf '%s tasks in C and channels, each\t%s\t0\t0\tfigure\tbytes\n' "$c_tasks" "$bytes"
} | table
