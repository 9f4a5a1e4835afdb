#!/usr/bin/env bash
# The program and CPU tests for arm64, by Debian's cross compiler; the tests run under qemu-user. Libraries for arm64 are
# unpacked from Debian's packages into the build folder, and nothing of them is installed.
# usage: [JOBS=N] tests/arm64.sh [--look] [BUILD [TEST...]]
#   BUILD: folder (build-arm64)        TEST: names of unit tests (a list that takes some minutes)
#   --look: the compiler reads each file of the program and makes no code: half a minute, without qemu
#   JOBS:  at a time (all cores)
# Needed: gcc-aarch64-linux-gnu g++-aarch64-linux-gnu, and for tests qemu-user-static. The lists of arm64 packages lie in the build folder,
# too: the system's own apt does not come to know that architecture.
# Exit status: 0 all passed, 1 a file or a test failed, 77 something of that is not here.
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
look=no
[ "${1:-}" != --look ] || { look=yes && shift; }
case ${1:-} in -*) wrong_use ;; esac
cd "$(dirname "$0")/.."
build=${1:-build-arm64}
[ $# -eq 0 ] || shift
jobs=${JOBS:-$(nproc)}
tests=${*:-axpy base cli crossing eigen lines neighbours radix records report samples script simd statistics}
tools='aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ dpkg apt-get'
[ "$look" = yes ] || tools="$tools qemu-aarch64-static"
for tool in $tools; do
    command -v "$tool" >/dev/null || {
        echo "arm64: no $tool here: apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static" >&2
        exit 77
    }
done
mkdir -p "$build/packages" "$build/apt/lists/partial" "$build/apt/archives/partial"
build=$(realpath "$build")
export SYSROOT=$build/sysroot
arm_apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$build/apt" -o Dir::State::lists="$build/apt/lists" \
        -o Dir::State::status=/dev/null -o Dir::Cache="$build/apt" -o APT::Sandbox::User=root "$@"
}
if [ ! -d "$SYSROOT/usr" ]; then
    arm_apt update || { echo "arm64: no list of Debian's arm64 packages: is there a network?" >&2 && exit 77; }
    (cd "$build/packages" &&
        arm_apt download libhwloc-dev libhwloc15 libcjson-dev libcjson1 zlib1g-dev zlib1g libudev1 libcap2 libcmocka-dev \
            libcmocka0 liblzma-dev liblzma5 libzstd-dev libzstd1)
    for package in "$build"/packages/*.deb; do
        dpkg -x "$package" "$SYSROOT"
    done
fi

cmake -G Ninja -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64.cmake" -DBREAKEVEN_TESTS=ON -DBREAKEVEN_WERROR=ON >/dev/null
if [ "$look" = yes ]; then
    commands=$(ninja -C "$build" -t commands breakeven | grep -v '/generated/.*c$' |
        sed -n 's/ -o [^ ]*\.o -c / -fsyntax-only /; s/ -M[TF] [^ ]*//g; s/ -MD / /; /fsyntax-only/p' | sort -u)
    (cd "$build" && tr '\n' '\0' <<<"$commands" | xargs -0 -P "$jobs" -n 1 sh -c) || exit 1
    echo "arm64: the compiler read $(wc -l <<<"$commands") files"
    exit
fi
# shellcheck disable=SC2086 # a list of words
known=$(cmake --build "$build" --target help | sed -n 's/^unit_\([a-z0-9_]*\): phony$/\1/p')
targets=breakeven names=
for name in $tests; do
    grep -qx "$name" <<<"$known" || continue # a workload or a topic that is gone
    targets="$targets unit_$name" names="$names|$name"
done
[ -n "$names" ] || wrong_use "no such unit tests: $tests"
# shellcheck disable=SC2086
cmake --build "$build" -j "$jobs" --target $targets
libraries=$SYSROOT/usr/lib/aarch64-linux-gnu:$SYSROOT/lib/aarch64-linux-gnu
qemu-aarch64-static -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$libraries" "$build/breakeven" --version
ctest --test-dir "$build" -j "$jobs" --output-on-failure -R "^unit\.(${names#|})\$"
