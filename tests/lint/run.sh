#!/usr/bin/env bash
# `breakeven lint` from the command line: exact text, fixes in files, exit codes, errors; and whether
# docs/lint.md has the rules that there are.
# usage: tests/lint/run.sh BUILD/breakeven [--update]
# shellcheck disable=SC2016 # what is quoted is for sh -c
# shellcheck source-path=SCRIPTDIR
set -u

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 BUILD/breakeven [--update]" >&2
    exit 2
fi
program=$(realpath "$1")
update=${2-}
here=$(realpath "$(dirname "$0")")
docs=$here/../../docs/lint.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here"/scripts/*.sh "$scratch"
cd "$scratch" || exit 2
export LC_ALL=C BREAKEVEN_CLUSTERS=
. "$here/../checks.sh"

# golden NAME CODE WORD...: exactly what golden/NAME.txt has, and that exit code.
golden() {
    local name=$1 want=$2 code
    shift 2
    cases=$((cases + 1))
    "$program" lint --format=full "$@" >out 2>err </dev/null
    code=$?
    [ "$update" != --update ] || cp out "$here/golden/$name.txt"
    if [ "$code" -ne "$want" ]; then
        bad "$name: exit $code, not $want"
    elif ! diff -u "$here/golden/$name.txt" out >difference; then
        bad "$name: $(head -n 20 difference)"
    else
        echo "ok       $name"
    fi
}

# expect CODE FRAGMENT WORD...: that exit code, and an error that says so.
expect() {
    local want=$1 fragment=$2 code
    shift 2
    cases=$((cases + 1))
    "$program" lint --format=full "$@" >out 2>err </dev/null
    code=$?
    if [ "$code" -ne "$want" ]; then
        bad "$*: exit $code, not $want"
    elif ! tr -s '\n ' ' ' <err | grep -Fq -- "$fragment"; then
        bad "$*: does not say '$fragment'"
    else
        echo "ok       $*: $fragment"
    fi
}

golden mixed 1 mixed.sh
golden good 0 good.sh
golden hetjob 1 hetjob.sh
golden dos 1 dos.sh
golden diff 1 --diff mixed.sh
golden diff-unsafe 1 --diff=unsafe mixed.sh
golden cluster 1 --catalogue="$here/../../share/clusters" --cluster=narval good.sh mixed.sh
golden several 1 --show=error good.sh hetjob.sh
golden list 0 --list
golden signs 1 --show=error signs.sh
if [ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ]; then
    LC_ALL=C.UTF-8 golden signs-utf8 1 --show=error signs.sh
fi
check 'nothing but errors in 80 columns' awk 'length > 80 { print; bad = 1 } END { exit bad }' \
    "$here/golden/mixed.txt" "$here/golden/list.txt" "$here/golden/cluster.txt"

# ---- exit codes ---------------------------------------------------------------------------------

code() {
    "$program" lint --format=full "$@" >/dev/null 2>&1
    echo $?
}
check 'tasks that are one program: all of their cores' sh -c \
    'printf "#!/bin/sh\n#SBATCH -N1 --ntasks=8 --cpus-per-task=8 -t5\npython a.py\n" | "$0" lint --select=no-launcher - | tr -s "\n " " " | grep -q -- "do: --ntasks=1 --cpus-per-task=64 for .* srun before"' "$program"
check 'advice alone is no failure' [ "$(printf '#!/bin/sh\n#SBATCH -n1\ntrue\n' | code -)" = 0 ]
check '  but --fail-on=advice makes it one' \
    [ "$(printf '#!/bin/sh\n#SBATCH -n1\ntrue\n' | code --fail-on=advice -)" = 1 ]
check '--fail-on=never' [ "$(code --fail-on=never mixed.sh)" = 0 ]
check 'a warning alone is no failure' [ "$(printf '#!/bin/sh\n#SBTACH -t5\ntrue\n' | code -)" = 0 ]
check '--fail-on=warning' [ "$(printf '#!/bin/sh\n#SBTACH -t5\ntrue\n' | code --fail-on=warning -)" = 1 ]
for pair in 'workdir=/x --chdir' 'walltime=5 --time' 'queue=gpu --partition' 'ppn=4 --ntasks-per-node' \
    'pty srun' 'burst sbatch.--help' 'exlcude=n1 --exclude'; do
    printf '#!/bin/sh\n#SBATCH -t 5 --%s\ntrue\n' "${pair% *}" | "$program" lint --format=full - >out
    check "--${pair% *}: what is meant" grep -Eq -- "do: .*${pair#* }" out
