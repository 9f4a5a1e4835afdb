/* Six threads that may all use the same one core; with an argument all cores. */
#define _GNU_SOURCE
#include <sched.h>

#include "threads.h"

static double pieces;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *context) {
    volatile double x = 1;
    double done = 0;
    for (double end = now() + seconds(); now() < end; done++) {
        for (int i = 0; i < 1000000; i++) {
            x = x * 1.0000001 + 1e-9;
        }
    }
    pthread_mutex_lock(&lock);
    pieces += done;
    pthread_mutex_unlock(&lock);
    return context;
}

int main(int count, char **words) {
    (void)words;
    cpu_set_t all, one;
    int first = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        return 1;
    }
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET((size_t)first, &all)) {
        first++;
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)first, &one);
    if ((count < 2 && sched_setaffinity(0, sizeof one, &one) != 0) || run_threads(6, work) != 0) {
        return 1;
    }
    say(pieces);
    return 0;
}
