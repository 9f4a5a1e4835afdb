/* The report at the end of a run. */
#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/trace/timeline.h"
#include "report/trace/trace.h"

enum { GRAPH_COLUMNS = 46, INDENT = 9 };

const char *be_signal_word(int number) {
    static const struct {
        int number;
        const char *word;
    } words[] = {
        {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
        {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
        {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"}, {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
        {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"},
        {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
    };
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        if (words[i].number == number) {
            return words[i].word;
        }
    }
    return "a signal without a name here";
}

/* ---- how it ended --------------------------------------------------------------------------- */

static void add_end(const struct be_trace *trace, struct be_text *out) {
    switch (trace->end) {
    case BE_END_EXITED:
        if (trace->code) {
            be_text_add(out, ", exit code %d", trace->code);
        }
        break;
    case BE_END_KILLED:
        be_text_add(out, ", killed by signal %d (%s)", trace->code, be_signal_word(trace->code));
        break;
    case BE_END_RUNNING:
        be_text_add(out, " so far");
        break;
    default:
        be_text_add(out, ", how it ended is not known");
    }
}

/* -1: nothing tells. */
static int gpus_used(const struct be_trace *trace) {
    int used = 0;
    bool known = false;
    for (int i = 0; i < trace->gpus; i++) {
        bool others = be_trace_max(trace, BE_GPU_FOREIGN_PROCESSES, i) > 0.5;
        known |= be_trace_series(trace, BE_GPU_OWN_PROCESSES, i) ||
                 be_trace_series(trace, BE_GPU_BUSY, i);
        used += be_trace_max(trace, BE_GPU_OWN_PROCESSES, i) > 0.5 ||
                (!others && be_trace_max(trace, BE_GPU_BUSY, i) > 0.005);
    }
    return known ? used : -1;
}

/* The parts of the text, each whole lines or nothing. */
static void add_head(const struct be_trace *trace, struct be_text *out) {
    char word[BE_WORD];
    struct be_text line = {0};
    be_text_add(&line, "%s", be_format_duration(word, sizeof word, trace->elapsed_s));
    if (trace->limits.cpus) {
        be_text_add(&line, " on %d", trace->limits.cpus);
        if (trace->limits.cpus_machine) {
            be_text_add(&line, " of %d", trace->limits.cpus_machine);
        }
        bool one = trace->limits.cpus == 1 && trace->limits.cpus_machine <= 1;
        be_text_add(&line, one ? " core" : " cores");
    }
    if (trace->gpus) {
        int used = gpus_used(trace);
        be_text_add(&line, " and ");
        if (used >= 0) {
            be_text_add(&line, "%d of ", used);
        }
        be_text_add(&line, "%d GPU%s (", trace->gpus, trace->gpus == 1 ? "" : "s");
        be_text_add_utf8(&line, trace->gpu[0].name);
        be_text_add(&line, ")");
    }
    add_end(trace, &line);
    be_lines_wrap(out, trace->watched ? "watched " : "ran ", line.data ? line.data : "", INDENT);
    be_text_free(&line);
    if (trace->ranks > 1) {
        be_text_add(out, "         rank %d of %d%s", trace->rank, trace->ranks,
                    trace->host[0] ? " on " : "");
        be_text_add_utf8(out, trace->host);
        be_text_add(out, "\n");
    }
    if (trace->stopped_s > 0.05) {
        be_text_add(out, "         stopped for %s of it\n",
                    be_format_duration(word, sizeof word, trace->stopped_s));
    }
    if (trace->note[0]) {
        be_lines_wrap(out, "         ", trace->note, INDENT);
    }
    if (trace->total.left > 0.5) {
        char left[BE_WORD];
        be_text_add(out, "         %s process%s of it still run%s\n",
                    be_format_count(left, sizeof left, round(trace->total.left), ""),
                    trace->total.left > 1.5 ? "es" : "", trace->total.left > 1.5 ? "" : "s");
    }
}

/* ---- CPU and memory ------------------------------------------------------------------------- */

static double percent(double part, double whole) {
    return 100 * part / whole;
}

/* Adds the memory that others of the job took, or files in memory: where that is no small part beside the program's
 * own. */
static void add_job_memory(const struct be_trace *trace, double bytes, struct be_text *line) {
    char used[BE_WORD];
    double job = be_trace_max(trace, BE_JOB_MEMORY, 0);
    if (job > 1.1 * bytes) {
        be_text_add(line, ", all of the job %s", be_format_bytes(used, sizeof used, job, ""));
    }
}

static void add_memory(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_limits *limits = &trace->limits;
    char used[BE_WORD], of[BE_WORD];
    const char *how;
    double bytes = be_trace_memory_used(trace, &how);
    bool limited = limits->memory_bytes > 0;
    double whole = limited ? limits->memory_bytes : limits->memory_machine_bytes;
    be_format_bytes(used, sizeof used, bytes, "not measured");
    be_format_bytes(of, sizeof of, whole, "");
    struct be_text line = {0};
    be_text_add(&line, "%s", used);
    if (isfinite(bytes) && whole > 0) {
        const bool asked = limits->asked && strcmp(limits->memory_by, "cgroup") != 0;
        const double share = percent(bytes, whole);
        if (asked && limited) {
            char as_asked[BE_WORD];
            be_text_add(&line, " of %s (%s) asked ", of,
                        be_format_asked(as_asked, sizeof as_asked, whole));
        } else {
            be_text_add(&line, limited ? " of %s allowed " : " of the machine's %s ", of);
        }
        be_text_add(&line, share > 0 && share < 0.5 ? "(<1 %%)" : "(%.0f %%)", share);
    }
    be_text_add(&line, "%s%s", *how ? ", " : "", how);
    add_job_memory(trace, bytes, &line);
    be_lines_wrap(out, "memory   ", line.data ? line.data : "", INDENT);
    be_text_free(&line);
}

static void add_busy(const struct be_trace *trace, double cpu_s, double busy, struct be_text *out) {
    char word[BE_WORD];
    double cores = be_trace_cores_had(trace);
    struct be_text line = {0};
    if (!isfinite(busy)) {
        be_text_add(out, "CPU      not measured\n");
        return;
    }
    be_text_add(&line,
                busy < 0.095 || (cores > 0 && cores < 1) ? "%.2f"
                : busy < 9.95                            ? "%.1f"
                                                         : "%.0f",
                busy);
    if (cores > 0) {
        be_text_add(&line, cores < 99.5 ? " of %.2g" : " of %.0f", cores);
        be_text_add(&line, " core%s busy (%.0f %%)", cores == 1 ? "" : "s", percent(busy, cores));
    }
    be_text_add(&line, ", %s of CPU time", be_format_duration(word, sizeof word, cpu_s));
    if (cpu_s > 0 && trace->total.system_s > 0.1 * cpu_s) {
        be_text_add(&line, ", %.0f %% of it in the kernel", percent(trace->total.system_s, cpu_s));
    }
    be_lines_wrap(out, "CPU      ", line.data ? line.data : "", INDENT);
    be_text_free(&line);
}

static void add_cpu(const struct be_trace *trace, struct be_text *out) {
    double cpu_s = trace->total.user_s + trace->total.system_s;
    double busy = trace->elapsed_s > 0 ? cpu_s / trace->elapsed_s : NAN;
    add_busy(trace, cpu_s, busy, out);
    add_memory(trace, out);
    double threads = be_trace_max(trace, BE_THREADS, 0);
    double processes = be_trace_max(trace, BE_PROCESSES, 0);
    double wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    bool waited = wait >= 0.005 && !(wait * be_trace_mean(trace, BE_RUNNABLE, 0) < 0.01);
    if (processes > 1.5 || threads > 1.5) {
        struct be_text line = {0};
        be_text_add(&line, "%.0f at most in %.0f process%s", threads, processes,
                    processes > 1.5 ? "es" : "");
        if (waited) { /* a large share of next to nothing is none */
            be_text_add(&line, ", waiting for a core %.0f %% of the time they could run",
                        100 * wait);
        }
        be_lines_wrap(out, "threads  ", line.data ? line.data : "", INDENT);
        be_text_free(&line);
    }
}

/* "Python, NumPy, OpenBLAS (OPENBLAS_NUM_THREADS=1)": whose words the advice has. */
static void add_libraries(const struct be_trace *trace, struct be_text *out) {
    const be_library_set set = be_libraries_read(trace->libraries);
    const struct be_settings settings = be_settings_read(trace->settings); /* the text is foreign */
    char threads[BE_NOTE];
    struct be_text line = {0};
    for (int i = 0; i < BE_LIBS; i++) {
        if (set & be_library_bit((enum be_mapped)i)) {
            be_text_add(&line, "%s%s", line.length ? ", " : "", be_libraries[i].title);
        }
    }
    if (line.length && be_settings_write(&settings, threads, sizeof threads)[0]) {
        be_text_add(&line, " (%s)", threads);
    }
    if (line.length) {
        be_lines_wrap(out, "uses     ", line.data, INDENT);
    }
    be_text_free(&line);
}

/* ---- I/O ------------------------------------------------------------------------------------ */

static void add_io(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_totals *total = &trace->total;
    char read[BE_WORD], written[BE_WORD];
    if (isnan(total->read_bytes) && isnan(total->written_bytes)) {
        return;
    }
    if (total->read_bytes + total->written_bytes < 1e6 && !(total->major_faults > 1000)) {
        return;
    }
    be_text_add(out, "disk     read %s, wrote %s\n",
                be_format_bytes(read, sizeof read, total->read_bytes, "not measured"),
                be_format_bytes(written, sizeof written, total->written_bytes, "not measured"));
}

/* ---- over time ------------------------------------------------------------------------------ */

/* One character of one column for each of `columns` equal parts of the run; `full`: the value that fills it; a blank
 * where nothing was measured. The characters are ASCII unless the locale that is set has UTF-8. */
static void graph_of(const struct be_trace *trace, enum be_signal signal, int of, double full,
                     int columns, struct be_text *out) {
    static const char *const fine[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const coarse[] = {".", ":", "-", "=", "+", "*", "#", "@"};
    const char *const *block = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? fine : coarse;
    const int max = (int)BE_COUNT(fine) - 1;
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    double whole_s = trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
    for (int i = 0; series && i < columns; i++) {
        double value =
            be_timeline_value(trace, series, whole_s * i / columns, whole_s * (i + 1) / columns);
        double height = full > 0 ? round(value / full * max) : NAN; /* of any size, in a file */
        be_text_add(out, "%s", height >= 0 ? block[(int)fmin(height, max)] : " ");
    }
}

static int columns_of(const struct be_trace *trace) {
    return trace->ticks < GRAPH_COLUMNS ? trace->ticks : GRAPH_COLUMNS;
}

static void add_graph(const struct be_trace *trace, enum be_signal signal, int of, double full,
                      bool first, struct be_text *out) {
    be_text_add(out, "%s", first ? "timeline " : "         ");
    graph_of(trace, signal, of, full, columns_of(trace), out);
}

static void add_timeline(const struct be_trace *trace, struct be_text *out) {
    int cpus = trace->limits.cpus ? trace->limits.cpus : 1;
    bool first = true;
    if (columns_of(trace) < 2) {
        return;
    }
    if (be_trace_series(trace, BE_CPU_BUSY, 0)) {
        add_graph(trace, BE_CPU_BUSY, 0, cpus, first, out);
        be_text_add(out, " CPU (full: %d core%s)\n", cpus, cpus == 1 ? "" : "s");
        first = false;
    }
    for (int i = 0; i < trace->gpus && i < 4; i++) {
        bool active = be_trace_series(trace, BE_GPU_SM_ACTIVE, i) != NULL;
        if (active || be_trace_series(trace, BE_GPU_BUSY, i)) {
            add_graph(trace, active ? BE_GPU_SM_ACTIVE : BE_GPU_BUSY, i, 1, first, out);
            be_text_add(out, " GPU %d (%s)\n", i, active ? "SM activity" : "running kernels");
            first = false;
        }
    }
}

/* ---- findings and notes --------------------------------------------------------------------- */

static void add_finding(const struct be_run_finding *finding, int number, struct be_text *out) {
    char head[BE_WORD], cost[BE_WORD];
    struct be_text line = {0};
    snprintf(head, sizeof head, "%3d ", number);
    be_text_add(&line, "%s%s", finding->weight == BE_WEIGHT_GOOD ? "healthy: " : "",
                finding->evidence);
    if (finding->weight == BE_WEIGHT_COST && finding->cost_s > 0) {
        be_text_add(&line, " At most %s of the run.",
                    be_format_duration(cost, sizeof cost, finding->cost_s));
    }
    be_text_add(&line, " [%s]", finding->name);
    be_lines_wrap(out, head, line.data ? line.data : "", 4);
    if (finding->advice[0]) {
        be_lines_wrap(out, "    > ", finding->advice, 6);
    }
    be_text_free(&line);
}

static void add_findings(const struct be_trace *trace, struct be_text *out) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = be_trace_findings(trace, found);
    for (int i = 0; i < count; i++) {
        be_text_add(out, "%s", i ? "" : "found\n");
        add_finding(&found[i], i + 1, out);
    }
    if (!count) {
        be_text_add(out, "found    nothing to improve\n");
    }
}

static void add_notes(const struct be_trace *trace, struct be_text *out) {
    for (int i = 0; i < trace->sources; i++) {
        const struct be_trace_source *source = &trace->source[i];
        if (source->absent[0] && !source->gpu) {
            struct be_text line = {0};
            be_text_add(&line, "%s: %s", source->name, source->absent);
            be_lines_wrap(out, "absent   ", line.data ? line.data : "", INDENT);
            be_text_free(&line);
        }
    }
}

void be_trace_text(const struct be_trace *trace, struct be_text *out) {
    add_head(trace, out);
    add_cpu(trace, out);
    add_libraries(trace, out);
    be_trace_text_calls(trace, out);
    add_io(trace, out);
    be_trace_text_gpus(trace, out);
    add_timeline(trace, out);
    be_trace_text_worth(trace, out);
    add_findings(trace, out);
    add_notes(trace, out);
}
