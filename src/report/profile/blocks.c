/* The blocks of a profile's summary: the CPU, and each other device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"
#include "report/common/lines.h"
#include "report/profile/profile.h"

enum { LABEL = 16, CELL = 32, BUS_LABEL = 11, BUS_CELL = 23 };

/* A row of a label and one or two cells, without blanks at its end. */
static void add_row(struct be_text *out, const char *label, const struct be_figure *left,
                    const struct be_figure *right, bool two) {
    char a[BE_CELL], b[BE_CELL];
    be_text_add(out, "  %-*s%-*s %s", LABEL - 2, label, CELL - 1, be_format_cell(a, left),
                two ? be_format_cell(b, right) : "");
    be_text_end_line(out);
}

/* Pairs of a name and a value, side by side as far as they fit. */
struct pairs {
    struct be_text *out;
    bool sparse; /* of a data sheet: what it does not have is not worth a word */
    size_t column;
};

static struct pairs begin_pairs(const struct be_profile *profile, struct be_text *out) {
    return (struct pairs){.out = out, .sparse = profile->source == BE_SOURCE_DATA_SHEET};
}

static void end_pairs(struct pairs *pairs) {
    be_text_add(pairs->out, "%s", pairs->column ? "\n" : "");
    pairs->column = 0;
}

static void add_pair(struct pairs *pairs, const char *what, const struct be_figure *figure) {
    char cell[BE_CELL];
    if (!figure && pairs->sparse) {
        return;
    }
    struct be_text pair = {0};
    be_lines_ascii(&pair, what);
    be_text_add(&pair, " %s", be_format_cell(cell, figure));
    if (pairs->column && pairs->column + 3 + pair.length > BE_COLUMNS) {
        end_pairs(pairs);
    }
    be_text_add(pairs->out, "%s%s", pairs->column ? " | " : "  ", pair.data ? pair.data : "");
    pairs->column += pair.length + (pairs->column ? 3 : 2);
    pairs->out->failed |= pair.failed;
    be_text_free(&pair);
}

/* ---- the CPU -------------------------------------------------------------------------------- */

/* Every level of memory that the latency was taken of, under the name it was given. */
static void add_latencies(const struct be_profile *profile, const char *device,
                          struct pairs *pairs) {
    const char *last = "";
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, "latency") == 0 && *f->note &&
            strcmp(f->note, last) != 0) {
            char label[BE_NAME];
            snprintf(label, sizeof label, "%s%.20s", *last ? "" : "latency ", f->note);
            add_pair(pairs, label, f);
            last = f->note;
        }
    }
    if (!*last) {
        add_pair(pairs, "latency", be_profile_largest(profile, device, "latency", NULL, NULL));
    }
}

static void add_page_faults(const struct be_profile *profile, const char *device,
                            struct pairs *pairs) {
    bool any = false;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, "page_fault") == 0) {
            char label[BE_NAME * 2], bytes[BE_WORD];
            bool huge = f->bytes >= 1048576;
            snprintf(bytes, sizeof bytes, "%.0f %s", f->bytes / (huge ? 1048576 : 1024),
                     huge ? "MiB" : "KiB");
            snprintf(label, sizeof label, "page fault%s%s", isnan(f->bytes) ? "" : " ",
                     isnan(f->bytes) ? "" : bytes);
            add_pair(pairs, label, f);
            any = true;
        }
    }
    if (!any) {
        add_pair(pairs, "page fault", NULL);
    }
}

static void add_disk(const struct be_profile *profile, const char *device, struct pairs *pairs) {
    const struct be_figure *cold =
        be_profile_largest(profile, device, "disk_read_cold", NULL, NULL);
    const struct be_figure *warm =
        be_profile_largest(profile, device, "disk_read_warm", NULL, NULL);
    if (cold) { /* there is one where a folder was given */
        add_pair(pairs, "disk, cold", cold);
    }
    if (warm) {
        add_pair(pairs, "disk, warm", warm);
    }
}

