/*
 * A window is open, and no record comes. Either the program rests; or what it runs is on its way, as CUPTI
 * hands a buffer over when all in it is complete; or CUPTI gives none of this window, which it has done
 * after a window before had closed. Calls that launch tell these apart. Knows nothing of CUPTI.
 */
#ifndef INJECT_SILENCE_H
#define INJECT_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

/* More than any buffer on its way has room for: then nothing is. */
enum { SILENCE_LAUNCHES = 1 << 14 };

struct silence {
    int turns;         /* so many one after the other without a record */
    uint64_t launches; /* in them, as far as they were listened to */
    uint64_t ns;       /* of them: time of which it is not yet known whether it was looked at */
    int blind;         /* windows one after the other that gave nothing */
};

/* A turn of `ns` of an open window with so many new records, and launches told of. The time that is now
 * known to have been looked at: of a program that rests it is added after each SILENCE_REST turns. */
enum { SILENCE_REST = 5 };
uint64_t silence_turn(struct silence *silence, uint64_t ns, uint64_t records, uint64_t launches);
/* Nothing has come of what the window ought to have seen. Its time was not looked at, and it is over. */
bool silence_is_blind(struct silence *silence);
/* Nothing is to come any more. The time of a window that is still open that was looked at. */
uint64_t silence_end(struct silence *silence);

#endif
