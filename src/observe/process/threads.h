/*
 * The program's threads: those that run, those that wait for a core, the busiest. Among thousands it looks at as
 * many in turn as the budget allows, and always at those that were busy at the last look. It does not know signals.
 */
#ifndef BE_OBSERVE_PROCESS_THREADS_H
#define BE_OBSERVE_PROCESS_THREADS_H

#include "observe/process/tree.h"

enum { BE_THREADS_MAX = 4096, BE_THREADS_BUSY = 16 };

/* The reason why a thread sleeps, by the function of the kernel that it sleeps in. */
enum be_asleep {
    BE_ASLEEP_UNKNOWN, /* not asked, or the kernel does not tell */
    BE_ASLEEP_OTHER,
    BE_ASLEEP_CHILD,   /* until a child of it ends */
    BE_ASLEEP_TIMER,   /* for a time that it chose */
    BE_ASLEEP_MESSAGE, /* for a pipe, a socket, a terminal, or several of them (poll) */
    BE_ASLEEP_LOCK,    /* for another thread (a futex) */
    BE_ASLEEPS
};

struct be_thread {
    int tid, pid;
    char name[16]; /* foreign text */
    char state;
    double cpu_s, wait_s, slices; /* run, waited for a core, times given one; NAN: not known */
    double seen_s;                /* when it was last looked at, since the trace's start */
    double rate;                  /* share of a core between the last two looks; NAN: only one */
    double slices_a_s;            /* likewise: times a second that it was given one */
    int set;                      /* of the CPUs that it may use; -1: not asked yet */
    double asked_s;               /* when it was */
    enum be_asleep why;           /* it sleeps, and hardly ever works */
};

/* The sums of the last look. */
struct be_threads_sum {
    double all;               /* threads there are */
    double looked;            /* of them looked at */
    double runnable, blocked; /* of all, as far as those looked at tell */
    double run_wait;          /* waited / (run + waited) of those looked at twice; NAN: none */
    double slices_a_s;        /* of all; NAN: not known */
    double lock_wait;  /* of those that were busy and slept: waiting for a lock; NAN: none seen */
    double mutex_wait; /* likewise: for a mutex; NAN: the kernel does not tell us */
    double asleep[BE_ASLEEPS]; /* of those that hardly ever work: asleep for that reason */
    const struct be_thread *busy[BE_THREADS_BUSY]; /* the busiest, first the most */
    int busies;
    int allowed;    /* CPUs that those that work may use, all together; 0: not known */
    bool schedstat; /* the kernel has it */
};

struct be_threads;

enum be_status be_threads_open(const struct be_watched *watched, struct be_threads **threads,
                               struct be_error *error);
void be_threads_look(struct be_threads *threads, const struct be_tree *tree, double now_s,
                     double budget_s, struct be_threads_sum *sum);
void be_threads_close(struct be_threads *threads); /* accepts NULL */

#endif
