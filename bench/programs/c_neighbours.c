/* Two threads that each count in a number of their own, side by side in one cache line; with an argument in lines
 * of their own. */
#include "../faults/threads.h"

enum { THREADS = 2, LINE = 16 };
static _Alignas(128) volatile long count_of[THREADS * LINE];
static int apart, next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *context) {
    pthread_mutex_lock(&lock);
    volatile long *mine = &count_of[next++ * (apart ? LINE : 1)];
    pthread_mutex_unlock(&lock);
    for (double end = now() + seconds(); now() < end;) {
        for (int i = 0; i < 100000; i++) {
            ++*mine;
        }
    }
    return context;
}

int main(int count, char **words) {
    double pieces = 0;
    (void)words;
    apart = count > 1;
    if (run_threads(THREADS, work) != 0) {
        return 1;
    }
    for (int i = 0; i < THREADS * LINE; i++) {
        pieces += (double)count_of[i];
    }
    say(pieces);
    return 0;
}
