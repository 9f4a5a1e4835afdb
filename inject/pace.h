/*
 * How much of the time is looked at. A record costs the program a few microseconds where it is made, so
 * at tens of thousands a second looking all the time would slow it down by a third. Then it is looked at
 * in windows, as rarely as keeps the cost within its share. Knows nothing of CUPTI.
 */
#ifndef INJECT_PACE_H
#define INJECT_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    double share;     /* of the program's time that looking may cost; 1 or more: any */
    double later;     /* the same after the first windows, which are for short programs */
    int windows;      /* that have closed */
    bool open;        /* a window is open */
    double left_s;    /* until it closes, or the next one opens */
    uint64_t records; /* when it was last told */
};

enum pace_step { PACE_STAYS, PACE_OPENS, PACE_CLOSES };

/* A window is open from the start. */
struct pace pace_begin(double share, double later);
/* `elapsed_s` later, `records` having been made in all. Returns the step that has to be done
 * now. */
enum pace_step pace_next(struct pace *pace, double elapsed_s, uint64_t records);

#endif
