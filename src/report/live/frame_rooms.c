/* The table of processes, the two other rooms of the screen, the line of keys. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/live/frame.h"
#include "report/live/line.h"
#include "report/trace/trace.h"

/* ---- processes ------------------------------------------------------------------------------ */

static const char *share_text(char *to, size_t capacity, double cores) {
    snprintf(to, capacity, isnan(cores) ? "-" : "%.1f", 100 * cores);
    return to;
}

static const char *time_text(char *to, size_t capacity, double seconds) {
    double whole = floor(seconds);
    snprintf(to, capacity, "%.0f:%02.0f", floor(whole / 60), fmod(whole, 60));
    return to;
}

/* Columns before the name; on a narrow screen those that need `min` columns are left out. Those of `more` are there
 * where somebody has looked, and then others need so many columns more. */
static const struct column {
    enum be_live_sort sort;
    const char *title;
    int width, min;
    bool more;
} columns[] = {
    {BE_LIVE_BY_PID, "PID", 8, 0, false},     {BE_LIVE_SORTS, "USER", -9, 60, true},
    {BE_LIVE_SORTS, "S", -2, 52, true},       {BE_LIVE_BY_CPU, "CPU %", 8, 0, false},
    {BE_LIVE_BY_MEMORY, "MEM", 9, 36, false}, {BE_LIVE_SORTS, "THR", 6, 50, false},
    {BE_LIVE_BY_READ, "READ", 11, 76, false}, {BE_LIVE_BY_WRITTEN, "WRITE", 11, 76, false},
    {BE_LIVE_BY_TIME, "TIME", 9, 44, false},
};
enum { MORE_COLUMNS = 15 };

static bool has_room(const struct be_live_scene *scene, const struct be_live_view *view,
                     const struct column *column) {
    return column->more
               ? scene->more && view->width >= column->min
               : view->width >= column->min + (scene->more && column->min > 60 ? MORE_COLUMNS : 0);
}

static const char *mark(const struct be_live_view *view, enum be_live_sort sort) {
    return sort != view->sort ? "" : view->inverted ? "<" : ">";
}

static void draw_titles(const struct be_live_scene *scene, struct be_live_view *view,
                        struct be_live_frame *frame) {
    struct be_live_line *line = be_live_line_new(frame, view);
    for (size_t i = 0; i < BE_COUNT(columns); i++) {
        char title[BE_NAME];
        snprintf(title, sizeof title, "%s%s", mark(view, columns[i].sort), columns[i].title);
        if (has_room(scene, view, &columns[i])) {
            be_live_line_add(line, view, BE_STYLE_HEAD, columns[i].more ? "  %*s" : "%*s",
                             columns[i].width, title);
        }
    }
    be_live_line_add(line, view, BE_STYLE_HEAD, "  %s%s", mark(view, BE_LIVE_BY_NAME),
                     view->commands ? "COMMAND" : "NAME");
    be_live_line_to(line, view, BE_STYLE_HEAD, view->width);
}

static void draw_process(const struct be_live_scene *scene, const struct be_live_process *process,
                         struct be_live_view *view, struct be_live_frame *frame) {
    char cell[BE_COUNT(columns)][BE_WORD];
    const struct be_live_more *more = be_live_more(scene, process);
    bool selected = process->pid == view->selected;
    enum be_live_style style = selected ? BE_STYLE_SELECTED : BE_STYLE_PLAIN;
    struct be_live_line *line = be_live_line_new(frame, view);
    snprintf(cell[0], BE_WORD, "%d", process->pid);
    snprintf(cell[1], BE_WORD, "%.*s", -columns[1].width, more->user[0] ? more->user : "-");
    snprintf(cell[2], BE_WORD, "%c", more->state ? more->state : '-');
    share_text(cell[3], BE_WORD, process->cpu);
    be_format_bytes(cell[4], BE_WORD, process->bytes, "-");
    snprintf(cell[5], BE_WORD, isnan(process->threads) ? "-" : "%.0f", process->threads);
    be_format_rate(cell[6], BE_WORD, process->read, "-");
    be_format_rate(cell[7], BE_WORD, process->written, "-");
    time_text(cell[8], BE_WORD, process->cpu_s);
    for (size_t i = 0; i < BE_COUNT(columns); i++) {
        if (has_room(scene, view, &columns[i]) && columns[i].more) {
            be_live_line_add(line, view, style, "  ");
            be_live_line_add_foreign(line, view, style, cell[i]);
            be_live_line_add(line, view, style, "%*s", -columns[i].width - (int)strlen(cell[i]),
                             "");
        } else if (has_room(scene, view, &columns[i])) {
            be_live_line_add(line, view, style, "%*s", columns[i].width, cell[i]);
        }
    }
    be_live_line_add(line, view, style, "  ");
    be_live_line_add_foreign(line, view, style,
                             view->commands && more->command[0] ? more->command : process->name);
    if (selected) {
        be_live_line_to(line, view, style, view->width);
    }
}

