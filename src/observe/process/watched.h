/* Whom all this is about: a program, a batch job or a whole machine. */
#ifndef BE_OBSERVE_PROCESS_WATCHED_H
#define BE_OBSERVE_PROCESS_WATCHED_H

#include <stdbool.h>
#include <sys/types.h>

/* The program that is watched. Lives as long as the source. */
struct be_watched {
    pid_t root;     /* the program is what descends from it (its number in /proc; -1: none) ... */
    bool with_root; /* ... with itself (watch), or without (run, where it is the one who waits) */
    pid_t except;   /* a child that is not part of it (the one who watches); 0: none */
    bool node;      /* everything on this machine instead */
    bool job;       /* a whole batch job: its control group is the job's, not that of a step */
    const char *files; /* where /proc and /sys are looked for: "" for real, a folder in tests */
    const char *const *environment; /* of the program: batch systems' limits; NULL: none */
    const char *trace_folder; /* --trace: where the injected library writes; NULL: not asked */
    struct be_tree *tree;     /* the program's processes (tree.h); NULL: each for itself */
    /* Does the process belong to the program, as last seen? From any thread. NULL: not known. */
    bool (*member)(const struct be_watched *watched, pid_t pid);
    /* Does it belong besides those that descend from root? Asked of each process when it is first seen
     * and now and then. NULL: none does. */
    bool (*also)(const struct be_watched *watched, pid_t pid);
    const void *context; /* of `member` and `also` */
};

#endif
