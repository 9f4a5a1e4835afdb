/*
 * Damages accountings in every way a seed gives, and reads what is left: every line is a job, a step or
 * counted as neither, what is shown of it is plain, and a forecast of it is a number or none.
 * usage: fuzz_accounting ROUNDS SEED FILE...
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/damage.h"
#include "report/queue.h"
#include "slurm/forecast.h"

enum { CHANGES_MAX = 6, FILES_MAX = 16 };

static void change_number(struct be_text *text, struct dice *dice) {
    static const char *const numbers[] = {
        "0",
        "-1",
        "1",
        "4294967296",
        "9223372036854775807",
        "18446744073709551616",
        "99999999999",
        "00",
        "59",
        "60",
        "24",
        "2024",
        "9999",
        "0001",
        "1e9",
        "1.5",
        "31",
        "366",
        "2147486648",
    };
    replace_run(text, dice, "0123456789", numbers, sizeof numbers / sizeof *numbers);
}

static void change_word(struct be_text *text, struct dice *dice) {
    static const char *const words[] = {
        "JobID",   "Submit",    "Start",   "Unknown", "None",   "UNLIMITED", "CANCELLED by 5",
        "PENDING", "gres",      "gpu",     "mem",     "",       "\x1b[2J",   "\xff\xfe",
        "\"<&>",   "Timelimit", "JobName", "RUNNING", ".batch", "COMPLETED", "None assigned",
    };
    replace_run(text, dice, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", words,
                sizeof words / sizeof *words);
}

static void change_mark(struct be_text *text, struct dice *dice) {
    static const char *const marks[] = {"||", "", ",", "|||||||", "\n", " ", ":", "-", "\r\n"};
    replace_run(text, dice, "|:-_[],=", marks, sizeof marks / sizeof *marks);
}

static void (*const changes[])(struct be_text *, struct dice *) = {
    flip,        cut,           splice,      repeat_line, repeat_line,
    change_word, change_number, change_mark, change_word, change_number,
};

/* ---- what must hold ------------------------------------------------------------------------- */

/* Is all of it in 80 columns of plain signs? Tables of many or long columns are wider. */
static bool plain(const struct be_text *shown) {
    for (size_t i = 0; i < shown->length; i++) {
        char sign = shown->data[i];
        if (sign != '\n' && (sign < ' ' || sign > '~')) {
            return false;
        }
    }
    return true;
}

static bool parses(const struct be_text *json) {
    cJSON *node = cJSON_Parse(json->data);
    cJSON_Delete(node);
    return node != NULL;
}

static const char *shown(const struct be_wait_table *table) {
    struct be_text text = {0}, json = {0}, csv = {0}, svg = {0};
    be_wait_text(table, &text);
    be_wait_chart_text(table, &text);
    be_wait_json(table, &json);
    be_wait_csv(table, &csv);
    be_wait_chart_svg(table, &svg);
    const char *wrong = !plain(&text)             ? "a table that is not plain"
                        : !parses(&json)          ? "JSON that is none"
                        : strstr(svg.data, "nan") ? "a drawing without numbers"
                                                  : NULL;
    be_text_free(&text);
    be_text_free(&json);
    be_text_free(&csv);
    be_text_free(&svg);
    return wrong;
}

static const char *counted(const struct be_wait_counts *c) {
    return c->jobs + c->steps + c->rejected > c->lines ? "more jobs than lines" : NULL;
}

