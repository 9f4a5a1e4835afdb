/* The program's processes. */
#include "observe/process/tree.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/process/inherited.h"
#include "observe/process/pids.h"
#include "observe/process/proc_own.h"

struct other { /* on this machine, and not ours */
    int pid;
    float checked_s; /* when: a number may be given to another process */
};

struct candidate {
    struct be_proc_stat stat;
    bool ours;
};

enum { CANDIDATES = 1024, MIN_LOOKS = 64, PATIENCE = 3 };
static const double recheck_s = 30, relist_s = 5;

struct be_tree {
    const struct be_watched *watched;
    double ticks_a_s;
    double start_s; /* of the trace, since the machine's */
    struct be_member *member;
    int members, capacity;
    struct other *other, *spare; /* `spare` is built from `other` in each look, then they change */
    int others;
    struct be_pids pids;
    struct be_heirs heirs;
    double root_start; /* as /proc tells it; NAN: there was none */
    double
        first; /* likewise of who watches: the root's children from before are not the program's */
    bool root_here;  /* its number is not another's yet */
    bool opened;     /* whoever was here at first has been looked at */
    bool own_proc;   /* /proc numbers processes as our loadavg does */
    bool all_asked;  /* the last look asked everybody who was new for its parent */
    int newest;      /* number given last on this machine, at the look before; -1 not known */
    int quiet;       /* looks since another was given */
    double listed_s; /* when all processes were last listed */
    struct candidate candidate[CANDIDATES];
    int candidates;
    double now_s;
    double deadline; /* of this thread's CPU time */
    int turn;        /* pid after which the next look goes on */
    int looked, found;
    double root_old[BE_GROWNS], root[BE_GROWNS]; /* of what the root inherited */
    double grown[BE_GROWNS];                     /* never falls */
    double forgiven[BE_GROWNS];                  /* of those that ended unseen by their parents */
    int below[BE_GROWNS];                        /* looks in which the sum was lower than before */
    pthread_mutex_t mutex;
    int *shown; /* pids of the members, for other threads */
    int showns;
};

/* ---- reading one process -------------------------------------------------------------------- */

static bool read_stat(const struct be_tree *tree, int pid, struct be_proc_stat *stat) {
    return be_grown_stat(tree->watched->files, pid, stat);
}

static void look_at(struct be_tree *tree, struct be_member *member,
                    const struct be_proc_stat *stat) {
    double before[BE_GROWNS], now[BE_GROWNS];
    be_grown_count(&member->stat, false, before);
    be_grown_count(stat, false, now);
    for (int k = 0; k < BE_INHERITED; k++) {
        member->inherited[k] = now[k] - before[k];
    }
    member->last_cpu_s = member->cpu_s;
    member->last_s = member->seen_s;
    member->last_io[0] = member->grown[BE_GROWN_READ];
    member->last_io[1] = member->grown[BE_GROWN_WRITTEN];
    member->stat = *stat;
    member->cpu_s = (stat->user + stat->system) / tree->ticks_a_s;
    member->seen_s = tree->now_s;
    be_grown_count(stat, true, member->grown);
    be_grown_io(tree->watched->files, stat->pid, member->grown);
    tree->looked++;
}

/* ---- finding members ------------------------------------------------------------------------ */

static bool is_member(const struct be_tree *tree, int pid) {
    bool there;
    be_pids_place(tree->member, tree->members, sizeof *tree->member, pid, &there);
    return there;
}

static bool is_ours(const struct be_tree *tree, const struct be_proc_stat *stat) {
    const struct be_watched *watched = tree->watched;
    if (stat->pid == watched->except) {
        return false;
    }
    if (stat->pid == watched->root) { /* its number may be given to another once it has ended */
        return watched->node || (watched->with_root && stat->start == tree->root_start);
    }
    bool child = tree->root_here && stat->parent == watched->root && !(stat->start < tree->first);
    return watched->node || child || is_member(tree, stat->parent) ||
           (watched->also && watched->also(watched, stat->pid));
}

static bool make_capacity(struct be_tree *tree) {
    if (tree->members < tree->capacity) {
        return true;
    }
    int capacity = tree->capacity ? 2 * tree->capacity : 64;
    struct be_member *more =
        capacity <= BE_TREE_MAX ? realloc(tree->member, (size_t)capacity * sizeof *more) : NULL;
    if (!more) {
        return false;
    }
    tree->member = more;
    tree->capacity = capacity;
    return true;
}

