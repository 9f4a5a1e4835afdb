/*
 * A fake CUPTI. It keeps CUPTI's rules and notes who breaks them; the environment says what fails:
 * FAKE_CUPTI_FAIL="function=code", FAKE_CUPTI_VERSION. It writes its notes to FAKE_CUPTI_MISUSE, a file. With
 * FAKE_CUPTI_STALE, waits are said to begin long ago; window FAKE_CUPTI_BLIND (1 is the first) gives no records.
 */
#include "cupti.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../fake/calls.h"
#include "cupti_constants_of.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool in_step, asking,
    answered;     /* of steps: they go on; the time is asked for; it may be told */
static int asked; /* for the time, how often */
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static uint8_t *buffer;
static size_t bytes, used;
static uint64_t now = 1000000;
static CUpti_CallbackFunc told; /* of calls */
static void *told_user;
static uint64_t call_clock; /* while it is told */
static bool subscribed, kernels, launches, waits, started, forced;
static __thread bool in_callback;
static int windows, blind; /* opened so far; the one that gives nothing (0: none) */
static pid_t owner;

static void misuse(const char *text) {
    const char *path = getenv("FAKE_CUPTI_MISUSE");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", text);
        fclose(file);
    }
}

static void take_lock(void) {
    pthread_mutex_lock(&lock);
}

