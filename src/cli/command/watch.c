/* breakeven watch [PID] */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accounting/account.h"
#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/trace_files.h"
#include "cli/common/values.h"
#include "cli/run/watch_loop.h"
#include "live/gate.h"
#include "live/server.h"
#include "observe/process/job.h"
#include "observe/process/limits.h"
#include "observe/process/proc_own.h"
#include "observe/process/proc_text.h"

enum key {
    INTERVAL = 'i',
    JOB = 'j',
    OUTPUT = 'o',
    WINDOW = 'w',
    NODE = 256,
    JSON,
    PLAIN,
    ONCE,
    SERVE,
    TOKEN,
    HOST,
    PREFIX
};

enum { HOSTS_MAX = 8 };

static const struct argp_option option[] = {
    {"job", JOB, "ID", 0, "Watch the processes of this batch job on this machine", 1},
    {"node", NODE, NULL, 0, "Watch everything on this machine", 1},
    {"interval", INTERVAL, "SECONDS", 0, "Time from one look to the next look (default: 1)", 2},
    {"window", WINDOW, "SECONDS", 0,
     "Findings are about the last SECONDS (default: 300). all: about the whole time", 2},
    {"output", OUTPUT, "FILE", 0, "Keep the trace in FILE at the end, for `breakeven report FILE`",
     2},
    {"plain", PLAIN, NULL, 0,
     "Print lines instead of a screen, for logs and screen readers. This is the default where "
     "standard output is no terminal",
     3},
    {"json", JSON, NULL, 0, "Print JSON, one line for each look", 3},
    {"once", ONCE, NULL, 0, "Look for two intervals, print what was seen, and end", 3},
    {"serve", SERVE, "ADDR", OPTION_ARG_OPTIONAL,
     "Serve a web page with live charts and /metrics for Prometheus at this address and port "
     "(default: for this machine only, at port 4780 or a free one)",
     4},
    {"token-file", TOKEN, "FILE", 0,
     "Take the token that lets others in from the first line of FILE (default: random each time)",
     4},
    {"allow-host", HOST, "NAME", 0,
     "A proxy asks for the page by this name, as that of Open OnDemand does (repeat for several)",
     4},
    {"prefix", PREFIX, "PATH", 0,
     "The proxy puts PATH before the page's paths, as /proxy/4780 of jupyter-server-proxy", 4},
    {0},
};

struct asked {
    struct be_watch_options watch;
    const char *job, *token_file;
    bool node;
    int pid;
    char token[BE_TOKEN];
    struct be_job_wanted wanted;
    const char *host[HOSTS_MAX + 1];
    int hosts;
    const char **environment; /* of what is watched */
    struct be_error error;
};

/* ---- options -------------------------------------------------------------------------------- */

static enum be_status take_interval(void *context, char *text, struct be_error *error) {
    struct be_watch_options *watch = &((struct asked *)context)->watch;
    enum be_status status = be_cli_seconds("--interval", text, &watch->interval_s, error);
    if (status == BE_OK && (watch->interval_s < 0.1 || watch->interval_s > 3600)) {
        status = be_fail(error, BE_USAGE, "--interval %s: from 0.1 to 3600 seconds", text);
    }
    return status;
}

static enum be_status take_window(void *context, char *text, struct be_error *error) {
    struct be_watch_options *watch = &((struct asked *)context)->watch;
    if (strcmp(text, "all") == 0) {
        watch->window_s = 0;
        return BE_OK;
    }
    enum be_status status = be_cli_seconds("--window", text, &watch->window_s, error);
    if (status != BE_OK || watch->window_s < 10 || watch->window_s > 86400) {
        status = be_fail(error, BE_USAGE, "--window %s: from 10 to 86400 seconds, or all", text);
    }
    return status;
}

/* A process, or behind --serve an address. */
static enum be_status take_word(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    char *end = NULL;
    errno = 0;
    long pid = strtol(text, &end, 10);
    if (!*end && isdigit((unsigned char)*text) && !errno && pid > 0 && pid <= 1 << 22 &&
        !asked->pid) {
        asked->pid = (int)pid;
        return BE_OK;
    }
    if (asked->watch.serve && !asked->watch.address && strpbrk(text, ".:")) {
        asked->watch.address = text;
        return BE_OK;
    }
    return be_fail(error, BE_USAGE,
                   "watch %s: the number of one process is needed, as in `breakeven watch 4711`; "
                   "--job ID or --node for more",
                   text);
}

static enum be_status take_serve(void *context, char *text, struct be_error *error) {
    struct be_watch_options *watch = &((struct asked *)context)->watch;
    (void)error;
    watch->serve = true;
    watch->address = text ? text : watch->address;
    return BE_OK;
}

