/* Waits and forecasts as JSON: what a reader wants of the results, and its description. */
#include "report/queue/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/common/field_rows.h"
#include "report/json/record.h"
#include "report/queue/queue.h"

/* ---- waits ---------------------------------------------------------------------------------- */

struct row {
    const char *row;
    struct be_wait_cell all;
    const struct be_wait_cell *cell; /* one a column */
    size_t cells;
};

struct span {
    char from[BE_WORD];
    struct be_wait_cell cell;
    double q90_s;
};

struct reject {
    const char *file, *why, *text;
    uint64_t line;
};

struct waits {
    const char *by, *size, *of, *from, *arrays;
    double quantile;
    char first[BE_WORD], last[BE_WORD];
    const double *edge;
    struct row *row;
    struct span *span;
    size_t edges, rows, spans;
    struct be_wait_counts counts;
    struct reject reject[BE_REJECTS];
    int rejects;
};

static const struct be_field cell[] = {
    FIELD(be_wait_cell, WHOLE, n),    FIELD(be_wait_cell, REAL, wait_s),
    FIELD(be_wait_cell, REAL, lo_s),  FIELD(be_wait_cell, REAL, hi_s),
    FIELD(be_wait_cell, REAL, q25_s), FIELD(be_wait_cell, REAL, q75_s),
};
static const struct be_fields cells = FIELDS(cell);

static const struct be_field row_of[] = {
    FIELD(row, CITED, row),
    PART(row, all, cells),
    OWNED(row, cell, cells, &cells),
};
static const struct be_fields rows = FIELDS(row_of);

static const struct be_field span_of[] = {
    FIELD(span, TEXT, from),
    FIELD_AS(span, WHOLE, "n", cell.n),
    FIELD_AS(span, REAL, "wait_s", cell.wait_s),
    FIELD_AS(span, REAL, "lo_s", cell.lo_s),
    FIELD_AS(span, REAL, "hi_s", cell.hi_s),
    FIELD_AS(span, REAL, "q25_s", cell.q25_s),
    FIELD_AS(span, REAL, "q75_s", cell.q75_s),
    FIELD(span, REAL, q90_s),
};
static const struct be_fields spans = FIELDS(span_of);

static const struct be_field count[] = {
    FIELD(be_wait_counts, WHOLE, lines),       FIELD(be_wait_counts, WHOLE, bytes),
    FIELD(be_wait_counts, WHOLE, jobs),        FIELD(be_wait_counts, WHOLE, steps),
    FIELD(be_wait_counts, WHOLE, counted),     FIELD(be_wait_counts, WHOLE, filtered),
    FIELD(be_wait_counts, WHOLE, not_started), FIELD(be_wait_counts, WHOLE, negative),
    FIELD(be_wait_counts, WHOLE, no_size),     FIELD(be_wait_counts, WHOLE, no_limit),
    FIELD(be_wait_counts, WHOLE, no_eligible), FIELD(be_wait_counts, WHOLE, held_first),
    FIELD(be_wait_counts, WHOLE, rejected),
};
static const struct be_fields counts = FIELDS(count);

static const struct be_field reject_of[] = {
    FIELD(reject, CITED, file),
    FIELD(reject, WHOLE, line),
    FIELD(reject, CITED, why),
    FIELD(reject, CITED, text),
};
static const struct be_fields rejects = FIELDS(reject_of);

static const struct be_field waits[] = {
    FIELD(waits, CITED, by),
    FIELD(waits, CITED, size),
    FIELD(waits, CITED, of),
    FIELD(waits, CITED, from),
    FIELD(waits, CITED, arrays),
    FIELD(waits, REAL, quantile),
    FIELD(waits, NOTE, first),
    FIELD(waits, NOTE, last),
    OWNED_REALS(waits, edge, edges),
    OWNED(waits, row, rows, &rows),
    OWNED(waits, span, spans, &spans),
    PART(waits, counts, counts),
    FIXED(waits, "rejected", reject, rejects, rejects),
    FIELD_AS(waits, FLAG, "local_times", counts.local_times),
};
const struct be_fields be_fields_waits = FIELDS(waits);

