/*
 * A command under watch: who starts it and waits for it, who watches it, and what they tell each
 * other. The one who waits does nothing that could fail while the command runs; everything that
 * could is in the process that watches, whose end changes nothing for the command.
 */
#ifndef BE_CLI_RUN_LAUNCH_H
#define BE_CLI_RUN_LAUNCH_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "breakeven.h"
#include "observe/process/totals.h"

/* How the command ended, as the one who waits saw it. */
struct be_outcome {
    int status;         /* of waitpid */
    double elapsed_s;   /* from before its start */
    double stopped_s;   /* of it: stopped by job control */
    struct rusage used; /* by all that were waited for */
    int orphans;        /* processes that outlived their parents and have ended */
};

enum be_told {
    BE_TOLD_STARTED,   /* pid */
    BE_TOLD_SIGNAL,    /* number: somebody asked the command to end */
    BE_TOLD_STOPPING,  /* we stop because the command has */
    BE_TOLD_CONTINUED, /* and go on */
    BE_TOLD_CRASH,     /* the one who waits is broken: leave the command alone */
    BE_TOLD_EARLIER,   /* grown: of a child from before, which is about to be waited for */
    BE_TOLD_NOTHING,   /* the command could not be started */
    BE_TOLD_ENDED      /* outcome */
};

struct be_message {
    enum be_told told;
    int number; /* pid or signal */
    double grown[BE_GROWNS];
    struct be_outcome outcome;
};

/* The work of the watcher until the command has ended; its result is its exit code. messages:
 * struct be_message, to be read; its end without BE_TOLD_ENDED: the one who waits was killed.
 * heard: a byte for each signal that came to the process group is to be written here. */
struct be_watch_job {
    int (*run)(const struct be_watch_job *job, int messages, int heard);
    void *context;
};

struct be_launch {
    char *const *command;     /* ends with NULL */
    const char *const *extra; /* "NAME=value" that the command's environment gets; may be NULL */
    const struct be_watch_job *job;
};

/* Runs the command to its end. Its exit code: the command's, 128 + n where signal n killed it, 127
 * where there is no such command, 126 where it cannot be executed. `interrupted`: Ctrl-C at the terminal
 * ended it. */
int be_launch(const struct be_launch *launch, bool *interrupted);
/* Ends us as that ended the command: a shell ends its loop or script then, but not for a 130. */
void be_launch_interrupt(void);

/* The likely meaning of a command that cannot be found, or not be executed; "": nothing comes to
 * mind. */
const char *be_launch_advice(const char *command, int cause);

/* No report, since there was no process to watch with; `cause` 0: it was dismissed, so that the command could
 * start. */
void be_launch_lacks(int cause);

/* Should we crash, the one who watches is told there. */
void be_launch_catch_crashes(int messages);

/* The signals that can be held back or passed on. */
void be_launch_all_signals(sigset_t *set);

/* Standard input and output, and stderr if it is not kept, become /dev/null; all other files but those
 * `count` that are kept (below 0: none) are closed: the pipes among them are the command's. */
void be_launch_let_go(const int *kept, int count, bool keep_stderr);

#endif
