/*
 * Records -> how long jobs waited, by partition (or hour, weekday, GPUs, CPUs, memory) and by size.
 * One pass; what is kept grows with the different waits there are.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/name_order.h"
#include "accounting/input.h"
#include "accounting/blocks.h"
#include "accounting/names.h"
#include "accounting/rows.h"
#include "accounting/waits.h"

enum { DAYS_MAX = 40000, SPANS_MAX = 60 };

/* An array of tasks that is one job: what is known of it so far. */
struct array {
    uint64_t number;
    int64_t submit_s;
    double hours;
    uint32_t wait_s;
    int32_t row; /* -1: a free slot */
};

/* Waits, and how they go together in time. */
struct cell {
    struct be_waits waits;
    struct be_wait_blocks blocks;
};

struct counting {
    const struct be_wait_options *options;
    struct be_job_match match;
    struct be_zone *zone; /* of this process, where times are moments; NULL: as they stand */
    struct be_wait_table *table;
    struct be_idents partitions; /* of all jobs */
    struct be_idents rows;
    struct cell *cell; /* rows_room x columns */
    int rows_capacity;
    struct be_waits *day; /* of submission, from day_first on */
    int64_t day_first;
    int days;
    struct array *array;
    size_t arrays, arrays_capacity;
};

/* ---- rows and columns ----------------------------------------------------------------------- */

/* The moment as the clocks there show it. */
static int64_t shown_s(const struct counting *c, int64_t at_s) {
    return c->zone ? at_s + be_zone_offset(c->zone, at_s) : at_s;
}

/* The row of a job, added where it is new; -1: no host memory. */
static int row_of(struct counting *c, const struct be_record *record) {
    char name[BE_NAME];
    struct be_slice slice = record->partition;
    if (c->options->rows != BE_ROWS_PARTITION) {
        be_row_name(c->options->rows, record, shown_s(c, record->submit_s), name);
        slice = (struct be_slice){name, (uint32_t)strlen(name)};
    }
    return be_idents_add(&c->rows, slice);
}

static bool capacity_for_rows(struct counting *c) {
    if (c->rows.count <= c->rows_capacity) {
        return true;
    }
    int capacity = c->rows_capacity ? c->rows_capacity * 2 : 16;
    size_t columns = (size_t)c->table->columns;
    struct cell *cell = realloc(c->cell, (size_t)capacity * columns * sizeof *cell);
    if (!cell) {
        return false;
    }
    memset(cell + (size_t)c->rows_capacity * columns, 0,
           (size_t)(capacity - c->rows_capacity) * columns * sizeof *cell);
    c->cell = cell;
    c->rows_capacity = capacity;
    return true;
}

/* A record may stand for several tasks that wait: each is a job, unless an array is one. */
static uint32_t jobs_of(const struct counting *c, const struct be_record *record) {
    return c->options->arrays ? 1 : record->tasks;
}

/* CPU-hours or GB-hours, asked for or used; NAN: not known. */
static double hours_of(struct counting *c, const struct be_record *record) {
    double time_s = c->options->used ? record->elapsed_s : record->limit_s;
    if (!c->options->used && !(time_s < INFINITY)) {
        time_s = record->elapsed_s;
        c->table->counts.no_limit += jobs_of(c, record);
    }
    double amount = c->options->memory_hours ? record->memory_bytes / 0x1p30 : record->cpus;
    return amount * time_s / 3600;
}

static int column_of(const struct be_wait_table *table, double hours) {
    int column = 0;
    while (column + 1 < table->columns && hours >= table->edge[column]) {
        column++;
    }
    return column;
}

/* ---- over time ------------------------------------------------------------------------------ */