done
for pair in 'nodes=4,8 23.02' 'nodes=1-15:4 23.02' 'requeue=expedited 25.11' 'resources=x:2 25.11'; do
    printf '#!/bin/sh\n#SBATCH -t 5 --%s\nsrun ./a\n' "${pair% *}" >newer.sh
    check "--${pair% *}: maybe the site has it" [ "$(code newer.sh)" = 0 ]
    check "  it has" sh -c '"$1" lint --format=full --fail-on=warning --slurm="$2" newer.sh >out' sh "$program" "${pair#* }"
    check "  it has not" [ "$(code --slurm=22.05 newer.sh)" = 1 ]
done
gpus() { printf '#!/bin/sh\n#SBATCH -t5 -c4 --mem=1G -p gpu %s\n./a\n' "$1" | "$program" lint --format=full -; }
gpus '--gpus=3 --gres=gpu:2' >out
check 'GPUs of the job beside those of a node: said of which each is' \
    grep -q 'gres=gpu is of each node, and --gpus of the whole job' out
gpus '--gpus-per-node=1 --gres=gpu:1' >out
check '  the same twice' grep -q 'advice: --gres=gpu and --gpus-per-node say the same twice' out
gpus '--gpus-per-node=1 --gres=gpu:2' >out
check '  two numbers: the one that counts' grep -q 'warning: --gpus-per-node has 1 GPU for a node' out
printf '#!/bin/sh\n#SBATCH -t 5 -n 8 --oversubscribe --exclusive\nsrun ./a\n' >together.sh
check 'refused together by a later Slurm: maybe the site has it' [ "$(code together.sh)" = 0 ]
check '  it has' [ "$(code --slurm=24.11.5 together.sh)" = 1 ]
"$program" lint --format=full --slurm=22.05 together.sh >out
check '  it has not: which of them counts' grep -q 'warning: --oversubscribe and --exclusive: the last' out
sed -i 's/--oversubscribe --exclusive/--distribution=arbitrary -N1 --nodelist=a/' together.sh
check '  another: it has' [ "$(code --slurm=24.11 together.sh)" = 1 ]
check '  it has not, and takes both' sh -c '"$1" lint --format=full --fail-on=warning --slurm=22.05 together.sh >out' sh "$program"
printf '#!/bin/sh\n#SBATCH -t 5 --container-mounts=/a:/b\nsrun ./a\n' >pyxis.sh
"$program" lint --format=full pyxis.sh >out
check 'an option of a plugin: which one' grep -q 'do: the plugin pyxis adds it' out
for pair in 'container-image=x pyxis' 'image=docker:x Shifter' 'ear=on EAR' 'ear-policy=monitoring EAR' 'gpu_cmode=shared Ohio'; do
    printf '#!/bin/sh\n#SBATCH -t 5 --%s\nsrun ./a\n' "${pair% *}" >plugin.sh
    check "--${pair% *}: no error" [ "$(code plugin.sh)" = 0 ]
    check '  but said' sh -c '"$1" lint --format=full plugin.sh | grep -q "1 piece of advice" && "$1" lint --format=full plugin.sh | grep -q "$2"' \
        sh "$program" "${pair#* }"
done
printf '#!/bin/bash\n#BSUB -W 1:00\n#BSUB -M 16GB -R "rusage[mem=4]"\n#BSUB -n 8\n#SBATCH --time=2h\nmpirun ./a\n' >lsf.sh
check '--lsf: what is for sbatch is not asked of it' sh -c '[ -z "$("$1" lint --format=full --lsf lsf.sh | grep -v "^0 errors, 0 warnings")" ]' sh "$program"
sed -e 's/"slurm",/"slurm","slurm":"22.05.8",/' "$here/../slurm/cluster.json" >versioned.json
printf '#!/bin/bash\n#SBATCH -n2 -c4 -t5\nsrun ./a\n' >cores.sh
"$program" lint --format=full --catalogue=versioned.json --cluster=breakeven cores.sh >out
check "the cluster's version decides" grep -q 'warning: .*22.05 to 23.02' out
"$program" lint --format=full --catalogue=versioned.json --cluster=breakeven --slurm=24.11 cores.sh >out
check '  and --slurm wins over it' sh -c '! grep -q srun-cores out'
for interpreter in python perl Rscript; do
    printf '#!/usr/bin/env %s\n#SBATCH -t5\nx = "\n#SBATCH --mem=1G\n"\n' "$interpreter" >string.sh
    check "a line of a string of $interpreter is none of a directive" sh -c '! "$1" lint --format=full string.sh | grep -q after-command' sh "$program"
