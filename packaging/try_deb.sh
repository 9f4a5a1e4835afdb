#!/usr/bin/env bash
# The .deb as a user has it: installed into a clean Debian, run, removed; nothing of it is left. Needs root, debootstrap
# and a mirror of Debian; takes a minute, most of it for the clean system, which is kept where FOLDER names one.
# usage: packaging/try_deb.sh PACKAGE.deb [FOLDER]
# shellcheck source-path=SCRIPTDIR
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || [ $# -eq 2 ] || wrong_use
[ -s "$1" ] || wrong_use "there is no package $1"
[ "$(id -u)" -eq 0 ] || wrong_use "root is needed: a Debian is made, and entered by chroot"
command -v debootstrap >/dev/null || wrong_use "debootstrap is needed: apt-get install debootstrap"
package=$(realpath "$1")
scratch=$(mktemp -d)
system=${2:-$scratch/system}
ended() {
    umount "$system/proc" "$system/sys" 2>/dev/null || true
    rm -rf "$scratch"
}
trap ended EXIT

inside() { chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
fails() {
    echo "try_deb: $*" >&2
    exit 1
}

[ -x "$system/usr/bin/dpkg" ] || debootstrap --variant=minbase bookworm "$system" >"$scratch/log" 2>&1 || {
    tail "$scratch/log"
    exit 1
}
mount -t proc proc "$system/proc"
mount -t sysfs sysfs "$system/sys"
cp "$package" "$system/root/breakeven.deb"
inside apt-get -qq update
inside apt-get -qq install --yes --no-install-recommends libhwloc15 libcjson1 zlib1g liblzma5 libzstd1 libncursesw6 libmicrohttpd12 >/dev/null 2>&1
seen() { (cd "$system" && find usr etc -type f -o -type d | LC_ALL=C sort); }
seen >"$scratch/before"

inside apt-get -qq install --yes --no-install-recommends /root/breakeven.deb >/dev/null 2>&1 || fails 'apt-get does not install it'
inside breakeven --version
inside breakeven compare power --size=1e4 --quick --elsewhere=h100 | grep -q '^GPU h100' || fails 'compare has no answer'
inside breakeven job --cluster=narval --gpus=1 --quiet -- true | grep -q a100:1 || fails 'job does not find its clusters'
inside breakeven machines | grep -q '^h200 ' || fails 'machines does not find its profiles'
inside breakeven run -- true 2>&1 | grep -q '^ran ' || fails 'run has no report'
inside dpkg -L breakeven | grep -q '/bash-completion/completions/breakeven$' || fails 'no completion'
inside apt-get -qq purge --yes breakeven >/dev/null 2>&1 || fails 'apt-get does not remove it'
seen >"$scratch/after"
diff "$scratch/before" "$scratch/after" || fails 'something is left'
echo 'try_deb: installed, run, removed; nothing is left'
