#!/usr/bin/env bash
# Checks the house: who includes whom (docs/design.md), who loads libraries, who prints; files, functions and folders
# that are too large. tests/link_cycles.py looks at the same house as the linker sees it.
# usage: tests/layers.sh [ROOT]
#        tests/layers.sh --self-test   every rule finds a file that breaks it
set -eu
. "$(dirname "$0")/../scripts/usage.sh"

# Folder of src/: the folders, or single headers, that it may include beside itself, base/ and the
# public header.
houses='
base:
host:
dyn: host
stat: host
kernels:
data:
device: host dyn kernels/host.h
math: host dyn device kernels
workload: host dyn device kernels math
nn: host dyn device kernels math
train: data nn host
builtin: workload
own: host workload device kernels
machine: host dyn device kernels stat
model: workload stat machine
bench: host dyn device workload builtin own data stat machine model
observe: host dyn stat
script:
cluster: script
job: cluster script stat
lint: script cluster
accounting:
forecast: accounting
decide:
expr: dyn
predict: machine model stat
elsewhere: stat bench machine model workload predict report
outside: stat bench machine workload report
question: expr predict machine report elsewhere cluster lint
sample:
code: sample
ask: code sample observe predict
report: code/loop.h accounting/usage/usage.h accounting/account.h accounting/record.h ask/ask.h ask/gpu_worth.h ask/kinds.h ask/own_code.h ask/scale.h ask/verdict.h machine/figure_kinds.h machine/profile.h observe/signals.h observe/trace.h observe/rules/thresholds.h observe/rules/finding.h observe/rules/recent.h observe/usage.h observe/libraries.h observe/calls/calls.h lint/lint.h builtin/builtin.h train/train.h train/compare.h train/crossing.h train/scaling.h
live: report observe
cli: *
inject: observe/gpu_record.h observe/calls/call_record.h observe/calls/call_list.h
'

# The files that the build writes, and the folders they count as.
generated='
kernel_programs.h kernels
workload_list.h builtin
page_sources.h report
build_info.h base
'

most_files=30 most_lines=500 most_of_function=60

