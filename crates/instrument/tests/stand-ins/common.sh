# What the stand-ins share; see README.md. Read with `.`; `name` is the stand-in's.

# Notes the call; the status is added when the stand-in ends.
note() {
    call=$name
    for word; do call="$call $word"; done
    trap 'status=$?; [ -z "${STAND_IN_LOG:-}" ] || printf "%s -> %s\n" "$call" "$status" >>"$STAND_IN_LOG"' EXIT
}

refuse() {
    printf '%s\n' "$@" >&2
    exit 1
}

# preprocess SOURCE: as plain C, with the compiler's own headers, if it has any.
preprocess() { cc -E -x c ${STAND_IN_INCLUDE:+-I "$STAND_IN_INCLUDE"} "$1"; }

# build ARGUMENTS: what a stand-in has made of its arguments, for the embedded compiler. The functions of the tool's UPC
# file are also in the embedded runtime, which brings them for its own programs; the first one counts.
build() {
    [ "${STAND_IN_BUILT:-}" != broken ] || refuse "$name: fatal error: cannot execute 'cc1upc': No such file or directory"
    if [ -n "${STAND_IN_UPCC:-}" ]; then
        "$STAND_IN_UPCC" "$@" ${STAND_IN_INCLUDE:+-I "$STAND_IN_INCLUDE"} -Wl,--allow-multiple-definition
        return
    fi
    output=
    sources=
    only_object=no
    while [ $# -gt 0 ]; do
        case $1 in
        -o) output=$2; shift ;;
        -c) only_object=yes ;;
        -I | -idirafter | -D | -L | -T | -x) shift ;;
        -*) ;;
        *.upc | *.c | *.cc | *.i)
            [ -f "$1" ] || refuse "$name: $1: No such file or directory"
            sources="$sources $1" ;;
        esac
        shift
    done
    if [ -z "$output" ]; then
        if [ $only_object = yes ]; then
            for source in $sources; do
                file=${source##*/}
                echo 'made by a stand-in' >"${file%.*}.o"
            done
            return
        fi
        output=a.out
    fi
    echo 'made by a stand-in' >"$output"
}
