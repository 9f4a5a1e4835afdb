/*
 * Lines of memory that a loop on the CPU is to read are asked for ahead of their turn, and into which of a
 * core's caches: into a small first one they would come in place of what the loop works on. Knows
 * nothing of machines: be_work_ask (workload.h) says which it is here.
 */
#ifndef BE_WORKLOAD_PREFETCH_H
#define BE_WORKLOAD_PREFETCH_H

enum be_ask { BE_ASK_NOT, BE_ASK_FIRST, BE_ASK_SECOND };

/* Never faults. (Which cache it is, is part of the instruction.) */
static inline void be_ask_line(const void *line, enum be_ask ask) {
    if (ask == BE_ASK_FIRST) {
        __builtin_prefetch(line, 0, 3);
    } else if (ask == BE_ASK_SECOND) {
        __builtin_prefetch(line, 0, 2);
    }
}

#endif
