/*
 * Where one device passes another.
 *
 * A point is ahead or behind when its verdict says so beyond doubt, else undecided. The largest
 * size decides the status. The crossing lies between the last point that is behind (or the
 * smallest size, when none is) and the first of the points that are ahead without a gap up to
 * the end. In there the ratio is a curve, straight in log size and log ratio, and its crossing is the
 * *last* size at which it is 1 or more: so that the device stays ahead.
 *
 * The interval is not read off that curve: between two sizes nothing was measured, and there may be
 * a step (a cache, another algorithm). It reaches from the last size at which the lower end of the
 * ratio's interval is 1 or more to the size after the last at which the upper end is.
 */
#include "bench/crossing.h"

#include <math.h>

enum standing { BEHIND, UNDECIDED, AHEAD };
enum curve { LO, MEDIAN, HI };

/* log ratio where nothing was measured: no doubt is larger */
static const double UNKNOWN_LOG = 50;

/* Bracket of a crossing, as indices: `behind` is -1 when no point up to `ahead` is behind. */
struct bracket {
    int behind, last, ahead; /* last behind, last not ahead, first ahead for good */
};

static enum standing standing_of(const struct be_point *point) {
    const struct be_ratio *r = &point->ratio;
    /* lo > 0: a ratio that was never filled in reads as zero and must not count as ahead */
    if (r->verdict == BE_FASTER && r->lo > 0 && r->hi < 1) {
        return AHEAD;
    }
    if (r->verdict == BE_SLOWER && r->lo > 1) {
        return BEHIND;
    }
    return UNDECIDED;
}

static double log_or(double value, double otherwise) {
    return isfinite(value) && value > 0 ? log(value) : otherwise;
}

/* The log of the ratio, or of one end of its interval. A point that is not ahead must not count
 * as passed: its upper end is at least 1, and where the two are the same the ratio is 1. */
static double height(const struct be_point *point, enum curve curve) {
    const struct be_ratio *r = &point->ratio;
    bool undecided = standing_of(point) == UNDECIDED;
    if (curve == LO) {
        return log_or(r->lo, -UNKNOWN_LOG);
    }
    if (curve == HI) {
        return undecided ? fmax(0, log_or(r->hi, UNKNOWN_LOG)) : log_or(r->hi, UNKNOWN_LOG);
    }
    double median = log_or(r->median, 0);
    return undecided && r->verdict == BE_SAME ? fmax(0, median) : median;
}

/* Size at which the ratio is 1 between two points, one at or above and the other below. */
static double interpolate(const struct be_point *left, const struct be_point *right) {
    double from = height(left, MEDIAN), to = height(right, MEDIAN);
    double x0 = (double)left->size, x1 = (double)right->size;
    double x = x0 * pow(x1 / x0, from / (from - to));
    return fmin(fmax(x, x0), x1);
}

/* Index in [first, end) of the last point at which the curve is 1 or more; -1: at none. */
static int last_above(const struct be_point *points, int first, int end, enum curve curve) {
    int i = end - 1;
    while (i >= first && height(&points[i], curve) < 0) {
        i--;
    }
    return i >= first ? i : -1;
}

/* Index of the first point after points[start] at which the curve is 1 or more; the last is. */
static int first_above(const struct be_point *points, int start, int count, enum curve curve) {
    int i = start + 1;
    while (i < count - 1 && height(&points[i], curve) < 0) {
        i++;
    }
    return i;
}

/* Index of the last point of that standing, -1 when there is none. */
static int last_of(const struct be_point *points, int count, enum standing standing) {
    int i = count - 1;
    while (i >= 0 && standing_of(&points[i]) != standing) {
        i--;
    }
    return i;
}

/* Bracket of the crossing into the stretch that ends with the last point, which is ahead. */
static struct bracket bracket_of(const struct be_point *points, int count) {
    struct bracket bracket = {.behind = last_of(points, count, BEHIND), .last = count - 1};
    while (bracket.last >= 0 && standing_of(&points[bracket.last]) == AHEAD) {
        bracket.last--;
    }
    bracket.ahead = bracket.last + 1;
    return bracket;
}

/* Is the crossing one from behind to ahead, with nothing but undecided points between? If not
 * (ahead, undecided, ahead, or undecided from the start) there is no crossing of the ratio to
 * speak of, only doubt, and the device is known to stay ahead only where the doubt ends. */
static bool is_direct(const struct be_point *points, const struct bracket *bracket) {
    if (bracket->behind < 0) {
        return false;
    }
    for (int i = bracket->behind + 1; i < bracket->ahead; i++) {
        if (standing_of(&points[i]) == AHEAD) {
            return false;
        }
    }
    return true;
}