static void add_numa(const struct be_profile *profile, const char *device, struct be_text *out) {
    static const char *const kinds[] = {"numa_triad", "numa_latency"};
    struct pairs pairs = begin_pairs(profile, out);
    for (size_t k = 0; k < BE_COUNT(kinds); k++) {
        for (size_t i = 0; i < profile->figures; i++) {
            const struct be_figure *f = &profile->figure[i];
            if (strcmp(f->device, device) == 0 && strcmp(f->what, kinds[k]) == 0) {
                char label[BE_NAME * 2];
                snprintf(label, sizeof label, "%s%.30s", pairs.column ? "" : "NUMA ", f->peer);
                add_pair(&pairs, label, f);
            }
        }
    }
    end_pairs(&pairs);
}

static void add_cpu_title(const struct be_profile *profile, const struct be_device_info *info,
                          struct be_text *out) {
    const struct be_machine *machine = &profile->machine;
    char title[BE_NAME * 4], memory[BE_WORD], cores[BE_NAME] = "";
    int used = machine->cores_allowed, all = machine->cores;
    if (used > 0 && all > used) {
        snprintf(cores, sizeof cores, ", %d of %d cores", used, all);
    } else if (used > 0) {
        snprintf(cores, sizeof cores, ", %d core%s", used, used == 1 ? "" : "s");
    }
    snprintf(title, sizeof title, "CPU: %s%s, %s%s", *machine->cpu ? machine->cpu : info->name,
             cores, be_format_bytes(memory, sizeof memory, machine->memory_bytes, "memory unknown"),
             profile->source == BE_SOURCE_DATA_SHEET ? " (data sheet)" : "");
    be_lines_wrap(out, "", title, 2);
}

void be_profile_cpu(const struct be_profile *profile, const struct be_device_info *info,
                    struct be_text *out) {
    static const struct {
        const char *what, *dtype, *label;
    } rows[] = {
        {"fma", "float64", "FMA float64"},     {"fma", "float32", "FMA float32"},
        {"matmul", "float64", "GEMM float64"}, {"matmul", "float32", "GEMM float32"},
        {"clock", NULL, "clock, loaded"},      {"triad", NULL, "memory triad"},
        {"copy", NULL, "memory copy"},
    };
    add_cpu_title(profile, info, out);
    if (!profile->figures) {
        be_text_add(out, "  not measured\n");
        return;
    }
    int max = be_profile_max_threads(profile, info->id);
    char all[BE_WORD];
    snprintf(all, sizeof all, "%d cores", max);
    be_text_add(out, "  %-*s%-*s%s", LABEL - 2, "", CELL, "1 core", max > 1 ? all : "");
    be_text_end_line(out);
    for (size_t i = 0; i < BE_COUNT(rows); i++) {
        const struct be_figure *one =
            be_profile_with_threads(profile, info->id, rows[i].what, rows[i].dtype, 1);
        const struct be_figure *each =
            be_profile_with_threads(profile, info->id, rows[i].what, rows[i].dtype, max);
        if (one || each || profile->source == BE_SOURCE_MEASURED) {
            add_row(out, rows[i].label, one, max > 1 ? each : NULL, max > 1);
        }
    }
    struct pairs pairs = begin_pairs(profile, out);
    add_latencies(profile, info->id, &pairs);
    add_pair(&pairs, "fork-join", be_profile_largest(profile, info->id, "fork_join", NULL, NULL));
    add_page_faults(profile, info->id, &pairs);
    add_disk(profile, info->id, &pairs);
    end_pairs(&pairs);
    add_numa(profile, info->id, out);
}

/* ---- other devices -------------------------------------------------------------------------- */

static void add_rates(const struct be_profile *profile, const char *id, struct be_text *out) {
    static const char *const precisions[] = {"float64", "float32",  "tf32",
                                             "float16", "bfloat16", "fp8"};
    be_text_add(out, "  %-*s%-*s%s\n", LABEL - 2, "", CELL, "FMA", "GEMM, library");
    for (size_t i = 0; i < BE_COUNT(precisions); i++) {
        const struct be_figure *plain = be_profile_largest(profile, id, "fma", precisions[i], NULL);
        const struct be_figure *matrix =
            be_profile_largest(profile, id, "matmul", precisions[i], NULL);
        bool sheet = profile->source == BE_SOURCE_DATA_SHEET;
        if (plain || matrix || (i < 2 && !sheet)) {
            char a[BE_CELL], b[BE_CELL];
            /* Matrix units alone have tf32; a data sheet has what it has. */
            bool none = !plain && (sheet || strcmp(precisions[i], "tf32") == 0);
            be_text_add(out, "  %-*s%-*s %s", LABEL - 2, precisions[i], CELL - 1,
                        none ? "-" : be_format_cell(a, plain),
                        !matrix && sheet ? "-" : be_format_cell(b, matrix));
            be_text_end_line(out);
        }
    }
}

