# Costs of tasks and channels: `scripts/bench tasks`, which reads this with `.`.
#
# A round measures each of our operations and then the one of crossbeam's channels beside it; the fastest of all rounds are
# compared, as others were disturbed.
need_rust
say "building"
cargo build --release --quiet -p pgas-tasks --example costs
if [ -n "$short" ]; then
    rounds=2 tasks=20000
else
    rounds=30 tasks=1000000
fi
[ "$runs" -eq 0 ] || rounds=$runs
printf '\nTasks and channels, %s rounds\n' "$rounds"
"$(target_directory)/release/examples/costs" "$rounds" "$tasks" >"$scratch/costs" || fail "the benchmark ended early"
table <"$scratch/costs"
