/* The live view: one thread that waits for the next tick, keys, requests and signals. */
#include "cli/run/watch_loop.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/common/fail.h"
#include "cli/common/trace_files.h"
#include "cli/run/serve_hint.h"
#include "cli/run/watch_more.h"
#include "live/screen.h"
#include "live/server.h"
#include "observe/process/proc_text.h"
#include "observe/sampler/sampler.h"
#include "report/trace/trace.h"

/* Shares of a core that looking may take: a whole machine has more to look at. */
static const double program_overhead = 0.01, node_overhead = 0.03;
static const double findings_every_s = 5;
enum { ONCE_TICKS = 2, ONCE_PROCESSES = 10 };

struct loop {
    const struct be_watch_options *options;
    struct be_sampler *sampler;
    struct be_screen *screen; /* NULL: lines */
    struct be_server *server; /* NULL: no page */
    bool lines;               /* lines are written */
    struct be_live_view view;
    struct be_live_frame *frame;
    struct be_live_scene scene;
    struct be_watch_more more;
    int more_tick; /* that it is of; -1: none yet */
    struct be_run_finding finding[BE_RUN_FINDINGS_MAX];
    struct be_recent recent;
    bool looked; /* in this tick, for findings */
    bool begun;  /* a line of JSON was written */
    double next_findings_s;
    bool over;
    struct be_error error;
};

static volatile sig_atomic_t ended_by;

static void on_end(int number) {
    ended_by = number;
}

/* Signals arrive only while we wait, which they end; other threads never get them. `waiting`: the mask
 * to wait with. */
static void catch_signals(sigset_t *waiting) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction end = {.sa_handler = on_end};
    sigset_t held;
    sigemptyset(&held);
    sigemptyset(&end.sa_mask);
    for (size_t i = 0; i < BE_COUNT(ending); i++) {
        struct sigaction before;
        sigaction(ending[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) { /* nohup */
            sigaction(ending[i], &end, NULL);
        }
        sigaddset(&held, ending[i]);
    }
    sigaddset(&held, SIGWINCH);
    sigaddset(&held, SIGTSTP);
    sigprocmask(SIG_BLOCK, &held, waiting);
    for (size_t i = 0; i < BE_COUNT(ending); i++) {
        sigdelset(waiting, ending[i]);
    }
    sigdelset(waiting, SIGWINCH);
    sigdelset(waiting, SIGTSTP);
}

/* ---- what is shown -------------------------------------------------------------------------- */

/* Processes are looked at once more a tick, and only where somebody is to see a list of them. */
static void look_at_more(struct loop *loop) {
    const struct be_trace *trace = be_sampler_trace(loop->sampler);
    if (loop->more_tick != trace->ticks) {
        be_watch_more_look(&loop->more, trace, loop->screen != NULL);
        loop->more_tick = trace->ticks;
        loop->scene.more = loop->more.list;
    }
}

static void draw(struct loop *loop) {
    if (loop->screen) {
        look_at_more(loop);
        be_screen_size(loop->screen, &loop->view.width, &loop->view.height);
        loop->view.unicode = be_screen_unicode(loop->screen);
        be_live_draw(&loop->scene, &loop->view, loop->frame);
        be_screen_show(loop->screen, loop->frame);
    }
}

static void print(struct loop *loop, struct be_text *text) {
    bool wrong =
        text->failed || (text->length && fputs(text->data, stdout) < 0) || fflush(stdout) != 0;
    if (wrong) {
        be_fail(&loop->error, BE_IO, "standard output cannot be written");
        loop->over = true;
    }
    be_text_free(text);
}

/* The first line has all that stays. */
static void write_json(struct loop *loop) {
    struct be_text text = {0};
    look_at_more(loop);
    be_live_json(&loop->scene, !loop->begun, &text);
    be_text_add(&text, "\n");
    loop->begun = true;
    print(loop, &text);
}

static void write_lines(struct loop *loop) {
    struct be_text text = {0};
    be_live_plain(&loop->scene, &text);
    if (loop->looked) {
        be_live_plain_news(&loop->scene, &text);
    }
    if (loop->options->once) {
        look_at_more(loop);
        be_live_plain_processes(&loop->scene, ONCE_PROCESSES, &text);
    }
    print(loop, &text);
}

static void write_end(struct loop *loop) {
    struct be_text text = {0};
    const struct be_trace *trace = be_sampler_trace(loop->sampler);
    if (trace->ticks) {
        /* below the ^C that the terminal shows */
        be_text_add(&text, "%s", ended_by == SIGINT && isatty(STDOUT_FILENO) ? "\n" : "");
        be_trace_text(trace, &text);
        print(loop, &text);
    }
}