static enum be_status take_host(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    if (!be_gate_takes_host(text)) {
        return be_fail(error, BE_USAGE,
                       "--allow-host '%.60s': the name alone is needed, without https:// and port, "
                       "as in ondemand.example.org",
                       text);
    }
    if (asked->hosts == HOSTS_MAX) {
        return be_fail(error, BE_USAGE, "--allow-host: at most %d names", (int)HOSTS_MAX);
    }
    asked->host[asked->hosts++] = text;
    asked->watch.hosts = asked->host;
    return BE_OK;
}

static enum be_status take_prefix(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    size_t length = strlen(text);
    while (length > 1 && text[length - 1] == '/') {
        text[--length] = '\0'; /* "/proxy/4780/" is the same */
    }
    if (!be_gate_takes_prefix(text)) {
        return be_fail(error, BE_USAGE,
                       "--prefix '%.60s': the path before the page is needed, as in /proxy/4780",
                       text);
    }
    asked->watch.prefix = text;
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_TEXT(OUTPUT, watch.output),
    BE_OWN(HOST, take_host),
    BE_OWN(PREFIX, take_prefix),
    BE_TEXT(JOB, job),
    BE_FLAG(NODE, node),
    BE_FLAG(JSON, watch.json),
    BE_FLAG(PLAIN, watch.plain),
    BE_FLAG(ONCE, watch.once),
    BE_TEXT(TOKEN, token_file),
    BE_OWN(INTERVAL, take_interval),
    BE_OWN(WINDOW, take_window),
    BE_OWN(SERVE, take_serve),
    BE_OWN(ARGP_KEY_ARG, take_word),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
}

/* A file that others may read is no secret. */
static enum be_status read_token(struct asked *asked) {
    enum { MIN = 16 };
    struct stat there;
    if (!asked->token_file) {
        return BE_OK;
    }
    FILE *in = fopen(asked->token_file, "re");
    if (!in) {
        return be_fail(&asked->error, BE_IO, "--token-file %s: %s", asked->token_file,
                       strerror(errno));
    }
    bool known = fstat(fileno(in), &there) == 0;
    bool folder = known && S_ISDIR(there.st_mode);
    bool secret = known && !(there.st_mode & (S_IRWXG | S_IRWXO));
    char line[256];
    bool read = fgets(line, sizeof line, in) != NULL;
    fclose(in);
    size_t length = read ? strcspn(line, "\r\n") : 0;
    line[length] = '\0';
    if (folder) {
        return be_fail(&asked->error, BE_USAGE, "--token-file %s: is a folder; name a file in it",
                       asked->token_file);
    }
    if (!secret) {
        return be_fail(&asked->error, BE_USAGE, "--token-file %s: others may read it: chmod 600 %s",
                       asked->token_file, asked->token_file);
    }
    if (length < MIN || length >= BE_TOKEN ||
        strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~") !=
            length) {
        return be_fail(&asked->error, BE_USAGE,
                       "--token-file %s: its first line must be 16 to 64 letters, digits and -_.~",
                       asked->token_file);
    }
    be_copy_text(asked->token, sizeof asked->token, line);
    asked->watch.token = asked->token;
    return BE_OK;
}

/* ---- what is watched ------------------------------------------------------------------------ */

static const char *name_of(int pid, char *name, size_t capacity) {
    bool known = be_small_file(name, capacity, "/proc/%d/comm", pid) > 0;
    name[known ? strcspn(name, "\n") : 0] = '\0';
    return name;
}

static void name_process(struct asked *asked, int pid) {
    char name[64];
    name_of(pid, name, sizeof name);
    snprintf(asked->watch.what, BE_NOTE, "process %d%s%s", pid, *name ? " " : "", name);
}

/* A thread has a folder in /proc that no list shows; one that has ended stays until its parent asks how. Neither can
 * be watched. Files that cannot be read are left to the watching. */
static enum be_status check_process(struct asked *asked, int pid) {
    char text[4096], name[64];
    struct be_proc_stat stat;
    if (be_small_file(text, sizeof text, "/proc/%d/status", pid) <= 0) {
        return BE_OK;
    }
    int group = (int)be_named_value(text, "Tgid");
    if (group > 0 && group != pid) {
        return be_fail(&asked->error, BE_USAGE,
                       "%d is a thread of process %d (%s): breakeven watch %d", pid, group,
                       name_of(group, name, sizeof name), group);
    }
    bool ended = be_small_file(text, sizeof text, "/proc/%d/stat", pid) > 0 &&
                 be_proc_stat_read(text, &stat) && (stat.state == 'Z' || stat.state == 'X') &&
                 stat.threads <= 1;
    return ended ? be_fail(&asked->error, BE_ABSENT,
                           "process %d has ended and is a zombie: its number is kept until its "
                           "parent, process %d (%s), asks how it ended. There is nothing to watch",
                           pid, stat.parent, name_of(stat.parent, name, sizeof name))
                 : BE_OK;
}

