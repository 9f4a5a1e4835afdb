#!/usr/bin/env bash
# Installs what building needs, and only what is missing; silent when nothing is.
# usage: scripts/setup.sh [--test] [--check]
#   --test   also what the tests and checks need
#   --check  only say what is missing
set -eu
. "$(dirname "$0")/usage.sh"

for_tests=no
check=no
for option in "$@"; do
    case $option in
        --test) for_tests=yes ;;
        --check) check=yes ;;
        *) wrong_use "unknown option $option" ;;
    esac
done

have() { command -v "$1" >/dev/null 2>&1; }
have_daemon() { have "$1" || [ -x "/usr/sbin/$1" ]; }

# compiles LANGUAGE HEADER COMPILER...: the first of these that is here finds its headers.
compiles() {
    local language=$1 header=$2 compiler
    shift 2
    for compiler in "$@"; do
        have "$compiler" || continue
        echo "#include <$header>" | "$compiler" -x "$language" -E - >/dev/null 2>&1
        return
    done
    return 1
}
have_compiler() { compiles c stdio.h ${CC:+"$CC"} cc gcc; }
have_cxx() { compiles c++ cstdio ${CXX:+"$CXX"} c++ g++; }
have_package() { have pkg-config && pkg-config --exists "$1" 2>/dev/null; }
# clang without its run-time library compiles and does not link.
have_libfuzzer() {
    have clang || return 1
    printf '%s\n' 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null
}
# The oldest gcc that builds it: CI reads every file with it.
have_gcc_11() { have gcc-11 && have g++-11; }
# A cross compiler: CI reads every file with it.
have_arm64() { have aarch64-linux-gnu-gcc && have aarch64-linux-gnu-g++; }
have_pocl() { compgen -G '/etc/OpenCL/vendors/*pocl*' >/dev/null; }
have_opencl() {
    compgen -G '/usr/lib*/libOpenCL.so.1' >/dev/null ||
        compgen -G '/usr/lib/*/libOpenCL.so.1' >/dev/null ||
        compgen -G '/usr/local/lib/libOpenCL.so.1' >/dev/null
}
have_blas() {
    local name
    for name in mkl_rt openblas blis flexiblas; do
        compgen -G "/usr/lib*/lib$name.so.*" >/dev/null && return
        compgen -G "/usr/lib/*/lib$name.so.*" >/dev/null && return
    done
    return 1
}
have_fftw() {
    compgen -G '/usr/lib*/libfftw3f.so.3' >/dev/null ||
        compgen -G '/usr/lib/*/libfftw3f.so.3' >/dev/null ||
        compgen -G '/usr/local/lib/libfftw3f.so.3' >/dev/null
}
have_venv() { have python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; }
have_opencl_headers() { [ -e /usr/include/CL/cl_ext.h ]; }

# How to see that it is here; packages for apt; packages for dnf.
needs() {
    cat <<'TABLE'
have_compiler|gcc libc6-dev|gcc glibc-devel
have make|make|make
have cmake|cmake|cmake
have ninja|ninja-build|ninja-build
have pkg-config|pkg-config|pkgconf-pkg-config
have_package hwloc|libhwloc-dev|hwloc-devel
have_package libcjson|libcjson-dev|cjson-devel
have_package zlib|zlib1g-dev|zlib-devel
TABLE
    [ "$for_tests" = no ] || cat <<'TABLE'
have_package cmocka|libcmocka-dev|libcmocka-devel
have_cxx|g++|gcc-c++
have_pocl|pocl-opencl-icd|pocl
have_opencl|ocl-icd-libopencl1|ocl-icd
have_opencl_headers|opencl-c-headers|opencl-headers
have_blas|libopenblas0|openblas
have_fftw|libfftw3-single3|fftw-libs-single
have_daemon slurmctld|slurm-wlm|slurm-slurmctld slurm-slurmd
have_daemon slurmdbd|slurmdbd|slurm-slurmdbd
have_daemon munged|munge|munge
have_daemon mariadbd|mariadb-server|mariadb-server
have git|git|git
have ccache|ccache|ccache
have python3|python3|python3
have_venv|python3-venv|python3
have mandoc|mandoc|mandoc
have clang-format|clang-format|clang-tools-extra
have clang-tidy|clang-tidy|clang-tools-extra
have_libfuzzer|clang libclang-rt-dev|clang compiler-rt
have_gcc_11|gcc-11 g++-11|gcc gcc-c++
have_arm64|gcc-aarch64-linux-gnu g++-aarch64-linux-gnu|gcc-aarch64-linux-gnu gcc-c++-aarch64-linux-gnu
have cppcheck|cppcheck|cppcheck
TABLE
}

