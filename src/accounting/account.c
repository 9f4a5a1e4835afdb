/* Lines of sacct -> what one job used. */
#include "accounting/account.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/error.h"
#include "accounting/record.h"
#include "base/command.h"
#include "base/text.h"

/* In the order of BE_ACCOUNT_FIELDS. */
enum column {
    JOB_ID,
    JOB_ID_RAW,
    STATE,
    EXIT_CODE,
    SUBMIT,
    START,
    END,
    ELAPSED_RAW,
    TOTAL_CPU,
    SYSTEM_CPU,
    NCPUS,
    NNODES,
    REQ_MEM,
    ALLOC_TRES,
    NODE_LIST,
    MAX_RSS,
    USAGE_TOT,
    USAGE_AVE,
    NTASKS,
    USER,
    CHARGED,
    PARTITION,
    LIMIT,
    ADMIN_COMMENT,
    JOB_NAME,
    COLUMNS
};

struct table {
    int at[COLUMNS]; /* -1: not there */
    int columns;
    int needed; /* without texts that may have line ends, if they come last */
    struct be_slice field[128];
    int fields;
};

static void copy(char *to, size_t capacity, struct be_slice from) {
    snprintf(to, capacity, "%.*s", (int)from.length, from.text);
}

static struct be_slice cell(const struct table *table, enum column column) {
    int at = table->at[column];
    return at >= 0 && at < table->fields ? table->field[at] : (struct be_slice){"", 0};
}

/* The number that `*at` begins with, in digits, as sacct writes all; nothing in a job is 1e18 and more.
 * NAN: none. *at then is behind it. */
static double take_number(const char **at) {
    const char *begin = *at;
    char *end = NULL;
    size_t digits = strspn(begin, "0123456789.");
    double value = isdigit((unsigned char)*begin) ? strtod(begin, &end) : NAN;
    *at = begin + digits;
    return end == begin + digits && value < 1e18 ? value : NAN;
}

/* "MM:SS.mmm", "HH:MM:SS", "D-HH:MM:SS": CPU times. NAN: none of these. */
static double cpu_time(struct be_slice text) {
    char word[BE_NAME];
    double days = 0, part[3] = {0};
    int parts = 0;
    copy(word, sizeof word, text);
    const char *at = word, *dash = strchr(word, '-');
    if (dash) {
        days = take_number(&at);
        at = dash + 1;
    }
    while (parts < 3) {
        part[parts++] = take_number(&at);
        if (*at != ':') {
            break;
        }
        at++;
    }
    return parts == 3   ? 86400 * days + 3600 * part[0] + 60 * part[1] + part[2]
           : parts == 2 ? 86400 * days + 60 * part[0] + part[1]
                        : part[0];
}

static double number(struct be_slice text) {
    char word[BE_NAME];
    const char *at = word;
    copy(word, sizeof word, text);
    return take_number(&at);
}

static int count_of(struct be_slice text, int min) {
    return (int)fmin(fmax(min, number(text)), INT_MAX);
}

/* "12K", "3.5G"; a bare number is bytes, as in lists of TRES used. */
static double size_of(struct be_slice text) {
    static const char units[] = "KMGTPE";
    char word[BE_NAME];
    const char *at = word;
    copy(word, sizeof word, text);
    double value = take_number(&at);
    const char *unit = *at ? strchr(units, *at) : NULL;
    return unit ? value * pow(1024, (double)(unit - units + 1)) : value;
}

/* "32G", of old Slurm "4000Mc", of each CPU, and "16Gn", of each node. */
static double asked_memory(struct be_slice text, const struct be_account *account) {
    double bytes;
    char per;
    if (!be_parse_memory(text, &bytes, &per)) {
        return NAN;
    }
    return bytes * (per == 'c' ? account->cpus : per == 'n' ? account->node_count : 1);
}

/* ---- lines -------------------------------------------------------------------------------------- */

static enum be_status read_head(struct be_slice line, struct table *table, struct be_error *error) {
    char names[] = BE_ACCOUNT_FIELDS;
    int count = be_lines_split(line, '|', table->field, (int)BE_COUNT(table->field));
    table->columns = count;
    char *rest = NULL, *name = strtok_r(names, ",", &rest);
    for (int column = 0; column < COLUMNS; column++, name = strtok_r(NULL, ",", &rest)) {
        table->at[column] = -1;
        for (int i = 0; name && i < count && i < (int)BE_COUNT(table->field); i++) {
            struct be_slice field = table->field[i];
            if (field.length == strlen(name) && strncasecmp(field.text, name, field.length) == 0) {
                table->at[column] = i;
            }
        }
    }
    table->needed = 1;
    for (int column = 0; column < USER; column++) {
        table->needed = table->at[column] < table->needed ? table->needed : table->at[column] + 1;
    }
    bool right = table->at[JOB_ID] >= 0 && table->at[TOTAL_CPU] >= 0 && table->at[ELAPSED_RAW] >= 0;
    return right ? BE_OK
                 : be_fail(error, BE_USAGE, "these are not the lines of `sacct -P --format=%s`",
                           BE_ACCOUNT_FIELDS);
}

