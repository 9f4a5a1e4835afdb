#!/usr/bin/env bash
# `make uninstall` leaves a folder as it was before `make install`: what was there stays, empty folders too.
# usage: tests/install/uninstall.sh BUILD
# shellcheck source-path=SCRIPTDIR
set -u
[ $# -eq 1 ] || {
    echo "usage: $0 BUILD" >&2
    exit 2
}
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
. "$here/../checks.sh"

install() { DESTDIR=${2-} "$here/../../scripts/install.sh" "$build" "$1" >/dev/null; }
uninstall() { make --no-print-directory -C "$here/../.." uninstall PREFIX="$1" DESTDIR="${2-}" >out 2>err; }
seen() { find "$1" -printf '%p %y %s\n' | sort; }
same() { [ "$(seen "$1")" = "$before" ]; }

# Others' files, in folders that ours go to, and folders of others that are empty.
mkdir -p 'a prefix/bin' 'a prefix/lib/pkgconfig' 'a prefix/share/man'
echo theirs >'a prefix/bin/theirs'
before=$(seen 'a prefix')
check 'install' install "$PWD/a prefix"
check 'it runs' "a prefix/bin/breakeven" --version
check 'uninstall' uninstall "$PWD/a prefix"
check 'says what it did' grep -q 'removed [0-9]* files from .*/a prefix' out
check 'as before' same 'a prefix'

# Twice, with a file that the second no longer has, and one of theirs in a folder of ours.
install "$PWD/a prefix"
echo old >'a prefix/share/breakeven/old'
echo share/breakeven/old >>'a prefix/share/breakeven/installed.txt'
install "$PWD/a prefix"
echo theirs >'a prefix/include/theirs.h'
uninstall "$PWD/a prefix"
check 'their file stays' test -s 'a prefix/include/theirs.h'
rm -r 'a prefix/include'
check 'twice: as before' same 'a prefix'

# DESTDIR, as packages are made; nothing of PREFIX itself was there.
mkdir staged
before=$(seen staged)
install /opt/breakeven/0.1.0 "$PWD/staged"
check 'staged' test -x staged/opt/breakeven/0.1.0/bin/breakeven
check 'staged: uninstall' uninstall /opt/breakeven/0.1.0 "$PWD/staged"
check 'staged: as before' same staged

# Moved as a whole.
install "$PWD/first"
mv first second
check 'moved: uninstall' uninstall "$PWD/second"
check 'moved: gone' test ! -e second

# Nothing there, and a list that leads elsewhere.
refused() { ! uninstall "$1"; }
check 'nothing there: refused' refused "$PWD/nowhere"
check 'nothing there: said' grep -q 'no .*/nowhere/share/breakeven/installed.txt' err
check 'no PREFIX: refused' refused ''
check 'no PREFIX: said' grep -q 'PREFIX is empty' err
mkdir -p damaged/share/breakeven
echo keep >kept
echo ../kept >damaged/share/breakeven/installed.txt
check 'damaged: refused' refused "$PWD/damaged"
check 'damaged: kept' test -s kept

done_testing uninstall
