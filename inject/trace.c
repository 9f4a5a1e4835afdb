/*
 * libbreakeven_trace.so: CUDA loads it into a program whose environment names it in
 * CUDA_INJECTION64_PATH, which `breakeven run --trace` sets. It asks CUPTI for records of kernels
 * and copies, times waits and launches, adds them up, and writes the sums to a file every second
 * (observe/gpu_record.h).
 *
 * It is a guest in someone else's program. So it writes to none of its streams, keeps none of its
 * descriptors, ends it never and changes nothing of it; where anything fails, it switches itself off
 * and says why in its file. In set-user-id programs, and in children that fork and do not exec, it
 * does nothing.
 *
 * CUPTI's rules: subscribing first shows whether another tool is there; a buffer must always be handed
 * out; records are read while no lock is held; buffers are asked back by a thread of ours, never from
 * within a callback.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "aggregate.h"
#include "kinds.h"
#include "pace.h"
#include "pending.h"
#include "silence.h"
#include "store.h"

enum { BUFFER_BYTES = 1 << 20, BUFFERS_MAX = 64, BATCH = 256 };
enum { QUICK_TURNS = 10, TURNS_A_WRITE = 5 }; /* each of the first turns is written, then some */
enum { LAUNCHES_FIRST = 2000, TURNS_A_LAUNCH = 10 }; /* recorded so many at first, then in some */
static const long turn_ns = 200000000;               /* between flushes: also a window's length */
static const uint64_t late_ns =
    2000000000;               /* how late a record may come and still find its place */
static const long exit_s = 5; /* that the program's end may take longer because of us */
static const double cost_share = 0.02, later_share = 0.005; /* of the program's time */
static const double again_s = 10; /* until a window is tried again that did not open */

static struct {
    struct cupti cupti;
    struct store store;
    struct aggregate aggregate; /* under `lock`, with the buffers */
    struct be_gpu_record written;
    pthread_mutex_t lock;
    pthread_cond_t wake, over; /* the thread has to end; it has */
    bool end, ended;
    bool launches, launches_on; /* CUPTI can record launches alone; and does */
    uint8_t *free_buffer[BUFFERS_MAX];
    int free_buffers, buffers; /* there, and made */
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool off;   /* in a child that forked: nothing here may be touched */
static atomic_flag begun; /* CUDA may be started by several threads */
static _Alignas(8) uint8_t discard[1 << 16];

/* ---- buffers --------------------------------------------------------------------------------- */

static void hand_out(uint8_t **buffer, size_t *bytes, size_t *max) {
    int kept = errno;
    *buffer = NULL;
    *max = 0;
    if (!off) {
        pthread_mutex_lock(&trace.lock);
        if (trace.free_buffers > 0) {
            *buffer = trace.free_buffer[--trace.free_buffers];
        } else if (trace.buffers < BUFFERS_MAX) {
            *buffer = aligned_alloc(4096, BUFFER_BYTES);
            trace.buffers += *buffer != NULL;
        }
        pthread_mutex_unlock(&trace.lock);
    }
    *bytes = *buffer ? BUFFER_BYTES : sizeof discard;
    *buffer = *buffer ? *buffer : discard;
    errno = kept;
}

/* With the lock held. */
static void add_calls(void) {
    static struct call_time taken[PENDING_MAX];
    int count = pending_take(taken);
    for (int i = 0; i < count; i++) {
        aggregate_add_call(&trace.aggregate, &taken[i]);
    }
}

/* By the thread that made the call, as it ends. */
static void take_call(const struct call_time *time) {
    while (!pending_put(time)) {
        pthread_mutex_lock(&trace.lock);
        add_calls();
        pthread_mutex_unlock(&trace.lock);
    }
}

/* Waits first: a record may end the time for which they still find their place. */
static void add_batch(CUpti_Activity *const *record, int count) {
    pthread_mutex_lock(&trace.lock);
    add_calls();
    for (int i = 0; i < count; i++) {
        aggregate_add(&trace.aggregate, record[i]);
    }
    pthread_mutex_unlock(&trace.lock);
}

static void read_buffer(uint8_t *buffer, size_t valid) {
    CUpti_Activity *batch[BATCH];
    CUpti_Activity *record = NULL;
    int count = 0;
    pthread_mutex_lock(&trace.lock);
    aggregate_begin(&trace.aggregate);
    pthread_mutex_unlock(&trace.lock);
    while (trace.cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        batch[count++] = record;
        if (count == BATCH) {
            add_batch(batch, count);
            count = 0;
        }
    }
    add_batch(batch, count);
}

static void take_back(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                      size_t valid) {
    int kept = errno;
    size_t dropped = 0;
    (void)bytes;
    if (off) {
        return;
    }
    if (buffer != discard && valid > 0) {
        read_buffer(buffer, valid);
    }
    if (trace.cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) != CUPTI_SUCCESS) {
        dropped = 0;
    }
    pthread_mutex_lock(&trace.lock);
    trace.aggregate.record.dropped += dropped;
    if (buffer == discard) {
        trace.aggregate.record.discarded_bytes += valid;
    } else if (trace.free_buffers < trace.buffers) {
        trace.free_buffer[trace.free_buffers++] = buffer;
    }
    pthread_mutex_unlock(&trace.lock);
    errno = kept;
}

