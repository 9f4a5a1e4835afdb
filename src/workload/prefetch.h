/*
 * Lines of memory that a loop on the CPU is to read are asked for ahead of their turn, and into which of a
 * core's caches: into a small first one they would come in place of what the loop works on. Knows
 * nothing of machines: be_work_prefetch (workload.h) says which it is here.
 */
#ifndef BE_WORKLOAD_PREFETCH_H
#define BE_WORKLOAD_PREFETCH_H

enum be_prefetch { BE_ASK_NOT, BE_PREFETCH_L1, BE_PREFETCH_L2 };

/* Never faults. (Which cache it is, is part of the instruction.) */
static inline void be_ask_line(const void *line, enum be_prefetch ask) {
    if (ask == BE_PREFETCH_L1) {
        __builtin_prefetch(line, 0, 3);
    } else if (ask == BE_PREFETCH_L2) {
        __builtin_prefetch(line, 0, 2);
    }
}

#endif
