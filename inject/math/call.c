/*
 * libbreakeven_calls.so: `breakeven run --calls` has the dynamic linker load it into a program before its other
 * libraries (LD_PRELOAD). Its functions have the names of those of BLAS and LAPACK. Each notes its arguments and calls
 * the function that the program would have called.
 *
 * It is a guest in someone else's program. So it writes to none of its streams, keeps none of its descriptors, takes
 * none of its memory from malloc, leaves errno, floating-point flags and the error of dlerror as they were, and passes
 * every argument on as it came. Where anything fails, it only passes calls on. In set-user-id programs it does nothing.
 *
 * Calls that another recorded call makes are not counted: LAPACK calls BLAS by the same names. Short calls are all
 * counted, and some are looked at: each of these stands for those since the one before.
 */
#include "call.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "slots.h"

/* Looking at a call takes some 0.3 us, with what it displaces in caches: as little a share of short calls as this. */
enum { LOOK_NS = 300, LOOK_SHARE = 500, SKIP_MOST = 1000 };

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Calls to pass over after one that took so long: a random number with the mean that the share asks for, since a
 * program may have a rhythm of its own. */
static uint32_t skip_after(struct thread *thread, uint64_t ns) {
    uint64_t mean = (uint64_t)LOOK_NS * LOOK_SHARE / (ns ? ns : 1);
    mean = mean < SKIP_MOST ? mean : SKIP_MOST;
    thread->random = thread->random * 1103515245u + 12345u;
    return (uint32_t)(mean / 2 + (thread->random >> 16) % (mean + 1));
}

static int64_t dimension(const struct operation *call, uint8_t at) {
    return at == NOWHERE ? 0 : site_integer(call->site, call->argument[at]);
}

/* Functions without that dimension have the order at the side there, or whether vectors are wanted. */
static int64_t third_dimension(const struct operation *call) {
    const struct plan *plan = call->plan;
    if (plan->k != NOWHERE) {
        return dimension(call, plan->k);
    }
    if (plan->vectors != NOWHERE) {
        char word = *(const char *)call->argument[plan->vectors];
        return word != 'N' && word != 'n';
    }
    return plan->side != NOWHERE ? operands_side(call) : 0;
}

/* False: the function will find its arguments wrong, or is only asked for the length of a work array. */
static bool read_shape(struct operation *call) {
    const struct plan *plan = call->plan;
    call->m = dimension(call, plan->m);
    call->n = dimension(call, plan->n);
    call->k = third_dimension(call);
    return call->m >= 0 && call->n >= 0 && call->k >= 0 &&
           (plan->length == NOWHERE || dimension(call, plan->length) != -1);
}

static struct be_call_entry *entry_of(const struct thread *thread,
                                      const struct be_call_entry *wanted) {
    struct be_call_entry *last = thread->last;
    if (last && last->function == wanted->function && last->type == wanted->type &&
        !last->rounded && last->m == wanted->m && last->n == wanted->n && last->k == wanted->k) {
        return last;
    }
    return slots_entry(thread->slot, wanted);
}

/* The result lies where the one before ends: the calls are a batch. The calls before and after one that is looked at
 * say it for all that this one stands for. */
static void count_batch(struct thread *thread, const struct operation *call,
                        struct be_call_entry *entry) {
    uint64_t result = call->argument[call->plan->operand[call->plan->result].at];
    if (entry == thread->last && thread->result && result == thread->result) {
        entry->batched += thread->weight;
    }
    thread->result = operands_behind(call);
}

/* The next calls are likely to be like this one, and need no more than to be counted (wrappers.c). */
static void begin_run(struct thread *thread, const struct operation *call,
                      const struct bound *bound, const struct be_call_entry *entry) {
    struct be_call_run *run = &thread->slot->run;
    if (!bound || !call->plan->plain || entry->skip == 0) {
        return;
    }
    thread->real = bound->real;
    thread->low = bound->low;
    thread->high = bound->high;
    thread->epoch = bound->epoch;
    thread->result = 0; /* that of the last of them will not be known */
    *run = (struct be_call_run){.site = (uint64_t)(uintptr_t)call->site,
                                .m = call->m,
                                .n = call->n,
                                .k = call->k,
                                .skip = entry->skip,
                                .entry = (uint64_t)(entry - thread->slot->entry)};
}

