/* Four threads, and one lock that each holds while it works. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *context) {
    for (double end = now() + seconds(); now() < end;) {
        pthread_mutex_lock(&lock);
        burn(0.005);
        pthread_mutex_unlock(&lock);
    }
    return context;
}

int main(void) {
    return run_threads(4, work);
}
