/* The live view of a made-up trace: screens of several sizes, lines, events, metrics, keys. The screens
 * stand in tests/golden/watch; with BREAKEVEN_UPDATE set they are written anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "report/live.h"

enum { TICKS = 120 };

struct made {
    struct be_trace trace;
    struct be_run_finding finding[2];
    struct be_recent recent;
    struct be_live_scene scene;
    struct be_live_frame frame;
};

/* ---- a trace -------------------------------------------------------------------------------- */

static void add_gpu(struct be_trace *trace, int source, int gpu, int tick) {
    bool on = (tick / 5) % 2 == 0;
    be_trace_add(trace, BE_GPU_BUSY, gpu, source, on ? 0.9 : 0);
    be_trace_add(trace, BE_GPU_SM_ACTIVE, gpu, source, on ? 0.5 : 0);
    be_trace_add(trace, BE_GPU_TENSOR, gpu, source, 0.125);
    be_trace_add(trace, BE_GPU_MEMORY, gpu, source, 3.1e9);
    be_trace_add(trace, BE_GPU_POWER, gpu, source, 412);
    be_trace_add(trace, BE_GPU_TEMPERATURE, gpu, source, 61);
    be_trace_add(trace, BE_GPU_BUS_IN, gpu, source, 1.9e9);
}

static void add_processes(struct be_trace *trace, int source, int tick) {
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

static void make_gpus(struct be_trace *trace, int gpus) {
    trace->gpus = gpus;
    for (int i = 0; i < gpus; i++) {
        trace->gpu[i] = (struct be_trace_gpu){
            .memory_bytes = 141e9, .bus_bytes_s = 55e9, .power_limit_w = 700, .fp64_ratio = NAN};
        be_copy_text(trace->gpu[i].name, sizeof trace->gpu[i].name, "NVIDIA H200");
        snprintf(trace->gpu[i].uuid, sizeof trace->gpu[i].uuid, "GPU-%d", i);
    }
}

static void make_trace(struct be_trace *trace, int gpus, int ticks) {
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

static void make_findings(struct made *made) {
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

static struct made *make(int gpus, int ticks, int findings) {
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

static void drop(struct made *made) {
    be_trace_close(&made->trace);
    free(made);
}

/* ---- screens -------------------------------------------------------------------------------- */

static int columns_of(const char *text) {
    int columns = 0;
    for (; *text; text++) {
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return columns;
}

/* Must hold of every frame, of whatever size. */
static void check_frame(const struct be_live_frame *frame, const struct be_live_view *view) {
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

static void as_text(const struct be_live_frame *frame, struct be_text *out) {
    for (int i = 0; i < frame->lines; i++) {
        be_text_add(out, "%s", frame->line[i].text);
        be_text_end_line(out);
    }
}

static void golden(const char *name, const struct be_text *text) {
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

static void check_screen(struct made *made, struct be_live_view view, const char *name) {
    struct be_text text = {0};
    be_live_draw(&made->scene, &view, &made->frame);
    check_frame(&made->frame, &view);
    as_text(&made->frame, &text);
    golden(name, &text);
    be_text_free(&text);
}

static void test_screens(void **state) {
    (void)state;
    struct made *one = make(1, TICKS, 2), *none = make(0, TICKS, 0), *four = make(4, TICKS, 2);
    struct made *empty = make(0, 0, 0);
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .unicode = true}, "80x24");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24}, "80x24-ascii");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .unicode = true, .zoom = 2},
                 "80x24-zoomed");
    check_screen(none, (struct be_live_view){.width = 80, .height = 24, .unicode = true},
                 "80x24-cpu");
    check_screen(empty, (struct be_live_view){.width = 80, .height = 24}, "80x24-empty");
    check_screen(four, (struct be_live_view){.width = 80, .height = 24, .unicode = true},
                 "80x24-four");
    check_screen(four, (struct be_live_view){.width = 132, .height = 50, .unicode = true},
                 "132x50-four");
    check_screen(one, (struct be_live_view){.width = 40, .height = 12, .unicode = true}, "40x12");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .room = BE_LIVE_HELP},
                 "help");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .room = BE_LIVE_FOUND},
                 "found");
    drop(one);
    drop(none);
    drop(four);
    drop(empty);
}