static void look(struct call *call) {
    struct be_call_entry *entry = call->entry;
    call->weight = entry->calls - entry->looked;
    if (call->transforms) {
        operands_array_read(&call->in, call->weight, entry);
    } else {
        operands_read(&call->operation, call->weight, entry);
    }
    call->start_ns = now_ns();
}

static void count(struct thread *thread, const struct bound *bound, struct call *call) {
    struct be_call_entry *entry = call->entry;
    const struct operation *operation = &call->operation;
    entry->calls++;
    if (operation->plan->result != NOWHERE) {
        count_batch(thread, operation, entry);
    }
    if (entry->rounded) {
        entry->sum_m += (uint64_t)operation->m;
        entry->sum_n += (uint64_t)operation->n;
        entry->sum_k += (uint64_t)operation->k;
    }
    thread->last = entry;
    if (entry->skip > 0) {
        entry->skip--;
        begin_run(thread, operation, bound, entry);
        return;
    }
    look(call);
    thread->weight = call->weight;
}

static void record(struct thread *thread, struct site *site, const struct bound *bound,
                   const uint64_t *argument, struct call *call) {
    struct operation *operation = &call->operation;
    operation->site = site;
    operation->plan = site_plan(site);
    operation->argument = argument;
    if (!operation->plan || !slots_take(thread)) {
        return;
    }
    slots_end_run(thread->slot);
    if (!read_shape(operation)) {
        return;
    }
    const struct be_call_entry wanted = {.function = (uint16_t)(site->number + 1),
                                         .type = site->type,
                                         .m = operation->m,
                                         .n = operation->n,
                                         .k = operation->k};
    call->entry = entry_of(thread, &wanted);
    if (call->entry) {
        count(thread, bound, call);
    }
}

/* A call that was left by longjmp has not ended; but then a later one is not below it on the stack, which grows
 * downwards. */
static void open_call(struct thread *thread, const void *frame, struct call *call) {
    uintptr_t here = (uintptr_t)frame;
    call->entry = NULL;
    call->weight = 0;
    call->transforms = false;
    call->outer = thread->outermost == 0 || here >= thread->outermost;
    thread->outermost = call->outer ? here : thread->outermost;
}

function call_begin(struct site *site, const uint64_t *argument, double alpha, double beta,
                    const void *frame, const void *caller, struct call *call) {
    struct thread *thread = &slots_thread;
    const struct bound *bound = NULL;
    function real = site_real(site, (uintptr_t)caller, &bound);
    open_call(thread, frame, call);
    if (call->outer) {
        memcpy(&call->operation.alpha, &alpha, sizeof alpha);
        memcpy(&call->operation.beta, &beta, sizeof beta);
        record(thread, site, bound, argument, call);
    }
    return real;
}

function call_begin_transform(struct site *site, const struct be_call_entry *shape,
                              const struct array *in, const struct array *out, const void *frame,
                              const void *caller, struct call *call) {
    struct thread *thread = &slots_thread;
    const struct bound *bound = NULL;
    function real = site_real(site, (uintptr_t)caller, &bound);
    open_call(thread, frame, call);
    call->entry =
        call->outer && shape->function && slots_take(thread) ? entry_of(thread, shape) : NULL;
    if (call->entry) {
        call->transforms = true;
        call->in = *in;
        call->out = *out;
        call->entry->calls++;
        call->entry->sum_n += call->entry->rounded ? (uint64_t)shape->n : 0;
        call->entry->sum_k += call->entry->rounded ? (uint64_t)shape->k : 0;
        thread->last = call->entry;
        thread->result = 0;
        if (call->entry->skip > 0) {
            call->entry->skip--;
        } else {
            look(call);
        }
    }
    return real;
}

void call_end(struct call *call) {
    struct thread *thread = &slots_thread;
    struct be_call_entry *entry = call->entry;
    if (!call->outer) {
        return;
    }
    thread->outermost = 0;
    if (!entry || call->weight == 0) {
        return;
    }
    uint64_t ns = now_ns() - call->start_ns;
    if (call->transforms) {
        operands_array_written(&call->out, call->weight, entry);
    } else {
        operands_written(&call->operation, call->weight, entry);
    }
    entry->ns += call->weight * ns;
    entry->looked = entry->calls;
    entry->skip = skip_after(thread, ns);
}

__attribute__((constructor)) static void begin(void) {
    slots_begin(getauxval(AT_SECURE) ? NULL : getenv(BE_CALL_RECORD_FILE));
}