static struct be_job_input input_of(const struct be_text *text, int descriptor, const char **path) {
    static char name[64];
    if (ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 ||
        write(descriptor, text->data, text->length) != (ssize_t)text->length) {
        fprintf(stderr, "fuzz_accounting: cannot write\n");
        exit(2);
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    *path = name;
    return (struct be_job_input){.file = path, .files = 1};
}

static const char *tables(const struct be_job_input *input, struct dice *dice, bool *accepted) {
    struct be_wait_options options = {.rows = (enum be_wait_rows) throw(dice, BE_ROWS_KINDS),
                                      .memory_hours = throw(dice, 2),
                                      .used = throw(dice, 2),
                                      .from_eligible = throw(dice, 2),
                                      .arrays = throw(dice, 2),
                                      .over_time = true};
    struct be_wait_table table;
    struct be_error error = {0};
    if (be_wait_table_read(input, &options, &table, &error) != BE_OK) {
        *accepted = false;
        return error.text[0] ? NULL : "refused without a word";
    }
    *accepted = true;
    const char *wrong = counted(&table.counts);
    wrong = wrong ? wrong : shown(&table);
    be_wait_table_free(&table);
    return wrong;
}

/* Every job, as if it had asked; trained on the others. */
static const char *forecasts(const struct be_job_input *input) {
    const struct be_job_filter all = {0};
    struct be_history history;
    struct be_forecaster *f = NULL;
    struct be_error error = {0};
    const char *wrong = NULL;
    if (be_history_read(input, &all, false, &history, &error) != BE_OK ||
        be_forecaster_open(&history, &f, &error) != BE_OK) {
        be_history_free(&history);
        return NULL;
    }
    for (size_t i = 0; i < history.jobs && !wrong; i++) {
        const struct be_past_job *job = &history.job[i];
        struct be_foretold told;
        if (be_forecaster_lead(f, i, job->submit_s, i + 1 == history.jobs, &error) != BE_OK ||
            be_forecaster_ask(f, job, job->submit_s, &told, &error) != BE_OK ||
            be_forecaster_watch(f, i, &error) != BE_OK) {
            wrong = "a forecast that failed";
        } else if (told.enough && !(told.q50_s >= 0 && told.q90_s >= told.q50_s)) {
            wrong = "a forecast that is no time";
        }
    }
    be_forecaster_close(f);
    be_history_free(&history);
    return wrong;
}

static bool load(const char *name, struct be_text *text) {
    FILE *in = fopen(name, "re");
    char part[4096];
    size_t count = 0;
    while (in && (count = fread(part, 1, sizeof part, in)) > 0) {
        be_text_add_bytes(text, part, count);
    }
    if (in) {
        fclose(in);
    }
    return text->length > 0;
}

static int fuzz(const struct be_text *files, size_t count, long rounds, uint64_t seed) {
    long accepted = 0;
    int descriptor = memfd_create("accounting", MFD_CLOEXEC);
    for (long round = 0; round < rounds; round++) {
        struct dice dice = {seed + (uint64_t)round, 0};
        const struct be_text *file = &files[throw(&dice, count)];
        struct be_text text = {0};
        const char *path = NULL;
        bool fine = false;
        be_text_add_bytes(&text, file->data, file->length);
        for (size_t left = 1 + throw(&dice, CHANGES_MAX); left; left--) {
            changes[throw(&dice, sizeof changes / sizeof *changes)](&text, &dice);
        }
        struct be_job_input input = input_of(&text, descriptor, &path);
        const char *wrong = tables(&input, &dice, &fine);
        wrong = wrong ? wrong : forecasts(&input);
        accepted += fine;
        if (wrong) {
            fprintf(stderr, "fuzz_accounting: round of seed %" PRIu64 ": %s:\n%s\n",
                    seed + (uint64_t)round, wrong, text.data);
            be_text_free(&text);
            return 1;
        }
        be_text_free(&text);
    }
    close(descriptor);
    printf("fuzz_accounting: %ld rounds from seed %" PRIu64 ": %ld accepted, %ld refused\n", rounds,
           seed, accepted, rounds - accepted);
    return rounds >= 1000 && (accepted == 0 || accepted == rounds); /* then it tests nothing */
}

int main(int argc, char **argv) {
    struct be_text files[FILES_MAX] = {{0}};
    size_t count = 0;
    if (argc < 4 || argc > 3 + FILES_MAX) {
        fprintf(stderr, "usage: fuzz_accounting ROUNDS SEED FILE...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        if (!load(argv[i], &files[count++])) {
            fprintf(stderr, "fuzz_accounting: %s: nothing there\n", argv[i]);
            return 2;
        }
    }
    int failed = fuzz(files, count, strtol(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    while (count) {
        be_text_free(&files[--count]);
    }
    return failed;
}
