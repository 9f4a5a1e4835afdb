/* A thread a core, each at work all the time. */
#include "threads.h"

static void *work(void *context) {
    burn(seconds());
    return context;
}

int main(void) {
    return run_threads(2, work);
}
