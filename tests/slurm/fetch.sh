#!/usr/bin/env bash
# Fetches the Slurm 24.11 of Debian 13 (trixie) for tests, and unpacks it in a folder of its own: nothing is
# installed, and this machine's packages, sources and lists stay as they are.
# usage: tests/slurm/fetch.sh [FOLDER]    (the user's cache; start_newer.sh looks there)
# Exit 77, with the reason, where it cannot be had. With BREAKEVEN_REQUIRE_SLURM set that is a failure.
set -eu

. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -le 1 ] || wrong_use
. "$(dirname "$0")/newer.sh"
folder=${1:-$newer_folder}

if [ -x "$folder/bin/sbatch" ]; then
    echo "slurm: $(cat "$folder/version") is in $folder"
    exit 0
fi
for program in apt-get dpkg-deb; do
    command -v "$program" >/dev/null || give_up "no Slurm 24.11: $program is not here, so this is no Debian"
done
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$key" ] || give_up "no Slurm 24.11: $key is not here, by which packages are trusted"
# The mirror that this machine takes its own packages from.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$') ||
    give_up "no Slurm 24.11: no mirror of Debian is among the sources of this machine"

mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$new"' EXIT
mkdir -p "$new"/apt/{lists,archives}/partial "$new/root" "$new/bin"
: >"$new/apt/status"
echo "deb [signed-by=$key] $mirror trixie main" >"$new/apt/sources"
apt=(-q -o "Dir::Etc::SourceList=$new/apt/sources" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
    -o "Dir::State=$new/apt" -o "Dir::State::Lists=$new/apt/lists" -o "Dir::State::Status=$new/apt/status"
    -o "Dir::Cache=$new/apt" -o "Dir::Cache::Archives=$new/apt/archives" -o APT::Install-Recommends=0
    -o Debug::NoLocking=1 -o Acquire::Languages=none -o Acquire::Retries=3)
apt-get "${apt[@]}" update >"$new/log" 2>&1 &&
    apt-get "${apt[@]}" install --download-only --yes slurmctld slurmd slurm-client >>"$new/log" 2>&1 ||
    give_up "no Slurm 24.11: $(grep -m 1 '^[EW]:' "$new/log" || tail -n 1 "$new/log")"
for package in "$new"/apt/archives/*.deb; do
    dpkg-deb --extract "$package" "$new/root"
done

# Each program is begun by the loader that came with it. It begins itself again by its argument 0.
loader=$(cd "$new/root/usr/lib" && ls */ld-linux*.so.*)
libraries=$folder/root/usr/lib/$(dirname "$loader")
for program in sbatch srun scontrol sinfo squeue scancel slurmctld slurmd slurmstepd; do
    file=bin/$program
    [ -e "$new/root/usr/$file" ] || file=sbin/$program-wlm
    [ -e "$new/root/usr/$file" ] || give_up "no Slurm 24.11: its packages have no $program"
    printf '#!/bin/sh\nexec "%s" --argv0 "%s" --library-path "%s:%s/slurm-wlm" "%s" "$@"\n' \
        "$folder/root/usr/lib/$loader" "$folder/bin/$program" "$libraries" "$libraries" \
        "$folder/root/usr/$file" >"$new/bin/$program"
    chmod +x "$new/bin/$program"
done
echo "$libraries/slurm-wlm" >"$new/plugins"
dpkg-deb --field "$new"/apt/archives/slurmctld_*.deb Version >"$new/version"
rm -rf "$new/apt" "$folder"
chmod 755 "$new"
mv "$new" "$folder"
echo "slurm: $(cat "$folder/version") is in $folder now"