/* ---- our thread ------------------------------------------------------------------------------ */

/* Asks the driver, so with no lock held and from no callback. */
static void name_devices(void) {
    for (uint32_t i = 0; i < BE_GPU_RECORD_DEVICES; i++) {
        char uuid[64] = "";
        pthread_mutex_lock(&trace.lock);
        struct be_gpu_device *device = &trace.aggregate.record.device[i];
        bool named = device->used == 0 || device->uuid[0];
        uint32_t number = device->number;
        pthread_mutex_unlock(&trace.lock);
        if (!named) {
            cupti_device_uuid((int)number, uuid, sizeof uuid);
            pthread_mutex_lock(&trace.lock);
            memcpy(device->uuid, uuid, sizeof uuid);
            pthread_mutex_unlock(&trace.lock);
        }
    }
}

/* All that began before `settled` ought to have come by now. It need not have, so it is counted, and kept
 * for a while: what still comes finds its place. */
static void save(uint64_t now, uint64_t settled) {
    struct timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    pthread_mutex_lock(&trace.lock);
    struct be_gpu_record *record = &trace.aggregate.record;
    add_calls();
    aggregate_settle(&trace.aggregate, settled > late_ns ? settled - late_ns : 0);
    record->own_ns = (uint64_t)own.tv_sec * 1000000000u + (uint64_t)own.tv_nsec;
    record->now_ns = now;
    record->sequence = trace.written.sequence;
    aggregate_read(&trace.aggregate, settled, &trace.written);
    pthread_mutex_unlock(&trace.lock);
    store_write(&trace.store, &trace.written);
}

/* True: the program is ending. */
static bool rest(long ns) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ns;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&trace.lock);
    while (!trace.end && pthread_cond_timedwait(&trace.wake, &trace.lock, &until) == 0) {
    }
    bool end = trace.end;
    pthread_mutex_unlock(&trace.lock);
    return end;
}

static bool flag(const char *name, bool otherwise) {
    const char *text = getenv(name);
    return text && text[0] ? strcmp(text, "0") != 0 : otherwise;
}

/* In all so far. */
struct counts {
    uint64_t records, launches;
};

static struct counts count(void) {
    pthread_mutex_lock(&trace.lock);
    add_calls();
    const struct be_gpu_record *record = &trace.aggregate.record;
    struct counts counts = {record->records,
                            record->runtime_launches.count + record->driver_launches.count};
    pthread_mutex_unlock(&trace.lock);
    return counts;
}

static void switch_launches(bool on) {
    if (trace.launches && on != trace.launches_on) {
        calls_launches(&trace.cupti, on);
        trace.launches_on = on;
    }
}

/* A window opens or closes. Work that ran in between was not seen, so no gap reaches across. False:
 * it does not open. */
static bool look(bool on, uint64_t now) {
    char why[128];
    if (!on) {
        kinds_disable(&trace.cupti);
    } else if (!kinds_enable(&trace.cupti, why, sizeof why)) {
        return false;
    }
    pthread_mutex_lock(&trace.lock);
    calls_listen(on);
    if (on) {
        trace.aggregate.record.windows++;
        timeline_add(&trace.aggregate.timeline, &trace.aggregate.record, SPAN_BREAK, 0, now, now);
    }
    pthread_mutex_unlock(&trace.lock);
    return true;
}

static void add_traced(uint64_t ns) {
    pthread_mutex_lock(&trace.lock);
    trace.aggregate.record.traced_ns += ns;
    pthread_mutex_unlock(&trace.lock);
}

