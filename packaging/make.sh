#!/usr/bin/env bash
# Makes packages of this source, into dist/.
# usage: packaging/make.sh [deb] [rpm] [tar]
#   deb   for Debian and Ubuntu of the kind that this machine has; needs dpkg-dev
#   rpm   for Fedora, RHEL and their like; needs rpmbuild, and is made best on one of them
#   tar   a folder of programs that runs on any x86-64 or arm64 Linux whose C library is as new as the one here
# Without a kind: each that this machine has the tools for.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../scripts/usage.sh"
cd "$here/.."

have() { command -v "$1" >/dev/null 2>&1; }
kinds=("$@")
if [ $# -eq 0 ]; then
    kinds=(tar)
    ! have dpkg-shlibdeps || kinds+=(deb)
    ! have rpmbuild || kinds+=(rpm)
fi

# configure OPTION...: one folder for all kinds, since nearly all that is compiled is the same.
configure() {
    cmake -G Ninja -S . -B build-package -DBREAKEVEN_TESTS=OFF -DBUILD_SHARED_LIBS=OFF -DBREAKEVEN_SCREEN=ON \
        -DBREAKEVEN_PAGE=ON -DBREAKEVEN_BUNDLE=OFF -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib "$@" >/dev/null
    cmake --build build-package
}

trap 'rm -rf dist/_CPack_Packages' EXIT
for kind in "${kinds[@]}"; do
    case $kind in
    deb)
        have dpkg-shlibdeps || wrong_use "deb needs dpkg-shlibdeps: apt-get install dpkg-dev"
        configure
        (cd build-package && cpack -G DEB)
        ;;
    rpm)
        have rpmbuild || wrong_use "rpm needs rpmbuild: dnf install rpm-build, apt-get install rpm"
        configure -DCMAKE_INSTALL_LIBDIR=lib64
        (cd build-package && cpack -G RPM)
        ;;
    tar)
        configure -DBREAKEVEN_SCREEN=OFF -DBREAKEVEN_PAGE=OFF -DBREAKEVEN_BUNDLE=ON
        (cd build-package && cpack -G TGZ -D CPACK_PACKAGING_INSTALL_PREFIX=/)
        ;;
    *) wrong_use "no kind of package: $kind" ;;
    esac
done
