# Selection of programs of accuracy/ by options of scripts/accuracy and scripts/live-accuracy. Needs scripts/lib.sh.

model='' pattern='' threads='' runs=1

# Names of the folders with programs.
patterns() {
    ls -d accuracy/*/ accuracy/openshmem/*/ accuracy/coarrays/*/ accuracy/tasks/*/ | xargs -n 1 basename |
        sort -u | grep -vx -e openshmem -e coarrays -e tasks -e library
}

# Takes an option and its value; fails if it is none of these.
take_option() {
    case $1 in
    --model | --pattern | --threads | --runs) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) return 1 ;;
    esac
    case $1 in
    --model)
        case $2 in
        upc | openshmem | coarrays | tasks) model=$2 ;;
        *) fail "there are no programs of '$2'; there are some of upc, openshmem, coarrays and tasks" ;;
        esac
        ;;
    --pattern)
        patterns | grep -qxF -- "$2" || fail "there are no programs for '$2'; there are: $(patterns | tr '\n' ' ')"
        pattern=$2
        ;;
    --threads)
        case $2 in
        '' | *[!0-9,]*) fail "'$2' is no list of numbers such as 2,16" ;;
        esac
        threads=$2
        ;;
    --runs)
        case $2 in
        '' | *[!0-9]* | 0) fail "'$2' is no number of runs" ;;
        esac
        runs=$2
        ;;
    esac
}

# Passes the selection on to the tests.
export_options() {
    export PGAS_ACCURACY_MODEL="$model" PGAS_ACCURACY_PATTERN="$pattern"
    export PGAS_ACCURACY_THREADS="$threads" PGAS_ACCURACY_RUNS="$runs"
}