static void cross(struct be_crossing *crossing, const struct be_point *points, int count) {
    struct bracket bracket = bracket_of(points, count);
    int first = bracket.behind < 0 ? 0 : bracket.behind;
    const int above[] = {[LO] = last_above(points, first, bracket.ahead, LO),
                         [MEDIAN] = last_above(points, first, bracket.ahead, MEDIAN),
                         [HI] = last_above(points, first, bracket.ahead, HI)};
    crossing->lo = (double)points[above[LO] < 0 ? first : above[LO]].size;
    crossing->hi = (double)points[above[HI] < 0 ? first : above[HI] + 1].size;
    crossing->from = crossing->hi;
    if (is_direct(points, &bracket) && above[MEDIAN] >= 0) {
        const struct be_point *left = &points[above[MEDIAN]];
        crossing->from = interpolate(left, left + 1);
    }
    crossing->from = fmin(fmax(crossing->from, crossing->lo), crossing->hi);
}

/* Where it falls behind after points[end], which is ahead. */
static void cross_back(struct be_crossing *crossing, const struct be_point *points, int end,
                       int count) {
    const struct be_point *right = &points[first_above(points, end, count, MEDIAN)];
    crossing->until_lo = (double)points[first_above(points, end, count, HI) - 1].size;
    crossing->until_hi = (double)points[first_above(points, end, count, LO)].size;
    crossing->until = interpolate(right - 1, right);
    crossing->until = fmin(fmax(crossing->until, crossing->until_lo), crossing->until_hi);
}

static enum be_breakeven_status status_of(const struct be_point *points, int count) {
    switch (standing_of(&points[count - 1])) {
    case AHEAD:
        return bracket_of(points, count).last < 0 ? BE_EVEN_ALWAYS : BE_EVEN_FROM;
    case BEHIND:
        return last_of(points, count, AHEAD) < 0 ? BE_EVEN_NEVER : BE_EVEN_BETWEEN;
    case UNDECIDED:
        break;
    }
    return BE_EVEN_CLOSE;
}

struct be_crossing be_crossing_find(const struct be_point *points, int count) {
    struct be_crossing crossing = {BE_EVEN_CLOSE, NAN, NAN, NAN, NAN, NAN, NAN};
    if (count < 1) {
        return crossing;
    }
    crossing.status = status_of(points, count);
    if (crossing.status == BE_EVEN_FROM) {
        cross(&crossing, points, count);
    } else if (crossing.status == BE_EVEN_BETWEEN) {
        /* of several stretches the last: it is nearest to the sizes where a GPU should win */
        int end = last_of(points, count, AHEAD);
        cross(&crossing, points, end + 1);
        cross_back(&crossing, points, end, count);
    }
    return crossing;
}

/* A size that halves the gap between two neighbours in log size; 0 when it is narrow enough. */
static uint64_t split(const struct be_point *left, const struct be_point *right, double ratio) {
    double a = (double)left->size, b = (double)right->size;
    if (b <= a * ratio) {
        return 0;
    }
    uint64_t middle = (uint64_t)(sqrt(a) * sqrt(b) + 0.5);
    return middle > left->size && middle < right->size ? middle : 0;
}

/* Narrows a bracket from both ends. Undecided points within it are left alone: there it is the
 * noise that hides the crossing, and another size would not help. */
static uint64_t narrow(const struct be_point *points, int left, int right, double ratio) {
    uint64_t size = split(&points[right - 1], &points[right], ratio);
    return size ? size : split(&points[left], &points[left + 1], ratio);
}

uint64_t be_crossing_next(const struct be_point *points, int count, double ratio) {
    enum be_breakeven_status status = be_crossing_find(points, count).status;
    if (status != BE_EVEN_FROM && status != BE_EVEN_BETWEEN) {
        return 0;
    }
    ratio = fmax(ratio, 1.01); /* no timing tells sizes apart that lie closer */
    int end = last_of(points, count, AHEAD);
    struct bracket bracket = bracket_of(points, end + 1);
    uint64_t size = 0;
    if (bracket.last >= 0) {
        size = narrow(points, bracket.behind < 0 ? bracket.last : bracket.behind, bracket.ahead,
                      ratio);
    }
    if (size || status == BE_EVEN_FROM) {
        return size;
    }
    int behind = end + 1;
    while (standing_of(&points[behind]) != BEHIND) {
        behind++;
    }
    return narrow(points, end, behind, ratio);
}

double be_calls_to_repay(double once_s, double call_s, double other_call_s) {
    double saved_s = other_call_s - call_s;
    if (!(saved_s > 0) || !(once_s >= 0) || !isfinite(once_s) || !isfinite(saved_s)) {
        return NAN;
    }
    /* the last digits of the quotient are rounding: 1 / (0.3 - 0.2) is 10 calls, not 11 */
    return ceil(once_s / saved_s * (1 - 1e-12));
}

struct be_span be_calls_span(const struct be_span *once_s, const struct be_ratio *ratio,
                             const struct be_span *other_s) {
    struct be_span calls = {NAN, NAN, NAN};
    if (ratio->verdict == BE_FASTER) {
        calls.median =
            be_calls_to_repay(once_s->median, ratio->median * other_s->median, other_s->median);
        calls.lo = be_calls_to_repay(once_s->lo, ratio->lo * other_s->hi, other_s->hi);
        calls.hi = be_calls_to_repay(once_s->hi, ratio->hi * other_s->lo, other_s->lo);
    }
    return calls;
}