/* A job's name may have the mark between fields: what is too much is a part of it. */
static void split_line(struct be_slice line, struct table *table) {
    int max = (int)BE_COUNT(table->field), name = table->at[JOB_NAME];
    table->fields = be_lines_split(line, '|', table->field, max);
    int extra = table->fields - table->columns;
    if (extra <= 0 || name < 0 || table->fields > max) {
        return;
    }
    const struct be_slice *last = &table->field[name + extra];
    table->field[name].length = (uint32_t)(last->text + last->length - table->field[name].text);
    for (int i = name + 1; i < table->columns; i++) {
        table->field[i] = table->field[i + extra];
    }
    table->fields = table->columns;
}

/* The text behind the sign at `at`. */
static struct be_slice after(struct be_slice text, const char *at) {
    return (struct be_slice){at + 1, (uint32_t)(text.text + text.length - (at + 1))};
}

static void read_job(const struct table *table, struct be_account *account) {
    bool zoned;
    struct be_slice type = {"", 0}, code = cell(table, EXIT_CODE);
    const char *colon = memchr(code.text, ':', code.length);
    struct be_slice memory = be_tres_find(cell(table, ALLOC_TRES), "mem");
    *account = (struct be_account){.submit_s = BE_NO_TIME, .start_s = BE_NO_TIME};
    copy(account->id, sizeof account->id, cell(table, JOB_ID));
    copy(account->raw, sizeof account->raw, cell(table, JOB_ID_RAW));
    copy(account->name, sizeof account->name, cell(table, JOB_NAME));
    copy(account->nodes, sizeof account->nodes, cell(table, NODE_LIST));
    account->state = be_parse_state(cell(table, STATE));
    account->exit_code = count_of(code, 0);
    account->signal = colon ? count_of(after(code, colon), 0) : 0;
    be_parse_time(cell(table, SUBMIT), &account->submit_s, &zoned);
    be_parse_time(cell(table, START), &account->start_s, &zoned);
    account->elapsed_s = number(cell(table, ELAPSED_RAW));
    account->cpus = count_of(cell(table, NCPUS), 1);
    account->node_count = count_of(cell(table, NNODES), 1);
    account->asked_bytes =
        memory.length ? size_of(memory) : asked_memory(cell(table, REQ_MEM), account);
    account->gpus = be_tres_gpus(cell(table, ALLOC_TRES), &type);
    copy(account->gpu_type, sizeof account->gpu_type, type);
    copy(account->user, sizeof account->user, cell(table, USER));
    copy(account->account, sizeof account->account, cell(table, CHARGED));
    copy(account->partition, sizeof account->partition, cell(table, PARTITION));
    account->limit_s = 60 * number(cell(table, LIMIT)); /* TimelimitRaw has minutes */
    account->billing = number(be_tres_find(cell(table, ALLOC_TRES), "billing"));
    account->billing = account->billing > 0 ? account->billing : account->cpus;
    account->cpu_s = cpu_time(cell(table, TOTAL_CPU));
    account->system_s = cpu_time(cell(table, SYSTEM_CPU));
    account->memory_bytes = account->gpu_busy = account->gpu_memory = NAN;
}

/* CPU time of all steps, of the one with most of it, and of the one with most that has a GPU's share. */
struct sums {
    double cpu_s, max_s, gpu_max_s;
};

/* "7.0": srun has started it. "7.batch" is the script, and who knows what that starts by itself. */
static bool of_srun(struct be_slice id) {
    const char *point = memchr(id.text, '.', id.length);
    return point && after(id, point).length && isdigit((unsigned char)point[1]);
}

/* The mean of each GPU of the step, or of the job where the step does not say how many it has: Slurm adds up what a
 * task has on all of its GPUs, and keeps the mean of the tasks. NAN: there is nothing. */