static void give_lock(void) {
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void read_environment(void) {
    const char *fail = getenv("FAKE_CUPTI_FAIL");
    owner = getpid();
    blind = getenv("FAKE_CUPTI_BLIND") ? atoi(getenv("FAKE_CUPTI_BLIND")) : 0;
    pthread_atfork(take_lock, give_lock,
                   give_lock); /* a child works too, and has no other thread */
    for (size_t i = 0; fail && i < fake.functions; i++) {
        size_t length = strlen(fake.function[i].name);
        if (strncmp(fail, fake.function[i].name, length) == 0 && fail[length] == '=') {
            fake.function[i].fail_from = 1;
            fake.function[i].fail_to = 1000000;
            fake.function[i].code = atoi(fail + length + 1);
        }
    }
}

/* ---- its life ---------------------------------------------------------------------------------- */

CUptiResult cuptiGetVersion(uint32_t *version) {
    const char *text = getenv("FAKE_CUPTI_VERSION");
    *version = text ? (uint32_t)atoi(text) : 130000;
    return fake_call(AT_cuptiGetVersion);
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback,
                           void *user) {
    CUptiResult code = fake_call(AT_cuptiSubscribe);
    *subscriber = NULL;
    told = callback;
    told_user = user;
    if (!callback || kernels) {
        misuse("subscribing comes first");
    }
    subscribed |= code == 0;
    return code;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
    (void)subscriber;
    if (!subscribed) {
        misuse("unsubscribed without a subscription");
    }
    subscribed = false;
    return fake_call(AT_cuptiUnsubscribe);
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc ask,
                                           CUpti_BuffersCallbackCompleteFunc take) {
    CUptiResult code = fake_call(AT_cuptiActivityRegisterCallbacks);
    if (!subscribed) {
        misuse("callbacks without a subscription");
    }
    if (code == 0) {
        request = ask;
        complete = take;
        started = true;
    }
    return code;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
    CUptiResult code = fake_call(AT_cuptiActivityEnable);
    if (kind == CUPTI_ACTIVITY_KIND_KERNEL) {
        misuse("KERNEL puts kernels in line");
    }
    enum { MEMSET = 2, DRIVER = 4, RUNTIME = 5, SYNCHRONIZATION = 38 };
    if (kind == RUNTIME || kind == DRIVER) {
        misuse("records of every call");
    }
    if (kind == MEMSET) {
        misuse("records of memory filled: CUPTI crashes over them");
    }
    if (kind == SYNCHRONIZATION) {
        misuse("records of waits: each launch takes longer, for good");
    }
    if (!request) {
        misuse("enabled without callbacks");
    }
    pthread_mutex_lock(&lock);
    windows += code == 0 && kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernels |= code == 0 && kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    pthread_mutex_unlock(&lock);
    return code;
}

CUptiResult cuptiEnableCallback(uint32_t on, CUpti_SubscriberHandle subscriber,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    CUptiResult code = fake_call(AT_cuptiEnableCallback);
    (void)subscriber;
    if (!subscribed || in_callback) {
        misuse("calls without a subscription, or in one");
    }
    pthread_mutex_lock(&lock);
    if (code == 0 && domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
        launches = id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 ? on : launches;
        waits = id == CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020 ? on : waits;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
    CUptiResult code = fake_call(AT_cuptiActivityDisable);
    if (in_callback) {
        misuse("disabled in a callback");
    }
    pthread_mutex_lock(&lock);
    kernels &= code != 0 || kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    pthread_mutex_unlock(&lock);
    return code;
}

CUptiResult cuptiGetTimestamp(uint64_t *ns) {
    if (in_callback) { /* told of a call, with the lock held */
        if (getpid() != owner) {
            misuse("asked for the time in a child");
        }
        *ns = call_clock;
        return 0;
    }
    pthread_mutex_lock(&lock);
    asking = true;
    asked++;
    pthread_cond_broadcast(&changed);
    while (in_step && !answered) {
        pthread_cond_wait(&changed, &lock);
    }
    asking = answered = false;
    *ns = now;
    pthread_mutex_unlock(&lock);
    return fake_call(AT_cuptiGetTimestamp);
}

/* ---- buffers ----------------------------------------------------------------------------------- */

static void hand_in(void) {
    uint8_t *full = buffer;
    size_t valid = used;
    buffer = NULL;
    used = 0;
    if (full) {
        in_callback = true;
        complete(NULL, 0, full, bytes, valid);
        in_callback = false;
    }
}

/* A flush that is told to hang does so for ever, as in a child that forked. */
CUptiResult cuptiActivityFlushAll(uint32_t flag) {
    CUptiResult code = fake_call(AT_cuptiActivityFlushAll);
    if (forced) {
        misuse("flushed by force, and not at the end: what is not complete is lost");
    }
    forced = flag != 0;
    if (in_callback) {
        misuse("flushed in a callback");
    }
    if (getpid() != owner) {
        misuse("flushed in a child");
    }
    while (code == 1000) {
        pause();
    }
    pthread_mutex_lock(&lock);
    if (code == 0) {
        hand_in();
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static size_t size_of(CUpti_ActivityKind kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return 200; /* grown since: more than what is read */
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return 120;
    default:
        return 64;
    }
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *from, size_t valid, CUpti_Activity **record) {
    size_t at = *record ? (size_t)((uint8_t *)*record - from) + size_of((*record)->kind) : 0;
    if (at >= valid) {
        *record = NULL;
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    }
    *record = (CUpti_Activity *)(void *)(from + at);
    return 0;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped) {
    (void)context;
    (void)stream;
    *dropped = 3;
    return fake_call(AT_cuptiActivityGetNumDroppedRecords);
}

static void put(const void *record, size_t length, CUpti_ActivityKind kind) {
    size_t size = size_of(kind);
    size_t max = 0;
    if (buffer && used + size > bytes) {
        hand_in();
    }
    if (!buffer) {
        in_callback = true;
        request(&buffer, &bytes, &max);
        in_callback = false;
        if (!buffer || ((uintptr_t)buffer & 7) || bytes < 4096) {
            misuse("no buffer, or not a fit one");
            buffer = NULL;
            return;
        }
    }
    memset(buffer + used, 0xee, size);
    memcpy(buffer + used, record, length);
    used += size;
}

/* ---- the GPU ----------------------------------------------------------------------------------- */

static const char *name_of(int turn) {
    static const char *const names[] = {"_ZN2at6native10add_kernelILi4EEEvi", "plain_kernel",
                                        "ncclDevKernel_AllReduce"};
    static char *nowhere;
    if (!nowhere) {
        nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    return turn % 100 == 99 ? nowhere : names[turn % 3];
}

static void tell(CUpti_CallbackId id, uint64_t start, uint64_t end) {
    struct cupti_callback call = {.site = CUPTI_API_ENTER};
    in_callback = true;
    call_clock = start;
    told(told_user, CUPTI_CB_DOMAIN_RUNTIME_API, id, &call);
    call.site = CUPTI_API_EXIT;
    call_clock = end;
    told(told_user, CUPTI_CB_DOMAIN_RUNTIME_API, id, &call);
    in_callback = false;
}

static void one_turn(int turn) {
    struct cupti_kernel kernel = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                  .start = now + 4000,
                                  .end = now + 6000,
                                  .device = 0,
                                  .name = name_of(turn)};
    struct cupti_copy copy = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                              .way = 1,
                              .from = 1,
                              .to = 3,
                              .bytes = 4096,
                              .start = kernel.end,
                              .end = kernel.end + 1000};
    if (launches) {
        tell(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, now, now + 3000);
    }
    if (!kernels || windows == blind) {
        now += 10000; /* the GPU works on, unseen */
        return;
    }
    put(&kernel, sizeof kernel, kernel.kind);
    if (waits && turn % 10 == 9) {
        tell(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020,
             getenv("FAKE_CUPTI_STALE") ? 1 : kernel.start, kernel.end + 1000);
    }
    if (turn % 20 == 5) {
        put(&copy, sizeof copy, copy.kind);
    }
    now += 10000;
}

static void work(int turns) {
    for (int i = 0; i < turns && started; i++) {
        one_turn(i);
    }
}

void be_fake_gpu_work(int turns) {
    pthread_mutex_lock(&lock);
    work(turns);
    pthread_mutex_unlock(&lock);
}

static void await_question(void) {
    while (!asking || answered) {
        pthread_cond_wait(&changed, &lock);
    }
}

void be_fake_gpu_step(int turns) {
    pthread_mutex_lock(&lock);
    in_step = true;
    await_question();
    work(turns);
    answered = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void be_fake_gpu_steps_end(void) {
    pthread_mutex_lock(&lock);
    await_question();
    in_step = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int be_fake_gpu_asked(void) {
    pthread_mutex_lock(&lock);
    int times = asked;
    pthread_mutex_unlock(&lock);
    return times;
}

int be_fake_gpu_windows(void) {
    pthread_mutex_lock(&lock);
    int opened = windows;
    pthread_mutex_unlock(&lock);
    return opened;
}
