/*
 * The file that a program under `run --calls` writes to. One file for all processes of a run; `breakeven` makes it in
 * full size, and the library that is loaded into the programs (inject/math) maps it: what is counted there is there
 * whatever becomes of the program. It is read where it was written, by the run that made it, and it is not kept.
 *
 * A thread takes a slot with its first call, and gives it back when it ends; the next owner goes on counting in it.
 * So a slot has one writer at any time, and a number is the sum over slots. A reader may look at any moment: it then
 * sees a call that is being added in part.
 *
 * Both sides share this file and call_list.h, and nothing else.
 */
#ifndef BE_OBSERVE_CALLS_CALL_RECORD_H
#define BE_OBSERVE_CALLS_CALL_RECORD_H

#include <stdint.h>

#include "observe/calls/call_list.h"

#define BE_CALL_RECORD_MAGIC "BECALLS"
/* The environment of the program: the file's absolute path. */
#define BE_CALL_RECORD_FILE "BREAKEVEN_CALLS_FILE"

/* A slot's head has the size of an entry, and a slot that of eight pages. */
enum { BE_CALL_RECORD_VERSION = 2, BE_CALL_ENTRIES = 255, BE_CALL_SLOTS = 512 };

/* All calls of one function with one type and shape, by one slot's owners. */
struct be_call_entry {
    uint16_t function; /* enum be_call_function + 1; 0: an empty place */
    char type;         /* 's', 'd', 'c', 'z' */
    uint8_t rounded;   /* shapes were many: these are those with the same powers of two */
    uint32_t skip;     /* calls until the next one is looked at */
    int64_t m, n, k;   /* 0: the function has no such dimension. Rounded: the powers of two */
    uint64_t calls;
    uint64_t
        looked; /* calls that the numbers below stand for: short calls are not each looked at */
    uint64_t ns;
    /* bytes of operands that are read: */
    uint64_t fresh;   /* not seen before at that address */
    uint64_t changed; /* seen before; other numbers are there now */
    uint64_t same;    /* seen before, and unchanged */
    uint64_t made;    /* part of `same`: written by a recorded call */
    uint64_t written; /* bytes of operands that are written */
    /* over all calls: */
    uint64_t
        batched; /* calls whose result lies right behind that of the call before, of the same shape */
    uint64_t sum_m, sum_n, sum_k; /* rounded entries only */
};

/* Calls of one shape that follow each other: they are added to their entry later. */
struct be_call_run {
    uint64_t site; /* the owner's; 0: none */
    int64_t m, n, k;
    uint32_t calls; /* that the entry does not have yet */
    uint32_t skip;
    uint64_t entry; /* which */
    uint64_t reserved[2];
};

struct be_call_slot {
    struct be_call_run run;
    uint64_t lost; /* calls that found no place, not even rounded */
    uint64_t used; /* entries that are in use */
    uint64_t number;
    uint64_t reserved[5];
    struct be_call_entry entry[BE_CALL_ENTRIES];
};

struct be_call_head {
    char magic[8];
    uint32_t version, bytes; /* of struct be_call_record */
    uint64_t processes;      /* that made a call. Changed atomically, as `lost` is */
    uint64_t lost;           /* threads that found no slot, or no memory */
    uint64_t reserved[508];
    uint64_t owner
        [BE_CALL_SLOTS]; /* of each slot: its process, and the name space of the process in the upper half;
                                      0: free. Changed atomically */
};

struct be_call_record {
    struct be_call_head head;
    struct be_call_slot slot[BE_CALL_SLOTS];
};

_Static_assert(sizeof(struct be_call_entry) == 128 && sizeof(struct be_call_slot) == 32768 &&
                   sizeof(struct be_call_head) == 8192,
               "slots begin on a page");

#endif
