/* Sources, each in this thread or in one of its own. */
#include "observe/sampler/asked.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"

enum stage { OPENING, IDLE, SAMPLING, ANSWERED, CLOSING, LEFT };

struct be_asked {
    const struct be_signal_source *source;
    const struct be_watched *watched;
    void *self;
    bool opened;
    enum stage stage;
    struct be_moment moment;
    enum be_status status;
    struct be_error error;
    struct be_trace_gpu gpu[BE_DEVICES_MAX];
    int gpus;
    struct be_sink sink;
    double cost_s;
    /* of a foreign source: */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* ---- what it does, in whichever thread ------------------------------------------------------ */

static enum be_status open_source(struct be_asked *asked, struct be_error *error) {
    enum be_status status = asked->source->open(asked->watched, &asked->self, error);
    asked->opened = status == BE_OK;
    if (asked->opened && asked->source->gpus) {
        asked->gpus = asked->source->gpus(asked->self, asked->gpu, BE_DEVICES_MAX);
    }
    return status;
}

static enum be_status sample_source(struct be_asked *asked, struct be_error *error) {
    be_sink_clear(&asked->sink);
    return asked->source->sample(asked->self, &asked->moment, &asked->sink, error);
}

static void close_source(struct be_asked *asked) {
    if (asked->opened) {
        asked->source->close(asked->self);
        asked->opened = false;
    }
}

static void free_asked(struct be_asked *asked) {
    if (asked->source->foreign) {
        pthread_cond_destroy(&asked->changed);
        pthread_mutex_destroy(&asked->mutex);
    }
    free(asked);
}

/* ---- the thread of a foreign source --------------------------------------------------------- */

/* With the mutex held: runs `work` without it, and files what came of it. False: nobody waits for
 * it any more. */
static bool work(struct be_asked *asked,
                 enum be_status (*does)(struct be_asked *asked, struct be_error *error)) {
    struct be_error error = {0};
    pthread_mutex_unlock(&asked->mutex);
    enum be_status status = does(asked, &error);
    pthread_mutex_lock(&asked->mutex);
    asked->status = status;
    asked->error = error;
    asked->cost_s = be_thread_time();
    if (asked->stage == LEFT || asked->stage == CLOSING) {
        return false;
    }
    asked->stage = ANSWERED;
    pthread_cond_broadcast(&asked->changed);
    return true;
}

static void *serve(void *context) {
    struct be_asked *asked = context;
    pthread_mutex_lock(&asked->mutex);
    bool wanted = work(asked, open_source);
    while (wanted) {
        while (asked->stage != SAMPLING && asked->stage != CLOSING && asked->stage != LEFT) {
            pthread_cond_wait(&asked->changed, &asked->mutex);
        }
        wanted = asked->stage == SAMPLING && work(asked, sample_source);
    }
    pthread_mutex_unlock(&asked->mutex);
    close_source(asked);
    pthread_mutex_lock(&asked->mutex);
    bool left = asked->stage == LEFT;
    asked->stage = IDLE;
    pthread_cond_broadcast(&asked->changed);
    pthread_mutex_unlock(&asked->mutex);
    if (left) {
        free_asked(asked);
    }
    return NULL;
}

static enum be_status start(struct be_asked *asked, struct be_error *error) {
    pthread_condattr_t monotonic;
    pthread_mutex_init(&asked->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&asked->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    /* Signals are for the thread that expects them. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&asked->thread, NULL, serve, asked);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        return be_fail(error, BE_NOMEM, "%s: no thread for it", asked->source->name);
    }
    pthread_detach(asked->thread);
    return BE_OK;
}

/* With the mutex held: until the thread has answered (or ended, for CLOSING), or wait_s is over. */
static bool wait_for(struct be_asked *asked, enum stage stage, double wait_s) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double seconds = (double)until.tv_nsec * 1e-9 + (wait_s > 0 ? wait_s : 0);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9);
    while (asked->stage != stage) {
        if (pthread_cond_timedwait(&asked->changed, &asked->mutex, &until) == ETIMEDOUT) {
            return asked->stage == stage;
        }
    }
    return true;
}

/* ---- what the sampler calls ----------------------------------------------------------------- */

enum be_status be_asked_open(const struct be_signal_source *source,
                             const struct be_watched *watched, struct be_asked **asked,
                             struct be_error *error) {
    struct be_asked *one = calloc(1, sizeof *one);
    *asked = NULL;
    if (!one) {
        return be_fail(error, BE_NOMEM, "%s: out of memory", source->name);
    }
    one->source = source;
    one->watched = watched;
    one->stage = OPENING;
    enum be_status status = BE_OK;
    if (source->foreign) {
        status = start(one, error);
    } else {
        double begin = be_thread_time();
        status = one->status = open_source(one, error);
        one->cost_s = be_thread_time() - begin;
        one->stage = ANSWERED;
    }
    if (status != BE_OK) {
        free_asked(one);
        return status;
    }
    *asked = one;
    return BE_OK;
}

static bool begin_foreign(struct be_asked *asked, const struct be_moment *moment) {
    pthread_mutex_lock(&asked->mutex);
    bool idle = asked->stage == IDLE;
    if (idle) {
        asked->moment = *moment;
        asked->stage = SAMPLING;
        pthread_cond_broadcast(&asked->changed);
    }
    pthread_mutex_unlock(&asked->mutex);
    return idle;
}

bool be_asked_begin(struct be_asked *asked, const struct be_moment *moment) {
    if (asked->source->foreign) {
        return begin_foreign(asked, moment);
    }
    double begin = be_thread_time();
    asked->moment = *moment;
    asked->status = sample_source(asked, &asked->error);
    asked->cost_s += be_thread_time() - begin;
    asked->stage = ANSWERED;
    return true;
}

bool be_asked_take(struct be_asked *asked, double wait_s, struct be_answer *answer) {
    bool foreign = asked->source->foreign;
    if (foreign) {
        pthread_mutex_lock(&asked->mutex);
        wait_for(asked, ANSWERED, wait_s);
    }
    bool taken = asked->stage == ANSWERED;
    if (taken) {
        *answer = (struct be_answer){.status = asked->status,
                                     .error = asked->error,
                                     .gpu = asked->gpu,
                                     .gpus = asked->gpus,
                                     .sink = &asked->sink,
                                     .cost_s = asked->cost_s};
        asked->stage = IDLE;
    }
    if (foreign) {
        pthread_mutex_unlock(&asked->mutex);
    }
    return taken;
}

enum { CLOSE_WAIT_S = 1 };

bool be_asked_close(struct be_asked *asked) {
    if (!asked) {
        return true;
    }
    if (!asked->source->foreign) {
        close_source(asked);
        free_asked(asked);
        return true;
    }
    pthread_mutex_lock(&asked->mutex);
    asked->stage = CLOSING;
    pthread_cond_broadcast(&asked->changed);
    bool ended = wait_for(asked, IDLE, CLOSE_WAIT_S);
    asked->stage = ended ? IDLE : LEFT;
    pthread_mutex_unlock(&asked->mutex);
    if (ended) {
        free_asked(asked);
    }
    return ended;
}
