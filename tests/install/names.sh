#!/usr/bin/env bash
# The library that is installed shows what the public headers declare, and nothing else of ours.
# usage: tests/install/names.sh LIBRARY HEADERS
set -eu
[ $# -eq 2 ] || {
    echo "usage: $0 LIBRARY HEADERS" >&2
    exit 2
}
case $1 in *.so*) of=-D ;; *) of=-g ;; esac
shown=$(nm "$of" --defined-only "$1" | awk 'NF == 3 && $2 != "A" { print $3 }' | LC_ALL=C sort)
# As the compiler sees them, whatever the layout: a name of ours before a parenthesis.
declared=$(cat "$2"/*.h | "${CC:-cc}" -E -P -x c -I "$2" - | grep -oE '\bbe_[a-z0-9_]+ *\(' | tr -d ' (' | LC_ALL=C sort -u)
[ -n "$declared" ]
diff <(echo "$declared") <(echo "$shown")
echo "$(echo "$shown" | wc -l) names, those of the headers"
