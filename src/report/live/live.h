/*
 * A trace while it grows, as it is to be seen: figures of the moment, the lines of a screen, lines for
 * logs and screen readers, events for the page, metrics for Prometheus. Each is a pure function of a
 * scene; knows neither terminals nor connections.
 */
#ifndef BE_REPORT_LIVE_LIVE_H
#define BE_REPORT_LIVE_LIVE_H

#include "base/text.h"
#include "observe/rules/recent.h"

/* ---- what there is to see ------------------------------------------------------------------- */

/* More of a process than a trace keeps. */
struct be_live_more {
    int pid;
    char user[BE_NAME]; /* foreign text; empty: not known */
    char state;         /* as the kernel says it: R S D T t Z X I; '\0' not known */
    char command
        [BE_NOTE]; /* with its arguments; foreign text; empty: not known, or somebody else's */
};

struct be_live_scene {
    const struct be_trace *trace;
    const struct be_live_more *more; /* by index of the trace's process; NULL: nobody has looked */
    const struct be_run_finding *finding;
    int findings;
    const struct be_recent
        *recent;      /* since when they hold, and those that are over; NULL: not known */
    double window_s;  /* findings are of so much of it, the last; 0: of all of it */
    const char *what; /* "process 4711", "job 12", "everything on this machine"; foreign text */
    bool node;        /* everything on the machine */
    bool ended;       /* what was watched is no more */
};

/* A number of the moment. */
struct be_live_figure {
    const char *key;       /* in events: "cpu", "gpu_memory"; a static text */
    const char *label;     /* "SM activity"; a static text */
    enum be_signal signal; /* its series */
    int of;
    double value;           /* of the last tick that had one, a few seconds ago at most; else NAN */
    double full;            /* what fills a graph; NAN: whatever was most */
    bool rest;              /* value is full - signal: of what is free, what is not */
    char text[2 * BE_NAME]; /* "6.1 of 8 cores (76 %)"; "not measured" */
};

enum { BE_LIVE_FIGURES_MAX = 8 + 16 * BE_DEVICES_MAX };

/* The figures of the program first, then GPU by GPU; those of the program always, those of a GPU where they were ever
 * measured. How many. */
int be_live_figures(const struct be_live_scene *scene,
                    struct be_live_figure list[BE_LIVE_FIGURES_MAX]);
/* The one of that key; NULL: there is none. `of`: the GPU; 0 otherwise. */
const struct be_live_figure *be_live_figure(const struct be_live_figure *list, int count,
                                            const char *key, int of);

/* Value of the newest tick that has one and is at most `back_s` old; NAN: none. */
double be_live_value(const struct be_trace *trace, enum be_signal signal, int of, double back_s);
/* Mean over from_s..to_s, each tick for the time that it shares with them; NAN: not measured. */
double be_live_mean(const struct be_trace *trace, enum be_signal signal, int of, double from_s,
                    double to_s);
/* The same of a figure. */
double be_live_figure_mean(const struct be_trace *trace, const struct be_live_figure *figure,
                           double from_s, double to_s);

/* ---- findings over time --------------------------------------------------------------------- */

/* The time that a finding is about: "the last 5 min 00 s"; "the whole time". */
const char *be_live_about(char *to, size_t capacity, const struct be_run_finding *finding);
/* Since when it has held; NAN: not known. */
double be_live_since(const struct be_live_scene *scene, const struct be_run_finding *finding);
/* Those that are over, the last to end first; how many. */
int be_live_over(const struct be_live_scene *scene,
                 const struct be_recent_one *list[BE_RUN_FINDINGS_MAX]);
/* "12 s", "5 min 03 s" */
const char *be_live_duration(char *to, size_t capacity, double seconds);
/* A moment as h:mm:ss since the beginning. */
const char *be_live_clock(char *to, size_t capacity, double seconds);

/* ---- processes ------------------------------------------------------------------------------ */

enum be_live_sort {
    BE_LIVE_BY_CPU,
    BE_LIVE_BY_MEMORY,
    BE_LIVE_BY_TIME,
    BE_LIVE_BY_READ,
    BE_LIVE_BY_WRITTEN,
    BE_LIVE_BY_PID,
    BE_LIVE_BY_NAME,
    BE_LIVE_SORTS
};

/* A process that ran a moment ago. NAN: not known. */
struct be_live_process {
    int index; /* in the trace */
    int pid;
    const char *name; /* foreign text */
    double cpu;       /* cores */
    double bytes, threads, read, written;
    double cpu_s; /* since it began */
};

