/*
 * The text report: one block for each workload and device, then what is absent and what else is
 * to be said. At most 80 columns.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum { THREADS_BESIDE_DEVICE = 2 }; /* thread counts that a device's table has room for */

static const struct be_device_info *find_device(const struct be_machine *machine, const char *id) {
    for (int i = 0; i < machine->devices; i++) {
        if (strcmp(machine->device[i].id, id) == 0) {
            return &machine->device[i];
        }
    }
    return NULL;
}

/* ---- heading -------------------------------------------------------------------------------- */

/* Appends a part of the heading to its line (*column is where that ends; 0: there is none yet),
 * or on lines of its own when it has no room there. */
static void add_part(struct be_text *out, const char *part, size_t *column) {
    struct be_text plain = {0};
    be_lines_ascii(&plain, part);
    const char *text = plain.length ? plain.data : "";
    out->failed |= plain.failed;
    if (*column && *column + 3 + plain.length <= BE_COLUMNS) {
        be_text_add(out, "   %s", text);
        *column += 3 + plain.length;
    } else if (plain.length + 2 <= BE_COLUMNS) {
        be_text_add(out, "%s  %s", *column ? "\n" : "", text);
        *column = plain.length + 2;
    } else {
        be_text_add(out, "%s", *column ? "\n" : "");
        be_lines_wrap(out, "  ", text, 4);
        *column = 0;
    }
    be_text_free(&plain);
}

static void add_cpu(struct be_text *out, const struct be_machine *machine, size_t *column) {
    char part[BE_NAME * 4];
    int used = machine->cores_allowed, all = machine->cores;
    const char *name = *machine->cpu ? machine->cpu : "CPU";
    if (used <= 0) {
        snprintf(part, sizeof part, "%s", name);
    } else if (all > used) {
        snprintf(part, sizeof part, "%s, %d of %d cores%s%s%s", name, used, all,
                 *machine->allowed_by ? " (" : "", machine->allowed_by,
                 *machine->allowed_by ? ")" : "");
    } else {
        snprintf(part, sizeof part, "%s, %d core%s", name, used, used == 1 ? "" : "s");
    }
    add_part(out, part, column);
}

static void add_device(struct be_text *out, const struct be_block *block, size_t *column) {
    const struct be_device_info *info = block->info;
    char part[BE_NAME * 8];
    if (!info) {
        add_part(out, block->device, column);
        return;
    }
    snprintf(part, sizeof part, "%s%s%s%s%s%s%s%s", block->alone ? "" : info->id,
             block->alone ? "" : " ", info->name, *info->driver ? ", " : "", info->driver,
             *info->same_as ? " (same hardware as " : "", info->same_as, *info->same_as ? ")" : "");
    add_part(out, part, column);
}

/* Takes back the end of the last line; returns the column it ends in. */
static size_t last_line(struct be_text *out) {
    size_t column = 0;
    out->length -= out->length > 0;
    while (column < out->length && out->data[out->length - 1 - column] != '\n') {
        column++;
    }
    return column;
}

static void add_heading(struct be_text *out, const struct be_block *block,
                        const struct be_result *example) {
    struct be_text title = {0};
    be_text_add(&title, "%s%s%s%s%s%s%s", block->workload, *example->title ? ": " : "",
                example->title, *block->dtype ? ", " : "", block->dtype,
                *example->parameters ? ", " : "", example->parameters);
    if (!be_size_is_elements(example)) {
        const bool twice =
            strncmp(example->parameters, "n ", 2) == 0 ||
            strstr(example->parameters, ", n ") != NULL; /* a parameter of that name */
        be_text_add(&title, "; %sn is %s", twice ? "in the table " : "", be_size_words(example));
    }
    be_lines_wrap(out, "", title.data ? title.data : "", 2);
    size_t column = last_line(out);
    if (title.length > BE_COLUMNS) { /* the rest of a title looks like the CPU's line */
        column = BE_COLUMNS;
    }
    add_cpu(out, &block->comparison->machine, &column);
    if (block->device) {
        add_device(out, block, &column);
    }
    be_text_add(out, column ? "\n\n" : "\n");
    be_text_free(&title);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static bool same_workload(const struct be_result *a, const struct be_result *b) {
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->dtype, b->dtype) == 0;
}

/* Is result i the first of its workload? */
static bool is_new_workload(const struct be_comparison *comparison, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (same_workload(&comparison->result[k], &comparison->result[i])) {
            return false;
        }
    }
    return true;
}

/* Is result i the first on its device, of its workload? */
static bool is_new_device(const struct be_comparison *comparison, size_t i) {
    const struct be_result *result = &comparison->result[i];
    for (size_t k = 0; k < i; k++) {
        const struct be_result *other = &comparison->result[k];
        if (other->placement != BE_HOST && same_workload(other, result) &&
            strcmp(other->device, result->device) == 0) {
            return false;
        }
    }
    return result->placement != BE_HOST;
}

static int count_devices(const struct be_comparison *comparison, const struct be_result *like) {
    int count = 0;
    for (size_t i = 0; i < comparison->results; i++) {
        count += same_workload(&comparison->result[i], like) && is_new_device(comparison, i);
    }
    return count;
}

