/* Scene and view -> the lines of a screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/live/frame.h"
#include "report/live/line.h"

enum { GRAPH_COLUMN = 37, LABEL_COLUMN = 8, NARROW = 56, ROWS_MIN = 4, ROOMY = 6 };

/* ---- the head ------------------------------------------------------------------------------- */

static void draw_head(const struct be_live_scene *scene, struct be_live_view *view,
                      struct be_live_frame *frame) {
    const struct be_trace *trace = scene->trace;
    struct be_live_line *line = be_live_line_new(frame, view);
    char word[BE_WORD];
    be_live_line_add(line, view, BE_STYLE_HEAD, " ");
    be_live_line_add_foreign(line, view, BE_STYLE_HEAD, scene->what);
    if (trace->host[0] && !scene->node) {
        be_live_line_add(line, view, BE_STYLE_HEAD, " on ");
        be_live_line_add_foreign(line, view, BE_STYLE_HEAD, trace->host);
    }
    if (scene->ended) {
        be_live_line_add(line, view, BE_STYLE_HEAD, ": ended");
    }
    be_live_line_add(line, view, BE_STYLE_HEAD, "   watched for %s",
                     be_live_duration(word, sizeof word, trace->elapsed_s));
    be_live_line_to(line, view, BE_STYLE_HEAD, view->width);
}

/* ---- figures with graphs -------------------------------------------------------------------- */

/* `rows` lines: what it is and its graph. `below`: foreign text for the second of them. */
static void draw_graph(const struct be_live_scene *scene, struct be_live_view *view,
                       struct be_live_frame *frame, const struct be_live_figure *figure,
                       const char *label, const char *text, const char *below, int rows) {
    enum be_live_style style =
        be_signals[figure->signal].scope == BE_OF_GPU ? BE_STYLE_GPU : BE_STYLE_CPU;
    for (int row = 0; row < rows; row++) {
        struct be_live_line *line = be_live_line_new(frame, view);
        struct be_text graph = {0};
        be_live_line_add(line, view, BE_STYLE_HEAD, "%s", row ? "" : label);
        be_live_line_to(line, view, BE_STYLE_PLAIN, LABEL_COLUMN);
        be_live_line_add(line, view, BE_STYLE_PLAIN, "%s", row ? "" : text);
        if (row == 1) {
            be_live_line_add_foreign(line, view, BE_STYLE_DIM, below);
        }
        if (view->width < NARROW) {
            continue;
        }
        be_live_line_to(line, view, BE_STYLE_PLAIN, GRAPH_COLUMN);
        be_live_line_cut(line, GRAPH_COLUMN);
        be_live_graph(scene->trace, figure, view->width - line->columns, be_live_zoom_s[view->zoom],
                      rows, row, view->unicode, &graph);
        be_live_line_add(line, view, style, "%s", graph.data ? graph.data : "");
        be_text_free(&graph);
    }
}

static void draw_traffic(const struct be_live_scene *scene, struct be_live_view *view,
                         struct be_live_frame *frame, const struct shown *shown) {
    struct be_live_line *line = be_live_line_new(frame, view);
    const struct be_live_figure *read = be_live_figure(shown->figure, shown->figures, "read", 0);
    const struct be_live_figure *written =
        be_live_figure(shown->figure, shown->figures, "written", 0);
    double threads = be_live_value(scene->trace, BE_THREADS, 0, 10);
    double processes = be_live_value(scene->trace, BE_PROCESSES, 0, 10);
    be_live_line_add(line, view, BE_STYLE_HEAD, "disk");
    be_live_line_to(line, view, BE_STYLE_PLAIN, LABEL_COLUMN);
    be_live_line_add(line, view, BE_STYLE_PLAIN, "read %s  written %s", read->text, written->text);
    if (!isnan(processes)) {
        be_live_line_add(line, view, BE_STYLE_PLAIN, "   %.0f process%s, %.0f thread%s", processes,
                         processes > 1.5 ? "es" : "", threads, threads > 1.5 ? "s" : "");
    }
}

/* ---- GPUs ----------------------------------------------------------------------------------- */

static void draw_gpu_details(const struct be_live_scene *scene, struct be_live_view *view,
                             struct be_live_frame *frame, const struct shown *shown, int gpu) {
    static const struct {
        const char *key, *label;
    } detail[] = {
        {"gpu_memory", "memory"}, {"gpu_power", ""},        {"gpu_temperature", ""},
        {"gpu_tensor", "tensor"}, {"gpu_dram", "dram"},     {"gpu_bus_in", "in"},
        {"gpu_bus_out", "out"},   {"gpu_occupancy", "occ"}, {"gpu_fp32", "FP32"},
        {"gpu_fp64", "FP64"},
    };
    struct be_live_line *line = be_live_line_new(frame, view);
    for (size_t i = 0; i < BE_COUNT(detail); i++) {
        const struct be_live_figure *figure =
            be_live_figure(shown->figure, shown->figures, detail[i].key, gpu);
        int before = line->columns;
        if (figure && !isnan(figure->value)) {
            be_live_line_add(line, view, BE_STYLE_PLAIN, "  %s%s%s", detail[i].label,
                             detail[i].label[0] ? " " : "", figure->text);
        }
        if (before > 0 && line->columns >= view->width) { /* a number cut off would be another */
            be_live_line_cut(line, before);
            return;
        }
    }
    if (shown->graph_rows == 1) {
        be_live_line_add(line, view, BE_STYLE_PLAIN, "  ");
        be_live_line_add_foreign(line, view, BE_STYLE_DIM, scene->trace->gpu[gpu].name);
    }
}