/* The trace as it is to be read: what was watched, and how it ended. */
static void end_trace(struct loop *loop) {
    struct be_trace *trace = be_sampler_trace(loop->sampler);
    trace->watched = true;
    trace->end = loop->scene.ended ? BE_END_LOST : BE_END_RUNNING;
    if (!trace->command[0]) {
        be_copy_text(trace->command, sizeof trace->command, loop->options->what);
    }
}

/* Also where the lines could not be written, or a signal asks us to end. */
static void keep_trace(struct loop *loop) {
    const struct be_trace *trace = be_sampler_trace(loop->sampler);
    struct be_error error = {0};
    if (loop->options->output && trace->ticks &&
        be_trace_file_save(trace, loop->options->output, &error) != BE_OK && !loop->error.text[0]) {
        loop->error = error;
    }
}

/* ---- ticks ---------------------------------------------------------------------------------- */

/* Nothing of it runs any more. One that has ended may stay, as a number, until somebody asks how. */
static bool has_ended(const struct loop *loop) {
    const struct be_trace *trace = be_sampler_trace(loop->sampler);
    const struct be_watched *watched = &loop->options->watched;
    double processes = be_trace_at(trace, BE_PROCESSES, 0, trace->ticks - 1);
    char text[1024];
    struct be_proc_stat stat;
    if (watched->node) {
        return false;
    }
    bool left = be_small_file(text, sizeof text, "/proc/%d/stat", (int)watched->root) > 0 &&
                be_proc_stat_read(text, &stat) && (stat.state == 'Z' || stat.state == 'X') &&
                stat.threads <= 1; /* its first thread may have ended before others */
    return processes < (left ? 1.5 : 0.5);
}

static void look(struct loop *loop) {
    const struct be_trace *trace = be_sampler_trace(loop->sampler);
    loop->scene.ended = has_ended(loop);
    loop->looked = false;
    if (trace->elapsed_s >= loop->next_findings_s || loop->scene.ended) {
        loop->scene.findings = be_findings_now(trace, loop->options->window_s, loop->finding);
        be_recent_take(&loop->recent, loop->finding, loop->scene.findings, trace->elapsed_s);
        loop->looked = true;
        loop->next_findings_s =
            trace->elapsed_s + (be_trace_too_short(trace) ? 0 : findings_every_s);
    }
}

static void tick(struct loop *loop) {
    int ticks = be_sampler_trace(loop->sampler)->ticks;
    bool last = loop->options->once && ticks == ONCE_TICKS - 1;
    be_sampler_tick(loop->sampler, last);
    look(loop);
    bool over = last || (loop->scene.ended && !loop->screen && !loop->server);
    if (loop->lines && (!loop->options->once || over)) {
        (loop->options->json ? write_json : write_lines)(loop);
    }
    if (loop->server) {
        be_server_tick(loop->server);
    }
    draw(loop);
    loop->over |= over;
}

/* ---- waiting -------------------------------------------------------------------------------- */

static void take_keys(struct loop *loop) {
    for (int key = be_screen_key(loop->screen); key >= 0; key = be_screen_key(loop->screen)) {
        if (key > 0 && !be_live_press(&loop->view, &loop->scene, key)) {
            loop->over = true;
        }
    }
    draw(loop);
}

/* Until something is to be done; < 0: for as long as it takes. */
static double wait_s(const struct loop *loop) {
    double due_s = loop->scene.ended ? -1 : fmax(be_sampler_due(loop->sampler), 0);
    int server_ms = loop->server ? be_server_timeout_ms(loop->server) : -1;
    if (server_ms >= 0 && (due_s < 0 || 1e-3 * server_ms < due_s)) {
        return 1e-3 * server_ms;
    }
    return due_s;
}

static void wait_once(struct loop *loop, const sigset_t *waiting) {
    double seconds = wait_s(loop);
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    struct pollfd file[2] = {
        {.fd = loop->screen ? STDIN_FILENO : -1, .events = POLLIN},
        {.fd = loop->server ? be_server_file(loop->server) : -1, .events = POLLIN}};
    int ready = ppoll(file, 2, seconds < 0 ? NULL : &time, waiting);
    if (loop->screen && (ready < 0 || file[0].revents)) {
        bool gone = ready > 0 && (file[0].revents & (POLLHUP | POLLERR | POLLNVAL));
        take_keys(loop);
        loop->over |= gone; /* the terminal is closed */
    }
    if (loop->server) {
        be_server_run(loop->server);
    }
}

static void run(struct loop *loop, const sigset_t *waiting) {
    draw(loop);
    while (!loop->over && !ended_by) {
        wait_once(loop, waiting);
        if (!loop->over && !ended_by && !loop->scene.ended && be_sampler_due(loop->sampler) <= 0) {
            tick(loop);
        }
    }
}

/* ---- opening -------------------------------------------------------------------------------- */

