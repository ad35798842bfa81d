# How exact `pgastool time` is, on simulated clusters whose truth is known: `scripts/bench timing`, which reads this with
# `.`.
#
# Nothing is measured on this machine: the figures are the same on all, and repeat to the last digit.
need_rust
say "building"
cargo build --release --quiet -p pgas-timing --example timing-method
timing_method=$(target_directory)/release/examples/timing-method

if [ -n "$short" ]; then
    set -- 8 3
else
    set -- 400 10
fi
[ "$runs" -eq 0 ] || set -- "$1" "$runs"
"$timing_method" "$@" || fail "the simulation ended early"
