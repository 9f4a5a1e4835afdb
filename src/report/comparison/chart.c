#include "report/comparison/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/comparison/block.h"
#include "report/comparison/overview.h"

static bool same_workload(const struct be_result *a, const struct be_result *b) {
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->dtype, b->dtype) == 0;
}

/* ---- points --------------------------------------------------------------------------------- */

/* One curve to collect. */
struct wanted {
    const struct be_chart_panel *panel;
    enum be_placement placement;
};

static bool is_on(const struct wanted *wanted, const struct be_result *r) {
    const struct be_chart_panel *panel = wanted->panel;
    const char *device = wanted->placement == BE_HOST ? "cpu" : panel->device;
    return r->placement == wanted->placement && device && strcmp(r->device, device) == 0 &&
           (r->cache == panel->cache || r->cache == BE_BEYOND) &&
           strcmp(r->variant, BE_AS_PUBLISHED) != 0 && same_workload(r, panel->like);
}

static bool has_time(const struct be_result *r) {
    const double s = r->phase[BE_TOTAL].median_s;
    return r->status == BE_RESULT_OK && r->size > 0 && isfinite(s) && s > 0;
}

/* Nothing on the most threads of the CPU has a time at this size: fewer are no baseline in good faith, as for the
 * break-even. */
static bool is_lost(const struct wanted *wanted, uint64_t size) {
    int max = 0;
    bool right = false;
    for (size_t i = 0; i < wanted->panel->all->results; i++) {
        const struct be_result *r = &wanted->panel->all->result[i];
        if (r->size == size && is_on(wanted, r) && r->threads >= max) {
            right = has_time(r) || (r->threads == max && right);
            max = r->threads;
        }
    }
    return wanted->placement == BE_HOST && !right;
}

static struct be_chart_point point_of(const struct be_result *r) {
    const struct be_summary *total = &r->phase[BE_TOTAL];
    const bool lo = total->lo_s > 0 && total->lo_s <= total->median_s;
    const bool hi = isfinite(total->hi_s) && total->hi_s >= total->median_s;
    return (struct be_chart_point){
        .size = (double)r->size,
        .s = total->median_s,
        .lo_s = lo ? total->lo_s : total->median_s,
        .hi_s = hi ? total->hi_s : total->median_s,
        .limit_s = isfinite(r->limit_s) && r->limit_s > 0 ? r->limit_s : NAN,
    };
}

/* The fastest case of each size, with the limit of all of them: that of one core is not the CPU's. */
static void take(struct be_chart_curve *curve, const struct be_result *r) {
    const struct be_chart_point point = point_of(r);
    int at = 0;
    while (at < curve->points && curve->point[at].size < point.size) {
        at++;
    }
    if (at < curve->points && !(curve->point[at].size > point.size)) {
        const double limit_s = fmin(curve->point[at].limit_s, point.limit_s);
        curve->point[at] = curve->point[at].s <= point.s ? curve->point[at] : point;
        curve->point[at].limit_s = limit_s;
        return;
    }
    memmove(&curve->point[at + 1], &curve->point[at],
            (size_t)(curve->points - at) * sizeof *curve->point);
    curve->point[at] = point;
    curve->points++;
}

static bool fill_curve(const struct wanted *wanted, struct be_chart_curve *curve) {
    const struct be_comparison *all = wanted->panel->all;
    size_t count = 0;
    for (size_t i = 0; i < all->results; i++) {
        count += is_on(wanted, &all->result[i]) && has_time(&all->result[i]);
    }
    curve->placement = wanted->placement;
    curve->point = calloc(count + 1, sizeof *curve->point);
    for (size_t i = 0; curve->point && i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (is_on(wanted, r) && has_time(r) && !is_lost(wanted, r->size)) {
            take(curve, r);
        }
    }
    return curve->point != NULL;
}

/* ---- panels --------------------------------------------------------------------------------- */

static const struct be_breakeven *even_of(const struct be_chart_panel *panel,
                                          enum be_placement placement, enum be_cache cache) {
    for (size_t i = 0; panel->device && i < panel->all->breakevens; i++) {
        const struct be_breakeven *even = &panel->all->breakeven[i];
        if (be_answer_is(BE_ANSWER_BEST, even) && even->placement == placement &&
            even->cache == cache && strcmp(even->device, panel->device) == 0 &&
            strcmp(even->workload, panel->like->workload) == 0 &&
            strcmp(even->dtype, panel->like->dtype) == 0) {
            return even;
        }
    }
    return NULL;
}