/* "0.05" of the program's time; 1: look all the time. */
static struct pace pace_asked(void) {
    const char *text = getenv("BREAKEVEN_TRACE_SHARE");
    double value = text ? strtod(text, NULL) : 0;
    return value > 0 ? pace_begin(value, value) : pace_begin(cost_share, later_share);
}

/* The state that is known from turn to turn. */
struct turns {
    struct pace pace;
    struct silence silence;
    struct counts had;
};

/* The time since the last turn, of an open window, to the time that was looked at. */
static uint64_t hear(struct turns *turns, uint64_t elapsed_ns, struct counts now) {
    struct counts had = turns->had;
    turns->had = now;
    return turns->pace.open ? silence_turn(&turns->silence, elapsed_ns, now.records - had.records,
                                           now.launches - had.launches)
                            : 0;
}

/* A window that gives nothing is closed, and tried again: soon, and if that gives nothing either, later. */
static void close_blind(struct turns *turns, uint64_t now) {
    look(false, now);
    turns->pace.open = false;
    turns->pace.left_s = turns->silence.blind > 1 ? again_s : 0;
}

/* One turn: what has been collected is taken in, and a window opened or closed where it is time. CUPTI is
 * asked between windows too: else it has given no kernels of the next one. And it is not forced: a kernel
 * whose times it does not have yet would come without them, and not again.
 * True: a window closes. */
static bool take_turn(struct turns *turns, uint64_t before, uint64_t now) {
    trace.cupti.cuptiActivityFlushAll(0);
    name_devices();
    struct counts counts = count();
    uint64_t elapsed_ns = now > before ? now - before : 0;
    add_traced(hear(turns, elapsed_ns, counts));
    if (turns->pace.open && silence_is_blind(&turns->silence)) {
        close_blind(turns, now);
        return false;
    }
    enum pace_step step = pace_next(&turns->pace, 1e-9 * (double)elapsed_ns, counts.records);
    if (step != PACE_STAYS && !look(step == PACE_OPENS, now)) {
        turns->pace.open = false;
        turns->pace.left_s = again_s;
    }
    return step == PACE_CLOSES;
}

/* Whether to write, after a turn. Not in the turn in which a window closes: of its last kernels there are
 * counts and no times. And where nothing came for some turns of one that is open, only now and again. */
static bool time_to_write(int turn, bool whole, bool closed, int silent) {
    bool due =
        silent ? silent % TURNS_A_WRITE == 0 : turn < QUICK_TURNS || turn % TURNS_A_WRITE == 0;
    return whole || (!closed && due);
}

/* A few thousand launches say what one takes, and telling us of them makes each take longer. But where no
 * record comes they say whether the program rests. */
static bool launches_wanted(const struct turns *turns, int turn) {
    return turns->pace.open && (turns->had.launches < LAUNCHES_FIRST ||
                                turn % TURNS_A_LAUNCH == 0 || turns->silence.turns > 0);
}

static void run_trace(void) {
    struct turns turns = {.pace = pace_asked()};
    uint64_t before = trace.aggregate.record.start_ns; /* what ran before has been handed in */
    uint64_t now = before;
    bool closed = false;
    save(0, 0); /* that there is a trace, whatever becomes of it */
    for (int turn = 0; !rest(turn_ns); turn++) {
        trace.cupti.cuptiGetTimestamp(&now);
        bool whole = closed; /* a window of which all ought to have come by now */
        closed = take_turn(&turns, before, now);
        switch_launches(launches_wanted(&turns, turn));
        if (time_to_write(turn, whole, closed, turns.silence.turns)) {
            save(now, whole ? now : before);
        }
        before = now;
    }
    name_devices();
    trace.cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    name_devices();
    trace.cupti.cuptiGetTimestamp(&now);
    add_traced(hear(&turns, now > before ? now - before : 0, count()));
    add_traced(silence_end(&turns.silence));
    pthread_mutex_lock(&trace.lock);
    trace.aggregate.record.state = BE_GPU_RECORD_ENDED;
    pthread_mutex_unlock(&trace.lock);
    save(now, UINT64_MAX);
}

static void *work(void *nothing) {
    (void)nothing;
    prctl(PR_SET_NAME, "breakeven-trace", 0, 0, 0);
    if (trace.aggregate.record.state == BE_GPU_RECORD_RUNNING) {
        run_trace();
    } else {
        save(0, 0);
    }
    pthread_mutex_lock(&trace.lock);
    trace.ended = true;
    pthread_cond_signal(&trace.over);
    pthread_mutex_unlock(&trace.lock);
    return NULL;
}

