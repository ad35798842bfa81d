# What the scripts of this directory share. Read with `.` from the top directory of the clone.

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

# Rust itself links with it, and the embedded UPC compiler compiles with it.
need_c_compiler() {
    for compiler in cc gcc clang; do
        if command -v "$compiler" >/dev/null 2>&1; then
            return 0
        fi
    done
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
        say "installing a C compiler"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev
    else
        fail "no C compiler; install one (Debian, Ubuntu: sudo apt install gcc libc6-dev; Fedora: sudo dnf install gcc)"
    fi
}

# need_command <command> <Debian package that has it>
need_command() {
    if command -v "$1" >/dev/null 2>&1; then
        return 0
    fi
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
        say "installing $2"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2"
    else
        fail "no $1; install it (Debian, Ubuntu: sudo apt install $2)"
    fi
}

# MPI, and what the Rust bindings of its C interface are made with.
need_mpi() {
    need_command mpicc libopenmpi-dev
    need_command mpirun openmpi-bin
    for library in /usr/lib/llvm-*/lib/libclang*.so* /usr/lib/*/libclang*.so*; do
        [ -e "$library" ] && return 0
    done
    need_command /usr/lib/libclang.so libclang-dev
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
    if printf '#include <%s>\n' "$1" | cc -E - >/dev/null 2>&1; then
        return 0
    fi
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
        say "installing $2"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >&2
    else
        fail "no C header $1; install it (Debian, Ubuntu: sudo apt install $2)"
    fi
}

# need_python_module <module> <Debian package that has it>
need_python_module() {
    if python3 -c "import $1" >/dev/null 2>&1; then
        return 0
    fi
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
        say "installing $2"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >&2
    else
        fail "Python has no module $1; install it (Debian, Ubuntu: sudo apt install $2)"
    fi
}

# need_debian_package <Debian package>, for what cannot be asked for by a command or a file
need_debian_package() {
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
        say "installing $1"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >&2
    else
        fail "the Debian package $1 is missing; install it (sudo apt install $1)"
    fi
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