static enum be_status watch_process(struct asked *asked, int pid) {
    if (kill(pid, 0) != 0 && errno == ESRCH) {
        bool port = asked->watch.serve && !asked->watch.address; /* `--serve 8080` */
        return port ? be_fail(&asked->error, BE_ABSENT,
                              "process %d: there is none; as a port it is --serve=%d", pid, pid)
                    : be_fail(&asked->error, BE_ABSENT, "process %d: there is none", pid);
    }
    asked->environment = be_process_environment("", pid);
    asked->watch.watched.root = pid;
    asked->watch.watched.with_root = true;
    name_process(asked, pid);
    return BE_OK;
}

/* Accounting knows whose the groups are that do not tell. */
static bool ask_sluid(struct be_job_wanted *wanted) {
    struct be_error unknown = {0};
    char job[BE_NAME], sluid[BE_NAME];
    snprintf(job, sizeof job, "%.*s", (int)strcspn(wanted->id, "."), wanted->id);
    if (be_account_sluid(job, sluid, sizeof sluid, &unknown) != BE_OK || !be_job_is_sluid(sluid)) {
        return false;
    }
    be_copy_text(wanted->sluid, sizeof wanted->sluid, sluid);
    return true;
}

static enum be_status watch_job(struct asked *asked, const char *id) {
    pid_t first = 0;
    bool unnamed = false;
    if (!*id || strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.[]") !=
                    strlen(id)) {
        return be_fail(&asked->error, BE_USAGE, "--job '%.40s': that is no number of a job", id);
    }
    asked->wanted.id = id;
    enum be_status status = be_job_find("", &asked->wanted, &first, &unnamed, &asked->error);
    if (status == BE_ABSENT && unnamed && ask_sluid(&asked->wanted)) {
        status = be_job_find("", &asked->wanted, &first, &unnamed, &asked->error);
    }
    status = status == BE_OK ? watch_process(asked, first) : status;
    asked->watch.watched.also = be_job_also;
    asked->watch.watched.context = &asked->wanted;
    asked->watch.watched.job = !strchr(id, '.'); /* else a step of it */
    snprintf(asked->watch.what, BE_NOTE, "job %s", id);
    return status;
}

static enum be_status watch_node(struct asked *asked) {
    asked->watch.watched.node = true;
    snprintf(asked->watch.what, BE_NOTE, "everything on this machine");
    return BE_OK;
}

/* Without a word: within a job that job, else the machine. */
static enum be_status choose(struct asked *asked) {
    struct be_watched *watched = &asked->watch.watched;
    watched->files = "";
    if ((asked->pid > 0) + (asked->job != NULL) + asked->node > 1) {
        return be_fail(&asked->error, BE_USAGE, "one of PID, --job and --node, not several");
    }
    if (asked->watch.serve && asked->watch.once) {
        return be_fail(&asked->error, BE_USAGE,
                       "--once ends after two intervals, --serve with Ctrl-C: give one");
    }
    if (asked->watch.serve + asked->watch.json + asked->watch.plain > 1) {
        return be_fail(&asked->error, BE_USAGE,
                       "--plain, --json and --serve: lines, lines of JSON or a page: give one");
    }
    if (asked->token_file && !asked->watch.serve) {
        return be_fail(&asked->error, BE_USAGE, "--token-file is of --serve: add it");
    }
    if ((asked->hosts || asked->watch.prefix) && !asked->watch.serve) {
        return be_fail(&asked->error, BE_USAGE, "--allow-host and --prefix are of --serve: add it");
    }
    if (asked->watch.output && be_trace_file_try(asked->watch.output, &asked->error) != BE_OK) {
        return be_context(&asked->error, "--output");
    }
    enum be_status status;
    if (asked->pid) {
        status = check_process(asked, asked->pid);
        status = status == BE_OK ? watch_process(asked, asked->pid) : status;
    } else if (asked->job) {
        watched->except = be_proc_numbers().self;
        status = watch_job(asked, asked->job);
    } else {
        const char *own = be_variable((const char *const *)environ, "SLURM_JOB_ID");
        watched->except = be_proc_numbers().self;
        status = own && !asked->node ? watch_job(asked, own) : watch_node(asked);
    }
    watched->environment = asked->environment;
    return status;
}

int be_cli_watch(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[PID]",
        "This command watches a process and its children, a batch job, or the whole machine while "
        "it runs. It shows cores, memory and GPUs in use, and what is wrong. Without an argument "
        "it watches the job that it runs in, or else the machine.\vExamples:\n  breakeven watch "
        "4711\n  breakeven watch --node --once\n  breakeven watch --job=1234 --serve",
        NULL,
        NULL,
        NULL};
    struct asked asked = {.watch = {.interval_s = 1, .window_s = 300}};
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0 || choose(&asked) != BE_OK ||
        read_token(&asked) != BE_OK) {
        free(asked.environment);
        return be_cli_fail(&asked.error);
    }
    int code = be_watch_loop(&asked.watch);
    free(asked.environment);
    return code;
}
