/* Temporaries of 48 MB that are taken, written and given back each time: the C library takes such from the kernel,
 * which fills each page with zeros. */
#include <string.h>

#include "burn.h"

enum { BYTES = 48 << 20 };

int main(int count, char **words) {
    (void)words;
    volatile double sum = 0;
    char *kept = count > 1 ? malloc(BYTES) : NULL; /* with an argument one that is used again */
    double pieces = 0;
    for (double end = now() + seconds(); now() < end; pieces++) {
        char *temporary = kept ? kept : malloc(BYTES);
        if (!temporary) {
            return 1;
        }
        memset(temporary, 1, BYTES);
        __asm__ volatile("" : : "r"(temporary) : "memory"); /* somebody else might read it */
        sum = sum + temporary[BYTES / 2];
        if (!kept) {
            free(temporary);
        }
    }
    free(kept);
    say(pieces);
    return sum > 0 ? 0 : 1;
}