/* The largest of several sizes. */
static void add_lines(const struct be_profile *profile, const char *id, struct be_text *out) {
    static const struct {
        const char *head, *what;
    } line[] = {
        {"memory read", "read"},
        {"write", "write"},
        {"copy", "copy"},
        {"triad", "triad"},
        {"cache read", "cache_read"},
        {"launch", "launch"},
        {"launch and wait", "launch_wait"},
        {"graph node", "graph_node"},
        {"launches", "launch_rate"},
        {"first context", "first_context"},
        {"first module", "first_module"},
        {"first library", "first_library"},
        {"allocation", "alloc"},
        {"release", "release"},
        {"unified on touch", "unified_fault"},
    };
    struct pairs pairs = begin_pairs(profile, out);
    for (size_t i = 0; i < BE_COUNT(line); i++) {
        add_pair(&pairs, line[i].head, be_profile_largest(profile, id, line[i].what, NULL, NULL));
    }
    end_pairs(&pairs);
}

/* "55.3 GB/s 8.11 us 2 %": rate at the largest size, latency and typical error of the fit. */
static void bus_cell(char to[BE_CELL], const struct be_profile *profile, const char *id,
                     const char *what) {
    const struct be_figure *figure = be_profile_largest(profile, id, what, NULL, NULL);
    const struct be_fit *fit = be_profile_fit(profile, id, what, NULL);
    char rate[BE_WORD], latency[BE_WORD];
    if (!figure) {
        snprintf(to, BE_CELL, "%s", profile->source == BE_SOURCE_DATA_SHEET ? "-" : "not measured");
        return;
    }
    be_format_figure(rate, sizeof rate, figure->value, figure->unit);
    if (figure->source == BE_SOURCE_DATA_SHEET) {
        snprintf(to, BE_CELL, "%s, data sheet", rate);
    } else if (fit) {
        int length = snprintf(to, BE_CELL, "%s %s %.0f %%", rate,
                              be_format_seconds(latency, sizeof latency, fit->latency_s, "-"),
                              fmin(100 * fit->typical_off, 999));
        if (length >= BUS_CELL) { /* nothing that a bus does */
            snprintf(to, BE_CELL, "%s", rate);
        }
    } else {
        snprintf(to, BE_CELL, "%s", rate);
    }
}

static const struct bus_row {
    const char *label, *what[3];
} bus_rows[] = {
    {"pinned", {"bus_in_pinned", "bus_out_pinned", "bus_both_pinned"}},
    {"pageable", {"bus_in_pageable", "bus_out_pageable", "bus_both_pageable"}},
    {"staged", {"bus_in_staged", "bus_out_staged", NULL}},
};

static bool has_bus(const struct be_profile *profile, const char *id, const struct bus_row *row) {
    bool any = false;
    for (size_t k = 0; k < BE_COUNT(row->what) && row->what[k]; k++) {
        any |= be_profile_largest(profile, id, row->what[k], NULL, NULL) != NULL;
    }
    return any;
}

static void add_bus(const struct be_profile *profile, const char *id, struct be_text *out) {
    int rows = 0;
    for (size_t i = 0; i < BE_COUNT(bus_rows); i++) {
        const struct bus_row *row = &bus_rows[i];
        if (!has_bus(profile, id, row)) {
            continue;
        }
        if (rows++ == 0) {
            be_text_add(out, "  %-*s%-*s%-*s%s\n", BUS_LABEL - 2, "bus", BUS_CELL, "to device",
                        BUS_CELL, "to host", "both at once");
        }
        char cell[3][BE_CELL] = {"", "", ""};
        for (size_t k = 0; k < 3 && row->what[k]; k++) {
            bus_cell(cell[k], profile, id, row->what[k]);
        }
        be_text_add(out, "  %-*s%-*s%-*s%s", BUS_LABEL - 2, row->label, BUS_CELL, cell[0], BUS_CELL,
                    cell[1], cell[2]);
        be_text_end_line(out);
    }
    if (!rows && profile->source == BE_SOURCE_MEASURED) {
        be_text_add(out, "  bus not measured\n");
    }
}

