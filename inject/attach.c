#include "attach.h"

#include <errno.h>
#include <time.h>

static const CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API,
                                               CUPTI_CB_DOMAIN_RUNTIME_API};
static const long step_ns = 1000000;

static bool change(struct attach *attach, int from, int to) {
    return atomic_compare_exchange_strong(&attach->state, &from, to);
}

/* A call of the program returns. Of several at once, one lets go. */
static void on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const void *data) {
    struct attach *attach = user;
    const struct cupti_site *call = data;
    (void)id;
    if (!attach || !call || atomic_load(&attach->state) != ATTACH_LEAVING ||
        (domain != domains[0] && domain != domains[1]) || call->site != CUPTI_API_EXIT) {
        return;
    }
    int kept = errno;
    if (change(attach, ATTACH_LEAVING, ATTACH_ENDING)) {
        attach->cupti->cuptiFinalize();
        atomic_store(&attach->state, ATTACH_GONE);
    }
    errno = kept;
}

/* Of calls to CUDA it is only told where that is asked for: each costs a little. */
static bool hear(struct attach *attach, bool on) {
    bool done = true;
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        done &=
            attach->cupti->cuptiEnableDomain(on, attach->subscriber, domains[i]) == CUPTI_SUCCESS;
    }
    return done;
}

CUptiResult attach_hold(struct attach *attach) {
    CUptiResult result = attach->cupti->cuptiSubscribe(&attach->subscriber, on_callback, attach);
    if (result == CUPTI_SUCCESS) {
        atomic_store(&attach->state, ATTACH_HELD);
    }
    return result;
}

bool attach_leave(struct attach *attach) {
    if (!attach->cupti->cuptiFinalize || !attach->cupti->cuptiEnableDomain) {
        return false;
    }
    /* What is heard before the state changes does nothing; after it, nothing here calls CUPTI. */
    if (!hear(attach, true)) {
        hear(attach, false);
        return false;
    }
    return change(attach, ATTACH_HELD, ATTACH_LEAVING);
}

bool attach_held(const struct attach *attach) {
    return atomic_load(&attach->state) == ATTACH_HELD;
}

bool attach_gone(const struct attach *attach) {
    return atomic_load(&attach->state) == ATTACH_GONE;
}

void attach_stay(struct attach *attach) {
    if (change(attach, ATTACH_LEAVING, ATTACH_HELD)) {
        hear(attach, false);
    }
    for (int i = 0; i < 1000 && atomic_load(&attach->state) == ATTACH_ENDING; i++) {
        nanosleep(&(struct timespec){0, step_ns}, NULL);
    }
}
