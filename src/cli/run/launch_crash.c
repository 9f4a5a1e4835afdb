/* A crash of the one who waits: the one who watches hears of it, and leaves the command alone. */
#include <signal.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/run/launch.h"

static int crash_messages = -1; /* for the handler, which has no other way to know */

static void crashed(int number) {
    struct be_message message = {.told = BE_TOLD_CRASH, .number = number};
    if (write(crash_messages, &message, sizeof message) < 0) {
        _exit(128 + number);
    }
    raise(number); /* its old action is back */
}

void be_launch_catch_crashes(int messages) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = crashed, .sa_flags = (int)SA_RESETHAND};
    crash_messages = messages;
    for (size_t i = 0; i < BE_COUNT(faults); i++) {
        sigaction(faults[i], &action, NULL);
    }
}
