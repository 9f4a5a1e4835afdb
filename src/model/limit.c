#include "model/limit.h"

#include <math.h>

#include "base/error.h"

/* The kinds of traffic one after the other: at 0 bytes a rate that is not known costs nothing. */
static double memory_s(const struct be_ceilings *ceilings, const struct be_demand *demand) {
    const double set = demand->working_set;
    const double other = demand->bytes - demand->updated;
    double seconds = 0;
    if (other > 0) {
        seconds += other / be_ceilings_memory(ceilings, set, false, demand->write);
    }
    if (demand->updated > 0) {
        seconds += demand->updated / be_ceilings_memory(ceilings, set, true, demand->write);
    }
    if (demand->again > 0) {
        seconds += demand->again / be_ceilings_memory(ceilings, demand->again_set, false, false);
    }
    return seconds;
}

static enum be_arithmetic plain_of(enum be_arithmetic arithmetic) {
    return arithmetic == BE_MATRIX32   ? BE_PLAIN32
           : arithmetic == BE_MATRIX64 ? BE_PLAIN64
                                       : arithmetic;
}

/* Where the rate of one type is not known, that may be the faster one. */
static double narrow_rate(const struct be_ceilings *ceilings) {
    const double *rate = ceilings->operations;
    return isnan(rate[BE_MATRIX32]) || isnan(rate[BE_MATRIX64])
               ? NAN
               : fmax(rate[BE_MATRIX32], rate[BE_MATRIX64]);
}

/* Are there operations whose time is not known, and may be longer than `others_s`? `plain`: the rate that they have at
 * least. */
static bool is_open(double operations, double rate, double plain, double others_s) {
    return operations > 0 && isnan(rate) && !(operations / plain <= others_s);
}

double be_limit_seconds(const struct be_ceilings *ceilings, const struct be_demand *demand,
                        enum be_limit *by) {
    double in_s = demand->bus_in / ceilings->bus_in;
    double out_s = demand->bus_out / ceilings->bus_out;
    const double *const rates = ceilings->operations;
    const double rate = rates[demand->arithmetic];
    const struct {
        double seconds;
        enum be_limit by;
    } term[] = {
        {memory_s(ceilings, demand),
         demand->working_set <= ceilings->cache_bytes ? BE_BY_CACHE : BE_BY_MEMORY},
        {demand->operations / rate, BE_BY_OPERATIONS},
        {demand->narrow / narrow_rate(ceilings), BE_BY_OPERATIONS}, /* on other units, perhaps */
        {demand->dependent * ceilings->latency_s,
         BE_BY_LATENCY},                /* not known: the others, which are no less true */
        {fmax(in_s, out_s), BE_BY_BUS}, /* of one not known: the other */
    };
    double limit = NAN;
    *by = BE_BY_NONE;
    for (size_t i = 0; i < BE_COUNT(term); i++) {
        if (term[i].seconds > 0 && (isnan(limit) || term[i].seconds > limit)) {
            limit = term[i].seconds;
            *by = term[i].by;
        }
    }
    if (is_open(demand->operations, rate, rates[plain_of(demand->arithmetic)], limit) ||
        is_open(demand->narrow, narrow_rate(ceilings), rates[BE_PLAIN32], limit)) {
        *by = BE_BY_NONE;
        return NAN;
    }
    return limit;
}