/* The selected one is in sight, or nothing is selected. */
static void correct(struct be_live_view *view, const struct be_live_process *list, int count,
                    int rows) {
    int at = -1;
    for (int i = 0; i < count; i++) {
        at = list[i].pid == view->selected ? i : at;
    }
    if (at < 0) {
        view->selected = 0;
    } else if (at < view->first) {
        view->first = at;
    } else if (rows > 0 && at >= view->first + rows) {
        view->first = at - rows + 1;
    }
    int max = count > rows ? count - rows : 0;
    view->first = view->first > max ? max : view->first < 0 ? 0 : view->first;
}

void be_live_draw_processes(const struct be_live_scene *scene, struct be_live_view *view,
                            struct be_live_frame *frame) {
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    int count = be_live_processes(scene->trace, view->sort, view->inverted, list);
    int rows = view->height - frame->lines - 2;
    if (rows < 1) {
        return;
    }
    draw_titles(scene, view, frame);
    correct(view, list, count, rows);
    for (int i = view->first; i < count && i < view->first + rows; i++) {
        draw_process(scene, &list[i], view, frame);
    }
    if (count == 0) {
        be_live_line_add(be_live_line_new(frame, view), view, BE_STYLE_DIM, "%s",
                         scene->trace->ticks ? "  none is running" : "  looking ...");
    }
}

/* ---- findings ------------------------------------------------------------------------------- */

static void add_when(const struct be_live_scene *scene, const struct be_run_finding *finding,
                     struct be_text *out) {
    char about[BE_NAME], since[BE_WORD];
    double since_s = be_live_since(scene, finding);
    be_text_add(out, "    of %s", be_live_about(about, sizeof about, finding));
    if (!isnan(since_s)) {
        be_text_add(out, ", found since %s", be_live_clock(since, sizeof since, since_s));
    }
    be_text_add(out, "; breakeven run --explain %s\n", finding->name);
}

static void add_over(const struct be_live_scene *scene, struct be_text *out) {
    const struct be_recent_one *over[BE_RUN_FINDINGS_MAX];
    int count = be_live_over(scene, over);
    for (int i = 0; i < count; i++) {
        char head[BE_NAME], since[BE_WORD], until[BE_WORD];
        snprintf(head, sizeof head, "over, found from %s to %s: ",
                 be_live_clock(since, sizeof since, over[i]->since_s),
                 be_live_clock(until, sizeof until, over[i]->last_s));
        be_lines_wrap(out, head, over[i]->finding.evidence, 4);
    }
}

static void found_text(const struct be_live_scene *scene, struct be_text *out) {
    for (int i = 0; i < scene->findings; i++) {
        const struct be_run_finding *finding = &scene->finding[i];
        char head[BE_NAME + 16];
        snprintf(head, sizeof head, "%3d ", i + 1);
        be_lines_wrap(out, head, finding->evidence, 4);
        if (finding->advice[0]) {
            be_lines_wrap(out, "    -> ", finding->advice, 7);
        }
        add_when(scene, finding, out);
    }
    add_over(scene, out);
    if (scene->findings == 0) {
        bool soon = be_trace_too_short(scene->trace);
        be_text_add(out, soon ? "too few samples yet to say anything\n"
                              : "nothing that costs time or resources was found\n");
    }
}