static double of_each_gpu(const struct table *table, const struct be_account *account,
                          double mean_task) {
    struct be_slice type = {"", 0};
    const double own = be_tres_gpus(cell(table, ALLOC_TRES), &type);
    const double gpus = own > 0 ? own : account->gpus;
    return mean_task * fmax(1, count_of(cell(table, NTASKS), 0)) / fmax(1, gpus);
}

/* CPU time adds up over steps; memory is of the step with the most. Where a site keeps no sum over
 * tasks, it is the largest task's times their number, as seff had it before version 2. */
static void add_step(const struct table *table, struct sums *sums, struct be_account *account) {
    double step_s = cpu_time(cell(table, TOTAL_CPU));
    struct be_slice sum = be_tres_find(cell(table, USAGE_TOT), "mem");
    struct be_slice busy = be_tres_find(cell(table, USAGE_AVE), "gres/gpuutil");
    struct be_slice taken = be_tres_find(cell(table, USAGE_AVE), "gres/gpumem");
    int tasks = count_of(cell(table, NTASKS), 0);
    double bytes = sum.length ? size_of(sum) : fmax(1, tasks) * size_of(cell(table, MAX_RSS));
    account->steps++;
    account->memory_bytes = fmax(account->memory_bytes, bytes);
    if (!isnan(step_s)) {
        sums->cpu_s = isnan(sums->cpu_s) ? step_s : sums->cpu_s + step_s;
    }
    if (step_s > sums->max_s) {
        sums->max_s = step_s;
        account->tasks = of_srun(cell(table, JOB_ID)) ? tasks : 0;
    }
    if (busy.length && !(step_s < sums->gpu_max_s)) {
        sums->gpu_max_s = step_s;
        account->gpu_busy = fmin(of_each_gpu(table, account, number(busy) / 100), 1);
        account->gpu_memory = taken.length ? of_each_gpu(table, account, size_of(taken)) : NAN;
    }
}

/* ---- jobs, one after the other ------------------------------------------------------------------ */

struct reader {
    struct table table;
    struct sums sums;
    struct be_text comment;
    struct be_account account; /* that is being added up */
    bool open;
    be_account_take *take;
    void *context;
};

/* The steps of the job at hand are all there. */
static enum be_status end_job(struct reader *reader, struct be_error *error) {
    struct be_account *account = &reader->account;
    if (!reader->open) {
        return BE_OK;
    }
    account->cpu_s = isnan(reader->sums.cpu_s) ? account->cpu_s : reader->sums.cpu_s;
    account->jobstats =
        be_account_take_jobstats((struct be_slice){reader->comment.data ? reader->comment.data : "",
                                                   (uint32_t)reader->comment.length},
                                 account);
    if (be_account_runs(account)) {
        account->cpu_s = account->system_s = account->memory_bytes = NAN;
        account->gpu_busy = account->gpu_memory = NAN;
    }
    reader->open = false;
    return reader->take(reader->context, account, error);
}

static enum be_status take_line(struct reader *reader, struct be_slice line,
                                struct be_error *error) {
    split_line(line, &reader->table);
    const struct be_slice name = cell(&reader->table, JOB_ID);
    if (reader->table.fields < reader->table.needed) { /* the rest of a text that has line ends */
        return BE_OK;
    }
    if (memchr(name.text, '.', name.length)) {
        if (reader->open) {
            add_step(&reader->table, &reader->sums, &reader->account);
        }
        return BE_OK;
    }
    enum be_status status = end_job(reader, error);
    if (status == BE_OK) {
        const struct be_slice kept = cell(&reader->table, ADMIN_COMMENT);
        read_job(&reader->table, &reader->account);
        reader->sums = (struct sums){NAN, -1, -1};
        be_text_free(&reader->comment);
        be_text_add_bytes(&reader->comment, kept.text, kept.length);
        reader->open = true;
    }
    return status;
}

/* *more false: there was not even a head. */
static enum be_status read_all(struct be_lines *lines, be_account_take *take, void *context,
                               bool *more, struct be_error *error) {
    struct reader reader = {.take = take, .context = context};
    struct be_slice line;
    enum be_status status = be_lines_next(lines, &line, more, error);
    if (status != BE_OK || !*more) {
        return status;
    }
    status = read_head(line, &reader.table, error);
    for (bool next = true; status == BE_OK && next;) {
        status = be_lines_next(lines, &line, &next, error);
        if (status == BE_OK && next) {
            status = take_line(&reader, line, error);
        }
    }
    status = status == BE_OK ? end_job(&reader, error) : status;
    be_text_free(&reader.comment);
    return status;
}