static void draw_gpu(const struct be_live_scene *scene, struct be_live_view *view,
                     struct be_live_frame *frame, const struct shown *shown, int gpu) {
    const struct be_live_figure *busy =
        be_live_figure(shown->figure, shown->figures, "gpu_busy", gpu);
    const struct be_live_figure *sm = be_live_figure(shown->figure, shown->figures, "gpu_sm", gpu);
    char label[BE_NAME], text[5 * BE_NAME] = "not measured";
    struct be_live_figure none = {.signal = BE_GPU_BUSY, .of = gpu, .full = 1};
    snprintf(label, sizeof label, "GPU %d", gpu);
    if (busy) {
        snprintf(text, sizeof text, "kernels %s", busy->text);
    }
    if (sm) {
        snprintf(text, sizeof text, "%s%s%sSM %s", busy ? "kernels " : "", busy ? busy->text : "",
                 busy ? "  " : "", sm->text);
    }
    draw_graph(scene, view, frame,
               sm     ? sm
               : busy ? busy
                      : &none,
               label, text, scene->trace->gpu[gpu].name, shown->graph_rows);
    if (shown->gpu_details) {
        draw_gpu_details(scene, view, frame, shown, gpu);
    }
}

/* ---- findings ------------------------------------------------------------------------------- */

static enum be_live_style style_of(enum be_weight weight) {
    return weight == BE_WEIGHT_GOOD   ? BE_STYLE_GOOD
           : weight == BE_WEIGHT_COST ? BE_STYLE_WARN
                                      : BE_STYLE_PLAIN;
}

static void draw_advice(const char *advice, struct be_live_view *view,
                        struct be_live_frame *frame) {
    struct be_live_line *line = be_live_line_new(frame, view);
    be_live_line_to(line, view, BE_STYLE_PLAIN, LABEL_COLUMN);
    be_live_line_add(line, view, BE_STYLE_DIM, "-> ");
    be_live_line_add_foreign(line, view, BE_STYLE_PLAIN, advice);
}

static void draw_findings(const struct be_live_scene *scene, struct be_live_view *view,
                          struct be_live_frame *frame, const struct shown *shown) {
    const int max = shown->found;
    for (int i = 0; i < scene->findings && i < max; i++) {
        const struct be_run_finding *finding = &scene->finding[i];
        struct be_live_line *line = be_live_line_new(frame, view);
        be_live_line_add(line, view, BE_STYLE_HEAD, "%s", i ? "" : "found");
        be_live_line_to(line, view, BE_STYLE_PLAIN, LABEL_COLUMN);
        if (i == max - 1 && scene->findings > max) {
            be_live_line_add(line, view, BE_STYLE_DIM, "%d more: f", scene->findings - i);
            return;
        }
        be_live_line_add_foreign(line, view, style_of(finding->weight), finding->evidence);
        if (shown->advice && finding->advice[0]) {
            draw_advice(finding->advice, view, frame);
        }
    }
}

/* ---- what fits ------------------------------------------------------------------------------ */

/* How the lines are shared out: the table of processes gets what is left, and at least a few. */
static void share_out(const struct be_live_scene *scene, const struct be_live_view *view,
                      struct shown *shown) {
    int gpus = scene->trace->gpus;
    int left = view->height - 2 - ROWS_MIN; /* head, keys, table */
    shown->traffic = view->height >= 12;
    shown->graph_rows = 1;
    left -= 2 + shown->traffic + gpus;
    shown->found = 0;
    if (scene->findings > 0 && left > 0) {
        shown->found = scene->findings < 3 ? scene->findings : 3;
        shown->found = shown->found < left ? shown->found : left;
        left -= shown->found;
    }
    shown->gpu_details = gpus > 0 && left >= gpus;
    left -= shown->gpu_details ? gpus : 0;
    shown->advice = left - shown->found >= ROOMY;
    left -= shown->advice ? shown->found : 0;
    for (int rows = 4; rows > 1; rows--) {
        if (left - (rows - 1) * (2 + gpus) >= ROOMY) {
            shown->graph_rows = rows;
            return;
        }
    }
}

static void draw_main(const struct be_live_scene *scene, struct be_live_view *view,
                      struct be_live_frame *frame) {
    struct shown shown;
    shown.figures = be_live_figures(scene, shown.figure);
    share_out(scene, view, &shown);
    const struct be_live_figure *cpu = &shown.figure[0], *memory = &shown.figure[1];
    draw_head(scene, view, frame);
    draw_graph(scene, view, frame, cpu, "CPU", cpu->text, "", shown.graph_rows);
    draw_graph(scene, view, frame, memory, "memory", memory->text, "", shown.graph_rows);
    if (shown.traffic) {
        draw_traffic(scene, view, frame, &shown);
    }
    for (int i = 0; i < scene->trace->gpus; i++) {
        draw_gpu(scene, view, frame, &shown, i);
    }
    draw_findings(scene, view, frame, &shown);
    be_live_draw_processes(scene, view, frame);
}

void be_live_draw(const struct be_live_scene *scene, struct be_live_view *view,
                  struct be_live_frame *frame) {
    static void (*const draw[])(const struct be_live_scene *scene, struct be_live_view *view,
                                struct be_live_frame *frame) = {
        [BE_LIVE_MAIN] = draw_main,
        [BE_LIVE_HELP] = be_live_draw_help,
        [BE_LIVE_FOUND] = be_live_draw_found,
    };
    frame->lines = 0;
    draw[view->capacity](scene, view, frame);
    be_live_draw_keys(scene, view, frame);
}