/* Room for this day; false: no host memory. Days that lie too far off are not charted. */
static bool capacity_for_day(struct counting *c, int64_t day) {
    int64_t first = c->days && c->day_first < day ? c->day_first : day;
    int64_t last = c->days && c->day_first + c->days - 1 > day ? c->day_first + c->days - 1 : day;
    if ((c->days && first == c->day_first && last == first + c->days - 1) ||
        last - first >= DAYS_MAX) {
        return true;
    }
    int days = (int)(last - first) + 1;
    struct be_waits *more = calloc((size_t)days, sizeof *more);
    if (!more) {
        return false;
    }
    if (c->days) {
        memcpy(more + (c->day_first - first), c->day, (size_t)c->days * sizeof *more);
    }
    free(c->day);
    c->day = more;
    c->day_first = first;
    c->days = days;
    return true;
}

static bool count_day(struct counting *c, int64_t submit_s, uint32_t wait_s, uint32_t tasks) {
    int64_t day = be_floor_div(shown_s(c, submit_s), 86400);
    if (!c->options->over_time) {
        return true;
    }
    if (!capacity_for_day(c, day)) {
        return false;
    }
    int64_t at = day - c->day_first;
    return at < 0 || at >= c->days || be_waits_add(&c->day[at], wait_s, tasks);
}

/* ---- a record ------------------------------------------------------------------------------- */

static bool count_wait(struct counting *c, int row, double hours, int64_t submit_s, uint32_t wait_s,
                       uint32_t tasks) {
    struct be_wait_table *table = c->table;
    int64_t local_s = shown_s(c, submit_s);
    int column = column_of(table, hours);
    table->first_s = table->counts.counted && table->first_s < local_s ? table->first_s : local_s;
    table->last_s = table->counts.counted && table->last_s > local_s ? table->last_s : local_s;
    table->counts.counted += tasks;
    struct cell *cell = &c->cell[row * table->columns + column];
    return be_waits_add(&cell->waits, wait_s, tasks) &&
           be_wait_blocks_add(&cell->blocks, be_floor_div(local_s, 86400), wait_s, tasks) &&
           count_day(c, submit_s, wait_s, tasks);
}

static size_t array_slot(const struct counting *c, uint64_t number, int64_t submit_s) {
    uint64_t mixed = (number * 0x9e3779b97f4a7c15u) ^ ((uint64_t)submit_s * 0xc2b2ae3d27d4eb4fu);
    size_t at = (size_t)(mixed >> 20) & (c->arrays_capacity - 1);
    while (c->array[at].row >= 0 &&
           (c->array[at].number != number || c->array[at].submit_s != submit_s)) {
        at = (at + 1) & (c->arrays_capacity - 1);
    }
    return at;
}

static bool capacity_for_array(struct counting *c) {
    if (c->arrays * 2 < c->arrays_capacity) {
        return true;
    }
    struct array *old = c->array;
    size_t count = c->arrays_capacity;
    c->arrays_capacity = count ? count * 2 : 1024;
    c->array = malloc(c->arrays_capacity * sizeof *c->array);
    if (!c->array) {
        c->array = old;
        c->arrays_capacity = count;
        return false;
    }
    for (size_t i = 0; i < c->arrays_capacity; i++) {
        c->array[i].row = -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (old[i].row >= 0) {
            c->array[array_slot(c, old[i].number, old[i].submit_s)] = old[i];
        }
    }
    free(old);
    return true;
}

/* A task of an array that counts as one job: the hours of all, the wait of the first. */
static bool count_task(struct counting *c, const struct be_record *record, int row, double hours,
                       uint32_t wait_s) {
    if (!capacity_for_array(c)) {
        return false;
    }
    struct array *array = &c->array[array_slot(c, record->array, record->submit_s)];
    hours *= record->tasks;
    if (array->row < 0) {
        c->arrays++;
        *array = (struct array){record->array, record->submit_s, hours, wait_s, row};
        return true;
    }
    array->hours += hours;
    array->wait_s = array->wait_s < wait_s ? array->wait_s : wait_s;
    return true;
}