/* Warm data, where there are some. */
static enum be_cache cache_of(const struct be_chart_panel *panel) {
    bool has[BE_CACHES] = {false};
    for (size_t i = 0; i < panel->all->results; i++) {
        const struct be_result *r = &panel->all->result[i];
        const bool there =
            panel->device ? strcmp(r->device, panel->device) == 0 : r->placement == BE_HOST;
        has[r->cache] |= there && has_time(r) && same_workload(r, panel->like);
    }
    return has[BE_HOT] ? BE_HOT : has[BE_COLD] ? BE_COLD : BE_BEYOND;
}

static bool fill_panel(struct be_chart_panel *panel) {
    bool whole = true;
    panel->cache = cache_of(panel);
    for (int i = 0; i < panel->all->machine.devices && panel->device; i++) {
        const struct be_device_info *info = &panel->all->machine.device[i];
        panel->info = strcmp(info->id, panel->device) == 0 ? info : panel->info;
    }
    for (int placement = BE_HOST; placement < BE_PLACEMENTS; placement++) {
        const struct wanted wanted = {.panel = panel, .placement = (enum be_placement)placement};
        struct be_chart_curve *curve = &panel->curve[panel->curves];
        whole &= fill_curve(&wanted, curve);
        if (placement != BE_HOST && curve->points == 0) {
            free(curve->point);
            *curve = (struct be_chart_curve){0};
            continue;
        }
        curve->even = even_of(panel, curve->placement, panel->cache);
        panel->curves++;
    }
    return whole;
}

static bool has_panel(const struct be_chart_row *row, const char *device) {
    for (int i = 0; i < row->panels; i++) {
        if (row->panel[i].device && strcmp(row->panel[i].device, device) == 0) {
            return true;
        }
    }
    return false;
}

static void find_panels(struct be_chart_row *row, const struct be_comparison *all,
                        const struct be_result *like) {
    for (size_t i = 0; i < all->results && row->panels < BE_DEVICES_MAX; i++) {
        const struct be_result *r = &all->result[i];
        if (r->placement != BE_HOST && same_workload(r, like) && has_time(r) &&
            strcmp(r->variant, BE_AS_PUBLISHED) != 0 && !has_panel(row, r->device)) {
            row->panel[row->panels++] =
                (struct be_chart_panel){.all = all, .like = like, .device = r->device};
        }
    }
    if (row->panels == 0) {
        row->panel[row->panels++] = (struct be_chart_panel){.all = all, .like = like};
    }
}

/* ---- axes ----------------------------------------------------------------------------------- */

static void widen(struct be_axis *axis, double value) {
    axis->from = fmin(axis->from, log10(value));
    axis->to = fmax(axis->to, log10(value));
}

/* All of the times, and of the limits those that are not a decade below: a launch is thousands of times its
 * limit, and the curves would be flat. */
static bool find_axes(struct be_chart_row *row) {
    const double room = 0.03, below = 1;
    double limit = INFINITY;
    row->size = row->time = (struct be_axis){INFINITY, -INFINITY, BE_AXIS_LOG};
    for (int p = 0; p < row->panels; p++) {
        for (int c = 0; c < row->panel[p].curves; c++) {
            const struct be_chart_curve *curve = &row->panel[p].curve[c];
            for (int i = 0; i < curve->points; i++) {
                widen(&row->size, curve->point[i].size);
                widen(&row->time, curve->point[i].lo_s);
                widen(&row->time, curve->point[i].hi_s);
                limit = fmin(limit, curve->point[i].limit_s);
            }
        }
    }
    if (!(row->size.from <= row->size.to)) {
        return false;
    }
    if (isfinite(limit)) {
        row->time.from = fmin(row->time.from, fmax(log10(limit), row->time.from - below));
    }
    struct be_axis *const axis[] = {&row->size, &row->time};
    for (size_t i = 0; i < BE_COUNT(axis); i++) {
        const double pad = fmax(room * (axis[i]->to - axis[i]->from), room);
        axis[i]->from -= pad;
        axis[i]->to += pad;
    }
    return true;
}

static void free_row(struct be_chart_row *row) {
    for (int p = 0; p < row->panels; p++) {
        for (int c = 0; c < row->panel[p].curves; c++) {
            free(row->panel[p].curve[c].point);
        }
    }
    *row = (struct be_chart_row){0};
}

