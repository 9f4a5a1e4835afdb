/* The things that a program which hardly works waits for, as its threads' sleep tells. */
#include "observe/rules/rules.h"

/* Idle helpers of a thread library wait for each other (a futex) whatever the program does: only where nothing else
 * is waited for is that what keeps it. */
struct be_waits be_look_waits(const struct be_trace *trace) {
    const double timers = be_trace_mean(trace, BE_ASLEEP_TIMERS, 0);
    const double messages = be_trace_mean(trace, BE_ASLEEP_MESSAGES, 0);
    const double locks = be_trace_mean(trace, BE_ASLEEP_LOCKS, 0);
    static const double some = 0.001, all = 0.99;
    if (timers >= some && timers >= messages) {
        const bool woken = !(be_trace_mean(trace, BE_SWITCHES, 0) < be_t(BE_T_WOKEN));
        return (struct be_waits){"it slept nearly all of the time, for times that it chose (sleep)",
                                 woken ? "shorter pauses, or more at a time of what it sleeps for"
                                       : ""};
    }
    if (messages >= some) {
        return (struct be_waits){
            "it waited nearly all of the time for messages (of a socket, a pipe or a terminal)",
            "a server waits where nobody asks; a program that asks others is faster where it asks "
            "for many things at a time"};
    }
    if (locks >= all) {
        return (struct be_waits){"its threads waited for each other nearly all of the time",
                                 be_look_uses(trace, BE_LIB_PYTHON)
                                     ? "py-spy dump --pid PID shows where each of them waits: a "
                                       "deadlock, or a queue that nobody fills"
                                     : "gdb -p PID -batch -ex 'thread apply all bt' shows where "
                                       "each of them waits: a deadlock, or a queue that nobody "
                                       "fills"};
    }
    return (struct be_waits){0};
}
