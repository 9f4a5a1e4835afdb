/* Does a backend's table have what it must have, and its optional entries in whole groups? */
#include "device/dnn.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

struct entry {
    const char *name;
    size_t table; /* where be_device_ops points to its table; the whole: the entry is its own */
    size_t at;    /* where the entry stands in its table */
    int group;    /* 0: required; else all neighbours of this number are there or none */
};

#define TOP(field)                                                                                 \
    { #field, sizeof(struct be_device_ops), offsetof(struct be_device_ops, field), 0 }
#define OPTIONAL(of, kind, field, group)                                                           \
    {                                                                                              \
#of "->" #field, offsetof(struct be_device_ops, of),                                       \
            offsetof(struct be_##kind##_ops, field), group                                         \
    }
#define REQUIRED(of, kind, field) OPTIONAL(of, kind, field, 0)

static const struct entry entries[] = {
    TOP(name),
    TOP(probe),
    TOP(open),
    TOP(close),
    TOP(memory),
    TOP(queue),
    TOP(program),
    TOP(extras),
    REQUIRED(memory, memory, alloc),
    REQUIRED(memory, memory, release),
    REQUIRED(memory, memory, pin),
    REQUIRED(memory, memory, unpin),
    REQUIRED(memory, memory, capacity),
    REQUIRED(queue, queue, write),
    REQUIRED(queue, queue, read),
    REQUIRED(queue, queue, fill),
    REQUIRED(queue, queue, copy),
    REQUIRED(queue, queue, make_event),
    REQUIRED(queue, queue, forget_event),
    REQUIRED(queue, queue, record),
    REQUIRED(queue, queue, follow),
    REQUIRED(queue, queue, wait),
    REQUIRED(queue, queue, elapsed),
    REQUIRED(queue, queue, drain),
    REQUIRED(program, program, build),
    REQUIRED(program, program, drop),
    REQUIRED(program, program, kernel),
    REQUIRED(program, program, launch),
    REQUIRED(program, program, forget),
    OPTIONAL(extras, extra, capture, 1),
    OPTIONAL(extras, extra, captured, 1),
    OPTIONAL(extras, extra, replay, 1),
    OPTIONAL(extras, extra, forget_graph, 1),
    OPTIONAL(extras, extra, unify, 2),
    OPTIONAL(extras, extra, release_unified, 2),
    OPTIONAL(extras, extra, lock, 3),
    OPTIONAL(extras, extra, unlock, 3),
    REQUIRED(blas, blas, open),
    REQUIRED(blas, blas, close),
    REQUIRED(blas, blas, gemm),
    OPTIONAL(blas, blas, lu_scratch_bytes, 4),
    OPTIONAL(blas, blas, lu_prepare, 4),
    OPTIONAL(blas, blas, lu_batched, 4),
    REQUIRED(solver, solver, open),
    REQUIRED(solver, solver, close),
    REQUIRED(solver, solver, scratch_bytes),
    REQUIRED(solver, solver, factor),
    REQUIRED(solver, solver, solve),
    REQUIRED(solver, solver, lu_solve),
    REQUIRED(solver, solver, eigen_scratch_bytes),
    REQUIRED(solver, solver, eigen_batched),
    REQUIRED(solver, solver, svd_scratch_bytes),
    REQUIRED(solver, solver, svd_batched),
    REQUIRED(fft, fft, open),
    REQUIRED(fft, fft, close),
    REQUIRED(fft, fft, forward),
    REQUIRED(sparse, sparse, open),
    REQUIRED(sparse, sparse, close),
    REQUIRED(sparse, sparse, multiply),
    REQUIRED(dnn, dnn, open),
    REQUIRED(dnn, dnn, close),
    REQUIRED(dnn, dnn, prepare),
    REQUIRED(dnn, dnn, forget),
    REQUIRED(dnn, dnn, convolve),
    REQUIRED(reduce, reduce, open),
    REQUIRED(reduce, reduce, close),
    REQUIRED(reduce, reduce, sum),
};

/* Is there something? Pointers to tables, functions and text are NULL alike on every system that has
 * dlsym. A table that is missing is a fault of its own, or none: its entries are then not asked. */
static bool is_there(const struct be_device_ops *ops, const struct entry *entry, bool *asked) {
    const char *table = (const char *)ops;
    void *value = NULL;
    if (entry->table < sizeof *ops) {
        const void *own = NULL;
        memcpy(&own, table + entry->table, sizeof own);
        table = own;
    }
    *asked = table != NULL;
    if (table) {
        memcpy(&value, table + entry->at, sizeof value);
    }
    return value != NULL;
}

enum be_status be_device_fits(const struct be_device_ops *ops, struct be_error *error) {
    const char *name = ops->name ? ops->name : "without a name";
    bool first_is_there = false; /* of a group */
    if (ops->version != BE_DEVICE_OPS_VERSION) {
        return be_fail(error, BE_USAGE, "backend %s: its table is of version %d, this is %d", name,
                       ops->version, (int)BE_DEVICE_OPS_VERSION);
    }
    for (size_t i = 0; i < BE_COUNT(entries); i++) {
        const struct entry *entry = &entries[i];
        bool asked = false;
        const bool there = is_there(ops, entry, &asked);
        if (asked && entry->group == 0 && !there) {
            return be_fail(error, BE_USAGE, "backend %s: its table lacks %s", name, entry->name);
        }
        if (entry->group == 0 || i == 0 || entries[i - 1].group != entry->group) {
            first_is_there = there;
        } else if (there != first_is_there) {
            return be_fail(error, BE_USAGE, "backend %s: %s, but not what belongs to it", name,
                           there ? entry->name : entries[i - 1].name);
        }
    }
    return BE_OK;
}