static struct waits head_of(const struct be_wait_table *table) {
    static const char *const kind[BE_ROWS_KINDS] = {"partition", "hour", "weekday",
                                                    "gpus",      "cpus", "mem"};
    struct waits w = {
        .by = kind[table->kind],
        .size = table->memory_hours ? "GB-hours" : "CPU-hours",
        .of = table->used ? "used" : "requested",
        .from = table->from_eligible ? "eligible" : "submit",
        .arrays = table->arrays ? "job" : "task",
        .quantile = table->quantile,
        .edge = table->edge,
        .edges = table->columns > 0 ? (size_t)table->columns - 1 : 0,
        .counts = table->counts,
    };
    if (table->counts.counted > 0) {
        be_format_moment(w.first, sizeof w.first, table->first_s, false);
        be_format_moment(w.last, sizeof w.last, table->last_s, false);
    }
    return w;
}

void be_wait_json(const struct be_wait_table *table, struct be_text *out) {
    struct waits w = head_of(table);
    w.row = calloc((size_t)table->rows + 1, sizeof *w.row);
    w.span = calloc((size_t)table->spans + 1, sizeof *w.span);
    for (int i = 0; w.row && i < table->rows; i++) {
        w.row[w.rows++] = (struct row){.row = table->row[i].name,
                                       .all = table->all[i],
                                       .cell = &table->cell[i * table->columns],
                                       .cells = (size_t)table->columns};
    }
    for (int i = 0; w.span && i < table->spans; i++) {
        struct span *span = &w.span[w.spans++];
        *span = (struct span){.cell = table->span[i].cell, .q90_s = table->span[i].high_s};
        be_format_moment(span->from, sizeof span->from, table->span[i].from_s, true);
    }
    for (; w.rejects < BE_REJECTS && (uint64_t)w.rejects < table->counts.rejected; w.rejects++) {
        w.reject[w.rejects] = (struct reject){.file = table->counts.reject[w.rejects].file,
                                              .why = table->counts.reject[w.rejects].why,
                                              .text = table->counts.reject[w.rejects].text,
                                              .line = table->counts.reject[w.rejects].line};
    }
    be_json_add_head(out, "queue");
    be_json_add_fields(out, &be_fields_waits, &w);
    be_text_add(out, "}\n");
    out->failed |= !w.row || !w.span;
    free(w.row);
    free(w.span);
}

/* ---- forecasts ------------------------------------------------------------------------------ */

struct partition {
    const char *partition;
    int n, waiting;
    bool enough;
    char beyond[BE_NAME];
    uint64_t held[BE_HOLDS];
    double occasions; /* NAN: not enough data */
    double q50_s, q90_s, p_deadline, slurm_s, table_q50_s, table_q90_s;
};

struct forecast {
    bool forecast, live, gpus_unknown;
    char now[BE_WORD];
    double deadline_in_s, cpus, gpus, memory_bytes, limit_s;
    struct partition *partition;
    size_t partitions;
    int partitions_too_small;
    uint64_t bystanders, limited, no_eligible;
};

struct forecasts {
    struct forecast *forecast;
    size_t forecasts;
};

static const struct be_field hold[] = {
    FIELD_AS(partition, WHOLE, "held", held[BE_HOLD_HELD]),
    FIELD_AS(partition, WHOLE, "begin", held[BE_HOLD_BEGIN]),
    FIELD_AS(partition, WHOLE, "dependency", held[BE_HOLD_DEPENDENCY]),
    FIELD_AS(partition, WHOLE, "limit", held[BE_HOLD_LIMIT]),
    FIELD_AS(partition, WHOLE, "unsaid", held[BE_HOLD_UNSAID]),
};
static const struct be_fields holds = FIELDS(hold);

static const struct be_field partition_of[] = {
    FIELD(partition, CITED, partition),
    FIELD(partition, INT, n),
    FIELD(partition, FLAG, enough),
    FIELD(partition, INT, waiting),
    FIELD(partition, NOTE, beyond),
    {.name = "cannot_run", .kind = BE_FIELD_PART, .at = 0, .of = &holds}, /* of the partition */
    FIELD(partition, REAL, occasions),
    FIELD(partition, REAL, q50_s),
    FIELD(partition, REAL, q90_s),
    FIELD(partition, REAL, p_deadline),
    FIELD(partition, REAL, slurm_s),
    FIELD(partition, REAL, table_q50_s),
    FIELD(partition, REAL, table_q90_s),
};
static const struct be_fields partitions = FIELDS(partition_of);

