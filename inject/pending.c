#include <pthread.h>
#include <string.h>

#include "pending.h"

static struct {
    pthread_mutex_t lock;
    int count;
    struct call_time time[PENDING_MAX];
} pending = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool pending_put(const struct call_time *time) {
    pthread_mutex_lock(&pending.lock);
    bool capacity = pending.count < PENDING_MAX;
    if (capacity) {
        pending.time[pending.count++] = *time;
    }
    pthread_mutex_unlock(&pending.lock);
    return capacity;
}

int pending_take(struct call_time *taken) {
    pthread_mutex_lock(&pending.lock);
    int count = pending.count;
    memcpy(taken, pending.time, (size_t)count * sizeof taken[0]);
    pending.count = 0;
    pthread_mutex_unlock(&pending.lock);
    return count;
}