check() {
    local root=$1
    # shellcheck disable=SC2016 # awk's own $
    (cd "$root" && {
        find include src inject \( -name '*.[ch]' -o -name '*.cl' \) 2>/dev/null
        find tests -name '*.[ch]' -o -name '*.py' -o -name '*.sh' 2>/dev/null
    } | LC_ALL=C sort) |
        awk -v root="$root" -v houses="$houses" -v generated="$generated" \
            -v most_files="$most_files" -v most_lines="$most_lines" -v most_of_function="$most_of_function" '
        function bad(text) { print path ":" line ": " text; wrong++ }

        # The folder that an #include "name" of a file in `folder` reaches; "" the public header.
        function reached(name, folder,   part) {
            if (name in made) return made[name]
            split(name, part, "/")
            if (name ~ /\.\./) return "?"
            if ((here "/" name) in exists) return folder
            if (name ~ /^[a-z]+\//) return part[1]
            if (name ~ /^breakeven(_error|_workload|_profile|_queue|_results|_predict|_decide|_samples|_text)?\.h$/) return ""
            return "?"
        }

        function included(name, foreign, folder,   to) {
            if (folder == "include") {
                if (!foreign && name !~ /^breakeven(_error|_predict|_queue)?\.h$/) bad("the public header includes \"" name "\", which is not installed")
                return
            }
            if (foreign) {
                if (name == "dlfcn.h" && folder != "dyn" && folder != "inject") bad("<dlfcn.h> belongs to src/dyn")
                if (name ~ /^(cuda|nvrtc|nvml|cublas|cusolver|cufft|cusparse|cudnn|nccl|fftw|CL\/)/)
                    bad("<" name ">: building needs no vendor header")
                return
            }
            to = reached(name, folder)
            if (folder == "inject" && to != folder && !index(allowed[folder], " " name " "))
                bad("inject/ may not include \"" name "\"")
            else if (to == "?") bad("includes \"" name "\", which is neither here nor folder/name.h")
            else if (to != "" && to != "base" && to != folder && allowed[folder] !~ / \* / &&
                     !index(allowed[folder], " " to " ") && !index(allowed[folder], " " name " "))
                bad("src/" folder " may not include \"" name "\"")
        }

        # Splits a line of C: `plain` is the line without comments and string contents, `remark` what its comments
        # say, the signs that open and continue a comment left out.
        function split_line(text,   at, sign) {
            plain = remark = ""
            while (text != "") {
                if (in_comment) {
                    if (!(at = index(text, "*/"))) {
                        remark = remark text
                        return
                    }
                    remark = remark substr(text, 1, at - 1) "\n"
                    text = substr(text, at + 2)
                    in_comment = 0
                    plain = plain " "
                } else if (match(text, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)\047|\/\*|\/\//)) {
                    sign = substr(text, RSTART, 2)
                    plain = plain substr(text, 1, RSTART - 1)
                    text = substr(text, RSTART + RLENGTH)
                    if (sign == "//") {
                        remark = remark text
                        return
                    }
                    if (sign == "/*") in_comment = 1
                    else if (sign ~ /^"/) plain = plain "\"\""
                } else {
                    plain = plain text
                    return
                }
            }
        }

        # A sentence begins with a comment, a line of one, or after a full stop; with a capital letter in any case.
        function spoken(said,   row, i, n) {
            n = split(said, row, "\n")
            for (i = 1; i <= n; i++)
                if (row[i] ~ /^[ \t*]*(What|Of|Who)[^A-Za-z0-9_]/ || row[i] ~ /[.?!][)"\047]* +(What|Of|Who)[^A-Za-z0-9_]/) {
                    bad("a sentence of a comment begins with What, Of or Who: its subject comes first (CONTRIBUTING.md, Prose)")
                    return
                }
        }

        # A function begins in the first column and ends with a brace there. That of a kernel begins with its name,
        # which stands by itself where attributes stand before it.
        function measured(text) {
            if (text ~ /^}/ && begin && line - begin >= most_of_function)
                bad("a function of " line - begin + 1 " lines: at most " most_of_function)
            if (text ~ /^[A-Za-z_}]/) begin = text ~ /^[A-Za-z_][^=;]*[(][^;]*$/ ? line : 0
        }

        # Tests include and print as they like: only their length and their comments are looked at.
        function scan_test(   text) {
            line = in_comment = 0
            while ((getline text < (root "/" path)) > 0) {
                line++
                if (path ~ /\.[ch]$/) {
                    split_line(text)
                    spoken(remark)
                } else if (sub(/^[ \t]*(#|""")/, "", text)) spoken(text)
            }
            close(root "/" path)
            too_long()
        }

        function too_long() {
            if (line > most_lines) bad(line " lines, at most " most_lines ": perhaps two things")
        }

        function scan(folder,   text, name, before) {
            before = "(^|[^A-Za-z0-9_.>])"
            line = in_comment = begin = 0
            while ((getline text < (root "/" path)) > 0) {
                line++
                measured(text)
                if (!in_comment && text ~ /^[ \t]*#[ \t]*include[ \t]*["<]/) {
                    name = text
                    sub(/^[^"<]*["<]/, "", name)
                    sub(/[">].*/, "", name)
                    included(name, text ~ /^[^"]*</, folder)
                    continue
                }
                split_line(text)
                spoken(remark)
                if (folder == "include") continue
                if (folder != "dyn" && folder != "inject" && plain ~ (before "dl(open|mopen|sym|vsym)[^A-Za-z0-9_]"))
                    bad("dlopen and dlsym belong to src/dyn")
                if (folder == "cli") continue
                if (plain ~ (before "(printf|vprintf|puts|putchar|perror)[ \t]*[(]") ||
                    plain ~ (before "(stdout|stderr)([^A-Za-z0-9_]|$)"))
                    bad("only src/cli prints")
                if (plain ~ (before "(exit|_exit|_Exit|quick_exit|abort)[ \t]*[(]"))
                    bad("only src/cli ends the program")
            }
            close(root "/" path)
            too_long()
        }

        BEGIN {
            n = split(houses, row, "\n")
            for (i = 1; i <= n; i++) {
                if (!index(row[i], ":")) continue
                folder = substr(row[i], 1, index(row[i], ":") - 1)
                allowed[folder] = substr(row[i], length(folder) + 2) " "
            }
            n = split(generated, row, "\n")
            for (i = 1; i <= n; i++) if (split(row[i], part, " ") == 2) made[part[1]] = part[2]
        }
        { file[++files] = $0; exists[$0] = 1 }
        END {
            for (i = 1; i <= files; i++) {
                path = file[i]
                if (path ~ /^tests\//) {
                    scan_test()
                    continue
                }
                depth = split(path, part, "/")
                here = path
                sub(/\/[^\/]*$/, "", here)
                folder = part[1] == "src" ? part[2] : part[1]
                held[here]++
                line = 0
                if (part[1] == "src" && part[depth] ~ /^breakeven(_error|_workload|_profile|_queue|_results|_predict|_decide|_samples|_text)?\.h$/)
                    bad("named as the public header: files beside it would include it instead")
                if (folder != "include" && !(folder in allowed)) {
                    bad("src/" folder " is not in the table of tests/layers.sh")
                    continue
                }
                scan(folder)
            }
            line = 0
            for (path in held)
                if (held[path] > most_files)
                    bad(held[path] " files directly in it, at most " most_files)
            if (!files) { print "layers: no sources in " root; exit 1 }
            if (wrong) { print "layers: " wrong " violations in " files " files"; exit 1 }
            print "layers: " files " files, each within its own"
        }'
}

# `$1` lines of the text `$2`, as the files below are written.
repeat() {
    for _ in $(seq "$1"); do
        printf '%s\\n' "$2"
    done
}

# The file `$1` with the text `$2`, and `$4` more files beside it, must be found wrong (`$3` = 1) or fine (0).
expect() {
    local tree=$self_test/tree status=0
    rm -rf "$tree"
    mkdir -p "$tree/include" "$tree/src/base" "$tree/src/stat" "$tree/$(dirname "$1")"
    mkdir -p "$tree/src/observe"
    echo 'int x;' >"$tree/src/observe/gpu_record.h"
    echo '#include <stdio.h>' >"$tree/include/breakeven.h"
    echo '#include "breakeven.h"' >"$tree/src/base/error.h"
    echo 'int x;' >"$tree/src/stat/stat.h"
    printf '%b\n' "$2" >"$tree/$1"
    for more in $(seq "${4:-0}"); do
        echo 'int x;' >"$tree/$(dirname "$1")/more$more.c"
    done
    check "$tree" >"$self_test/out" || status=$?
    if [ "$status" -ne "$3" ]; then
        echo "layers: self-test: $1 with '$2': exit $status, not $3"
        cat "$self_test/out"
        failed=$((failed + 1))
    fi
    tried=$((tried + 1))
}

run_self_test() {
    self_test=$(mktemp -d)
    trap 'rm -rf "$self_test"' EXIT
    failed=0 tried=0
    expect src/stat/a.c '#include "base/error.h"\n#include "stat.h"\n#include <math.h>' 0
    expect src/machine/a.c '#include "stat/stat.h"\n#include "kernel_programs.h"' 0
    expect src/device/a.c '#include "kernels/host.h"' 0
    expect src/cli/a.c '#include "report/x.h"\nint main(void) { puts("x"); exit(0); }' 0
    expect src/dyn/a.c '#include <dlfcn.h>\nvoid *f(void) { return dlopen("x", 1); }' 0
    expect src/report/a.c '/* printf( */ // exit(1)\nint f(void) { fprintf(out, "abort() %s"); }' 0
    expect src/bench/a.c '/* a\n dlopen(\n exit(1) */ int f(int (*g)(const char *, ...));' 0
    expect inject/a.c '#include "observe/gpu_record.h"\n#include <dlfcn.h>' 0
    expect inject/math/a.c '#include "observe/gpu_record.h"\n#include "b.h"' 1
    expect inject/a.c '#include "base/error.h"' 1
    expect inject/a.c 'void f(void) { abort(); }' 1
    expect inject/a.c 'void f(void) { fputs("x", stderr); }' 1
    expect src/base/a.c '#include "stat/stat.h"' 1
    expect src/device/a.c '#include "kernels/kernels.h"' 1
    expect src/stat/a.c '#include "kernel_programs.h"' 1
    expect src/report/a.c '#include "stat/stat.h"' 1
    expect src/workload/a.c '# include  "bench/x.h"' 1
    expect src/stat/a.c '#include "../base/error.h"' 1
    expect src/stat/a.c '#include "nowhere.h"' 1
    expect src/machine/a.c '#include <dlfcn.h>' 1
    expect src/device/a.c '#include <cuda.h>' 1
    expect src/machine/a.c 'void *f(void) { return dlsym(0, "x"); }' 1
    expect src/bench/a.c 'void f(void) { printf("x"); }' 1
    expect src/bench/a.c '/* x */ void f(void) { fputs("x", stderr); }' 1
    expect src/stat/a.c 'void f(void) {\n    exit(1); }' 1
    expect src/stat/a.c 'void f(void) { abort(); }' 1
    expect src/bench/breakeven.h 'int x;' 1
    expect src/bench/breakeven_queue.h 'int x;' 1
    expect src/bench/breakeven_workload.h 'int x;' 1
    expect src/bench/breakeven_profile.h 'int x;' 1
    expect src/bench/breakeven_error.h 'int x;' 1
    expect src/base/a.c '#include "breakeven_error.h"' 0
    expect src/bench/a.c '#include "breakeven_profile.h"' 0
    expect src/bench/a.c '#include "breakeven_other.h"' 1
    expect src/bench/a.c '#include "breakeven_queue.h"' 0
    expect include/breakeven_queue.h '#include "breakeven.h"' 0
    expect include/breakeven.h '#include "breakeven_error.h"' 0
    expect include/breakeven_queue.h '#include "accounting/waits.h"' 1
    expect src/attic/a.c 'int x;' 1
    expect include/breakeven.h '#include "base/error.h"' 1
    expect src/stat/a.c '/* Sums of numbers: what they are. */\nint x; /* of it */ char c[] = "/* What */ // Of ";' 0
    expect src/stat/a.c '/* Sums of numbers. */\nint x; /* What it is. */' 1
    expect src/stat/a.c 'int x; /* A sum. Of numbers. */' 1
    expect src/stat/a.c '/* A sum of "numbers."\n   Who adds them? */' 1
    expect src/stat/a.c '/*\n * A sum, see stat.c.\n *\n * What it sums.\n */' 1
    expect src/stat/a.c "char c[] = {'\\\\\"', '\\\"'}; // Of numbers" 1
    expect src/stat/a.c 'int x; /* a */ int y; /* What b is */ int z; /* c */' 1
    expect src/report/comparison/a.c '/* What it sums. */\nint x;' 1
    expect tests/unit/test_a.c 'int x; // A sum. What it is.' 1
    expect tests/a.sh '# Sums of numbers.\n# What they are.\necho "What Of. Who " # of it' 1
    expect tests/a.py '"""What it sums."""' 1
    expect tests/a.py 'x = "What. Of "' 0
    expect src/stat/a.c '/* What it sums. */\nint x;' 1
    expect src/stat/a.h '/*\n * Of numbers the sum.\n */' 1
    expect src/stat/a.c 'int x;' 0 28 # and stat.h
    expect src/stat/a.c 'int x;' 1 29
    expect src/stat/a.c "$(repeat 499 '')int x;" 0
    expect src/stat/a.c "$(repeat 500 '')int x;" 1
    expect tests/stat/a.py "$(repeat 499 '')#" 0
    expect tests/stat/a.py "$(repeat 500 '')#" 1
    expect tests/a.sh "$(repeat 500 '')#" 1
    expect tests/unit/test_a.c "$(repeat 500 '')int x;" 1
    expect tests/unit/test_a.c '#include "../src/x.h"\nint main(void) { puts("x"); }' 0
    expect src/stat/a.c "int x(int y);\nstatic int f(int a,\n  int b) {$(repeat 58 ' ;')}" 0
    expect src/stat/a.c "int x(int y);\nstatic int f(int a,\n  int b) {$(repeat 59 ' ;')}" 1
    expect src/stat/a.cl "KERNEL LANES_MOST(8)\nk_f(int a,\n  int b) {$(repeat 58 ' ;')}" 0
    expect src/stat/a.cl "KERNEL LANES_MOST(8)\nk_f(int a,\n  int b) {$(repeat 59 ' ;')}" 1
    expect src/stat/a.cl "DEVICE int f(int a)\n{$(repeat 59 ' ;')}" 1
    expect src/stat/a.c "int f(void);\nstatic const int x[] = {$(repeat 99 ' 1,')};" 0
    echo "layers: self-test: $tried rules tried, $failed failed"
    [ "$failed" -eq 0 ]
}

[ $# -le 1 ] || wrong_use
root=${1:-$(dirname "$0")/..}
if [ "$root" = --self-test ]; then
    run_self_test
else
    [ -d "$root/src" ] || wrong_use "there is no folder $root/src"
    check "$root"
fi