/* Thread counts that CPU cases of this workload have. */
static int count_threads(const struct be_comparison *comparison, const struct be_result *like) {
    int seen[THREADS_BESIDE_DEVICE + 1], count = 0;
    for (size_t i = 0; i < comparison->results && count <= THREADS_BESIDE_DEVICE; i++) {
        const struct be_result *result = &comparison->result[i];
        if (result->placement != BE_HOST || !same_workload(result, like)) {
            continue;
        }
        bool known = false;
        for (int k = 0; k < count; k++) {
            known |= seen[k] == result->threads;
        }
        if (!known) {
            seen[count++] = result->threads;
        }
    }
    return count;
}

static void add_block(struct be_text *out, const struct be_block *block,
                      const struct be_result *example, unsigned *explained) {
    be_text_add(out, "%s", out->length ? "\n" : "");
    add_heading(out, block, example);
    be_report_table(block, explained, out);
    be_report_variants(block, explained, out);
    be_report_verdict(block, out);
    be_report_energy(block, out);
}

static bool is_last_workload(const struct be_comparison *comparison, const struct be_result *like) {
    return same_workload(&comparison->result[comparison->results - 1], like);
}

static bool has_device(const struct be_comparison *comparison) {
    for (size_t i = 0; i < comparison->results; i++) {
        if (comparison->result[i].placement != BE_HOST) {
            return true;
        }
    }
    return false;
}

static void add_workload(struct be_text *out, const struct be_comparison *comparison,
                         const struct be_result *like, unsigned *explained) {
    int devices = count_devices(comparison, like);
    struct be_block block = {.comparison = comparison,
                             .workload = like->workload,
                             .dtype = like->dtype,
                             .alone = devices == 1};
    if (devices == 0 || count_threads(comparison, like) > THREADS_BESIDE_DEVICE) {
        add_block(out, &block, like, explained);
    }
    /* Where there is none at all, that is said once, after the last. */
    if (devices == 0 && (has_device(comparison) || is_last_workload(comparison, like))) {
        be_text_add(out, "\nNo device beside the CPU was measured: there is no break-even.\n");
    }
    for (size_t i = 0; devices && i < comparison->results; i++) {
        const struct be_result *result = &comparison->result[i];
        if (same_workload(result, like) && is_new_device(comparison, i)) {
            block.device = result->device;
            block.info = find_device(&comparison->machine, result->device);
            block.alone = devices == 1 && (!block.info || block.info->origin == BE_ORIGIN_HERE);
            add_block(out, &block, result, explained);
        }
    }
}

/* Facts about the machine beside the numbers: what else ran, what slowed it. */
static void add_surroundings(const struct be_comparison *comparison, struct be_text *out) {
    const struct be_machine *machine = &comparison->machine;
    const struct be_environment *environment = &comparison->environment;
    const double worth_a_word = 0.01, busy_share = 0.5;
    /* NAN is not larger than anything. */
    const bool stolen = environment->steal > worth_a_word;
    const bool busy = machine->cores > 0 && environment->load_average > busy_share * machine->cores;
    char line[BE_NAME + BE_NOTE + 16];
    bool more = machine->absences || comparison->remarks || comparison->partial || stolen || busy;
    be_text_add(out, "%s", more ? "\n" : "");
    for (int i = 0; i < machine->absences; i++) {
        snprintf(line, sizeof line, "absent: %s: %s", machine->absent[i].backend,
                 machine->absent[i].reason);
        be_lines_wrap(out, "", line, 8);
    }
    for (size_t i = 0; i < comparison->remarks; i++) {
        be_lines_wrap(out, "", comparison->remark[i], 2);
    }
    if (busy) {
        snprintf(line, sizeof line,
                 "load of %.1f before the run, on %d cores: other programs were at work, and on an "
                 "idle machine times will differ",
                 environment->load_average, machine->cores);
        be_lines_wrap(out, "", line, 2);
    }
    if (stolen) {
        snprintf(line, sizeof line,
                 "the host gave %.1f %% of this machine's CPU time to others: CPU times of other "
                 "runs will differ",
                 100 * environment->steal);
        be_lines_wrap(out, "", line, 2);
    }
    if (comparison->partial) {
        be_text_add(out, "partial: ended before everything was measured\n");
    }
}

static int count_elsewhere(const struct be_machine *machine) {
    int count = 0;
    for (int i = 0; i < machine->devices; i++) {
        count += machine->device[i].origin != BE_ORIGIN_HERE;
    }
    return count;
}

void be_report_text(const struct be_comparison *comparison, struct be_text *out) {
    unsigned explained = 0;
    if (be_report_has_programs(comparison)) {
        be_report_programs(comparison, out);
        add_surroundings(comparison, out);
        return;
    }
    bool overview = be_report_has_overview(comparison);
    for (size_t i = 0; i < comparison->results && !(comparison->quick && overview); i++) {
        if (is_new_workload(comparison, i)) {
            add_workload(out, comparison, &comparison->result[i], &explained);
        }
    }
    if (overview) {
        be_report_overview(comparison, out);
    }
    be_report_bad(comparison, !(comparison->quick && overview), out);
    if (overview && comparison->quick) {
        be_text_add(out, "\nA look: few sizes, short calls. The whole of one: breakeven compare "
                         "NAME\n");
    }
    if (!comparison->results) {
        be_text_add(out, "Nothing was measured.\n");
    }
    add_surroundings(comparison, out);
    if (overview) {
        be_overview_words(comparison, out);
    } else if (count_elsewhere(&comparison->machine) > 1) { /* each has a block of its own above */
        be_overview_elsewhere(comparison, out);
    }
}
