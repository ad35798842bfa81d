# The cost of recording as a report states it, against the truth: `scripts/bench cost`, which reads this with `.`.
#
# Truth: CPU time of the measured program (user and system, all its processes, without pgastool) less that of the same program
# compiled with --no-instrument, as a share of the former; of each the least of all runs, in turns, so that what else the machine
# does matters least. Threads that wait sleep after at most 50 us, and barriers are few, so that waiting is no part of it.
need_rust
need_command python3 python3
say "building"
cargo build --release --quiet -p pgastool -p pgas-upcc -p pgas-measure
class=A
[ -z "$short" ] || class=S
[ "$runs" -gt 0 ] || runs=$([ -n "$short" ] && echo 1 || echo 5)
PATH=$(target_directory)/release:$PATH python3 bench/cost/measure.py "$scratch" "$class" "$runs" "$short" "$only" "$defaults"
