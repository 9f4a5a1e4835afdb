#include "bench/time_left.h"

#include <math.h>

double be_time_left_size(int cases, double usual_s, double calls_s) {
    return cases * usual_s + (isnan(calls_s) ? 0 : calls_s);
}

void be_time_left_begin(struct be_time_left *left, double now_s, double size_s, double later_s) {
    left->from_s = now_s;
    left->size_s = size_s;
    left->later_s = later_s;
}

void be_time_left_end(struct be_time_left *left, double now_s) {
    left->took_s += now_s - left->from_s;
    left->planned_s += left->size_s;
    left->from_s = now_s;
    left->size_s = 0;
}

double be_time_left_s(const struct be_time_left *left, double now_s) {
    const double off = left->planned_s > 0 ? left->took_s / left->planned_s : 1;
    if (!(left->size_s + left->later_s > 0)) {
        return NAN;
    }
    return fmax(0, off * left->size_s - (now_s - left->from_s)) + off * left->later_s;
}
