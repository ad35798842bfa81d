# Shared by the stand-ins of launchers: they note how they were called, refuse what the real ones refuse, give processes the
# environment that real ones give to processes on other nodes, start them, and make one exit status of theirs.
#
# With STAND_IN_ONCE set, one process is started for all of them: a program of the embedded compiler, which plays one of a
# compiler for networks, starts its threads itself.

here=$(dirname "$0")
tab=$(printf '\t')

# Notes the command line, a word a column.
note() {
    line=$(basename "$0")
    for word; do line="$line$tab$word"; done
    printf '%s\n' "$line" >>"$here/log"
}

# refuse STATUS MESSAGE
refuse() {
    printf '%s\n' "$2" >&2
    exit "$1"
}

# start COUNT POLICY PROGRAM ARGUMENTS...: processes have the variables that $kept names and $assigned gives (one a line).
start() {
    count=$1 policy=$2
    shift 2
    [ $# -gt 0 ] || refuse 1 "$(basename "$0"): no program"
    for name in PATH HOME STAND_IN_ONCE $kept; do
        eval "is_set=\${$name+yes} value=\${$name-}"
        [ -z "$is_set" ] || set -- "$name=$value" "$@"
    done
    if [ -n "$assigned" ]; then
        old=$IFS
        IFS='
'
        for assignment in $assigned; do set -- "$assignment" "$@"; done
        IFS=$old
    fi
    pids= result=0 rank=0
    trap 'for pid in $pids; do kill -TERM $pid; done' TERM INT
    [ -z "${STAND_IN_ONCE:-}" ] || count=1
    while [ $rank -lt "$count" ]; do
        env -i "STAND_IN_RANK=$rank" "$@" &
        pids="$pids $!"
        rank=$((rank + 1))
    done
    for pid in $pids; do
        wait "$pid"
        status=$?
        while kill -0 "$pid" 2>/dev/null; do
            wait "$pid"
            status=$?
        done
        case $policy in
        greatest) [ $status -le $result ] || result=$status ;;
        first) [ $result -ne 0 ] || result=$status ;;
        or)
            [ $status -le 128 ] || status=$((status - 128))
            result=$((result | status))
            ;;
        esac
    done
    exit $result
}

kept= assigned=
