# Size of the HTML report, and how long it takes to write and to open: `scripts/bench report`, which reads this with `.`.
#
# Results are made up: call paths with different times on all threads, so that nothing can be stored as one number.
need_rust
need_command chromium chromium
need_command chromedriver chromium-driver
say "building"
cargo build --release --quiet -p pgas-report --example page_speed
page_speed=$(target_directory)/release/examples/page_speed

if [ -n "$short" ]; then
    [ "$runs" -gt 0 ] || runs=1
    set -- 4:100 64:200 1024:300
else
    [ "$runs" -gt 0 ] || runs=3
    set -- 4:1000 64:3000 1024:10000
fi
printf 'the HTML report; the best of %s runs\n' "$runs"
"$page_speed" "$runs" "$@" >"$scratch/lines" || fail "a page could not be written or opened"
table <"$scratch/lines"
