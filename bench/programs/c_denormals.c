/* A decay that ends in numbers too small for full precision, which processors are slow with; with "zero" such are
 * taken for zero, with "threads" two halves at once. */
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "../faults/threads.h"

enum { NUMBERS = 4096 };
static int zero;
static double pieces;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *decay(void *context) {
    static _Thread_local double x[NUMBERS];
    double done = 0;
#if defined(__SSE2__)
    if (zero) {
        _mm_setcsr(_mm_getcsr() | 0x8040);
    }
#endif
    for (int i = 0; i < NUMBERS; i++) {
        x[i] = 1e-308 / (i + 1);
    }
    for (double end = now() + seconds(); now() < end; done++) {
        for (int i = 1; i < NUMBERS - 1; i++) {
            x[i] = 0.3 * x[i - 1] + 0.4 * x[i] + 0.3 * x[i + 1];
        }
        x[0] = 1e-309;
    }
    pthread_mutex_lock(&lock);
    pieces += done;
    pthread_mutex_unlock(&lock);
    return context;
}

int main(int count, char **words) {
    int threads = count > 1 && strcmp(words[1], "threads") == 0 ? 2 : 1;
    zero = count > 1 && strcmp(words[1], "zero") == 0;
    if (run_threads(threads, decay) != 0) {
        return 1;
    }
    say(pieces);
    return 0;
}