static bool is_new_workload(const struct be_comparison *all, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (same_workload(&all->result[k], &all->result[i])) {
            return false;
        }
    }
    return true;
}

static void add_row(struct be_chart *chart, const struct be_comparison *all, size_t i) {
    struct be_chart_row *row = &chart->row[chart->rows];
    find_panels(row, all, &all->result[i]);
    for (int p = 0; p < row->panels; p++) {
        chart->failed |= !fill_panel(&row->panel[p]);
    }
    if (!find_axes(row)) {
        free_row(row);
        return;
    }
    chart->rows++;
    chart->panels += row->panels;
    chart->columns = row->panels > chart->columns ? row->panels : chart->columns;
}

void be_chart_of(const struct be_comparison *comparison, struct be_chart *chart) {
    size_t workloads = 0;
    *chart = (struct be_chart){0};
    for (size_t i = 0; i < comparison->results; i++) {
        workloads += is_new_workload(comparison, i);
    }
    chart->row = calloc(workloads + 1, sizeof *chart->row);
    chart->failed = !chart->row;
    for (size_t i = 0; chart->row && i < comparison->results; i++) {
        if (is_new_workload(comparison, i)) {
            add_row(chart, comparison, i);
        }
    }
}

void be_chart_free(struct be_chart *chart) {
    for (int i = 0; i < chart->rows; i++) {
        free_row(&chart->row[i]);
    }
    free(chart->row);
    *chart = (struct be_chart){0};
}

/* ---- along a curve -------------------------------------------------------------------------- */

static double on_line(double a, double a_s, double b, double b_s, double at) {
    return a_s * pow(b_s / a_s, log(at / a) / log(b / a));
}

static double value_at(const struct be_chart_curve *curve, double size, bool limit) {
    for (int i = 0; i < curve->points && size > 0; i++) {
        const struct be_chart_point *p = &curve->point[i];
        const double s = limit ? p->limit_s : p->s;
        if (!(p->size < size) && !(p->size > size)) {
            return s;
        }
        if (p->size > size) {
            const struct be_chart_point *before = i > 0 ? p - 1 : NULL;
            return before ? on_line(before->size, limit ? before->limit_s : before->s, p->size, s,
                                    size)
                          : NAN;
        }
    }
    return NAN;
}

double be_chart_time_at(const struct be_chart_curve *curve, double size) {
    return value_at(curve, size, false);
}

double be_chart_limit_at(const struct be_chart_curve *curve, double size) {
    return value_at(curve, size, true);
}

struct be_chart_ahead be_chart_ahead_of(const struct be_breakeven *even) {
    struct be_chart_ahead ahead = {NAN, NAN, NAN, NAN, NAN};
    if (even->status == BE_EVEN_ALWAYS) {
        ahead.from = even->smallest;
        ahead.to = even->largest;
    } else if (even->status == BE_EVEN_FROM) {
        ahead = (struct be_chart_ahead){.from = even->hi,
                                        .to = even->largest,
                                        .doubt = even->lo,
                                        .doubt_end = even->hi,
                                        .at = even->from};
    } else if (even->status == BE_EVEN_BETWEEN) {
        ahead = (struct be_chart_ahead){.from = even->from,
                                        .to = even->until_lo,
                                        .doubt = even->until_lo,
                                        .doubt_end = even->until_hi,
                                        .at = even->until};
    }
    return ahead;
}

/* ---- words ---------------------------------------------------------------------------------- */

void be_chart_title(const struct be_chart_panel *panel, struct be_text *out) {
    const struct be_result *like = panel->like;
    be_text_add(out, "%s%s%s, %s%s%s", like->workload, *like->title ? ": " : "", like->title,
                like->dtype, *like->parameters ? ", " : "", like->parameters);
}

void be_chart_device(const struct be_chart_panel *panel, struct be_text *out) {
    const struct be_device_info *info = panel->info;
    if (!panel->device) {
        be_text_add(out, "the CPU alone");
        return;
    }
    be_text_add(out, "%s", panel->device);
    if (info) {
        const char *how[BE_ORIGINS] = {"", info->driver, "predicted"};
        be_text_add(out, ": %s%s%s", info->name, *how[info->origin] ? ", " : "", how[info->origin]);
    }
}

void be_chart_answer(const struct be_chart_panel *panel, enum be_placement placement,
                     char words[BE_NAME]) {
    be_overview_cell(panel->all, panel->like, panel->device, (int)placement, words);
}
