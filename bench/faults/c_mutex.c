/* Eight threads that take one lock for each small piece of work; with an argument each has a sum of its own, which
 * is joined at the end. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total, pieces;
static int own;

static void add(volatile double *sum) {
    for (int k = 0; k < 30; k++) {
        *sum = *sum * 1.0000001 + 1e-9;
    }
}

static void *work(void *context) {
    double sum = 0, done = 0;
    for (double end = now() + seconds(); now() < end; done += 1000) {
        for (int i = 0; i < 1000; i++) {
            if (own) {
                add(&sum);
                continue;
            }
            pthread_mutex_lock(&lock);
            add(&total);
            pthread_mutex_unlock(&lock);
        }
    }
    pthread_mutex_lock(&lock);
    total += sum;
    pieces += done;
    pthread_mutex_unlock(&lock);
    return context;
}

int main(int count, char **words) {
    (void)words;
    own = count > 1;
    if (run_threads(8, work) != 0) {
        return 1;
    }
    say(pieces);
    return total < 0;
}