/* A job that waits may name several. *asked: one of them is asked for. False: no host memory. */
static bool know_partitions(struct counting *c, struct be_slice list, bool *asked) {
    for (;;) {
        const char *comma = memchr(list.text, ',', list.length);
        const uint32_t length = comma ? (uint32_t)(comma - list.text) : list.length;
        const struct be_slice name = {list.text, length};
        *asked |= be_word_listed(&c->options->filter.partition, name);
        if (be_idents_add(&c->partitions, name) < 0) {
            return false;
        }
        if (!comma) {
            return true;
        }
        list = (struct be_slice){comma + 1, list.length - length - 1};
    }
}

static enum be_status take(void *context, const struct be_record *record, struct be_error *error) {
    struct counting *c = context;
    struct be_wait_counts *counts = &c->table->counts;
    const uint32_t jobs = jobs_of(c, record);
    bool asked = false, known = know_partitions(c, record->partition, &asked);
    if (!asked || !be_match(&c->match, record)) {
        counts->filtered += jobs;
        return BE_OK;
    }
    int64_t from_s =
        c->options->from_eligible && record->eligible_told ? record->eligible_s : record->submit_s;
    if (!record->started || from_s == BE_NO_TIME) {
        counts->not_started += jobs;
        return BE_OK;
    }
    int64_t wait_s = record->start_s - from_s;
    if (wait_s < 0 || wait_s > UINT32_MAX) {
        counts->negative += jobs;
        return BE_OK;
    }
    double hours = hours_of(c, record);
    if (!(hours >= 0)) {
        counts->no_size += jobs;
        return BE_OK;
    }
    counts->no_eligible += c->options->from_eligible && !record->eligible_told ? jobs : 0;
    counts->held_first += be_record_ready_s(record) > record->submit_s ? jobs : 0;
    int row = row_of(c, record);
    bool fits = known && row >= 0 && capacity_for_rows(c);
    bool task = c->options->arrays && memchr(record->id.text, '_', record->id.length);
    fits = fits && (task ? count_task(c, record, row, hours, (uint32_t)wait_s)
                         : count_wait(c, row, hours, record->submit_s, (uint32_t)wait_s, jobs));
    return fits ? BE_OK : be_fail(error, BE_NOMEM, "waits: no host memory");
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Partitions as they were asked for; all partitions by name; other rows as their numbers go. */
static enum be_status order_rows(const struct counting *c, int *order, struct be_error *error) {
    const struct be_word_list *asked = &c->options->filter.partition;
    for (int i = 0; i < asked->words; i++) {
        struct be_slice word = {asked->word[i], (uint32_t)strlen(asked->word[i])};
        if (be_idents_find(&c->partitions, word) < 0) {
            return be_idents_unknown(&c->partitions, asked->word[i], error);
        }
    }
    for (int i = 0; i < c->rows.count; i++) {
        order[i] = i;
    }
    return BE_OK;
}

static bool comes_first(const struct counting *c, int a, int b) {
    const char *left = c->rows.name[a], *right = c->rows.name[b];
    if (c->options->rows != BE_ROWS_PARTITION) {
        return be_row_key(c->options->rows, left) < be_row_key(c->options->rows, right);
    }
    const struct be_word_list *asked = &c->options->filter.partition;
    for (int i = 0; i < asked->words; i++) {
        if (strcmp(asked->word[i], left) == 0 || strcmp(asked->word[i], right) == 0) {
            return strcmp(asked->word[i], left) == 0;
        }
    }
    return be_name_order(left, right) < 0;
}

static void sort_rows(const struct counting *c, int *order) {
    for (int i = 1; i < c->rows.count; i++) { /* rows are few */
        int row = order[i], at = i;
        for (; at > 0 && comes_first(c, row, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = row;
    }
}

static bool summarise(struct cell *from, double q, struct be_wait_cell *cell) {
    double lo, hi;
    struct be_waits *waits = &from->waits;
    cell->n = waits->n;
    bool fits = be_waits_quantile(waits, q, &cell->wait_s, &cell->lo_s, &cell->hi_s);
    const double half = waits->n ? be_wait_blocks_half(&from->blocks, q, cell->wait_s) : NAN;
    fits = fits && be_waits_between(waits, q, half, &cell->lo_s, &cell->hi_s) &&
           be_waits_quantile(waits, 0.25, &cell->q25_s, &lo, &hi) &&
           be_waits_quantile(waits, 0.75, &cell->q75_s, &lo, &hi);
    if (cell->n < 2) { /* a wait by itself has no spread */
        cell->q25_s = cell->q75_s = NAN;
    }
    return fits;
}

static void free_cell(struct cell *cell) {
    be_waits_free(&cell->waits);
    be_wait_blocks_free(&cell->blocks);
}

/* The waits of a day, whose number it is. */
static bool add_day(struct cell *cell, int64_t day, const struct be_waits *waits) {
    bool fits = be_waits_merge(&cell->waits, waits);
    for (size_t i = 0; i < waits->pairs && fits; i++) {
        fits = be_wait_blocks_add(&cell->blocks, day, waits->pair[i].value_s, waits->pair[i].count);
    }
    return fits;
}

static bool fill_row(const struct counting *c, int from, int to) {
    struct be_wait_table *table = c->table;
    struct cell all = {0};
    bool fits = true;
    be_copy_text(table->row[to].name, BE_NAME, c->rows.name[from]);
    for (int k = 0; k < table->columns && fits; k++) {
        struct cell *cell = &c->cell[from * table->columns + k];
        fits = summarise(cell, table->quantile, &table->cell[to * table->columns + k]) &&
               be_waits_merge(&all.waits, &cell->waits) &&
               be_wait_blocks_merge(&all.blocks, &cell->blocks);
    }
    fits = fits && summarise(&all, table->quantile, &table->all[to]);
    free_cell(&all);
    return fits;
}

static bool fill_spans(const struct counting *c) {
    struct be_wait_table *table = c->table;
    static const int lengths[] = {1, 7, 14, 30, 91, 365};
    size_t at = 0;
    while (at + 1 < BE_COUNT(lengths) && c->days > lengths[at] * SPANS_MAX) {
        at++;
    }
    int length = lengths[at];
    table->span_s = length * 86400.0;
    table->spans = c->days / length + (c->days % length > 0);
    table->span = calloc((size_t)table->spans + 1, sizeof *table->span);
    bool fits = table->span != NULL;
    for (int i = 0; i < table->spans && fits; i++) {
        struct cell all = {0};
        double lo, hi;
        for (int k = i * length; k < (i + 1) * length && k < c->days && fits; k++) {
            fits = add_day(&all, c->day_first + k, &c->day[k]);
        }
        table->span[i].from_s = (c->day_first + (int64_t)i * length) * 86400;
        fits = fits && summarise(&all, table->quantile, &table->span[i].cell) &&
               be_waits_quantile(&all.waits, 0.9, &table->span[i].high_s, &lo, &hi);
        free_cell(&all);
    }
    return fits;
}

/* Partitions that were asked for and of which no job counts have a row too. */
static bool add_asked(struct counting *c) {
    const struct be_word_list *asked = &c->options->filter.partition;
    bool fits = true;
    for (int i = 0; i < asked->words && c->options->rows == BE_ROWS_PARTITION && fits; i++) {
        struct be_slice word = {asked->word[i], (uint32_t)strlen(asked->word[i])};
        fits = be_idents_add(&c->rows, word) >= 0 && capacity_for_rows(c);
    }
    return fits;
}

static enum be_status finish(struct counting *c, struct be_error *error) {
    struct be_wait_table *table = c->table;
    bool fits = add_asked(c);
    for (size_t i = 0; i < c->arrays_capacity && fits; i++) {
        const struct array *array = &c->array[i];
        fits = array->row < 0 ||
               count_wait(c, array->row, array->hours, array->submit_s, array->wait_s, 1);
    }
    size_t rows = (size_t)c->rows.count;
    int *order = calloc(rows + 1, sizeof *order);
    table->row = calloc(rows + 1, sizeof *table->row);
    table->cell = calloc(rows * (size_t)table->columns + 1, sizeof *table->cell);
    table->all = calloc(rows + 1, sizeof *table->all);
    fits = fits && order && table->row && table->cell && table->all;
    enum be_status status =
        fits ? order_rows(c, order, error) : be_fail(error, BE_NOMEM, "waits: no host memory");
    if (status == BE_OK) {
        table->rows = c->rows.count;
        sort_rows(c, order);
        for (int i = 0; i < table->rows && fits; i++) {
            fits = fill_row(c, order[i], i);
        }
        fits = fits && (!c->options->over_time || fill_spans(c));
        status = fits ? BE_OK : be_fail(error, BE_NOMEM, "waits: no host memory");
    }
    free(order);
    return status;
}

static enum be_status check(const struct be_wait_options *o, struct be_wait_table *table,
                            struct be_error *error) {
    double edge = o->first > 0 ? o->first : 4;
    double factor = o->factor > 0 ? o->factor : 4;
    table->columns = o->bins > 0 ? o->bins : 4;
    table->quantile = o->quantile > 0 ? o->quantile : 0.5;
    table->kind = o->rows;
    table->memory_hours = o->memory_hours;
    table->used = o->used;
    table->from_eligible = o->from_eligible;
    table->arrays = o->arrays;
    if (table->columns > BE_WAIT_BINS_MAX || factor <= 1 || table->quantile >= 1) {
        return be_fail(error, BE_USAGE,
                       "waits: at most %d bins, a factor above 1, a quantile between 0 and 1",
                       (int)BE_WAIT_BINS_MAX);
    }
    for (int i = 0; i + 1 < table->columns; i++, edge *= factor) {
        table->edge[i] = edge;
    }
    return BE_OK;
}

static unsigned unneeded(const struct be_wait_options *o) {
    bool memory = o->memory_hours || o->rows == BE_ROWS_MEMORY;
    bool gpus = o->filter.gpu_type.words || o->rows == BE_ROWS_GPUS;
    return BE_SKIP_END | (memory ? 0u : BE_SKIP_MEMORY) | (gpus ? 0u : BE_SKIP_GPUS);
}

enum be_status be_wait_table_read(const struct be_job_input *input,
                                  const struct be_wait_options *options,
                                  struct be_wait_table *table, struct be_error *error) {
    *table = (struct be_wait_table){.counts.held_counts = !options->from_eligible};
    struct counting c = {.options = options, .table = table};
    enum be_status status = check(options, table, error);
    status = status == BE_OK ? be_input_zone(input, &c.zone, error) : status;
    /* sacct also tells of what was submitted before that time and had not ended: the long waits,
     * without the short ones. The match leaves them out. */
    status = status == BE_OK ? be_match_open(input, &options->filter, &c.match, error) : status;
    if (status == BE_OK) {
        status = be_input_each(input, unneeded(options), c.match.since_s, c.match.until_s,
                               &table->counts, take, &c, error);
    }
    status = status == BE_OK ? finish(&c, error) : status;
    for (int i = 0; i < c.rows_capacity * table->columns; i++) {
        free_cell(&c.cell[i]);
    }
    for (int i = 0; i < c.days; i++) {
        be_waits_free(&c.day[i]);
    }
    free(c.cell);
    free(c.day);
    free(c.array);
    free(c.zone);
    be_idents_free(&c.partitions);
    be_idents_free(&c.rows);
    if (status != BE_OK) {
        be_wait_table_free(table);
    }
    return status;
}

void be_wait_table_free(struct be_wait_table *table) {
    free(table->row);
    free(table->cell);
    free(table->all);
    free(table->span);
    *table = (struct be_wait_table){0};
}