done
printf '#!/bin/tcsh\n#SBATCH -t5\ncat > a.sh << END\n#SBATCH --mem=1G\nEND\n' >string.sh
check '  nor a here-document of tcsh' sh -c '! "$1" lint --format=full string.sh | grep -q after-command' sh "$program"
printf '#!/bin/bash\n#SBATCH -t5 -n2\nNUM=2\n#SBATCH --gpus-per-task=${NUM}\nsrun ./a\n' >late.sh
check 'a late directive with a variable stays where it is' [ -z "$("$program" lint --diff=unsafe late.sh)" ]
"$program" lint --format=full late.sh >out
check '  and it is said what to write' grep -q 'with the value itself: sbatch expands no' out
expect 2 'which script?'
expect 2 'there are error, warning, advice, never' --fail-on=soon mixed.sh
expect 2 'there are error, warning, advice' --show=never mixed.sh
expect 2 'a version such as 22.05' --slurm=new mixed.sh
expect 2 'missing.sh: No such file' missing.sh
expect 2 '.: is a folder' .
expect 2 'missing.sh: No such file' missing.sh mixed.sh
check '  the other file has its findings' grep -q '^mixed.sh:2:9: error' out
expect 2 'nowhere' --cluster=nowhere mixed.sh
expect 2 '--lsf: narval has Slurm' --lsf --catalogue="$here/../../share/clusters" --cluster=narval mixed.sh
expect 2 'both to standard output' --json --sarif mixed.sh
head -c 5000000 /dev/zero | tr '\0' '#' >large.sh
expect 2 'more than 4 MiB' large.sh
expect 2 'more than 4 MiB' large.sh mixed.sh
check '  the other file has its findings' grep -q '^mixed.sh:2:9: error' out
{ printf '#!/bin/sh\n'; for ((i = 0; i < 4000; i++)); do printf '#SBATCH -n1 --mem=1G -t5\n#SBATCH hetjob\n'; done; } >many.sh
check 'thousands of components are read in seconds' timeout 20 "$program" lint --format=full many.sh

# ---- many files, and other ways to say it ---------------------------------------------------------

plain() { "$program" lint "$@" 2>err; } # where nobody looks: a line a finding
mkdir -p tree/deep tree/.git tree/none
printf '#!/bin/bash\n#SBATCH --time=2h --mem=1G\n./a\n' >tree/deep/one.slurm
cp tree/deep/one.slurm tree/.git/hidden.sh
printf '#!/bin/bash\n#SBATCH --time=5 --mem=4\n./a\n' >tree/two.sh
printf '#!/bin/bash\necho no job\n' >tree/three.sh
printf 'a page\n#SBATCH --time=2h\n' >tree/page.md
ln -s . tree/loop
plain -r tree >out
check 'one line a finding' [ "$(wc -l <out)" = 2 ]
check '  with what to do' grep -Fxq 'tree/deep/one.slurm:2:16: error: "2h" is no value of --time: sbatch refuses it; fix: write 02:00:00 [bad-value]' out
check '  job scripts of the folder alone' sh -c '! grep -Eq "hidden|page|three|loop" out'
check '  and the exit code is theirs' [ "$(code -r tree)" = 1 ]
(cd tree/deep && plain --recursive >../../out)
check 'no FILE: of this folder' grep -q '^./one.slurm:2:16' out
plain -r tree/none >out
check 'a folder without any: said, and no failure' [ "$?" = 0 ]
check '  it is said' grep -q 'no job script is there' err
plain -r --statistics tree >out
check '--statistics: the counts' sh -c 'grep -Eq "^ +1 +1 +bad-value" out && grep -q "2 findings of 2 rules in 2 files" out'
check '  and the same exit code' [ "$(code -r --statistics tree)" = 1 ]
plain --format=github -r tree >out
check '--format=github: commands of its runners' grep -Fxq '::error file=tree/deep/one.slurm,line=2,col=16,title=bad-value::"2h" is no value of --time: sbatch refuses it; fix: write 02:00:00' out
printf '#!/bin/bash\n#SBATCH --time=5%%\n./a\n' >'a,b:c.sh'
plain --format=github 'a,b:c.sh' >out
check '  signs of its own are escaped' grep -q '^::error file=a%2Cb%3Ac.sh,line=2,.*5%25' out
plain --jobs-only tree/three.sh tree/page.md tree/two.sh >out
check '--jobs-only: files without a directive are passed over' [ "$(cut -d: -f1 out)" = tree/two.sh ]
plain --select=megabytes,bad-value tree/two.sh >out
check '--select: these alone' [ "$(grep -o '\[.*\]' out)" = '[megabytes]' ]
check '--ignore: not these' [ -z "$(plain --ignore=megabytes tree/two.sh)" ]
expect 2 'is it megabytes' --ignore=megabyte tree/two.sh
expect 2 'no rule has that name' --select=foo tree/two.sh
expect 2 'there are full, line, github' --format=short tree/two.sh
printf '#!/bin/bash\n#SBATCH --site-thing=3 -t5\n# breakeven: ignore unknown-option because our plugin adds it\n./a\n' >ours.sh
check 'a comment silences an error, too' [ "$(code ours.sh)" = 0 ]
"$program" lint --format=full ours.sh >out
check '  and that is said' grep -q '1 silenced by comments' out
"$program" lint --json ours.sh | tr -d ' \n' >out
check '  in JSON, too' grep -q '"silenced":1' out
(
    PATH=$here/../fake/slurm:$PATH
    check '--job: the script that Slurm kept' sh -c '"$1" lint --job 12 | grep -q "^12:2:16: error"' sh "$program"
    check '  of accounting, where the controller forgot it' sh -c '"$1" lint --job 13 | grep -q "^13:2:16: error"' sh "$program"
    expect 2 'remembers the job' --job 14
    expect 2 "a job's number is needed" --job x.sh
    expect 2 'which --fix does not fit' --job --fix 12
    [ "$failed" -eq 0 ]
) || failed=1

