#!/usr/bin/env bash
# Removes what scripts/install.sh installed: its files, and of the folders that it made those left empty.
# usage: [DESTDIR=FOLDER] scripts/uninstall.sh PREFIX
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -eq 1 ] || wrong_use
[ -n "$1" ] || wrong_use "PREFIX is empty"
prefix=$(realpath -m -- "$1")
to=${DESTDIR-}${prefix%/}
list=$to/share/breakeven/installed.txt
if [ ! -r "$list" ]; then
    echo "uninstall: nothing that \`make install\` put there: no $list" >&2
    exit 1
fi
if grep -qE '(^|/)\.\.(/|$)' "$list"; then
    echo "uninstall: $list is damaged: it leads elsewhere" >&2
    exit 1
fi

whole_names() {
    local name
    while IFS= read -r name; do
        case $name in
        /*) printf '%s\n' "${DESTDIR-}$name" ;;
        *) printf '%s\n' "$to/$name" ;;
        esac
    done <"$list"
}

files=0 failed=0
while IFS= read -r path; do
    case $path in
    */) [ ! -d "$path" ] || rmdir --ignore-fail-on-non-empty -- "$path" || failed=1 ;;
    *) [ ! -e "$path" ] && [ ! -L "$path" ] || { rm -f -- "$path" && files=$((files + 1)); } || failed=1 ;;
    esac
done < <(whole_names | LC_ALL=C sort -r) # a folder after what is in it
[ "$failed" -eq 0 ] || exit 1
echo "uninstall: removed $files files from $to"
