/*
 * Which libraries the program's processes have mapped, and how many threads their environments ask for: read from
 * /proc/PID/maps and /proc/PID/environ, again as a process grows older, since libraries are loaded late, and after
 * it became another program. It does not know signals.
 */
#ifndef BE_OBSERVE_PROCESS_USES_H
#define BE_OBSERVE_PROCESS_USES_H

#include "observe/libraries.h"

/* One process. Zeroed: not looked at yet. */
struct be_used {
    be_library_set libraries;
    struct be_settings settings;
    int code_made;    /* areas of memory with code that no file has */
    double counted_s; /* CPU time that be_uses_add has counted */
    double next_s;    /* when it is looked at next, since the trace's start */
    char name[16];    /* of the program then */
};

struct be_member;

/* Looks at those that are due, as many as the budget (CPU time) allows, those that work most first. */
void be_uses_look(const char *files, struct be_member *member, int members, double now_s,
                  double budget_s);

/* All of them. A launcher, which takes hardly any of the time, does not count. */
struct be_uses {
    double cpu_s[BE_LIBS], all_s; /* of processes that have it; of all that were looked at */
    be_library_set seen, on_gpu;  /* of any process; of those that may use a GPU */
    struct be_settings settings;  /* of the process that took most ... */
    double most_s;                /* ... this much */
    double code_made;             /* areas with code that no file has, of those that are there */
};
/* Counts what was taken since it did so last. */
void be_uses_add(struct be_uses *uses, struct be_member *member, int members);
be_library_set be_uses_libraries(const struct be_uses *uses);

#endif