/* Nothing is written beyond a screen of any size, and every room can be drawn. */
static void test_any_size(void **state) {
    (void)state;
    static const int sizes[] = {0,  1,  2,  3,  4,  5,   7,   10,  15,
                                24, 37, 79, 80, 81, 200, 511, 512, 700};
    struct made *made = make(16, 20, 2);
    for (size_t w = 0; w < BE_COUNT(sizes); w++) {
        for (size_t h = 0; h < BE_COUNT(sizes); h++) {
            for (int room = BE_LIVE_MAIN; room <= BE_LIVE_FOUND; room++) {
                struct be_live_view view = {.width = sizes[w],
                                            .height = sizes[h],
                                            .unicode = w % 2,
                                            .room = (enum be_live_room)room};
                be_live_draw(&made->scene, &view, &made->frame);
                check_frame(&made->frame, &view);
            }
        }
    }
    drop(made);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void press(struct made *made, struct be_live_view *view, int key) {
    assert_true(be_live_press(view, &made->scene, key));
    be_live_draw(&made->scene, view, &made->frame);
}

static void test_keys(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_live_view view = {.width = 80, .height = 24};
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4711);
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4712);
    press(made, &view, BE_KEY_END);
    assert_int_equal(view.selected, 4713);
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4713);
    press(made, &view, BE_KEY_HOME);
    assert_int_equal(view.selected, 4711);
    press(made, &view, BE_KEY_ESCAPE);
    assert_int_equal(view.selected, 0);
    press(made, &view, 'M');
    assert_int_equal(view.sort, BE_LIVE_BY_MEMORY);
    press(made, &view, 'I');
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4712); /* the least memory first */
    press(made, &view, BE_KEY_F1 + 5);
    assert_int_equal(view.sort, BE_LIVE_BY_TIME);
    assert_false(view.inverted);
    press(made, &view, '<');
    press(made, &view, '<');
    assert_int_equal(view.sort, BE_LIVE_BY_CPU);
    press(made, &view, '<');
    assert_int_equal(view.sort, BE_LIVE_BY_NAME);
    for (int i = 0; i < 20; i++) {
        press(made, &view, '+');
    }
    assert_int_equal(view.zoom, BE_LIVE_ZOOMS - 1);
    for (int i = 0; i < 20; i++) {
        press(made, &view, '-');
    }
    assert_int_equal(view.zoom, 0);
    press(made, &view, 'h');
    assert_int_equal(view.room, BE_LIVE_HELP);
    press(made, &view, 'x');
    assert_int_equal(view.room, BE_LIVE_MAIN);
    press(made, &view, BE_KEY_F1 + 1);
    assert_int_equal(view.room, BE_LIVE_FOUND);
    press(made, &view, BE_KEY_END);
    press(made, &view, 'f');
    assert_int_equal(view.room, BE_LIVE_MAIN);
    assert_false(be_live_press(&view, &made->scene, 'q'));
    assert_false(be_live_press(&view, &made->scene, BE_KEY_F10));
    view.room = BE_LIVE_HELP;
    assert_false(be_live_press(&view, &made->scene, 'q'));
    drop(made);
}

/* A process that is selected and ends is selected no more. */
static void test_selected_ends(void **state) {
    (void)state;
    struct made *made = make(0, TICKS, 0);
    struct be_live_view view = {.width = 80, .height = 24, .selected = 4000, .first = 50};
    be_live_draw(&made->scene, &view, &made->frame);
    assert_int_equal(view.selected, 0);
    assert_int_equal(view.first, 0);
    assert_false(be_live_press(&view, &(struct be_live_scene){.trace = &made->trace}, 'q'));
    drop(made);
}

/* ---- figures -------------------------------------------------------------------------------- */

static void test_values(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 0);
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int count = be_live_figures(&made->scene, list);
    assert_string_equal(be_live_figure(list, count, "cpu", 0)->text, "7.6 of 8 cores (95 %)");
    assert_string_equal(be_live_figure(list, count, "memory", 0)->text, "9.2 GB of 32 GB (29 %)");
    assert_string_equal(be_live_figure(list, count, "gpu_power", 0)->text, "412 of 700 W");
    assert_null(be_live_figure(list, count, "gpu_power", 1));
    assert_null(be_live_figure(list, count, "gpu_fp64", 0)); /* never measured */
    assert_true(isnan(be_live_value(&made->trace, BE_PROCESS_CPU, 3, 5)));
    assert_float_equal(be_live_value(&made->trace, BE_PROCESS_CPU, 3, 1000), 1, 1e-6);
    assert_float_equal(be_live_mean(&made->trace, BE_CPU_BUSY, 0, 1.5, 3.5),
                       (0.5 * 0.4 + 0.8 + 0.5 * 1.2) / 2, 1e-6);
    assert_true(isnan(be_live_mean(&made->trace, BE_CPU_BUSY, 0, -5, 0)));
    assert_true(isnan(be_live_mean(&made->trace, BE_CPU_BUSY, 0, 500, 501)));
    drop(made);
}

