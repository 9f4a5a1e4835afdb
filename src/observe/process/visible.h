/*
 * Which GPUs a program may use, as its environment says: CUDA_VISIBLE_DEVICES and its likes. Knows
 * nothing of drivers.
 */
#ifndef BE_OBSERVE_PROCESS_VISIBLE_H
#define BE_OBSERVE_PROCESS_VISIBLE_H

#include <stdbool.h>

/* How one GPU, or a part of one, can be named in such a list. */
struct be_gpu_names {
    int number;                     /* in the order of the list; -1: its number is not known */
    const char *uuid;               /* "GPU-..."; of a part "MIG-..."; empty: none */
    const char *parent;             /* of a part: the UUID of the GPU; else NULL */
    int instance, compute_instance; /* of a part, as "MIG-GPU-.../3/0" has them */
};

/* Is it in the list? NULL (not set): yes. Numbers, UUIDs and beginnings of UUIDs, up to the first
 * that is neither, which is where CUDA stops reading. "0.1" (a sub-device) counts as 0. */
bool be_gpu_visible(const char *list, const struct be_gpu_names *names);

#endif