static void say_whole(void *context, struct be_text *out) {
    look_at_more(context);
    be_live_json(&((struct loop *)context)->scene, true, out);
}

static void say_tick(void *context, struct be_text *out) {
    look_at_more(context);
    be_live_json(&((struct loop *)context)->scene, false, out);
}

static void say_metrics(void *context, struct be_text *out) {
    be_live_metrics(&((struct loop *)context)->scene, out);
}

static enum be_status open_server(struct loop *loop) {
    const struct be_watch_options *options = loop->options;
    const struct be_server_options serving = {.address = options->address,
                                              .token = options->token,
                                              .hosts = options->hosts,
                                              .prefix = options->prefix,
                                              .context = loop,
                                              .whole = say_whole,
                                              .tick = say_tick,
                                              .metrics = say_metrics};
    if (!options->serve) {
        return BE_OK;
    }
    enum be_status status = be_server_open(&serving, &loop->server, &loop->error);
    if (status != BE_OK) {
        return status;
    }
    if (printf("%s\n", be_server_url(loop->server)) < 0 || fflush(stdout) != 0) {
        return be_fail(&loop->error, BE_IO, "standard output cannot be written");
    }
    be_serve_hint_say(&(struct be_serve_hint){.url = be_server_url(loop->server),
                                              .port = be_server_port(loop->server),
                                              .loopback = be_server_is_loopback(loop->server),
                                              .hosts = options->hosts,
                                              .prefix = options->prefix,
                                              .environment = (const char *const *)environ},
                      stderr);
    return BE_OK;
}

/* A screen where there is one and nothing else was asked for. */
static enum be_status open_screen(struct loop *loop) {
    const struct be_watch_options *options = loop->options;
    const char *term = getenv("TERM");
    struct be_error error = {0};
    bool lines = options->plain || options->json || options->once;
    loop->lines = lines || !options->serve;
    if (lines || options->serve || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) || !term ||
        strcmp(term, "dumb") == 0) {
        return BE_OK;
    }
    loop->frame = malloc(sizeof *loop->frame);
    if (!loop->frame) {
        return be_fail(&loop->error, BE_NOMEM, "watch: out of memory");
    }
    if (be_screen_open(stdout, stdin, &loop->screen, &error) == BE_OK) {
        loop->lines = false;
    } else {
        be_context(&error, "lines instead of a screen");
        be_cli_fail(&error);
    }
    return BE_OK;
}

static int first_zoom(double interval_s) {
    int zoom = 0;
    while (zoom < BE_LIVE_ZOOMS - 1 && be_live_zoom_s[zoom] < interval_s) {
        zoom++;
    }
    return zoom;
}

static enum be_status open_all(struct loop *loop) {
    const struct be_watch_options *options = loop->options;
    struct be_sampler_options sampling = {.watched = options->watched,
                                          .interval_s = options->interval_s,
                                          .overhead = options->watched.node ? node_overhead
                                                                            : program_overhead};
    enum be_status status = be_sampler_open(&sampling, &loop->sampler, &loop->error);
    if (status != BE_OK) {
        return status;
    }
    loop->scene = (struct be_live_scene){.trace = be_sampler_trace(loop->sampler),
                                         .finding = loop->finding,
                                         .recent = &loop->recent,
                                         .window_s = options->window_s,
                                         .what = options->what,
                                         .node = options->watched.node};
    loop->view.zoom = first_zoom(options->interval_s);
    status = open_server(loop);
    return status == BE_OK ? open_screen(loop) : status;
}

int be_watch_loop(const struct be_watch_options *options) {
    struct loop *loop = calloc(1, sizeof *loop);
    sigset_t waiting;
    if (!loop) {
        struct be_error error;
        be_fail(&error, BE_NOMEM, "watch: out of memory");
        return be_cli_fail(&error);
    }
    loop->options = options;
    loop->more_tick = -1;
    catch_signals(&waiting);
    enum be_status status = open_all(loop);
    if (status == BE_OK) {
        run(loop, &waiting);
    }
    be_screen_close(loop->screen);
    if (status == BE_OK) {
        end_trace(loop);
        keep_trace(loop);
    }
    if (status == BE_OK && loop->lines && !options->json && !options->once &&
        !loop->error.text[0]) {
        write_end(loop);
    }
    be_server_close(loop->server);
    int code = loop->error.text[0] ? be_cli_fail(&loop->error) : BE_EXIT_OK;
    be_sampler_close(loop->sampler);
    free(loop->frame);
    free(loop);
    if (ended_by && ended_by != SIGINT) { /* whoever waits for us is to see what ended us */
        signal(ended_by, SIG_DFL);
        raise(ended_by);
        sigprocmask(SIG_SETMASK, &waiting, NULL);
    }
    return code;
}
