#!/usr/bin/env bash
# breakeven beside other programs that do the same: finds these, and starts bench/versus.py.
# usage: bench/versus.sh PROGRAM [OPTION...]     bench/versus.sh PROGRAM --help has the options
#   PEERS_PYTHON   an interpreter that has NumPy, and what else there is to compare with (default:
#                  .venv, made from bench/peers/requirements.txt, or without a network python3)
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -ge 1 ] || wrong_use
find_program "$1"
shift
cd "$(dirname "$0")/.."

# Needs none of what is looked for below.
for word in "$@"; do
    case $word in -h | --help) exec python3 -B bench/versus.py --help ;; esac
done

say() { echo "versus: $*" >&2; }

imports() { "$1" -c "import $2" 2>/dev/null; }

# Sets python to one that has the peers, or as many of them as can be had.
find_python() {
    for python in ${PEERS_PYTHON:-.venv/bin/python}; do
        ! imports "$python" numpy,numba || return 0
    done
    if [ -z "${PEERS_PYTHON-}" ]; then
        say "installing bench/peers/requirements.txt in .venv"
        if python3 -m venv --system-site-packages .venv >&2 &&
            .venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 \
                -r bench/peers/requirements.txt >&2; then
            python=.venv/bin/python
            return
        fi
        say "that failed (on Debian and Ubuntu it needs python3-venv, and it needs a network)"
    fi
    for python in ${PEERS_PYTHON:-.venv/bin/python python3}; do
        ! imports "$python" numpy || return 0
    done
    say "no NumPy here, and nothing to compare with without it"
    exit 1
}

find_python
exec python3 bench/versus.py "$program" --peers-python="$python" "$@"