int be_live_found_lines(const struct be_live_scene *scene, const struct be_live_view *view) {
    (void)view;
    struct be_text text = {0};
    int lines = 0;
    found_text(scene, &text);
    for (const char *at = text.data; at && *at; at++) {
        lines += *at == '\n';
    }
    be_text_free(&text);
    return lines;
}

/* Lines of a text, from `first` on. */
static void draw_text(const char *text, int first, struct be_live_view *view,
                      struct be_live_frame *frame) {
    int at = 0;
    while (text && *text && frame->lines < view->height - 1) {
        size_t length = strcspn(text, "\n");
        if (at++ >= first) {
            be_live_line_add(be_live_line_new(frame, view), view, BE_STYLE_PLAIN, "%.*s",
                             (int)length, text);
        }
        text += length + (text[length] == '\n');
    }
}

static void draw_title(const char *title, struct be_live_view *view, struct be_live_frame *frame) {
    struct be_live_line *line = be_live_line_new(frame, view);
    be_live_line_add(line, view, BE_STYLE_HEAD, " %s", title);
    be_live_line_to(line, view, BE_STYLE_HEAD, view->width);
}

void be_live_draw_found(const struct be_live_scene *scene, struct be_live_view *view,
                        struct be_live_frame *frame) {
    struct be_text text = {0};
    int max = be_live_found_lines(scene, view) - (view->height - 2);
    view->first = view->first > max ? max : view->first;
    view->first = view->first < 0 ? 0 : view->first;
    draw_title("what was found", view, frame);
    found_text(scene, &text);
    draw_text(text.data, view->first, view, frame);
    be_text_free(&text);
}

/* ---- help and keys -------------------------------------------------------------------------- */

static const char help[] = "q F10 Ctrl-C   end\n"
                           "h ? F1         this help; any key ends it\n"
                           "f F2           what was found, in full\n"
                           "up down        select a process; page up, page down, home, end\n"
                           "Escape         select none\n"
                           "P M T          sort by CPU, memory, time\n"
                           "R W N A        sort by read, written, PID, name\n"
                           "F6 < >         next column to sort by\n"
                           "I              the other way round\n"
                           "c              your own command lines, or names\n"
                           "+ -            a column of the graphs is longer, shorter\n"
                           "\n"
                           "CPU %    100 is one core\n"
                           "S        R runs, S sleeps, D waits for a device, T stopped\n"
                           "kernels  time in which any kernel ran on the GPU\n"
                           "SM       multiprocessors with work, averaged over all\n"
                           "graphs   each to its limit: cores and memory that may be used\n";

void be_live_draw_help(const struct be_live_scene *scene, struct be_live_view *view,
                       struct be_live_frame *frame) {
    (void)scene;
    draw_title("breakeven watch: keys", view, frame);
    draw_text(help, 0, view, frame);
}

static void add_key(struct be_live_line *line, const struct be_live_view *view, const char *key,
                    const char *does) {
    be_live_line_add(line, view, BE_STYLE_KEY, "%s", key);
    be_live_line_add(line, view, BE_STYLE_PLAIN, " %s  ", does);
}

void be_live_draw_keys(const struct be_live_scene *scene, struct be_live_view *view,
                       struct be_live_frame *frame) {
    char found[BE_NAME], column[BE_WORD];
    if (view->height < 3) {
        return;
    }
    while (frame->lines < view->height - 1 && frame->lines < BE_LIVE_HEIGHT_MAX - 1) {
        be_live_line_new(frame, view);
    }
    struct be_live_line *line = be_live_line_new(frame, view);
    snprintf(found, sizeof found, "found (%d)", scene->findings);
    add_key(line, view, "q", "quit");
    add_key(line, view, "h", "help");
    add_key(line, view, "f", found);
    add_key(line, view, "F6", "sort");
    add_key(line, view, "+-", "zoom");
    be_live_duration(column, sizeof column, be_live_zoom_s[view->zoom]);
    be_live_line_add(line, view, BE_STYLE_DIM, " a column is %s", column);
}