# Two views of `watch`, and files compressed by xz and zstd, which are built where these are here.
optional() {
    cat <<'TABLE'
have_package ncursesw|libncurses-dev|ncurses-devel
have_package libmicrohttpd|libmicrohttpd-dev|libmicrohttpd-devel
have_package liblzma|liblzma-dev|xz-devel
have_package libzstd|libzstd-dev|libzstd-devel
TABLE
}

# look TABLE: sets apt and dnf to the packages of that table that are missing.
look() {
    local probe apt_names dnf_names
    apt='' dnf=''
    while IFS='|' read -r probe apt_names dnf_names; do
        # Word splitting is meant: a probe is a command and its argument.
        $probe || {
            apt="$apt $apt_names"
            dnf="$dnf $dnf_names"
        }
    done < <("$1")
    apt=${apt# } dnf=${dnf# }
}

# The CMake that is here; where none is, one that is installed below is asked again.
check_cmake() {
    local version
    have cmake || return 0
    version=$(cmake --version)
    version=${version#cmake version }
    version=${version%%[!0-9.]*}
    [[ $version =~ ^([0-9]+)\.([0-9]+) ]] || return 0
    ((BASH_REMATCH[1] > 3 || (BASH_REMATCH[1] == 3 && BASH_REMATCH[2] >= 20))) && return 0
    {
        echo "setup: CMake 3.20 or newer is needed; here is $version ($(command -v cmake))"
        echo "  Debian 12, Ubuntu 22.04 and RHEL 9 have a newer one."
        echo "  Without root: python3 -m pip install --user cmake, and ~/.local/bin first in PATH"
    } >&2
    exit 1
}

# Says what is missing, why it was not installed, and how to get it; ends.
give_up() {
    {
        echo "setup: missing: $apt"
        [ -z "${1-}" ] || echo "setup: $1"
        echo "  Debian, Ubuntu:  sudo apt-get install $apt"
        echo "  Fedora, RHEL:    sudo dnf install $dnf    (RHEL and its like: with CRB and EPEL)"
    } >&2
    exit 1
}

# Sets as_root to what comes before a command that needs root.
find_root() {
    as_root=()
    [ "$(id -u)" -ne 0 ] || return 0
    have sudo || return 1
    if sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    elif [ -t 0 ] && [ -t 2 ]; then
        as_root=(sudo) # asks for the password
    else
        return 1
    fi
}

apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >&2; }

# Installs what `look` found missing.
install_packages() {
    echo "setup: installing $apt" >&2
    # shellcheck disable=SC2086 # several names
    if ! apt_get install --yes --no-install-recommends $apt 2>/dev/null; then
        # The package lists are missing or old.
        apt_get update && apt_get install --yes --no-install-recommends $apt || return 1
    fi
    hash -r
}

check_cmake
look needs
if [ -n "$apt" ]; then
    [ "$check" = no ] || give_up
    have apt-get || give_up "this system has no apt-get, so they were not installed"
    find_root || give_up "not root, and no sudo without a password here, so they were not installed"
    install_packages || give_up "apt-get failed"
    check_cmake
    look needs
    [ -z "$apt" ] || give_up "still missing after apt-get install"
fi
[ "$check" = no ] || exit 0
look optional
[ -n "$apt" ] || exit 0
if ! have apt-get || ! find_root || ! install_packages; then
    echo "setup: goes on without $apt: then \`watch\` lacks its screen or its page, or .xz and .zst files are not read" >&2
fi
