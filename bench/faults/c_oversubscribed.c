/* Many more threads than cores, each wanting to run all the time. */
#include "threads.h"

static void *work(void *context) {
    burn(seconds());
    return context;
}

int main(void) {
    return run_threads(12, work);
}
