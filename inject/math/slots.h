/*
 * The thread's place in the record (observe/calls/call_record.h), and the entry of a shape in it. It does not know what
 * a call is.
 */
#ifndef INJECT_MATH_SLOTS_H
#define INJECT_MATH_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/calls/call_record.h"

struct thread {
    /* All that a call like the one before needs, in one line of the cache: products of 32 x 32 leave little there. */
    struct be_call_run *run; /* that of the slot; NULL: there is none yet */
    uintptr_t outermost;     /* frame of the call that is under way; 0: none is */
    void (*real)(void);      /* for callers in [low, high), as long as site_epoch is `epoch` */
    uintptr_t low, high;
    unsigned epoch;
    unsigned random; /* which calls are looked at */
    /* The rest. */
    struct be_call_slot *slot;  /* NULL: none yet */
    struct be_call_entry *last; /* of the call before */
    uint64_t result;            /* address behind its result; 0: not known */
    uint64_t weight;            /* calls that the last look stands for */
    bool hopeless;              /* no slot will be had */
};

/* That of this thread. It lies in static memory, for which no function has to be called. */
extern _Thread_local struct thread slots_thread
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* As the program starts; path: the record, NULL: nothing is recorded. */
void slots_begin(const char *path);

/* Gives the thread a slot; false: there is none. Changes neither errno nor the program's descriptors. */
bool slots_take(struct thread *thread);

/* Calls of the run go to their entry, and the run is over. */
void slots_end_run(struct be_call_slot *slot);

/* The entry of a shape; NULL: there is no place. `rounded` shapes are those with the same powers of two. */
struct be_call_entry *slots_entry(struct be_call_slot *slot, const struct be_call_entry *key);

#endif
