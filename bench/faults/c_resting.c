/* Threads that work a quarter of their time: there is nothing to do for them. */
#include "threads.h"

static void *work(void *context) {
    for (double end = now() + seconds(); now() < end;) {
        burn(0.01);
        rest(0.03);
    }
    return context;
}

int main(void) {
    return run_threads(2, work);
}
