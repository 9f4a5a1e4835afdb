/*
 * Whether an operand was there before: by its address and size, and by some of its numbers. It holds a bounded number
 * of operands; one that was forgotten counts as new.
 */
#ifndef INJECT_MATH_OPERANDS_H
#define INJECT_MATH_OPERANDS_H

#include "observe/calls/call_record.h"
#include "site.h"

/* A call's arguments and dimensions. */
struct operation {
    const struct site *site;
    const struct plan *plan;
    const uint64_t *argument;
    uint64_t alpha, beta; /* bits of factors that are taken as numbers */
    int64_t m, n, k;
};

/* Before the call: the bytes that it reads, to the entry's sums. `weight`: calls that this one stands for. */
void operands_read(const struct operation *call, uint64_t weight, struct be_call_entry *entry);
/* After the call: the bytes that it wrote. */
void operands_written(const struct operation *call, uint64_t weight, struct be_call_entry *entry);
/* An array of that many bytes, the first `span` of which lie in one piece and may be read; 0: none. */
struct array {
    uint64_t base, bytes, span;
};
void operands_array_read(const struct array *array, uint64_t weight, struct be_call_entry *entry);
void operands_array_written(const struct array *array, uint64_t weight,
                            struct be_call_entry *entry);

/* The order of the matrix at the side of the other: m at the left, n at the right. */
int64_t operands_side(const struct operation *call);
/* The address behind the result, if that lies in one piece. The plan must have a result. */
uint64_t operands_behind(const struct operation *call);

#endif