/* The figure of the device's own NUMA node, or where none is noted the fastest; far: the slowest. */
static const struct be_figure *node_figure(const struct be_profile *profile, const char *id,
                                           const char *what, bool far) {
    const struct be_figure *found = NULL;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, id) != 0 || strcmp(f->what, what) != 0) {
            continue;
        }
        if (!far && strcmp(f->note, "near") == 0) {
            return f;
        }
        found = !found || (far ? f->value < found->value : f->value > found->value) ? f : found;
    }
    return found;
}

/* "far socket (node 1): 0.82 of the near one to device, 0.79 to host". */
static void add_far_socket(const struct be_profile *profile, const char *id, struct be_text *out) {
    static const struct {
        const char *what, *way;
    } ways[] = {{"bus_in_node", " of the near one to device"}, {"bus_out_node", " to host"}};
    struct be_text line = {0};
    for (size_t i = 0; i < BE_COUNT(ways); i++) {
        const struct be_figure *near = node_figure(profile, id, ways[i].what, false);
        const struct be_figure *far = node_figure(profile, id, ways[i].what, true);
        char ratio[BE_WORD];
        if (!near || near == far) {
            continue;
        }
        if (line.length) {
            be_text_add(&line, ", ");
        } else {
            be_text_add(&line, "far socket (%.20s): ", far->peer);
        }
        be_text_add(&line, "%s%s",
                    be_format_ratio(ratio, sizeof ratio, far->value / near->value, "-"),
                    ways[i].way);
    }
    if (line.length) {
        be_lines_wrap(out, "  ", line.data, 4);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

static void add_peers(const struct be_profile *profile, const char *id, struct be_text *out) {
    struct pairs pairs = begin_pairs(profile, out);
    const struct be_machine *machine = &profile->machine;
    for (int i = 0; i < machine->devices; i++) {
        const char *peer = machine->device[i].id;
        const struct be_figure *f = be_profile_largest(profile, id, "peer_copy", NULL, peer);
        if (f) {
            char label[BE_NAME * 2];
            snprintf(label, sizeof label, "copy from %.30s", peer);
            add_pair(&pairs, label, f);
        }
    }
    end_pairs(&pairs);
}

/* The facts that differ on hardware that another block shows. */
static void add_short(const struct be_profile *profile, const char *id, struct be_text *out) {
    static const struct {
        const char *head, *what, *dtype;
    } few[] = {
        {"float64", "fma", "float64"},
        {"float32", "fma", "float32"},
        {"copy", "copy", NULL},
        {"triad", "triad", NULL},
        {"launch and wait", "launch_wait", NULL},
        {"bus in", "bus_in_pinned", NULL},
        {"out", "bus_out_pinned", NULL},
    };
    struct pairs pairs = begin_pairs(profile, out);
    for (size_t i = 0; i < BE_COUNT(few); i++) {
        add_pair(&pairs, few[i].head,
                 be_profile_largest(profile, id, few[i].what, few[i].dtype, NULL));
    }
    end_pairs(&pairs);
}

void be_profile_device_block(const struct be_profile *profile, const struct be_device_info *info,
                             struct be_text *out) {
    char title[BE_NOTE * 2], memory[BE_WORD];
    snprintf(title, sizeof title, "%s: %s, %s%s%s%s%s%s", info->id, info->name,
             be_format_bytes(memory, sizeof memory, info->memory_bytes, "memory unknown"),
             *info->driver ? ", " : "", info->driver, *info->same_as ? ", same hardware as " : "",
             info->same_as, profile->source == BE_SOURCE_DATA_SHEET ? " (data sheet)" : "");
    be_lines_wrap(out, "", title, 2);
    if (be_profile_shown_before(profile, info)) {
        add_short(profile, info->id, out);
        return;
    }
    add_rates(profile, info->id, out);
    add_lines(profile, info->id, out);
    add_bus(profile, info->id, out);
    add_far_socket(profile, info->id, out);
    add_peers(profile, info->id, out);
}
