/* Advice that was followed, and what that brought. */
#include "observe/rules/finding.h"
#include "report/trace/rules_text.h"

/* Pieces of work a second, the best of three runs of 2 s, on two cores of a virtual machine with Linux 6.18. */
static const struct {
    const char *rule, *program, *followed;
    double before, after;
} tried[] = {
    {"cores-bound", "c_bound.c", "not bound (`c_bound all`)", 289.5, 536.5},
    {"cores-bound", "c_bound.c", "`taskset -acp 0-1 PID` 0.1 s after its start", 289.5, 528},
    {"thrashing", "c_thrash.c", "512 MB for 192 MB of data (`c_thrash 512`)", 200, 7.934e7},
    {"page-faults", "c_faults.c", "one array, used again (`c_faults again`)", 50, 788.5},
    {"page-faults", "c_faults.c", "`export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=4294967296`",
     50, 821},
    {"short-processes", "c_spawn.c", "100 tasks a process (`c_spawn 100`)", 767.5, 7.375e4},
    {"switching", "c_pingpong.c", "100 numbers a message (`c_pingpong 100`)", 2.424e5, 2.302e7},
    {"one-lock", "c_mutex.c", "a sum of each thread's own (`c_mutex own`)", 8.438e6, 4.449e7},
    {"one-lock", "c_mutex.c beside two busy loops",
     "the same; two threads in place of eight: 4.108e+06", 4.927e6, 1.277e7},
    {"spinning", "c_spin.c", "`schedule(dynamic)` (`c_spin dynamic`)", 475, 855},
    {"spinning", "c_spin.c yield", "asleep until it is woken (`c_spin sleep`)", 1016, 1180},
};

void be_rules_tried(struct be_text *out) {
    be_text_add(
        out,
        "\n## Advice that was tried\n\n"
        "Programs of `bench/faults` as they are, and as the advice has them: pieces "
        "of work a second, which each program prints, the best of three runs "
        "(`FAULT_SECONDS=2`; two cores of a virtual machine, Linux 6.18, 2026-11-25; `spinning`: "
        "2026-11-27, in turn, before the other programs of a busy machine, with -15 in "
        "/proc/PID/autogroup; beside two busy loops: 2026-11-28, in turn, all of them with that "
        "-15).\n"
        "\n| finding | program | followed | before | after | times |\n"
        "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        be_text_add(out, "| `%s` | %s | %s | %.4g | %.4g | %.3g |\n", tried[i].rule,
                    tried[i].program, tried[i].followed, tried[i].before, tried[i].after,
                    tried[i].after / tried[i].before);
    }
}
