#!/usr/bin/env bash
# The shells propose the right words: bash always, fish and zsh where they are here.
# usage: tests/install/completion.sh PROGRAM
# shellcheck source-path=SCRIPTDIR
set -u
. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
files=$(realpath "$(dirname "$0")/../../share/completion")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
ln -s "$program" breakeven
export PATH=$PWD:$PATH
. "$files/../../tests/checks.sh"
. "$files/breakeven.bash"
compopt() { :; } # of a shell that completes

# proposes WANTED WORD...: the last word is the one that is typed. -WANTED: it must not be there.
proposes() {
    local wanted=$1
    shift
    COMP_WORDS=(breakeven "$@")
    COMP_CWORD=$#
    _breakeven
    case $wanted in
    none) check "bash: $*: nothing" test "${#COMPREPLY[@]}" -eq 0 ;;
    *) check "bash: $*: $wanted" grep -qxF -- "$wanted" <(printf '%s\n' "${COMPREPLY[@]-}") ;;
    esac
}
proposes compare comp
proposes lint ''
proposes --placement= compare --pla
proposes --json compare power --js
proposes --help machines --h
proposes solve compare so
proposes lint help li
proposes none run -- --pla
proposes none machines so

# fish says what it would propose; zsh only whether it reads the file.
if command -v fish >/dev/null; then
    HOME=$PWD fish -c "source $files/breakeven.fish; complete -C 'breakeven compare --pla'" >out 2>err
    check 'fish: an option with its help' grep -qP '^--placement=\tWhere the data' out
    HOME=$PWD fish -c "source $files/breakeven.fish; complete -C 'breakeven pro'" >out 2>err
    check 'fish: a command with its line' grep -qP '^probe\tmeasure the maximum' out
fi
if command -v zsh >/dev/null; then
    check 'zsh: reads it' zsh -f -n "$files/_breakeven"
fi
done_testing completion