/* Of a machine, what is in use is what is not available. */
static void test_node(void **state) {
    (void)state;
    struct made *made = make(0, 0, 0);
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int node = be_trace_source(&made->trace, "node");
    made->scene.node = true;
    be_trace_tick(&made->trace, 1);
    be_trace_add(&made->trace, BE_NODE_MEMORY_AVAILABLE, 0, node, 48e9);
    be_trace_add(&made->trace, BE_NODE_CPU, 0, node, 4);
    int count = be_live_figures(&made->scene, list);
    assert_string_equal(be_live_figure(list, count, "memory", 0)->text, "16 GB of 64 GB (25 %)");
    assert_string_equal(be_live_figure(list, count, "cpu", 0)->text, "4.0 of 16 cores (25 %)");
    assert_float_equal(be_live_figure_mean(&made->trace, &list[1], 0, 1), 16e9, 1e3);
    drop(made);
}

/* ---- for others ----------------------------------------------------------------------------- */

static void test_plain(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_text text = {0};
    be_live_plain(&made->scene, &text);
    be_live_plain_findings(&made->scene, &text);
    be_live_plain_processes(&made->scene, 2, &text);
    golden("plain", &text);
    for (size_t i = 0; i < text.length; i++) {
        assert_true(text.data[i] == '\n' || (text.data[i] >= ' ' && text.data[i] <= '~'));
    }
    be_text_free(&text);
    drop(made);
}

static void test_json(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    for (int history = 0; history < 2; history++) {
        struct be_text text = {0};
        be_live_json(&made->scene, history, &text);
        assert_null(strchr(text.data, '\n')); /* it would end the event */
        cJSON *all = cJSON_Parse(text.data);
        assert_non_null(all);
        const cJSON *processes = cJSON_GetObjectItem(all, "processes");
        assert_int_equal(cJSON_GetArraySize(processes), 3);
        assert_string_equal(
            cJSON_GetObjectItem(cJSON_GetArrayItem(processes, 2), "name")->valuestring,
            "<b>\"\\\n&?\xc3\xa9");
        const cJSON *cpu = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "figures"), 0);
        assert_string_equal(cJSON_GetObjectItem(cpu, "key")->valuestring, "cpu");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cpu, "past")), history ? TICKS : 0);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(all, "times")),
                         history ? TICKS : 0);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(all, "findings")), 2);
        /* In each event: what takes long to open comes later than the first of them. */
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(all, "gpus")), 1);
        assert_non_null(cJSON_GetObjectItem(all, "absent"));
        cJSON_Delete(all);
        be_text_free(&text);
    }
    drop(made);
}

/* After a day: ticks are still apart. */
static void test_json_after_long(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_text text = {0};
    for (int i = 0; i < TICKS; i++) {
        made->trace.end_s[i] += 100000;
    }
    made->trace.elapsed_s += 100000.25;
    double now_s = made->trace.elapsed_s, last_s = made->trace.end_s[TICKS - 1];
    be_live_json(&made->scene, true, &text);
    cJSON *all = cJSON_Parse(text.data);
    assert_non_null(all);
    const cJSON *times = cJSON_GetObjectItem(all, "times");
    assert_true(fabs(cJSON_GetObjectItem(all, "time_s")->valuedouble - now_s) < 0.001);
    assert_true(fabs(cJSON_GetArrayItem(times, TICKS - 1)->valuedouble - last_s) < 0.001);
    cJSON_Delete(all);
    be_text_free(&text);
    drop(made);
}

static void test_metrics(void **state) {
    (void)state;
    struct made *made = make(2, TICKS, 2);
    struct be_text text = {0};
    be_live_metrics(&made->scene, &text);
    golden("metrics", &text);
    assert_non_null(strstr(text.data, "name=\"<b>\\\"\\\\\\n&?\xc3\xa9\"} 0.25\n"));
    assert_null(strstr(text.data, "NaN"));
    be_text_free(&text);
    drop(made);
}