# ---- fixes ----------------------------------------------------------------------------------------

chmod 750 mixed.sh
ln -s mixed.sh link.sh
"$program" lint --format=full --diff mixed.sh >diff.txt
cp mixed.sh patched.sh
"$program" lint --format=full --fix link.sh >out 2>err
check '--fix: the file is the new one, its mode the old' [ "$(stat -c %a mixed.sh)" = 750 ]
check '  a link still is one' [ -L link.sh ]
check '  nothing is left beside it' sh -c '! ls ./*.part* 2>/dev/null | grep .'
check '  what was put right is said' grep -q '3 put right' out
check '  what would make another job is left, and said' sh -c 'grep -q "^#SBTACH --mem=8G" mixed.sh && grep -q -- "--fix=unsafe makes 4" out'
if command -v patch >/dev/null; then
    check '--diff is what --fix does' sh -c 'patch -s patched.sh diff.txt && cmp patched.sh mixed.sh'
fi
cp mixed.sh unsafe.sh
"$program" lint --format=full --fix=unsafe unsafe.sh >out
check '--fix=unsafe makes those, too' sh -c 'grep -q "^#SBATCH --mem=8G" unsafe.sh && grep -q "put right" out'
expect 2 'there is =unsafe, or nothing' --fix=all mixed.sh
cp mixed.sh once.sh
"$program" lint --format=full --fix mixed.sh >/dev/null
check 'a second --fix changes nothing' cmp once.sh mixed.sh
"$program" lint --format=full --fix dos.sh >/dev/null
check 'carriage returns are taken out' sh -c '[ -s dos.sh ] && ! grep -q "$(printf "\r")" dos.sh'
printf '#!/bin/sh\n#SBATCH ntasks=1\ntrue\n' | "$program" lint --format=full --fix - >out
check '- with --fix: the new script on standard output' \
    sh -c '[ "$(cat out)" = "$(printf "#!/bin/sh\n#SBATCH --ntasks=1\ntrue\n")" ]'
cp good.sh kept.sh
before=$(stat -c '%i %Y' kept.sh)
"$program" lint --format=full --fix kept.sh >/dev/null
check 'nothing to fix: the file is not touched' [ "$(stat -c '%i %Y' kept.sh)" = "$before" ]
printf '#!/bin/sh\n#SBATCH ntasks=1\ntrue\n' >first.sh
cp first.sh first.before
expect 2 'missing.sh: No such file' --fix first.sh missing.sh
check 'a file that is not there: none is changed' cmp first.sh first.before
printf '#!/bin/sh\n#SBATCH ntasks=1\nprintf \0x | tail -n 1\n#SBATCH -t5 \0 foo\n#SBATCH -n1\n' >null.sh
"$program" lint --format=full --diff null.sh >null.diff
"$program" lint --format=full null.sh >null.out
if command -v patch >/dev/null; then
    cp null.sh null.patched
    "$program" lint --format=full --fix null.sh >/dev/null
    check 'a byte 0: --diff is what --fix does' sh -c 'patch -s null.patched null.diff && cmp null.patched null.sh'