static void add_member(struct be_tree *tree, const struct be_proc_stat *stat) {
    bool there;
    int at = be_pids_place(tree->member, tree->members, sizeof *tree->member, stat->pid, &there);
    if (there || !make_capacity(tree)) {
        return;
    }
    struct be_member *member = &tree->member[at];
    memmove(member + 1, member, (size_t)(tree->members - at) * sizeof *member);
    tree->members++;
    tree->found++;
    *member = (struct be_member){.start_s = stat->start / tree->ticks_a_s - tree->start_s};
    look_at(tree, member, stat);
    /* The clock of starts shows 10 ms. */
    bool older = member->start_s < -0.02;
    member->last_s = older ? tree->now_s : fmax(member->start_s, 0);
    member->last_cpu_s = older ? member->cpu_s : 0;
    for (int i = 0; i < BE_GROWNS; i++) {
        member->old[i] = older ? member->grown[i] : 0;
    }
    member->last_io[0] = member->old[BE_GROWN_READ];
    member->last_io[1] = member->old[BE_GROWN_WRITTEN];
}

/* Parents are found before their children can be: again, until nobody new belongs. */
static void choose_candidates(struct be_tree *tree) {
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < tree->candidates; i++) {
            struct candidate *one = &tree->candidate[i];
            if (!one->ours && is_ours(tree, &one->stat)) {
                add_member(tree, &one->stat);
                one->ours = more = true;
            }
        }
    }
}

static void add_other(struct be_tree *tree, int *others, int pid, double checked_s) {
    if (*others < BE_TREE_SEEN) {
        tree->spare[(*others)++] = (struct other){.pid = pid, .checked_s = (float)checked_s};
    }
}

static void drop_ended(struct be_tree *tree) {
    int kept = 0;
    for (int i = 0, at = 0; i < tree->members; i++) {
        int pid = tree->member[i].stat.pid;
        while (at < tree->pids.count && tree->pids.pid[at] < pid) {
            at++;
        }
        if (tree->pids.cut || (at < tree->pids.count && tree->pids.pid[at] == pid)) {
            tree->member[kept++] = tree->member[i];
        } else {
            be_heirs_add(&tree->heirs, &tree->member[i]);
        }
    }
    tree->members = kept;
}

/* Spread over the time after which they are asked again. */
static double asked_before_s(const struct be_tree *tree, int pid) {
    return tree->now_s - (double)(pid * 7 % (int)recheck_s);
}

/* In a run that begins just now, a process with a lower number than its root was here before it, unless numbers began
 * anew since: none of hundreds on a machine need be asked. */
static bool was_before(const struct be_tree *tree, int pid) {
    const struct be_watched *watched = tree->watched;
    bool run = !watched->with_root && !watched->node && !watched->also;
    return run && !tree->opened && pid < watched->root && tree->newest > watched->root;
}

/* A process that is new here, or was last asked long ago, is asked for its parent. Those for whom
 * the budget does not suffice are new again the next time. */
static void find_candidates(struct be_tree *tree) {
    int at = 0, others = 0;
    tree->candidates = 0;
    tree->all_asked = true;
    for (int i = 0; i < tree->pids.count; i++) {
        int pid = tree->pids.pid[i];
        while (at < tree->others && tree->other[at].pid < pid) {
            at++;
        }
        const struct other *known =
            at < tree->others && tree->other[at].pid == pid ? &tree->other[at] : NULL;
        if (known && tree->now_s - (double)known->checked_s < recheck_s) {
            add_other(tree, &others, pid, (double)known->checked_s);
            continue;
        }
        if (is_member(tree, pid)) {
            continue;
        }
        if (was_before(tree, pid)) {
            add_other(tree, &others, pid, asked_before_s(tree, pid));
            continue;
        }
        if (tree->candidates == CANDIDATES ||
            (tree->candidates >= MIN_LOOKS && tree->candidates % 16 == 0 &&
             be_thread_time() > tree->deadline)) {
            tree->all_asked = false;
            continue;
        }
        struct candidate *one = &tree->candidate[tree->candidates];
        one->ours = false;
        tree->candidates += read_stat(tree, pid, &one->stat);
    }
    tree->others = others; /* of `spare` */
}

/* Those found to be none of ours, into the list of others, by pid. One whose parent nobody knows yet is
 * asked again the next time. */
static void keep_others(struct be_tree *tree) {
    int added = 0;
    for (int i = 0; i < tree->candidates; i++) {
        const struct candidate *one = &tree->candidate[i];
        if (!one->ours && tree->others + added < BE_TREE_SEEN) {
            tree->spare[tree->others + added++] = (struct other){
                .pid = one->stat.pid, .checked_s = (float)asked_before_s(tree, one->stat.pid)};
        }
    }
    /* Both parts ascend: merge from the back, through `other`, which is free now. */
    int a = 0, b = tree->others, whole = tree->others + added;
    for (int i = 0; i < whole; i++) {
        bool first = b == whole || (a < tree->others && tree->spare[a].pid < tree->spare[b].pid);
        tree->other[i] = tree->spare[first ? a++ : b++];
    }
    tree->others = whole;
}

