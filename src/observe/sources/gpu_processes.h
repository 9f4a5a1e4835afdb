/*
 * The users of a GPU: the program, or others. It takes the process numbers that a driver lists. It does not know
 * drivers.
 */
#ifndef BE_OBSERVE_SOURCES_GPU_PROCESSES_H
#define BE_OBSERVE_SOURCES_GPU_PROCESSES_H

#include "observe/sources/source.h"

enum { BE_GPU_USERS_MAX = 128 };

struct be_gpu_user {
    int pid;
    double bytes; /* of the GPU's memory; NAN not known */
};

struct be_gpu_use {
    int own, foreign;
    int unknown;      /* listed, and neither in the program nor on this machine as we see it */
    double own_bytes; /* NAN: not known of any, or there is none */
};

/* Numbers that the driver listed before the program could have been among them. */
struct be_gpu_before {
    int pid[BE_GPU_USERS_MAX];
    int count;
    bool taken;
};

/* A number listed twice counts once. The function `member` says who belongs to the program; without one, parents are
 * followed. In a container the driver may count processes as the machine does, not as we see them: a number that is not
 * in our /proc is foreign only if it was there before the program began (`before`, taken at the first call when the
 * program had no process on the GPU), or if we do see all processes. */
struct be_gpu_use be_gpu_count_users(const struct be_watched *watched,
                                     const struct be_gpu_user *user, int users,
                                     struct be_gpu_before *before);

/* None of those listed is known to be the program's, though some may be: how many are is not known then,
 * and not 0. */
static inline bool be_gpu_own_known(const struct be_gpu_use *use) {
    return use->own > 0 || use->unknown == 0;
}
extern const char be_gpu_own_unknown[]; /* why */

/* Its own processes and memory, those of others; or why the first are not known. */
void be_gpu_put_use(struct be_sink *sink, int gpu, const struct be_gpu_use *use);

#endif
