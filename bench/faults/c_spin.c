/* A loop over four parts of unequal work, shared out evenly and waited for by spinning; "dynamic": whoever is free
 * takes the next part. "yield": two threads more than cores wait for a flag and call sched_yield meanwhile; "sleep":
 * they sleep until it is set. */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "threads.h"

static double pieces;

/* ---- an uneven loop ---------------------------------------------------------------------------- */

static void part(int i) {
    volatile double x = 1;
    for (int k = 0; k < (i < 2 ? 200000 : 1000); k++) {
        x = x * 1.0000001 + 1e-9;
    }
}

static void uneven(int dynamic) {
    for (double end = now() + seconds(); now() < end; pieces++) {
        if (dynamic) {
#pragma omp parallel for schedule(dynamic)
            for (int i = 0; i < 4; i++) {
                part(i);
            }
        } else {
#pragma omp parallel for schedule(static)
            for (int i = 0; i < 4; i++) {
                part(i);
            }
        }
    }
}

/* ---- a flag ------------------------------------------------------------------------------------ */

static atomic_int stage, over, asleep;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t set = PTHREAD_COND_INITIALIZER;

static void *waits(void *context) {
    for (int seen = 0; !over;) {
        if (asleep) {
            pthread_mutex_lock(&lock);
            while (stage == seen && !over) {
                pthread_cond_wait(&set, &lock);
            }
            seen = stage;
            pthread_mutex_unlock(&lock);
            continue;
        }
        while (stage == seen && !over) {
            sched_yield();
        }
        seen = stage;
    }
    return context;
}

static void *works(void *context) {
    pthread_t waiting[THREADS_MOST];
    const int count = (int)sysconf(_SC_NPROCESSORS_ONLN) + 1;
    for (int i = 0; i < count && i < THREADS_MOST; i++) {
        pthread_create(&waiting[i], NULL, waits, NULL);
    }
    for (double end = now() + seconds(); now() < end; pieces++) {
        part(0);
        pthread_mutex_lock(&lock);
        stage++;
        pthread_cond_broadcast(&set);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    over = 1;
    pthread_cond_broadcast(&set);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < count && i < THREADS_MOST; i++) {
        pthread_join(waiting[i], NULL);
    }
    return context;
}

int main(int count, char **words) {
    const char *kind = count > 1 ? words[1] : "";
    asleep = strcmp(kind, "sleep") == 0;
    if (asleep || strcmp(kind, "yield") == 0) {
        works(NULL);
    } else {
        uneven(strcmp(kind, "dynamic") == 0);
    }
    say(pieces);
    return 0;
}