/* With all signals blocked: none of the program's is handled in it, and one that a write of ours
 * raises (a limit on file sizes) stays there. */
static bool start_thread(void) {
    sigset_t all, kept;
    pthread_t thread;
    pthread_attr_t settings;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&trace.wake, &clock);
    pthread_cond_init(&trace.over, &clock);
    pthread_condattr_destroy(&clock);
    pthread_attr_init(&settings);
    pthread_attr_setdetachstate(&settings, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    bool made = pthread_create(&thread, &settings, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    pthread_attr_destroy(&settings);
    return made;
}

/* ---- the program's life ---------------------------------------------------------------------- */

static void at_exit(void) {
    struct timespec until;
    if (off) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += exit_s;
    pthread_mutex_lock(&trace.lock);
    trace.end = true;
    pthread_cond_signal(&trace.wake);
    while (!trace.ended && pthread_cond_timedwait(&trace.over, &trace.lock, &until) == 0) {
    }
    pthread_mutex_unlock(&trace.lock);
    off = true;
    calls_listen(false);
}

/* Our thread is not in the child, a lock may be held for ever, and flushing has hung there. */
static void in_child(void) {
    off = true;
    calls_listen(false);
}

static bool subscribe(char *why, size_t capacity) {
    char said[96];
    CUptiResult result = calls_begin(&trace.cupti, take_call);
    if (result == CUPTI_SUCCESS) {
        return true;
    }
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
        snprintf(why, capacity, "another profiler holds CUPTI in this program");
    } else {
        snprintf(why, capacity, "cuptiSubscribe: %s",
                 cupti_said(&trace.cupti, result, said, sizeof said));
    }
    return false;
}

/* False: no trace, for the reason written to `why`. */
static bool start_trace(char *why, size_t capacity) {
    struct be_gpu_record *record = &trace.aggregate.record;
    char said[96];
    if (!cupti_open(&trace.cupti, why, capacity)) {
        return false;
    }
    trace.cupti.cuptiGetVersion(&record->cupti);
    if (!subscribe(why, capacity)) {
        return false;
    }
    CUptiResult result = trace.cupti.cuptiActivityRegisterCallbacks(hand_out, take_back);
    if (result != CUPTI_SUCCESS) {
        snprintf(why, capacity, "cuptiActivityRegisterCallbacks: %s",
                 cupti_said(&trace.cupti, result, said, sizeof said));
    }
    if (result != CUPTI_SUCCESS || !kinds_enable(&trace.cupti, why, capacity)) {
        calls_end(&trace.cupti);
        return false;
    }
    trace.launches = trace.launches_on =
        flag("BREAKEVEN_TRACE_LAUNCHES", true) && calls_launches(&trace.cupti, true);
    record->launch_known = trace.launches;
    record->windows = 1;
    calls_listen(true);
    trace.cupti.cuptiGetTimestamp(&record->start_ns);
    return true;
}

static void describe(struct be_gpu_record *record) {
    memcpy(record->magic, BE_GPU_RECORD_MAGIC, sizeof record->magic);
    record->version = BE_GPU_RECORD_VERSION;
    record->bytes = sizeof *record;
    record->pid = (int32_t)getpid();
    record->parent = (int32_t)getppid();
    record->driver = (uint32_t)cupti_driver_version();
    FILE *file = fopen("/proc/self/comm", "re");
    if (file) {
        if (!fgets(record->program, sizeof record->program, file)) {
            record->program[0] = '\0';
        }
        record->program[strcspn(record->program, "\n")] = '\0';
        fclose(file);
    }
}

/* CUDA calls it while it starts. 1: all is well, which is what it is told in any case. */
__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void) {
    int kept = errno;
    const char *folder = getenv(BE_GPU_RECORD_FOLDER);
    struct be_gpu_record *record = &trace.aggregate.record;
    if (getauxval(AT_SECURE) || !folder || atomic_flag_test_and_set(&begun) ||
        !store_make(&trace.store, folder)) {
        errno = kept;
        return 1;
    }
    describe(record);
    if (pthread_atfork(NULL, NULL, in_child) != 0) {
        snprintf(record->reason, sizeof record->reason, "out of memory");
    } else if (start_trace(record->reason, sizeof record->reason)) {
        record->state = BE_GPU_RECORD_RUNNING;
    }
    if (start_thread()) {
        atexit(at_exit); /* after CUPTI's own, so it runs before that */
    } else {
        off = true;
    }
    errno = kept;
    return 1;
}
