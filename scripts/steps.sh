# Steps of scripts that go on after a failed one, for scripts/test and scripts/nightly. Read with `.` after lib.sh.
#
# The script's arguments are names of steps, and only these are run; without any, all are. Tests write into the file that
# NOT_TESTED_LIST names what the machine does not allow them to test; the last lines of the script repeat it.

# Of the output of a failed step, these are said once more.
LAST_LINES=40

# begin_steps <name of a step>...
begin_steps() {
    # One a line, as their names have blanks.
    only=$([ $# -eq 0 ] || printf '\n%s' "$@")
    logs=$(mktemp -d)
    trap 'rm -rf "$logs"' EXIT
    NOT_TESTED_LIST=$logs/not-tested
    export NOT_TESTED_LIST
    failed=
    left_out=
    took=
    total=0
    known=
}

# step <name> <command>...
step() {
    name=$1
    shift
    known="$known  $name
"
    # Steps that were named, if any were.
    case "$only
" in
    "
" | *"
$name
"*) ;;
    *) return 0 ;;
    esac
    say "$name: $*"
    begin=$(date +%s)
    # A step may also end by `exit`, and then says nothing.
    echo 1 >"$logs/status"
    {
        result=0
        "$@" || result=$?
        echo "$result" >"$logs/status"
    } 2>&1 | tee "$logs/output"
    if [ "$(cat "$logs/status")" -eq 0 ]; then
        verdict=passed
    else
        verdict=FAILED
        failed="$failed  $name
"
        mv "$logs/output" "$logs/$name.failed"
    fi
    seconds=$(($(date +%s) - begin))
    total=$((total + seconds))
    took="$took$(printf '%7s s  %s' "$seconds" "$name")
"
    printf '=== %s %s (%s s)\n' "$name" "$verdict" "$seconds" >&2
}

# leave_out <what> <why, and what would help>: said now, and once more in the last lines.
leave_out() {
    say "left out: $1: $2"
    left_out="$left_out  $1: $2
"
}

# end_steps <name of a step>...: what was left out, how long each step took, and what failed; exits with 1 if any did.
end_steps() {
    for wanted in "$@"; do
        case $known in
        *"  $wanted
"*) ;;
        *) fail "there is no step $wanted; the steps are
$known" ;;
        esac
    done
    if [ -s "$NOT_TESTED_LIST" ]; then
        left_out="$left_out$(sort -u "$NOT_TESTED_LIST" | sed 's/^/  not tested: /')
"
        repeated=$(grep -c '^runs of .* before the last of ' "$NOT_TESTED_LIST" || true)
        [ "$repeated" -eq 0 ] || left_out="$left_out  $repeated measured runs were repeated: something else had the cores, or the reason is unknown
"
    fi
    if [ -n "$left_out" ]; then
        printf '\nleft out:\n%s' "$left_out" >&2
    fi
    printf '\ntime of each step:\n%s' "$took" >&2
    if [ -n "$failed" ]; then
        for log in "$logs"/*.failed; do
            printf '\n=== %s ended with:\n' "$(basename "$log" .failed)" >&2
            tail -n "$LAST_LINES" "$log" >&2
        done
        printf '\nFAILED after %s s:\n%s' "$total" "$failed" >&2
        exit 1
    fi
    printf '\nall %spassed in %s s\n' "${left_out:+others }" "$total" >&2
}

# A component that this installation of Rust lacks is fetched if rustup can; without it the step fails and says so.
need_component() {
    cargo "$1" --version >/dev/null 2>&1 && return 0
    command -v rustup >/dev/null 2>&1 && rustup component add "$2" >/dev/null 2>&1 || true
}
