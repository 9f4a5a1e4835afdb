/* A user's results, held against the reference: every output by itself, so that small numbers are not lost beside
 * large ones. */
#include "own/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "own/code.h"

static double number(const void *array, enum be_element element, bool wide, size_t i) {
    switch (element) {
    case BE_OWN_REAL:
        return wide ? ((const double *)array)[i] : (double)((const float *)array)[i];
    case BE_OWN_FLOAT32:
        return (double)((const float *)array)[i];
    case BE_OWN_FLOAT64:
        return ((const double *)array)[i];
    case BE_OWN_INT32:
        return (double)((const int32_t *)array)[i];
    case BE_OWN_INT64:
        return (double)((const int64_t *)array)[i];
    default:
        return (double)((const uint8_t *)array)[i];
    }
}

static size_t count_of(const struct be_work *work, const struct be_computation *c, int k) {
    return c->elementwise ? work->items : (size_t)be_own_count(work->problem, k);
}

/* The CPU's own code, by one thread, is the reference: its outputs are put down as doubles. */
static void from_cpu(const struct be_work *work, double *const out[BE_ARRAYS]) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    const bool wide = work->problem->real == BE_REAL64;
    for (int k = 0; k < c->arrays; k++) {
        if (c->array[k].role == BE_OWN_UPDATED) {
            memcpy(be_work_array(work, own->output[k]), be_work_array(work, own->input[k]),
                   count_of(work, c, k) * be_own_element_bytes(work->problem, k));
        }
    }
    be_own_host(work);
    for (int k = 0; k < c->arrays; k++) {
        const size_t n = out[k] ? count_of(work, c, k) : 0;
        const void *from = n ? be_work_array(work, own->output[k]) : NULL;
        for (size_t i = 0; i < n; i++) {
            out[k][i] = number(from, c->array[k].element, wide, i);
        }
    }
}

static void from_reference(const struct be_work *work, double *const out[BE_ARRAYS]) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    const bool wide = work->problem->real == BE_REAL64;
    void *of[BE_ARRAYS] = {NULL};
    for (int k = 0; k < c->arrays; k++) {
        const void *from = own->input[k] >= 0 ? be_work_array(work, own->input[k]) : NULL;
        of[k] = out[k] ? (void *)out[k] : (void *)from;
        for (size_t i = 0; out[k] && from && i < count_of(work, c, k); i++) {
            out[k][i] = number(from, c->array[k].element, wide, i);
        }
    }
    const struct be_call call = be_own_call(work, of);
    c->reference(&call);
}

void be_own_reference(const struct be_work *work, double *reference) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    double *out[BE_ARRAYS] = {NULL};
    struct be_work alone = *work;
    alone.member = 0;
    alone.members = 1;
    if (work->member != 0) {
        return;
    }
    double *at = reference;
    for (int k = 0; k < c->arrays; k++) {
        if (own->output[k] >= 0) {
            out[k] = at;
            at += count_of(work, c, k);
        }
    }
    (c->reference ? from_reference : from_cpu)(&alone, out);
}

/* The sum of the squares of an output's reference; 1 where it is 0. Each member has it by itself: there is no place
 * where members could leave it for each other. */
static double scale_of(const double *right, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += isfinite(right[i]) ? right[i] * right[i] : 0;
    }
    return sum > 0 ? sum : 1;
}

/* 0 where both are the same, infinities and NaNs included; NAN where one alone is a NaN. */
static double distance(double z, double right) {
    return z == right || (isnan(z) && isnan(right)) ? 0 : z - right;
}

/* Is anything else behind the end of the user's array k than before the call? Outputs are poisoned with 0xff; one that is
 * updated has what is behind its inputs. */
static bool is_overrun(const struct be_work *work, int k) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    const struct be_shape shape = be_problem_shape(work->problem);
    if (be_own_guard_bytes(c) == 0 || own->output[k] < 0) {
        return false;
    }
    const unsigned char *after = be_work_array(work, own->output[k]);
    const unsigned char *before = own->input[k] >= 0 ? be_work_array(work, own->input[k]) : NULL;
    bool overrun = false;
    for (size_t i = count_of(work, c, k) * be_own_element_bytes(work->problem, k);
         i < shape.item_bytes[own->output[k]]; i++) {
        overrun |= after[i] != (before ? before[i] : 0xff);
    }
    return overrun;
}

void be_own_residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    const bool wide = work->problem->real == BE_REAL64;
    const double *right = reference;
    for (int k = 0; k < c->arrays && !c->unchecked; k++) {
        size_t first;
        size_t count;
        if (own->output[k] < 0) {
            continue;
        }
        const size_t n = count_of(work, c, k);
        const double scale = scale_of(right, n);
        *difference += work->member == 0 && is_overrun(work, k) ? INFINITY : 0;
        const void *array = be_work_array(work, own->output[k]);
        be_team_share(n, BE_WHOLE_ALIGN, work->member, work->members, &first, &count);
        for (size_t i = first; i < first + count; i++) {
            const double d = distance(number(array, c->array[k].element, wide, i), right[i]);
            *difference += d * d / scale;
        }
        right += n;
    }
    *norm += work->member == 0
                 ? 1
                 : 0; /* each output counts as 1: the sum is no less than the worst of them */
}

void be_own_explain(const struct be_work *work, const double *reference, char note[BE_NOTE]) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    const bool wide = work->problem->real == BE_REAL64;
    const double *right = reference;
    double worst = 0;
    note[0] = '\0';
    for (int k = 0; k < c->arrays; k++) {
        if (is_overrun(work, k)) {
            snprintf(note, BE_NOTE,
                     "something is written behind the end of %.60s, which has %zu elements",
                     c->array[k].name, count_of(work, c, k));
            return;
        }
    }
    for (int k = 0; k < c->arrays; k++) {
        size_t off = 0, most = 0;
        double largest = 0;
        if (own->output[k] < 0) {
            continue;
        }
        const size_t n = count_of(work, c, k);
        const double allowed =
            be_problem_shape(work->problem).tolerance * sqrt(scale_of(right, n) / (double)n);
        const void *array = be_work_array(work, own->output[k]);
        for (size_t i = 0; i < n; i++) {
            const double d = fabs(distance(number(array, c->array[k].element, wide, i), right[i]));
            if (!(d <= allowed)) {
                most = off == 0 || d > largest ? i : most;
                largest = off == 0 || d > largest ? d : largest;
                off++;
            }
        }
        const double share = largest / sqrt(scale_of(right, n));
        if (off > 0 && !(share <= worst)) {
            worst = share;
            snprintf(note, BE_NOTE, "%.60s[%zu] is %.9g, the reference has %.9g; %zu of %zu differ",
                     c->array[k].name, most, number(array, c->array[k].element, wide, most),
                     right[most], off, n);
        }
        right += n;
    }
}