/* Every word that is a key anywhere in it, with a blank on both sides. */
static void add_keys(const cJSON *value, struct be_text *keys) {
    for (const cJSON *one = value->child; one; one = one->next) {
        char word[BE_NAME];
        if (one->string) {
            snprintf(word, sizeof word, " %s ", one->string);
            if (!keys->data || !strstr(keys->data, word)) {
                be_text_add(keys, "%s", word);
            }
        }
        add_keys(one, keys);
    }
}

/* The part of docs/json.md about it. */
static void read_page(char *to, size_t room) {
    static char page[1 << 17];
    FILE *in = fopen("docs/json.md", "r");
    assert_non_null(in);
    size_t length = fread(page, 1, sizeof page - 1, in);
    fclose(in);
    assert_true(length < sizeof page - 1);
    page[length] = '\0';
    const char *begin = strstr(page, "\n# watch\n");
    assert_non_null(begin);
    const char *end = strstr(begin + 1, "\n# ");
    assert_non_null(end);
    assert_true((size_t)(end - begin) < room);
    memcpy(to, begin, (size_t)(end - begin));
    to[end - begin] = '\0';
}

/* Words in code, of the first cell of each row of a table: all are keys, and no key is left out. */
static void check_page(char *page, const struct be_text *keys) {
    struct be_text said = {0};
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        char *end = *line == '|' ? strchr(line + 1, '|') : NULL;
        char *at = end ? strchr(line, '`') : NULL;
        if (end && strncmp(line, "| field", 7) != 0) {
            for (; at && at < end; at = strchr(strchr(at + 1, '`') + 1, '`')) {
                be_text_add(&said, " %.*s ", (int)strcspn(at + 1, "`"), at + 1);
            }
        }
    }
    assert_non_null(said.data);
    for (int i = 0; i < 2; i++) {
        const char *from = i ? said.data : keys->data, *in = i ? keys->data : said.data;
        char word[BE_NAME], blank[BE_NAME + 2];
        for (int used = 0; sscanf(from, " %63s%n", word, &used) == 1; from += used) {
            snprintf(blank, sizeof blank, " %s ", word);
            if (!strstr(in, blank)) {
                fail_msg("%s: %s", word,
                         i ? "docs/json.md has it, no event has" : "not in docs/json.md");
            }
        }
    }
    be_text_free(&said);
}

/* Of what time a finding is, since when it holds, and those that are over. */
static void test_over_time(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    const struct be_run_finding serial = {
        .number = 14, .name = "serial", .evidence = "one core's worth of work \033[2J"};
    struct be_live_view view = {.width = 80, .height = 24, .room = BE_LIVE_FOUND};
    struct be_text text = {0};
    made->scene.recent = &made->recent;
    made->scene.window_s = 30;
    snprintf(made->trace.source[0].absent, BE_NOTE, "not here");
    made->finding[0].from_s = made->trace.elapsed_s - 30;
    made->finding[0].to_s = made->trace.elapsed_s;
    be_recent_take(&made->recent, &serial, 1, 10);
    be_recent_take(&made->recent, &serial, 1, 40);
    be_recent_take(&made->recent, &made->finding[1], 1, 95);
    be_recent_take(&made->recent, made->finding, 2, 100);
    be_live_plain_news(&made->scene, &text);
    golden("news", &text);
    be_text_free(&text);
    check_screen(made, view, "found-recent");
    be_live_json(&made->scene, true, &text);
    cJSON *all = cJSON_Parse(text.data);
    assert_non_null(all);
    static char page[1 << 15];
    struct be_text keys = {0};
    add_keys(all, &keys);
    read_page(page, sizeof page);
    check_page(page, &keys);
    be_text_free(&keys);
    const cJSON *over = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "over"), 0);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "findings"), 0);
    assert_float_equal(cJSON_GetObjectItem(all, "window_s")->valuedouble, 30, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(over, "since_s")->valuedouble, 10, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(over, "until_s")->valuedouble, 40, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(first, "from_s")->valuedouble,
                       made->trace.elapsed_s - 30, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(first, "since_s")->valuedouble, 100, 1e-9);
    cJSON_Delete(all);
    be_text_free(&text);
    be_live_json(&made->scene, false, &text);
    golden("event", &text);
    be_text_free(&text);
    drop(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screens),   cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_keys),      cmocka_unit_test(test_selected_ends),
        cmocka_unit_test(test_values),    cmocka_unit_test(test_node),
        cmocka_unit_test(test_plain),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_metrics),   cmocka_unit_test(test_json_after_long),
        cmocka_unit_test(test_over_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