/* ---- one job -------------------------------------------------------------------------------------- */

struct first {
    struct be_account *account;
    int jobs;
};

static enum be_status take_first(void *context, const struct be_account *account,
                                 struct be_error *error) {
    struct first *first = context;
    (void)error;
    if (++first->jobs == 1) {
        *first->account = *account;
    }
    return BE_OK;
}

enum be_status be_account_read(struct be_lines *lines, const char *id, struct be_account *account,
                               struct be_error *error) {
    struct first first = {account, 0};
    bool more = false;
    enum be_status status = read_all(lines, take_first, &first, &more, error);
    if (status) {
        return status;
    }
    if (first.jobs > 1) { /* tasks of an array, 7_1; components of a heterogeneous job, 7+0 */
        bool waits = strchr(account->id, '[');
        return be_fail(error, BE_USAGE,
                       "job %.60s stands for %d jobs: name one of them, as %.60s%s", id, first.jobs,
                       waits ? id : account->id, waits ? "_1" : "");
    }
    return first.jobs == 1 ? BE_OK
                           : be_fail(error, BE_USAGE, "job %.60s: accounting does not know it", id);
}

/* ---- sacct ---------------------------------------------------------------------------------------- */

typedef enum be_status be_read(struct be_lines *lines, void *context, struct be_error *error);

static enum be_status ask(const char *const *word, be_read *read, void *context,
                          struct be_error *error) {
    struct be_command command = {0};
    struct be_lines *lines = NULL;
    enum be_status status = be_command_start(word, &command, &lines, error);
    if (status == BE_ABSENT) {
        return be_fail(error, BE_ABSENT,
                       "sacct: no such command here: run this on a cluster's login node; what "
                       "`breakeven run` kept is shown by `breakeven report FILE`");
    }
    if (status) {
        return status;
    }
    struct be_error wrong = {0};
    status = read(lines, context, &wrong);
    be_lines_close(lines);
    struct be_error said = {0};
    enum be_status ended = be_command_wait(&command, &said);
    if (ended) {
        return be_fail(error, ended,
                       "%.300s (away from the cluster, `breakeven report FILE` shows "
                       "what `breakeven run` kept)",
                       said.text);
    }
    return status ? be_fail(error, status, "%s", wrong.text) : BE_OK;
}

struct one {
    const char *id;
    struct be_account *account;
};

static enum be_status read_one(struct be_lines *lines, void *context, struct be_error *error) {
    const struct one *one = context;
    return be_account_read(lines, one->id, one->account, error);
}

enum be_status be_account_ask(const char *id, struct be_account *account, struct be_error *error) {
    const char *const word[] = {"sacct",           "-j", id, "-P", "--noconvert", "--format",
                                BE_ACCOUNT_FIELDS, NULL};
    struct one one = {id, account};
    return ask(word, read_one, &one, error);
}

struct each {
    be_account_take *take;
    void *context;
};

static enum be_status read_each(struct be_lines *lines, void *context, struct be_error *error) {
    const struct each *each = context;
    bool more = false;
    return read_all(lines, each->take, each->context, &more, error);
}

enum be_status be_account_each(const struct be_account_query *query, be_account_take *take,
                               void *context, struct be_error *error) {
    const struct {
        const char *option, *value;
    } given[] = {{"-j", query->jobs},       {"-u", query->users}, {"-A", query->accounts},
                 {"-r", query->partitions}, {"-S", query->since}, {"-E", query->until}};
    const char *word[7 + 2 * BE_COUNT(given)] = {"sacct", "-P", "--noconvert", "--format",
                                                 BE_ACCOUNT_FIELDS};
    size_t words = 5;
    for (size_t i = 0; i < BE_COUNT(given); i++) {
        if (given[i].value) {
            word[words++] = given[i].option;
            word[words++] = given[i].value;
        }
    }
    if (query->all_users) {
        word[words++] = "-a";
    }
    word[words] = NULL;
    struct each each = {take, context};
    return ask(word, read_each, &each, error);
}

bool be_account_runs(const struct be_account *account) {
    return account->state == BE_JOB_RUNNING || account->state == BE_JOB_SUSPENDED;
}

double be_account_cpu_efficiency(const struct be_account *account) {
    double core_s = account->elapsed_s * account->cpus;
    return core_s > 0 ? account->cpu_s / core_s : NAN;
}

double be_account_memory_efficiency(const struct be_account *account) {
    return account->asked_bytes > 0 ? account->memory_bytes / account->asked_bytes : NAN;
}
