# Shared functions of the scripts of this directory. Read with `.` from the top directory of the clone.

say() { printf '\n=== %s\n' "$*" >&2; }

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 2
}

need_rust() {
    # A fresh rustup installation is not on the path of shells that were there before.
    if ! command -v cargo >/dev/null 2>&1 && [ -x "$HOME/.cargo/bin/cargo" ]; then
        PATH=$HOME/.cargo/bin:$PATH
        export PATH
    fi
    command -v cargo >/dev/null 2>&1 ||
        fail "Rust is not installed; see https://rustup.rs, or on Debian 13 or newer: apt install cargo"
}

# Names of functions here and in the scripts are never those of commands that a script looks for: `command -v` finds functions
# first, and takes what is missing for there. `scripts/shell-check` looks after that.

can_install() { command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; }

# install_missing <what is missing> <Debian package>...: installs on Debian as root, else ends with the command that would
install_missing() {
    missing=$1
    shift
    can_install || fail "no $missing; install it (Debian, Ubuntu: sudo apt install $*)"
    say "installing $*"
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

has_c_compiler() {
    for compiler in cc gcc clang; do
        command -v "$compiler" >/dev/null 2>&1 && return 0
    done
    return 1
}

# Rust itself links with it, and the embedded UPC compiler compiles with it.
need_c_compiler() {
    has_c_compiler || install_missing "C compiler" gcc libc6-dev
}

# need_command <command> <Debian package that has it>
need_command() {
    command -v "$1" >/dev/null 2>&1 && return 0
    install_missing "$1" "$2"
    command -v "$1" >/dev/null 2>&1 || fail "there is no $1, though $2 is installed"
}

# The interface of libclang for C. libclang-cpp, which LLVM brings along, is another library. The directories are for the tests.
has_libclang() {
    for directory in ${1:-/usr/lib/llvm-*/lib /usr/lib/*-linux-gnu /usr/lib /usr/lib64 /usr/local/lib}; do
        for library in "$directory"/libclang.so* "$directory"/libclang-[0-9]*.so*; do
            [ -e "$library" ] && return 0
        done
    done
    return 1
}

# MPI, and what the Rust bindings of its C interface are made with.
need_mpi() {
    need_command mpicc libopenmpi-dev
    need_command mpirun openmpi-bin
    has_libclang || [ -n "${LIBCLANG_PATH:-}" ] || install_missing libclang libclang-dev
}

# All executables with an analysis that several processes share, and what makes experiments for it. Next to what
# `cargo build --release --workspace --all-targets` has built, only what MPI adds.
build_with_mpi() {
    need_rust
    need_mpi
    cargo build --release --quiet --workspace --lib --bins --examples --features pgastool/mpi >&2
}

# need_header <C header> <Debian package that has it>
need_header() {
    printf '#include <%s>\n' "$1" | cc -E - >/dev/null 2>&1 || install_missing "C header $1" "$2"
}

# need_python_module <module> <Debian package that has it>
need_python_module() {
    python3 -c "import $1" >/dev/null 2>&1 || install_missing "module $1 of Python" "$2"
}

# need_debian_package <Debian package>, for what cannot be asked for by a command or a file
need_debian_package() {
    install_missing "Debian package $1" "$1"
}

# Where cargo builds, as an absolute path.
target_directory() {
    directory=${CARGO_TARGET_DIR:-target}
    case $directory in
    /*) printf '%s\n' "$directory" ;;
    *) printf '%s/%s\n' "$PWD" "$directory" ;;
    esac
}

# The UPC compiler: $UPCC, else pgas-upcc as this clone builds it, in its release form.
upc_compiler() {
    if [ -n "${UPCC:-}" ]; then
        printf '%s\n' "$UPCC"
    else
        need_rust
        need_c_compiler
        cargo build --release --quiet -p pgas-upcc >&2
        printf '%s/release/pgas-upcc\n' "$(target_directory)"
    fi
}
