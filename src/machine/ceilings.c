#include "machine/ceilings.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

bool be_cancel_asked(const struct be_cancel *cancel) {
    return cancel->asked && cancel->asked(cancel->context);
}

static double higher(double a, double b) {
    return isnan(a) || b > a ? b : a;
}

static double shorter(double a, double b) {
    return !(a > 0) || (b > 0 && b < a) ? b : a;
}

static double rate_of(const struct be_ceilings *ceilings, int point, bool update) {
    const double of_update = ceilings->memory[point].update;
    return update && of_update > 0 ? of_update : ceilings->memory[point].rate;
}

/* The least rate of a working set of these bytes: that of the next one measured that is no smaller
 * (with less memory free, sets differ from run to run); NAN: none is. */
static double rate_at_min(const struct be_ceilings *ceilings, double bytes, bool update) {
    for (int i = 0; i < ceilings->points; i++) {
        if (ceilings->memory[i].bytes >= 0.99 * bytes) {
            return rate_of(ceilings, i, update);
        }
    }
    return NAN;
}

enum be_stores be_ceilings_stores(const struct be_ceilings *ceilings, double working_set,
                                  bool update) {
    int at = ceilings->points - 1;
    while (at > 0 && ceilings->memory[at - 1].bytes * ceilings->memory[at].bytes >=
                         working_set * working_set) {
        at--;
    }
    return at < 0   ? BE_STORES_PLAIN
           : update ? ceilings->memory[at].update_stores
                    : ceilings->memory[at].stores;
}

void be_ceilings_raise(struct be_ceilings *ceilings, const struct be_ceilings *other) {
    for (int i = 0; i < ceilings->points; i++) {
        const double bytes = ceilings->memory[i].bytes;
        ceilings->memory[i].rate =
            higher(ceilings->memory[i].rate, rate_at_min(other, bytes, false));
        if (ceilings->memory[i].update > 0) {
            ceilings->memory[i].update =
                higher(ceilings->memory[i].update, rate_at_min(other, bytes, true));
        }
    }
    for (int i = 0; i < BE_ARITHMETICS; i++) {
        ceilings->operations[i] = higher(ceilings->operations[i], other->operations[i]);
    }
    ceilings->write = higher(ceilings->write, other->write);
    ceilings->bus_in = higher(ceilings->bus_in, other->bus_in);
    ceilings->bus_out = higher(ceilings->bus_out, other->bus_out);
    ceilings->latency_s = shorter(ceilings->latency_s, other->latency_s);
}

void be_ceilings_set_operations(struct be_ceilings *ceilings, double float32, bool cpu) {
    ceilings->operations[BE_PLAIN32] = float32;
    ceilings->operations[BE_PLAIN64] = float32 / 2;
    ceilings->operations[BE_MATRIX32] = float32;
    ceilings->operations[BE_MATRIX64] = cpu ? float32 / 2 : NAN;
}

int be_ceilings_set(const struct be_ceilings *ceilings, double working_set) {
    int first = 0;
    for (int i = 0; i < ceilings->points && ceilings->memory[i].bytes <= working_set; i++) {
        first = i;
    }
    return first - (first > 0 && working_set <= ceilings->cache_bytes);
}

/* The rate of a working set: that of the largest one measured that is no larger, or any larger one's if that came out
 * higher: what serves a larger set serves a smaller one. A set that fits a cache may lie in part in a nearer one, after
 * calls on more cores also in theirs: it is given the next smaller set's rate. Memory that is only written takes it
 * faster than the triads, which turn between reading and writing. */
double be_ceilings_memory(const struct be_ceilings *ceilings, double working_set, bool update,
                          bool write) {
    double rate = write && ceilings->write > 0 ? ceilings->write : NAN;
    for (int i = be_ceilings_set(ceilings, working_set); i < ceilings->points; i++) {
        rate = higher(rate, rate_of(ceilings, i, update));
    }
    return rate;
}
