/* Runs `work` in so many threads. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

#include "burn.h"

enum { THREADS_MOST = 64 };

static inline int run_threads(int count, void *(*work)(void *)) {
    pthread_t thread[THREADS_MOST];
    int started = 0;
    while (started < count && pthread_create(&thread[started], NULL, work, NULL) == 0) {
        started++;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(thread[i], NULL);
    }
    return started == count ? 0 : 1;
}

#endif