fi
printf '#!/bin/sh\n#SBATCH -t5 \0 foo\ntrue\n' | "$program" lint --format=full - >out
check '  what stands behind it is shown, and marked' sh -c 'grep -A1 "^    #SBATCH -t5" out | grep -q "^ \{12,\}^~~"'
as_nobody=()
[ "$(id -u)" -ne 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
cp "$here/scripts/mixed.sh" locked.sh
cp "$program" ./program
chmod 755 . program && chmod 444 locked.sh
if ${as_nobody[@]+"${as_nobody[@]}"} ./program --version >/dev/null 2>&1; then
    ${as_nobody[@]+"${as_nobody[@]}"} ./program lint --fix "$PWD/locked.sh" >out 2>err
    code=$?
    tr -s '\n ' ' ' <err >line
    check 'a file that may not be written: said, and it is as it was' \
        sh -c "[ $code -eq 2 ] && grep -q 'cannot be replaced: Permission denied; it is as it was' line &&
            cmp locked.sh '$here/scripts/mixed.sh'"
else
    echo 'skip: read-only files: no way to be somebody else here (setpriv)'
fi

# ---- files of results -----------------------------------------------------------------------------

"$program" lint --format=full --json=a.json --sarif=a.sarif "$here/scripts/mixed.sh" >out
check '--json and --sarif to files, and the text as well' \
    sh -c 'grep -q "\"command\":\"lint\"" a.json && grep -q "\"version\":\"2.1.0\"" a.sarif && [ -s out ]'

# Nothing is mixed on standard output.
printf '#!/bin/sh\n#SBATCH ntasks=1\ntrue\n' >mix.sh
expect 2 '--json: standard output has the differences: name a file' --diff --json mix.sh
expect 2 '--sarif: standard output has the differences: name a file' --diff --sarif mix.sh
expect 2 'standard output has the fixed script' --fix --json - <mix.sh
expect 2 '--list has the rules, of no script' --list mix.sh
"$program" lint --format=full --diff mix.sh >mix.diff
"$program" lint --format=full --diff --json=mix.json mix.sh >mix.out
check '--diff --json=FILE: the differences alone, and the file' \
    sh -c 'cmp mix.diff mix.out && grep -q "\"command\":\"lint\"" mix.json'

# ---- what sbatch is given on its command line ------------------------------------------------------

cat >given.sh <<'END'
#!/bin/bash
#SBATCH --mem=16G
#SBATCH --cpus-per-task=4
#SBATCH --gpus=1
export OMP_NUM_THREADS=4
python train.py --device cuda
END
cp given.sh given.before
golden with 1 --with='--mem-per-cpu=2G -c 1 --tme=5 --time=2h --comment=a#b' given.sh
"$program" lint --format=full given.sh >out
check 'without it there is no time limit' grep -q '\[no-time\]' out
"$program" lint --format=full --with='-t 60' given.sh >out
check '  and with it there is one' sh -c '! grep -q no-time out'
check 'what wins over the script is no repetition' sh -c '"$1" lint --format=full --with=--mem=8G given.sh | grep -q "0 warnings"' sh "$program"
check 'nothing there is put right' sh -c '"$1" lint --format=full --fix --with=--time=2h given.sh >out; cmp given.sh given.before && grep -q "do: write 02:00:00" out' sh "$program"
check '  and no file is pointed at' sh -c '"$1" lint --format=full --sarif --with=--time=2h given.sh | python3 -c "
import json, sys
last = json.load(sys.stdin)[\"runs\"][0][\"results\"][-1]
assert last[\"ruleId\"] == \"bad-value\" and \"region\" not in last[\"locations\"][0][\"physicalLocation\"]"' sh "$program"
: >nothing.sh
check 'beside an empty file' sh -c '"$1" lint --format=full --with=--mem=1.5G nothing.sh | grep -q "^--with:1:7: error: .*bad-value"' sh "$program"
expect 2 '--with: has options of sbatch' --lsf --with=-c4 given.sh
expect 2 '--with: is one line' --with='-c4
-n2' given.sh

# ---- the page -------------------------------------------------------------------------------------

"$program" lint --format=full --list --markdown >rules.md
if [ "$update" = --update ]; then
    sed -i -e '/^<!-- rules -->$/,/^<!-- end of rules -->$/{//!d}' -e '/^<!-- rules -->$/r rules.md' "$docs"
fi
check 'docs/lint.md has the rules that there are (tests/lint/run.sh PROGRAM --update writes them)' \
    sh -c "sed -n '/^<!-- rules -->\$/,/^<!-- end of rules -->\$/{//!p}' '$docs' | diff -u - rules.md"

done_testing lint
