/*
 * The processes that belong to the program. They are found by parenthood, in bounded time and memory, however many
 * there are. A process that once belonged belongs until it ends, also when its parent ends before it. It does not
 * know signals.
 */
#ifndef BE_OBSERVE_PROCESS_TREE_H
#define BE_OBSERVE_PROCESS_TREE_H

#include "observe/process/totals.h"
#include "observe/process/uses.h"
#include "observe/process/watched.h"

enum {
    BE_TREE_MAX = 4096,  /* processes kept; of those beyond only what their parents inherit */
    BE_TREE_SEEN = 32768 /* of others on the machine */
};

struct be_member {
    struct be_proc_stat stat;       /* as last read */
    double start_s;                 /* since the trace's start */
    double cpu_s;                   /* user + system, without children */
    double last_cpu_s;              /* likewise, at the look before */
    double last_s, seen_s;          /* when that was, and when it was last looked at */
    double grown[BE_GROWNS];        /* with children that were waited for; NAN: may not be read */
    double old[BE_GROWNS];          /* what of it was there before the trace began */
    double last_io[2];              /* read and written, at the look before */
    double inherited[BE_INHERITED]; /* since the look before, from children that were waited for */
    struct be_used used;            /* libraries, by be_tree_look_uses */
};

struct be_tree;

enum be_status be_tree_open(const struct be_watched *watched, struct be_tree **tree,
                            struct be_error *error);
/* Looks again at every member, or at as many in turn as the budget (CPU time) allows. `now_s`:
 * since the trace's start. */
void be_tree_look(struct be_tree *tree, double now_s, double budget_s);

/* Looks at what members have mapped, of those that are due, and adds it. */
void be_tree_look_uses(struct be_tree *tree, double budget_s, struct be_uses *uses);

/* The members, by pid. */
const struct be_member *be_tree_members(const struct be_tree *tree, int *count);
/* Was it looked at in the last look? */
bool be_tree_fresh(const struct be_tree *tree, const struct be_member *member);
/* Share of the members that were. */
double be_tree_cover(const struct be_tree *tree);
/* Share of the members whose reading and writing may be seen: other users' may not. */
double be_tree_io_cover(const struct be_tree *tree);
/* Processes found in the last look. */
int be_tree_found(const struct be_tree *tree);
/* The growth of all since the trace began, with those that ended; never falls. NAN: not known. */
double be_tree_grown(const struct be_tree *tree, enum be_grown what);

/* The root is about to inherit so much from a child that it had before there was a program. */
void be_tree_leave_out(struct be_tree *tree, const double grown[BE_GROWNS]);

/* From any thread. */
bool be_tree_has(struct be_tree *tree, int pid);
void be_tree_close(struct be_tree *tree); /* accepts NULL */

#endif
