/* A made-up trace as the live view shows it, and the comparison with what stands in tests/golden/watch; with
 * BREAKEVEN_UPDATE set that is written anew. */
#ifndef TESTS_UNIT_LIVE_SCENE_H
#define TESTS_UNIT_LIVE_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/live/live.h"

enum { TICKS = 120 };

struct made {
    struct be_trace trace;
    struct be_run_finding finding[2];
    struct be_recent recent;
    struct be_live_scene scene;
    struct be_live_frame frame;
};

/* ---- a trace -------------------------------------------------------------------------------- */

static inline void add_gpu(struct be_trace *trace, int source, int gpu, int tick) {
    bool on = (tick / 5) % 2 == 0;
    be_trace_add(trace, BE_GPU_BUSY, gpu, source, on ? 0.9 : 0);
    be_trace_add(trace, BE_GPU_SM_ACTIVE, gpu, source, on ? 0.5 : 0);
    be_trace_add(trace, BE_GPU_TENSOR, gpu, source, 0.125);
    be_trace_add(trace, BE_GPU_MEMORY, gpu, source, 3.1e9);
    be_trace_add(trace, BE_GPU_POWER, gpu, source, 412);
    be_trace_add(trace, BE_GPU_TEMPERATURE, gpu, source, 61);
    be_trace_add(trace, BE_GPU_BUS_IN, gpu, source, 1.9e9);
}

static inline void add_processes(struct be_trace *trace, int source, int tick) {
    static const struct {
        int pid;
        const char *name;
        double cpu, bytes;
    } process[] = {
        {4711, "python", 1.5, 6.2e9},
        {4712, "load\x1b[2Jer", 0.99, 1e8},
        {4713, "<b>\"\\\n&\xff\xc3\xa9", 0.25, 2e8},
    };
    for (size_t i = 0; i < BE_COUNT(process); i++) {
        int at = be_trace_process(trace, process[i].pid, (double)i, 0.5 * tick);
        be_copy_text(trace->process[at].name, BE_NAME, process[i].name);
        trace->process[at].cpu_s = process[i].cpu * tick;
        be_trace_add(trace, BE_PROCESS_CPU, at, source, process[i].cpu);
        be_trace_add(trace, BE_PROCESS_MEMORY, at, source, process[i].bytes);
        be_trace_add(trace, BE_PROCESS_THREADS, at, source, 4);
        be_trace_add(trace, BE_PROCESS_READ, at, source, i == 1 ? 2e6 : 0);
    }
    /* One that was there at the beginning only. */
    if (tick < 10) {
        int at = be_trace_process(trace, 4000, 0, 1);
        be_copy_text(trace->process[at].name, BE_NAME, "gone");
        be_trace_add(trace, BE_PROCESS_CPU, at, source, 1);
    }
}

static inline void make_gpus(struct be_trace *trace, int gpus) {
    trace->gpus = gpus;
    for (int i = 0; i < gpus; i++) {
        trace->gpu[i] = (struct be_trace_gpu){
            .memory_bytes = 141e9, .bus_bytes_s = 55e9, .power_limit_w = 700, .fp64_ratio = NAN};
        be_copy_text(trace->gpu[i].name, sizeof trace->gpu[i].name, "NVIDIA H200");
        snprintf(trace->gpu[i].uuid, sizeof trace->gpu[i].uuid, "GPU-%d", i);
    }
}

static inline void make_trace(struct be_trace *trace, int gpus, int ticks) {
    assert_int_equal(be_trace_open(trace, NULL), BE_OK);
    int proc = be_trace_source(trace, "proc"), nvml = be_trace_source(trace, "nvml");
    be_copy_text(trace->host, sizeof trace->host, "worker3");
    be_copy_text(trace->source[nvml].absent, BE_NOTE, gpus ? "" : "no library <here>");
    make_gpus(trace, gpus);
    trace->limits.cpus = 8;
    trace->limits.cpus_machine = 16;
    trace->limits.memory_machine_bytes = 64e9;
    trace->limits.memory_bytes = 32e9;
    trace->total.user_s = 123.5;
    for (int i = 0; i < ticks; i++) {
        assert_true(be_trace_tick(trace, i + 1));
        be_trace_add(trace, BE_CPU_BUSY, 0, proc, 8.0 * (i % 20) / 20);
        be_trace_add(trace, BE_MEMORY, 0, proc, 9.2e9);
        be_trace_add(trace, BE_READ, 0, proc, 2e6);
        be_trace_add(trace, BE_WRITTEN, 0, proc, 0);
        be_trace_add(trace, BE_PROCESSES, 0, proc, 3);
        be_trace_add(trace, BE_THREADS, 0, proc, 12);
        add_processes(trace, proc, i);
        for (int gpu = 0; gpu < gpus; gpu++) {
            add_gpu(trace, nvml, gpu, i);
        }
    }
    trace->elapsed_s = ticks;
}

