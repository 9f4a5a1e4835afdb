#include "calls.h"

#include <errno.h>
#include <stdatomic.h>

static const struct {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    enum call call;
} calls[] = {
#define RUNTIME(name, call)                                                                        \
    { CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_##name, call }
#define DRIVER(name, call)                                                                         \
    { CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##name, call }
    RUNTIME(cudaLaunchKernel_v7000, CALL_LAUNCH),
    RUNTIME(cudaLaunchKernel_ptsz_v7000, CALL_LAUNCH),
    RUNTIME(cudaLaunchCooperativeKernel_v9000, CALL_LAUNCH),
    RUNTIME(cudaGraphLaunch_v10000, CALL_LAUNCH),
    RUNTIME(cudaLaunchKernelExC_v11060, CALL_LAUNCH),
    RUNTIME(cudaEventSynchronize_v3020, CALL_WAIT_EVENT),
    RUNTIME(cudaStreamSynchronize_v3020, CALL_WAIT_STREAM),
    RUNTIME(cudaStreamSynchronize_ptsz_v7000, CALL_WAIT_STREAM),
    RUNTIME(cudaDeviceSynchronize_v3020, CALL_WAIT_DEVICE),
    DRIVER(cuLaunchKernel, CALL_LAUNCH),
    DRIVER(cuLaunchKernelEx, CALL_LAUNCH),
    DRIVER(cuEventSynchronize, CALL_WAIT_EVENT),
    DRIVER(cuStreamSynchronize, CALL_WAIT_STREAM),
    DRIVER(cuStreamSynchronize_ptsz, CALL_WAIT_STREAM),
    DRIVER(cuCtxSynchronize, CALL_WAIT_DEVICE),
#undef RUNTIME
#undef DRIVER
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static struct {
    const struct cupti *cupti;
    CUpti_SubscriberHandle subscriber;
    void (*take)(const struct call_time *time);
    atomic_bool
        listening; /* else a call costs no look at the clock, and CUPTI is not asked for one */
    atomic_uint switched; /* how often listening, or launches, have been switched on or off */
} told;

/* The call that this thread is in. The runtime's may call the driver's: the outer one counts. */
static __thread struct {
    int call; /* index in calls, and 1; 0: in none */
    unsigned int switched;
    uint64_t start;
} now_in;

/* Index and 1; 0: none of them. */
static int find_call(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    for (int i = 0; i < CALLS; i++) {
        if (calls[i].domain == domain && calls[i].id == id) {
            return i + 1;
        }
    }
    return 0;
}

/* While a call was under way something may have been switched, and its beginning or end not have been
 * told. Then nothing is known of it. */
static void on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const void *data) {
    const struct cupti_callback *at = data;
    if (!told.listening) {
        return;
    }
    int call = find_call(domain, id);
    int kept = errno;
    unsigned int switched = atomic_load_explicit(&told.switched, memory_order_relaxed);
    (void)user;
    if (call == 0 || (now_in.call != 0 && now_in.call != call && now_in.switched == switched)) {
        return;
    }
    if (at->site == CUPTI_API_ENTER) {
        now_in.call = call;
        now_in.switched = switched;
        told.cupti->cuptiGetTimestamp(&now_in.start);
    } else if (now_in.call == call) {
        struct call_time time = {calls[call - 1].call, domain == CUPTI_CB_DOMAIN_RUNTIME_API,
                                 now_in.start, 0};
        now_in.call = 0;
        told.cupti->cuptiGetTimestamp(&time.end);
        if (now_in.switched == switched && time.end >= time.start) {
            told.take(&time);
        }
    }
    errno = kept;
}

static bool switch_calls(const struct cupti *cupti, bool launches, bool on) {
    bool known = false;
    for (int i = 0; i < CALLS; i++) {
        if ((calls[i].call == CALL_LAUNCH) == launches) {
            known |= cupti->cuptiEnableCallback(on, told.subscriber, calls[i].domain,
                                                calls[i].id) == CUPTI_SUCCESS;
        }
    }
    return known;
}

CUptiResult calls_begin(const struct cupti *cupti, void (*take)(const struct call_time *time)) {
    told.cupti = cupti;
    told.take = take;
    CUptiResult result = cupti->cuptiSubscribe(&told.subscriber, on_callback, NULL);
    if (result == CUPTI_SUCCESS) {
        switch_calls(cupti, false, true);
    }
    return result;
}

void calls_listen(bool on) {
    atomic_fetch_add_explicit(&told.switched, 1, memory_order_relaxed);
    told.listening = on;
}

void calls_end(const struct cupti *cupti) {
    cupti->cuptiUnsubscribe(told.subscriber);
}

bool calls_launches(const struct cupti *cupti, bool on) {
    atomic_fetch_add_explicit(&told.switched, 1, memory_order_relaxed);
    return switch_calls(cupti, true, on);
}