/* ---- looking -------------------------------------------------------------------------------- */

static bool was_found_now(const struct be_tree *tree, const struct be_member *member) {
    return member->seen_s >= tree->now_s;
}

/* Members in turn, from the one after the last that the budget allowed. */
static void look_at_members(struct be_tree *tree) {
    bool there;
    int first =
        be_pids_place(tree->member, tree->members, sizeof *tree->member, tree->turn + 1, &there);
    for (int i = 0; i < tree->members; i++) {
        struct be_member *member = &tree->member[(first + i) % tree->members];
        if (i >= MIN_LOOKS && i % 16 == 0 && be_thread_time() > tree->deadline) {
            break;
        }
        struct be_proc_stat stat;
        if (was_found_now(tree, member)) {
            continue;
        }
        if (!read_stat(tree, member->stat.pid, &stat) || stat.start != member->stat.start) {
            be_heirs_add(&tree->heirs, member);
            member->stat.pid = -member->stat.pid; /* it has ended, or is another */
            continue;
        }
        look_at(tree, member, &stat);
        tree->turn = stat.pid;
    }
    int kept = 0;
    for (int i = 0; i < tree->members; i++) {
        if (tree->member[i].stat.pid > 0) {
            tree->member[kept++] = tree->member[i];
        }
    }
    tree->members = kept;
}

static bool is_root_here(const struct be_tree *tree) {
    struct be_proc_stat stat;
    return !tree->watched->with_root || /* who waits outlives all */
           (read_stat(tree, tree->watched->root, &stat) && stat.start == tree->root_start);
}

static void read_root(const struct be_tree *tree, double grown[BE_GROWNS]) {
    struct be_proc_stat stat;
    for (int i = 0; i < BE_GROWNS; i++) {
        grown[i] = NAN;
    }
    if (!tree->watched->with_root && read_stat(tree, tree->watched->root, &stat)) {
        be_grown_count(&stat, false, grown);
        be_grown_io(tree->watched->files, tree->watched->root, grown);
    }
}

/* The sum over those there are falls when one ends before its parent has waited for it, and comes
 * back when it has; or never, where nobody waits. So a fall is waited out for some looks, and then
 * what was lost is added for good. */
static void add_up(struct be_tree *tree) {
    for (int k = 0; k < BE_GROWNS; k++) {
        double root = tree->root[k] - tree->root_old[k];
        double sum = (isnan(root) ? 0 : root) + tree->forgiven[k];
        bool known = !isnan(root);
        for (int i = 0; i < tree->members; i++) {
            double part = tree->member[i].grown[k] - tree->member[i].old[k];
            sum += isnan(part) ? 0 : part;
            known |= !isnan(part);
        }
        if (!known) {
            continue;
        }
        tree->grown[k] = isnan(tree->grown[k]) ? 0 : tree->grown[k];
        if (sum >= tree->grown[k]) {
            tree->grown[k] = sum;
            tree->below[k] = 0;
        } else if (++tree->below[k] > PATIENCE) {
            tree->forgiven[k] += tree->grown[k] - sum;
            tree->below[k] = 0;
        }
    }
}

static void show(struct be_tree *tree) {
    pthread_mutex_lock(&tree->mutex);
    tree->showns = tree->members;
    for (int i = 0; i < tree->members; i++) {
        tree->shown[i] = tree->member[i].stat.pid;
    }
    pthread_mutex_unlock(&tree->mutex);
}

/* Only a number given anew can bring a process: while none is, the list is as it was. One that is being
 * made may have its number and not be listed yet, so the first look without a new number still lists all.
 * Nor is it left out for long, since a process may come to be ours otherwise; nor where not everybody is
 * looked at, since then the list is what tells who has ended. */
static bool may_be_new(struct be_tree *tree) {
    int newest = tree->own_proc ? be_proc_newest(tree->watched->files) : -1;
    tree->quiet = newest > 0 && newest == tree->newest ? tree->quiet + 1 : 0;
    tree->newest = newest;
    return tree->quiet < 2 || !tree->all_asked || tree->members > MIN_LOOKS ||
           !(tree->now_s - tree->listed_s < relist_s);
}

static bool list_processes(struct be_tree *tree) {
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/proc", tree->watched->files);
    tree->listed_s = tree->now_s;
    return be_pids_list(&tree->pids, BE_TREE_SEEN + BE_TREE_MAX, folder);
}

