#include "host/team.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* How long a member looks for work before it sleeps: long enough to span the gap between two
 * runs of one sample, short enough to leave the core to others between cases. */
enum { SPINS = 20000 };

/* Between two looks for others that compute: some 10 us, then the core is offered to those who need it. */
enum { LOOKS = 256 };

struct member {
    struct be_team *team;
    pthread_t thread;
    int index, cpu;
};

struct be_team {
    int size;
    int started; /* threads to join */
    struct member *member;
    int spins; /* SPINS, LOOKS; fewer where members share a core, whose work such waiting would hold up */
    unsigned looks;
    cpu_set_t before; /* the caller's affinity */
    bool known; /* before: not beyond 1024 processors, and then the caller stays where it is */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    void (*work)(void *context, int member, int members);
    void *context;
    atomic_uint round;   /* counts runs: a new value is a call to work */
    atomic_int pending;  /* members that have not finished this round */
    atomic_int asleep;   /* members that wait for `wake` */
    atomic_int met;      /* members that have come to be_team_barrier */
    atomic_uint meeting; /* counts those that all have come to */
    atomic_bool quit;
};

#if defined(__x86_64__) || defined(__i386__)
static void pause_briefly(void) {
    __builtin_ia32_pause();
}
#else
static void pause_briefly(void) {
    atomic_signal_fence(memory_order_seq_cst);
}
#endif

/* The core may be needed by those that are waited for. */
static void wait_a_moment(const struct be_team *team, unsigned spin) {
    if (spin % team->looks == 0) {
        sched_yield();
    } else {
        pause_briefly();
    }
}

static void pin_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    /* Refused inside some containers: then the scheduler decides, and the spread shows it. */
    (void)sched_setaffinity(0, sizeof set, &set);
}

static unsigned await_round(struct be_team *team, unsigned seen) {
    for (int i = 0; i < team->spins; i++) {
        unsigned now = atomic_load_explicit(&team->round, memory_order_acquire);
        if (now != seen) {
            return now;
        }
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    unsigned now;
    while ((now = atomic_load(&team->round)) == seen) {
        pthread_cond_wait(&team->wake, &team->lock);
    }
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
    return now;
}

static void *serve(void *argument) {
    struct member *me = argument;
    struct be_team *team = me->team;
    pin_to(me->cpu);
    unsigned seen = 0;
    for (;;) {
        seen = await_round(team, seen);
        if (atomic_load(&team->quit)) {
            return NULL;
        }
        team->work(team->context, me->index, team->size);
        atomic_fetch_sub_explicit(&team->pending, 1, memory_order_release);
    }
}

static void call_round(struct be_team *team) {
    atomic_store(&team->pending, team->size - 1);
    atomic_fetch_add(&team->round, 1);
    if (atomic_load(&team->asleep) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->lock);
    }
}

enum be_status be_team_open(const struct be_cores *cores, int threads, struct be_team **team,
                            struct be_error *error) {
    *team = NULL;
    if (threads < 1 || threads > BE_CORES_MAX) {
        return be_fail(error, BE_USAGE, "threads: %d asked for, 1 to %d are possible", threads,
                       (int)BE_CORES_MAX);
    }
    struct be_team *new = calloc(1, sizeof *new);
    struct member *member = calloc((size_t)threads, sizeof *member);
    if (!new || !member) {
        free(new);
        free(member);
        return be_fail(error, BE_NOMEM, "threads: no memory for a team of %d", threads);
    }
    const bool crowded = threads > cores->count;
    new->size = threads;
    new->member = member;
    new->spins = crowded ? 0 : SPINS;
    new->looks = crowded ? 1 : LOOKS;
    pthread_mutex_init(&new->lock, NULL);
    pthread_cond_init(&new->wake, NULL);
    new->known = sched_getaffinity(0, sizeof new->before, &new->before) == 0;
    for (int i = 0; i < threads; i++) {
        member[i] = (struct member){.team = new, .index = i, .cpu = cores->cpu[i % cores->count]};
    }
    for (int i = 1; i < threads; i++) {
        int failed = pthread_create(&member[i].thread, NULL, serve, &member[i]);
        if (failed) {
            be_team_close(new);
            return be_fail(error, BE_NOMEM, "threads: number %d of %d did not start: %s", i + 1,
                           threads, strerror(failed));
        }
        new->started = i;
    }
    if (new->known) {
        pin_to(member[0].cpu);
    }
    *team = new;
    return BE_OK;
}

void be_team_close(struct be_team *team) {
    if (!team) {
        return;
    }
    atomic_store(&team->quit, true);
    call_round(team);
    for (int i = 1; i <= team->started; i++) {
        pthread_join(team->member[i].thread, NULL);
    }
    if (team->known) {
        sched_setaffinity(0, sizeof team->before, &team->before);
    }
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    free(team->member);
    free(team);
}

int be_team_size(const struct be_team *team) {
    return team->size;
}

void be_team_run(struct be_team *team, void (*work)(void *context, int member, int members),
                 void *context) {
    if (team->size == 1) {
        work(context, 0, 1);
        return;
    }
    team->work = work;
    team->context = context;
    call_round(team);
    work(context, 0, team->size);
    for (unsigned spin = 1; atomic_load_explicit(&team->pending, memory_order_acquire) > 0;
         spin++) {
        wait_a_moment(team, spin);
    }
}

void be_team_barrier(struct be_team *team) {
    if (team->size == 1) {
        return;
    }
    unsigned meeting = atomic_load_explicit(&team->meeting, memory_order_acquire);
    if (atomic_fetch_add_explicit(&team->met, 1, memory_order_acq_rel) == team->size - 1) {
        atomic_store_explicit(&team->met, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&team->meeting, 1, memory_order_release);
        return;
    }
    for (unsigned spin = 1; atomic_load_explicit(&team->meeting, memory_order_acquire) == meeting;
         spin++) {
        wait_a_moment(team, spin);
    }
}

void be_team_share(size_t items, size_t grain, int member, int members, size_t *first,
                   size_t *count) {
    size_t step = grain ? grain : 1;
    size_t blocks = items / step + (items % step != 0);
    size_t each = blocks / (size_t)members;
    size_t more = blocks % (size_t)members;
    size_t at = (size_t)member;
    size_t start = at * each + (at < more ? at : more);
    size_t end = start + each + (at < more);
    *first = start * step < items ? start * step : items;
    size_t stop = end * step < items ? end * step : items;
    *count = stop - *first;
}