static inline void make_findings(struct made *made) {
    made->finding[0] =
        (struct be_run_finding){.number = 11,
                                .name = "loader-stall",
                                .weight = BE_WEIGHT_COST,
                                .gpu = 0,
                                .evidence = "the GPU waits for data 71 % of the time: "
                                            "worker processes are at 100 % CPU while "
                                            "it idles",
                                .cost_s = 80,
                                .advice = "num_workers=8 <instead of 2>"};
    made->finding[1] = (struct be_run_finding){.number = 8,
                                               .name = "memory-bound",
                                               .weight = BE_WEIGHT_GOOD,
                                               .gpu = 0,
                                               .evidence = "all is well",
                                               .cost_s = NAN};
}

static inline struct made *make(int gpus, int ticks, int findings) {
    struct made *made = calloc(1, sizeof *made);
    assert_non_null(made);
    make_trace(&made->trace, gpus, ticks);
    make_findings(made);
    made->scene = (struct be_live_scene){.trace = &made->trace,
                                         .finding = made->finding,
                                         .findings = findings,
                                         .what = "process 4711 python"};
    return made;
}

static inline void drop(struct made *made) {
    be_trace_close(&made->trace);
    free(made);
}

/* ---- screens -------------------------------------------------------------------------------- */

static inline int columns_of(const char *text) {
    int columns = 0;
    for (; *text; text++) {
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return columns;
}

/* Must hold of every frame, of whatever size. */
static inline void check_frame(const struct be_live_frame *frame, const struct be_live_view *view) {
    assert_true(frame->lines <= view->height || view->height < 0);
    for (int i = 0; i < frame->lines; i++) {
        const struct be_live_line *line = &frame->line[i];
        int last = -1;
        assert_int_equal(line->columns, columns_of(line->text));
        assert_true(line->columns <= view->width);
        assert_int_equal(line->bytes, strlen(line->text));
        assert_true(line->bytes == 0 || (line->spans > 0 && line->span[0].from == 0));
        for (int k = 0; k < line->spans; k++) {
            assert_true(line->span[k].from > last && line->span[k].from < line->bytes);
            last = line->span[k].from;
        }
        for (const char *at = line->text; *at; at++) {
            assert_true((unsigned char)*at >= ' ' && *at != 127);
        }
    }
}

static inline void as_text(const struct be_live_frame *frame, struct be_text *out) {
    for (int i = 0; i < frame->lines; i++) {
        be_text_add(out, "%s", frame->line[i].text);
        be_text_end_line(out);
    }
}

static inline void golden(const char *name, const struct be_text *text) {
    char path[128], kept[32768];
    snprintf(path, sizeof path, "tests/golden/watch/%s.txt", name);
    if (getenv("BREAKEVEN_UPDATE")) {
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        assert_int_equal(fwrite(text->data, 1, text->length, out), text->length);
        assert_int_equal(fclose(out), 0);
    }
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t length = fread(kept, 1, sizeof kept - 1, in);
    fclose(in);
    kept[length] = '\0';
    if (strcmp(kept, text->data) != 0) {
        print_error("%s: expected\n%s\ngot\n%s\n", path, kept, text->data);
    }
    assert_string_equal(text->data, kept);
}

static inline void check_screen(struct made *made, struct be_live_view view, const char *name) {
    struct be_text text = {0};
    be_live_draw(&made->scene, &view, &made->frame);
    check_frame(&made->frame, &view);
    as_text(&made->frame, &text);
    golden(name, &text);
    be_text_free(&text);
}

#endif