void be_tree_look(struct be_tree *tree, double now_s, double budget_s) {
    tree->now_s = now_s;
    tree->looked = tree->found = 0;
    tree->deadline = be_thread_time() + budget_s;
    bool list = may_be_new(tree);
    if (list && !list_processes(tree)) {
        return;
    }
    /* A process that inherits is read before the one it inherits from: one that ends in between is then missing for one
     * look, not counted twice. */
    read_root(tree, tree->root);
    if (list) {
        drop_ended(tree);
        tree->root_here = is_root_here(tree);
        find_candidates(tree);
        choose_candidates(tree);
        keep_others(tree);
    }
    look_at_members(tree);
    be_heirs_settle(&tree->heirs, tree->member, tree->members, now_s);
    add_up(tree);
    show(tree);
}

void be_tree_look_uses(struct be_tree *tree, double budget_s, struct be_uses *uses) {
    be_uses_look(tree->watched->files, tree->member, tree->members, tree->now_s, budget_s);
    be_uses_add(uses, tree->member, tree->members);
}

/* ---- opening and asking --------------------------------------------------------------------- */

enum be_status be_tree_open(const struct be_watched *watched, struct be_tree **tree,
                            struct be_error *error) {
    double uptime_s = be_proc_uptime_s(watched->files);
    *tree = NULL;
    if (isnan(uptime_s)) {
        return be_fail(error, BE_ABSENT, "%s/proc cannot be read", watched->files);
    }
    if (watched->root < 0) {
        return be_fail(error, BE_ABSENT,
                       "this /proc is of another PID name space, and does not list the command "
                       "(mount -t proc proc /proc)");
    }
    struct be_tree *one = calloc(1, sizeof *one);
    if (one) {
        one->other = malloc(BE_TREE_SEEN * sizeof *one->other);
        one->spare = malloc(BE_TREE_SEEN * sizeof *one->spare);
        one->shown = malloc(BE_TREE_MAX * sizeof *one->shown);
        pthread_mutex_init(&one->mutex, NULL);
    }
    if (!one || !one->other || !one->spare || !one->shown) {
        be_tree_close(one);
        return be_fail(error, BE_NOMEM, "processes: out of memory");
    }
    one->watched = watched;
    one->ticks_a_s = (double)sysconf(_SC_CLK_TCK);
    one->start_s = uptime_s;
    one->own_proc = be_proc_is_own(watched->files);
    one->newest = -1;
    for (int i = 0; i < BE_GROWNS; i++) {
        one->grown[i] = NAN;
    }
    struct be_proc_stat stat;
    one->root_start = read_stat(one, watched->root, &stat) ? stat.start : NAN;
    one->first = watched->except && read_stat(one, watched->except, &stat) ? stat.start : NAN;
    read_root(one, one->root_old);
    int known;
    do { /* whoever is here already, at once, as far as there is room: later only who is new */
        known = one->members + one->others;
        be_tree_look(one, 0, HUGE_VAL);
    } while (one->candidates == CANDIDATES && one->members + one->others > known);
    one->opened = true;
    *tree = one;
    return BE_OK;
}

void be_tree_close(struct be_tree *tree) {
    if (tree) {
        pthread_mutex_destroy(&tree->mutex);
        be_pids_free(&tree->pids);
        free(tree->member);
        free(tree->other);
        free(tree->spare);
        free(tree->shown);
        free(tree);
    }
}

const struct be_member *be_tree_members(const struct be_tree *tree, int *count) {
    *count = tree->members;
    return tree->member;
}

bool be_tree_fresh(const struct be_tree *tree, const struct be_member *member) {
    return member->seen_s >= tree->now_s;
}

double be_tree_cover(const struct be_tree *tree) {
    return tree->members ? fmin((double)tree->looked / tree->members, 1) : 1;
}

double be_tree_io_cover(const struct be_tree *tree) {
    int told = 0;
    for (int i = 0; i < tree->members; i++) {
        told += !isnan(tree->member[i].grown[BE_GROWN_READ]);
    }
    return tree->members ? (double)told / tree->members : 1;
}

void be_tree_leave_out(struct be_tree *tree, const double grown[BE_GROWNS]) {
    for (int k = 0; k < BE_GROWNS; k++) {
        tree->root_old[k] += isnan(grown[k]) ? 0 : grown[k];
    }
}

int be_tree_found(const struct be_tree *tree) {
    return tree->found;
}

double be_tree_grown(const struct be_tree *tree, enum be_grown what) {
    return tree->grown[what];
}

bool be_tree_has(struct be_tree *tree, int pid) {
    bool there;
    pthread_mutex_lock(&tree->mutex);
    be_pids_place(tree->shown, tree->showns, sizeof *tree->shown, pid, &there);
    pthread_mutex_unlock(&tree->mutex);
    return there;
}
