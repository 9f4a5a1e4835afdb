/*
 * nbody on the CPU: who computes which pairs. Each pair is computed once, which changes both its bodies. All
 * bodies are cut into parts, and a task is two of them, or one with itself; who takes a task holds its parts
 * until it is done, so that no two members add to the same body. Tasks are taken as their parts become free:
 * members wait for nobody, as they would in rounds, of which one that lost its core would delay each.
 */
#include "workload/nbody/nbody.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* The parts of each member: while others hold two each, it finds some that are free. */
enum { PARTS_EACH = 4 };

/* Not of fewer bodies, whose parts would be too small; nor of fewer than three for each pair of members, whose
 * tasks would need a tenth of the memory that the bodies do. */
static bool once(size_t n, int members) {
    const size_t m = (size_t)members;
    return m > 1 && n >= 1024 * m && n >= 3 * m * m;
}

/* The functions for the problem's type, in the best instruction set. */
struct code {
    be_nbody_by_all *by_all;
    be_nbody_within *within;
    be_nbody_between *between;
};

static struct code code_for(enum be_real real) {
    if (real == BE_REAL64) {
        return (struct code){BE_SIMD_BEST(be_nbody_by_all64), BE_SIMD_BEST(be_nbody_within64),
                             BE_SIMD_BEST(be_nbody_between64)};
    }
    return (struct code){BE_SIMD_BEST(be_nbody_by_all32), BE_SIMD_BEST(be_nbody_within32),
                         BE_SIMD_BEST(be_nbody_between32)};
}

/* Part k of so many. */
static struct be_nbody_part part_of(const struct be_work *work, size_t k, size_t parts) {
    struct be_nbody_part part = {.bodies = be_work_array(work, BE_NBODY_BODIES),
                                 .out = be_work_array(work, BE_NBODY_ACCELERATIONS),
                                 .n = be_nbody_bodies(work->problem)};
    size_t count;
    be_team_share(part.n, BE_NBODY_GRAIN, (int)k, (int)parts, &part.first, &count);
    part.end = part.first + count;
    return part;
}

static void clear(const struct be_work *work, const struct be_nbody_part *part) {
    const size_t number = be_real_bytes(work->problem->real);
    for (size_t k = 0; k < 3; k++) {
        memset((char *)part->out + (k * part->n + part->first) * number, 0,
               (part->end - part->first) * number);
    }
}

/* ---- tasks ---------------------------------------------------------------------------------- */

/* In the scratch: what was taken, and what is held. A task's mark changes only while both its parts are
 * held by who changes it. */
struct tasks {
    size_t parts, count;
    atomic_uchar *held;  /* of each part */
    atomic_uchar *taken; /* of each task */
};

static size_t parts_for(int members) {
    return PARTS_EACH * (size_t)members;
}

static size_t tasks_for(int members) {
    return parts_for(members) * (parts_for(members) + 1) / 2;
}

size_t be_nbody_host_scratch(const struct be_problem *problem, int members) {
    return once(be_nbody_bodies(problem), members)
               ? (parts_for(members) + tasks_for(members)) * sizeof(atomic_uchar)
               : 0;
}

static struct tasks tasks_of(const struct be_work *work) {
    atomic_uchar *held = work->scratch;
    return (struct tasks){.parts = parts_for(work->members),
                          .count = tasks_for(work->members),
                          .held = held,
                          .taken = held + parts_for(work->members)};
}

/* A part with itself comes first, then with the next one, and so on, around to half of all. */
static void parts_of_task(const struct tasks *tasks, size_t task, size_t *a, size_t *b) {
    *a = task % tasks->parts;
    *b = (*a + task / tasks->parts) % tasks->parts;
}

static bool hold(const struct tasks *tasks, size_t part) {
    return atomic_exchange_explicit(&tasks->held[part], 1, memory_order_acquire) == 0;
}

static void release(const struct tasks *tasks, size_t part) {
    atomic_store_explicit(&tasks->held[part], 0, memory_order_release);
}

static bool is_taken(const struct tasks *tasks, size_t task) {
    return atomic_load_explicit(&tasks->taken[task], memory_order_relaxed) != 0;
}

/* Unless it is taken, or one of its parts is held. */
static bool take(const struct tasks *tasks, size_t task) {
    size_t a;
    size_t b;
    parts_of_task(tasks, task, &a, &b);
    if (is_taken(tasks, task) || !hold(tasks, a)) {
        return false;
    }
    if (a != b && !hold(tasks, b)) {
        release(tasks, a);
        return false;
    }
    if (!is_taken(tasks, task)) {
        atomic_store_explicit(&tasks->taken[task], 1, memory_order_relaxed);
        return true;
    }
    release(tasks, a);
    release(tasks, b);
    return false;
}

static void run(const struct be_work *work, const struct code *code, const struct tasks *tasks,
                size_t task) {
    size_t a;
    size_t b;
    parts_of_task(tasks, task, &a, &b);
    const struct be_nbody_part one = part_of(work, a, tasks->parts);
    const struct be_nbody_part other = part_of(work, b, tasks->parts);
    if (a == b) {
        code->within(&one);
    } else {
        code->between(&one, &other);
    }
    release(tasks, a);
    release(tasks, b);
}

static void host_once(const struct be_work *work, const struct code *code) {
    const struct tasks tasks = tasks_of(work);
    size_t first = 0; /* all before it are taken */
    for (size_t k = 0; work->member == 0 && k < tasks.parts + tasks.count; k++) {
        atomic_init(&tasks.held[k], 0);
    }
    be_team_barrier(work->team);
    while (first < tasks.count) {
        size_t task = first;
        while (task < tasks.count && !take(&tasks, task)) {
            task++;
        }
        if (task < tasks.count) {
            run(work, code, &tasks, task);
        } else {
            (void)sched_yield();
        }
        while (first < tasks.count && is_taken(&tasks, first)) {
            first++;
        }
    }
}

void be_nbody_host(const struct be_work *work) {
    const struct code code = code_for(work->problem->real);
    const struct be_nbody_part mine = part_of(work, (size_t)work->member, (size_t)work->members);
    clear(work, &mine);
    if (work->members == 1) {
        code.within(&mine);
    } else if (once(mine.n, work->members)) {
        host_once(work, &code);
    } else {
        code.by_all(&mine);
    }
}