/* The most first, by pid and name the least; `inverted`: the other way round. How many. */
int be_live_processes(const struct be_trace *trace, enum be_live_sort sort, bool inverted,
                      struct be_live_process list[BE_TRACE_PROCESSES_MAX]);

/* All that is known beside the trace; where nobody has looked, nothing. */
const struct be_live_more *be_live_more(const struct be_live_scene *scene,
                                        const struct be_live_process *process);
/* "running", "waiting for a device"; NULL: not known. */
const char *be_live_state(char state);

/* ---- the screen ----------------------------------------------------------------------------- */

enum be_live_capacity { BE_LIVE_MAIN, BE_LIVE_HELP, BE_LIVE_FOUND };

struct be_live_view {
    int width, height; /* columns and lines of the screen */
    bool unicode;      /* it can show more than ASCII: graphs are finer */
    enum be_live_capacity capacity;
    enum be_live_sort sort;
    bool inverted;
    bool commands; /* one's own command lines instead of names */
    int selected;  /* pid; 0: none */
    int first;     /* process, or line of the findings, at the top */
    int zoom;      /* index of be_live_zoom_s */
};

enum { BE_LIVE_ZOOMS = 8 };
extern const double be_live_zoom_s[BE_LIVE_ZOOMS]; /* seconds that a column of a graph stands for */

/* Keys that are no character; a character is itself. */
enum be_live_key {
    BE_KEY_UP = 1000,
    BE_KEY_DOWN,
    BE_KEY_PAGE_UP,
    BE_KEY_PAGE_DOWN,
    BE_KEY_HOME,
    BE_KEY_END,
    BE_KEY_LEFT,
    BE_KEY_RIGHT,
    BE_KEY_ESCAPE,
    BE_KEY_F1, /* F2 to F10 follow */
    BE_KEY_F10 = BE_KEY_F1 + 9
};

/* A key's effect on the view; false: it ends it. Other keys do nothing. */
bool be_live_press(struct be_live_view *view, const struct be_live_scene *scene, int key);

enum be_live_style {
    BE_STYLE_PLAIN,
    BE_STYLE_HEAD, /* of the screen, of the table */
    BE_STYLE_DIM,
    BE_STYLE_CPU, /* graphs */
    BE_STYLE_GPU,
    BE_STYLE_GOOD, /* a finding: all is well */
    BE_STYLE_WARN, /* it costs */
    BE_STYLE_SELECTED,
    BE_STYLE_KEY,
    BE_STYLES
};

enum { BE_LIVE_WIDTH_MAX = 512, BE_LIVE_HEIGHT_MAX = 256, BE_LIVE_SPANS = 24 };

struct be_live_line {
    char text[3 * BE_LIVE_WIDTH_MAX + 1]; /* UTF-8, each character one column wide */
    int bytes, columns;
    struct be_live_span {
        int from; /* byte at which it begins; it goes on to the next */
        enum be_live_style style;
    } span[BE_LIVE_SPANS];
    int spans;
};

struct be_live_frame {
    struct be_live_line line[BE_LIVE_HEIGHT_MAX];
    int lines; /* at most as many as the screen has */
};

/* Scene and view -> screen. Corrects the view where what it points to is no longer there. */
void be_live_draw(const struct be_live_scene *scene, struct be_live_view *view,
                  struct be_live_frame *frame);

/* One line of a graph of `rows`, row 0 at the top: the last columns * column_s seconds. */
void be_live_graph(const struct be_trace *trace, const struct be_live_figure *figure, int columns,
                   double column_s, int rows, int row, bool unicode, struct be_text *out);

/* ---- for others ----------------------------------------------------------------------------- */

/* Lines of ASCII about the last tick, each with its time first: for logs and screen readers. */
void be_live_plain(const struct be_live_scene *scene, struct be_text *out);
/* The processes, at most `most`, as lines of a table. */
void be_live_plain_processes(const struct be_live_scene *scene, int max, struct be_text *out);
/* A line for each finding. */
void be_live_plain_findings(const struct be_live_scene *scene, struct be_text *out);
/* A line for each that the last look was the first to find, or after which one is over. */
void be_live_plain_news(const struct be_live_scene *scene, struct be_text *out);

/* JSON in one line: the last tick; with `history` its past too, 300 points at most. */
void be_live_json(const struct be_live_scene *scene, bool history, struct be_text *out);

/* Prometheus text format 0.0.4. */
void be_live_metrics(const struct be_live_scene *scene, struct be_text *out);

#endif