static const struct be_field forecast_of[] = {
    FIELD(forecast, FLAG, forecast),
    FIELD(forecast, FLAG, live),
    FIELD(forecast, TEXT, now),
    FIELD(forecast, REAL, deadline_in_s),
    FIELD(forecast, REAL, cpus),
    FIELD(forecast, REAL, gpus),
    FIELD(forecast, REAL, memory_bytes),
    FIELD(forecast, REAL, limit_s),
    OWNED(forecast, partition, partitions, &partitions),
    FIELD(forecast, INT, partitions_too_small),
    FIELD(forecast, FLAG, gpus_unknown),
    FIELD(forecast, WHOLE, bystanders),
    FIELD(forecast, WHOLE, limited),
    FIELD(forecast, WHOLE, no_eligible),
};
const struct be_fields be_fields_forecast = FIELDS(forecast_of);

static const struct be_field forecast_list[] = {
    OWNED(forecasts, forecast, forecasts, &be_fields_forecast),
};
const struct be_fields be_fields_forecasts = FIELDS(forecast_list);

static struct partition partition_from(const struct be_forecast_row *row) {
    struct partition p = {
        .partition = row->partition,
        .n = row->n,
        .enough = row->enough,
        .waiting = row->waiting,
        .occasions = row->occasions >= 0 ? row->occasions : (double)NAN,
        .q50_s = row->q50_s,
        .q90_s = row->q90_s,
        .p_deadline = row->p_deadline,
        .slurm_s = row->slurm_s,
        .table_q50_s = row->table_q50_s,
        .table_q90_s = row->table_q90_s,
    };
    be_copy_text(p.beyond, sizeof p.beyond, row->beyond ? row->beyond : "");
    memcpy(p.held, row->held, sizeof p.held);
    return p;
}

/* Its partitions are the caller's to free; NULL: no memory. */
static struct forecast forecast_from(const struct be_forecast *f) {
    struct forecast made = {
        .forecast = true,
        .live = f->live,
        .gpus_unknown = f->gpus_unknown,
        .deadline_in_s = f->deadline_in_s,
        .cpus = f->wish.cpus,
        .gpus = f->wish.gpus,
        .memory_bytes = f->wish.memory_bytes > 0 ? f->wish.memory_bytes : NAN,
        .limit_s = f->wish.limit_s,
        .partition = calloc((size_t)f->rows + 1, sizeof *made.partition),
        .partitions_too_small = f->too_small,
        .bystanders = f->bystanders,
        .limited = f->limited,
        .no_eligible = f->counts.no_eligible,
    };
    be_format_moment(made.now, sizeof made.now, f->now_s, false);
    for (int i = 0; made.partition && i < f->rows; i++) {
        made.partition[made.partitions++] = partition_from(&f->row[i]);
    }
    return made;
}

void be_forecast_json(const struct be_forecast *f, struct be_text *out) {
    struct forecast made = forecast_from(f);
    be_json_add_head(out, "queue");
    be_json_add_fields(out, &be_fields_forecast, &made);
    be_text_add(out, "}\n");
    out->failed |= !made.partition;
    free(made.partition);
}

void be_forecast_grid_json(const struct be_forecast_grid *grid, struct be_text *out) {
    struct forecasts all = {.forecast = calloc((size_t)grid->jobs + 1, sizeof *all.forecast)};
    for (int i = 0; all.forecast && i < grid->jobs; i++) {
        all.forecast[all.forecasts++] = forecast_from(&grid->forecast[i]);
        out->failed |= !all.forecast[i].partition;
    }
    be_json_add_head(out, "queue");
    be_json_add_fields(out, &be_fields_forecasts, &all);
    be_text_add(out, "}\n");
    out->failed |= !all.forecast;
    for (size_t i = 0; i < all.forecasts; i++) {
        free(all.forecast[i].partition);
    }
    free(all.forecast);
}
