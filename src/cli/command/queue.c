/* breakeven queue [FILE...] */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "accounting/record.h"
#include "base/error.h"
#include "breakeven_queue.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/values.h"
#include "cli/queue/grid.h"
#include "cli/queue/values.h"
#include "report/queue/queue.h"
#include "script/sbatch_values.h"

enum key {
    JSON = 256,
    CSV,
    QUANTILE,
    FROM,
    USER,
    ACCOUNT,
    QOS,
    GPU_TYPE,
    STATE,
    SINCE,
    UNTIL,
    BY,
    ARRAYS,
    OF,
    TZ,
    FIELDS,
    DELIMITER,
    PAGE,
    CHART,
    FORECAST,
    GPUS,
    CPUS,
    MEM,
    TIME,
    DEADLINE,
    EVALUATE,
    HTML,
    SVG,
    PNG,
};

static const struct argp_option option[] = {
    {"partition", 'p', "LIST", 0, "Only these partitions, in this order", 0},
    {"bins", 't', "FIRST,FACTOR[,N]", 0,
     "Edges between job sizes: the first edge, the ratio of an edge to the edge before it, and how "
     "many (default: 4,4,4). -it says the same",
     0},
    {"memory", 'm', NULL, 0, "Job sizes in GB-hours instead of CPU-hours", 0},
    {"quantile", QUANTILE, "Q", 0, "Quantile of the waits to show (default: 0.5, the median)", 0},
    {"from", FROM, "submit|eligible", 0,
     "Start of a wait: at submission, or when the job could run (default: submit in the table, "
     "eligible in forecasts)",
     0},
    {"by", BY, "WHAT", 0,
     "Rows of the table: partition, hour, weekday, gpus, cpus, mem (default: partition)", 0},
    {"of", OF, "requested|used", 0,
     "Job sizes by the hours asked for (default), or by the hours used", 0},
    {"arrays", ARRAYS, "task|job", 0,
     "Count each task of a job array (default), or each array as one job", 0},
    {"user", USER, "LIST", 0, "Only jobs of these users", 0},
    {"account", ACCOUNT, "LIST", 0, "Only jobs of these accounts", 0},
    {"qos", QOS, "LIST", 0, "Only jobs of these qualities of service", 0},
    {"gpu-type", GPU_TYPE, "LIST", 0, "Only jobs on GPUs of these types: a100", 0},
    {"state", STATE, "LIST", 0, "Only jobs that ended in these states: COMPLETED, TIMEOUT", 0},
    {"since", SINCE, "DAY", 0, "Only jobs submitted on this day or later: 2026-01-31", 0},
    {"until", UNTIL, "DAY", 0, "Only jobs submitted on this day or earlier", 0},
    {"tz", TZ, "ZONE", 0,
     "Time zone of the files: Europe/Berlin (default: none, and a wait across a change of clocks "
     "is an hour off)",
     0},
    {"fields", FIELDS, "LIST", 0,
     "Columns of a file without a header, as sacct --format names them", 0},
    {"delimiter", DELIMITER, "SIGN", 0,
     "Mark between the columns of a file without a header, as for sacct --delimiter: one sign, or "
     "tab (default: |). A header says it by itself",
     0},
    {"page", PAGE, "DAYS", 0, "Days that one call of sacct asks for (default: 1)", 0},
    {"chart", CHART, "FILE.svg", OPTION_ARG_OPTIONAL,
     "Draw the waits over time and by size, as text below the table or into FILE", 2},
    {NULL, 0, NULL, 0, "A job that is not submitted yet:", 1},
    {"forecast", FORECAST, NULL, 0,
     "Forecast how long a job would wait that is submitted now, in each partition", 1},
    {"cpus", CPUS, "N", 0,
     "CPUs that the job asks for (default: 1). Several values, as 1,4,16, also of --gpus, --mem "
     "and --time: a line for each combination",
     1},
    {"gpus", GPUS, "N", 0, "GPUs that the job asks for (default: 0)", 1},
    {"mem", MEM, "SIZE", 0, "Memory that the whole job asks for: 32G", 1},
    {"time", TIME, "LIMIT", 0, "Time limit of the job, as for sbatch: 2:00:00, 1-00:00:00", 1},
    {"deadline", DEADLINE, "WHEN", 0,
     "Also say how likely the job starts by then: '2026-12-01 09:00'", 1},
    {"evaluate", EVALUATE, "SHARE", OPTION_ARG_OPTIONAL,
     "Test the forecast on the last part of each FILE (default: 0.3): what each job would have "
     "been told when it was submitted, and how right that was",
     1},
    {NULL, 0, NULL, 0, "Where results go:", 2},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the table)", 2},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write CSV (no FILE: to standard output, instead of the table)", 2},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Write one page that needs nothing else (no FILE: to standard output, instead of the table)",
     2},
    {"svg", SVG, "FILE", 0, "Draw the waits, or the forecast", 2},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 2},
    {"quiet", 'q', NULL, 0, "Show no progress", 2},
    {0},
};

struct asked {
    struct be_job_input input;
    struct be_wait_options options;
    struct be_cli_outputs outputs;
    const char *file[BE_LIST_MAX];
    bool quiet, forecast, wished;
    double evaluate;    /* 0: no */
    const char *tabled; /* the last option that only the table of waits has; NULL: none */
    struct be_forecast_options told;
    struct be_cli_grid grid; /* the jobs of a forecast */
    struct be_text typed;
    struct be_made made;
    struct be_error error; /* of a value */
};

static enum be_status zone(const char *text, struct asked *asked, struct be_error *error) {
    char path[256];
    snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", text);
    FILE *file = strstr(text, "..") || strlen(text) > 200 ? NULL : fopen(path, "re");
    if (!file && strcmp(text, "UTC") != 0) {
        return be_fail(error, BE_USAGE, "--tz %s: no such time zone here; Europe/Berlin is one",
                       text);
    }
    if (file) {
        fclose(file);
    }
    setenv("TZ", text, 1);
    tzset();
    asked->input.zoned = true;
    return BE_OK;
}

static enum be_status chosen_value(int key, const char *text, struct be_wait_options *o,
                                   struct be_error *error) {
    static const char *const row[] = {"partition", "hour", "weekday", "gpus", "cpus", "mem", NULL};
    static const char *const from[] = {"submit", "eligible", NULL};
    static const char *const of[] = {"requested", "used", NULL};
    static const char *const arrays[] = {"task", "job", NULL};
    int index = 0;
    enum be_status status = BE_OK;
    if (key == BY) {
        status = be_cli_choice("by", text, row, &index, error);
        o->rows = (enum be_wait_rows)index;
    } else if (key == FROM) {
        status = be_cli_choice("from", text, from, &index, error);
        o->from_eligible = index == 1;
        o->filter.from_submit = index == 0;
    } else if (key == OF) {
        status = be_cli_choice("of", text, of, &index, error);
        o->used = index == 1;
    } else {
        status = be_cli_choice("arrays", text, arrays, &index, error);
        o->arrays = index == 1;
    }
    return status;
}

/* An option whose value is parsed; BE_ABSENT: it is none of them. */
static enum be_status value(int key, char *text, struct asked *asked, struct be_error *error) {
    switch (key) {
    case 't':
        return be_cli_queue_bins(text, &asked->options, error);
    case QUANTILE:
        return be_cli_queue_quantile(text, &asked->options.quantile, error);
    case BY:
    case FROM:
    case OF:
    case ARRAYS:
        return chosen_value(key, text, &asked->options, error);
    case TZ:
        return zone(text, asked, error);
    case DEADLINE:
        asked->wished = true;
        asked->told.deadline = text;
        return BE_OK;
    case CPUS:
    case GPUS:
    case MEM:
    case TIME:
        asked->wished = true;
        return be_cli_grid_set(&asked->grid,
                               key == CPUS   ? BE_WISH_CPUS
                               : key == GPUS ? BE_WISH_GPUS
                               : key == MEM  ? BE_WISH_MEMORY
                                             : BE_WISH_LIMIT,
                               text, error);
    case EVALUATE:
        return be_cli_queue_evaluate(text, &asked->evaluate, error);
    case DELIMITER:
        return be_cli_delimiter(text, &asked->input.mark, error);
    case PAGE:
        return be_cli_queue_page(text, &asked->input.page_s, error);
    default:
        return BE_ABSENT;
    }
}

static const char *of_the_table(int key) {
    static const struct {
        int key;
        const char *name;
    } of[] = {{'t', "--bins"}, {'m', "--memory"},    {QUANTILE, "--quantile"}, {BY, "--by"},
              {OF, "--of"},    {ARRAYS, "--arrays"}, {CHART, "--chart"}};
    for (size_t i = 0; i < BE_COUNT(of); i++) {
        if (of[i].key == key) {
            return of[i].name;
        }
    }
    return NULL;
}

/* An option without meaning beside the others is an error. */
static enum be_status check_together(const struct asked *asked, struct be_error *error) {
    for (int i = 0; i < asked->input.files; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(asked->file[i], asked->file[k]) == 0) {
                return be_fail(error, BE_USAGE, "%s is named twice: its jobs would count twice",
                               asked->file[i]);
            }
        }
    }
    const bool live = asked->input.files == 0, evaluate = asked->evaluate > 0;
    const struct {
        bool wrong;
        const char *text;
    } pair[] = {
        {asked->forecast && evaluate, "--forecast and --evaluate: one at a time"},
        {evaluate &&
             (asked->outputs.json.asked || asked->outputs.csv.asked || asked->outputs.html.asked ||
              (be_cli_outputs_drawn(&asked->outputs) && !asked->tabled)),
         "--evaluate: prints Markdown, no JSON, no CSV, no page and no drawing"},
        {asked->forecast && live && asked->options.filter.until,
         "--until: without a file the forecast is of now: leave it out, or name a FILE"},
        {asked->input.page_s > 0 && !live,
         "--page: sacct is asked by pages, a FILE is read as it is: leave one out"},
        {asked->input.mark && live,
         "--delimiter: is of a FILE: sacct is asked in a form of its own; name the FILE"},
        {asked->input.fields && live,
         "--fields: names the columns of a FILE without a header: name the FILE"},
        {asked->wished && !asked->forecast,
         "--cpus, --gpus, --mem, --time and --deadline are of the job of a forecast: "
         "add --forecast"},
    };
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        if (pair[i].wrong) {
            return be_fail(error, BE_USAGE, "%s", pair[i].text);
        }
    }
    if (asked->tabled && (asked->forecast || evaluate)) {
        return be_fail(error, BE_USAGE,
                       "%s: is of the table of waits, which --%s does not print: leave one out",
                       asked->tabled, asked->forecast ? "forecast" : "evaluate");
    }
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_FLAG('m', options.memory_hours),
    BE_FLAG('q', quiet),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(CSV, outputs.csv),
    BE_OUTPUT(HTML, outputs.html),
    BE_DRAWING(SVG, outputs.chart),
    BE_DRAWING(PNG, outputs.png),
    BE_FLAG(FORECAST, forecast),
    BE_TEXT(FIELDS, input.fields),
    BE_NAMES('p', options.filter.partition.word, options.filter.partition.words, "--partition"),
    BE_NAMES(USER, options.filter.user.word, options.filter.user.words, "--user"),
    BE_NAMES(ACCOUNT, options.filter.account.word, options.filter.account.words, "--account"),
    BE_NAMES(QOS, options.filter.qos.word, options.filter.qos.words, "--qos"),
    BE_NAMES(GPU_TYPE, options.filter.gpu_type.word, options.filter.gpu_type.words, "--gpu-type"),
    BE_NAMES(STATE, options.filter.state.word, options.filter.state.words, "--state"),
    BE_TEXT(SINCE, options.filter.since),
    BE_TEXT(UNTIL, options.filter.until),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    struct be_error later = {0};
    struct be_error *error =
        asked->error.status == BE_OK ? &asked->error : &later; /* the first is said */
    const char *tabled = of_the_table(key);
    asked->tabled = tabled ? tabled : asked->tabled;
    switch (key) {
    case CHART:
        asked->options.over_time = true;
        asked->outputs.chart = be_cli_output_to(text);
        return 0;
    case ARGP_KEY_ARG:
        if (asked->input.files == BE_LIST_MAX) {
            argp_error(state, "at most %d files", (int)BE_LIST_MAX);
        }
        asked->file[asked->input.files++] = text;
        return 0;
    default:
        break;
    }
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, error) == ARGP_ERR_UNKNOWN &&
                   value(key, text, asked, error) == BE_ABSENT
               ? ARGP_ERR_UNKNOWN
               : 0;
}

static enum be_status write_table(const void *results, enum be_format format, FILE *out,
                                  struct be_error *error) {
    return be_wait_table_write(results, format, out, error);
}

static enum be_status print_table(struct asked *asked, struct be_error *error) {
    struct be_wait_table table = {0};
    asked->options.over_time |= asked->outputs.html.asked || be_cli_outputs_drawn(&asked->outputs);
    enum be_status status = be_wait_table_read(&asked->input, &asked->options, &table, error);
    be_cli_progress_clear();
    table.made = asked->made;
    if (status == BE_OK) {
        status = be_cli_outputs_write(&asked->outputs, write_table, &table, error);
    }
    if (status == BE_OK && be_cli_outputs_chart(&asked->outputs)) {
        status = be_wait_chart_write(&table, BE_TEXT, stdout, error);
    }
    be_wait_table_free(&table);
    return status;
}

static enum be_status write_forecast(const void *results, enum be_format format, FILE *out,
                                     struct be_error *error) {
    const struct be_forecast_grid *grid = results;
    return grid->jobs == 1 ? be_forecast_write(grid->forecast, format, out, error)
                           : be_forecast_grid_write(grid, format, out, error);
}

/* Whose job it is: one name, or here and now one's own. All jobs make the queue. */
static void take_owner(struct asked *asked) {
    struct be_forecast_options *o = &asked->told;
    o->filter = asked->options.filter;
    o->live = asked->input.files == 0;
    o->wish.user = o->filter.user.words == 1 ? o->filter.user.word[0]
                   : o->live                 ? getenv("USER")
                                             : NULL;
    o->wish.account = o->filter.account.words == 1 ? o->filter.account.word[0]
                      : o->live                    ? getenv("SBATCH_ACCOUNT")
                                                   : NULL;
    o->filter.user.words = o->filter.account.words = 0;
}

static enum be_status print_forecast(struct asked *asked, struct be_error *error) {
    struct be_job_wish job[BE_GRID_JOBS];
    struct be_forecast forecast[BE_GRID_JOBS] = {0};
    struct be_forecast_grid grid = {.forecast = forecast, .jobs = 1};
    take_owner(asked);
    enum be_status status =
        be_cli_grid_jobs(&asked->grid, &asked->told.wish, job, &grid.jobs, error);
    if (status != BE_OK) {
        return status;
    }
    const struct be_word_list *named = &asked->told.filter.partition;
    grid.only = named->words > 0 ? named : NULL;
    asked->told.no_estimate = grid.jobs > 1;
    status = be_forecast_make_each(&asked->input, &asked->told, job, grid.jobs, forecast, error);
    be_cli_progress_clear();
    for (int i = 0; i < grid.jobs; i++) {
        forecast[i].made = asked->made;
    }
    if (status == BE_OK) {
        status = be_cli_outputs_write(&asked->outputs, write_forecast, &grid, error);
    }
    for (int i = 0; i < grid.jobs; i++) {
        be_forecast_free(&forecast[i]);
    }
    return status;
}

static enum be_status print_scores(struct asked *asked, struct be_error *error) {
    struct be_forecast_score score[BE_LIST_MAX];
    enum be_status status = BE_OK;
    int scores = 0;
    if (asked->input.files == 0) {
        return be_fail(error, BE_USAGE,
                       "--evaluate: name the files, each an accounting of its own");
    }
    for (; scores < asked->input.files && status == BE_OK; scores++) {
        struct be_job_input one = asked->input;
        one.file = &asked->file[scores];
        one.files = 1;
        status =
            be_forecast_test(&one, &asked->options.filter, asked->evaluate, &score[scores], error);
    }
    be_cli_progress_clear();
    if (status == BE_OK) {
        status = be_forecast_score_write(score, scores, stdout, error);
    } else {
        scores--;
    }
    while (scores > 0) {
        be_forecast_score_free(&score[--scores]);
    }
    return status;
}

/* "-it 4,4" and "-it4,4" are one option here, not two letters: -t. */
static void join_letters(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "-it", 3) == 0) {
            argv[i]++;
            argv[i][0] = '-';
        }
    }
}

int be_cli_queue(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[FILE...]",
        "This command says how long jobs waited in the queue, by partition and size. FILE is the "
        "output of `sacct -P` (or CSV, or `sacct --json`) or a log in Standard Workload Format, "
        "also as .gz, .xz or .zst. - is standard input. Without a FILE, sacct is asked for the "
        "last 30 days.\vExamples:\n  breakeven "
        "queue\n  breakeven queue --forecast --gpus=1 --time=2:00:00\n  breakeven queue --forecast "
        "--cpus=1,4,16 --time=1:00:00,8:00:00",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error = {0};
    asked.made = be_cli_typed(argc, argv, &asked.typed);
    join_letters(argc, argv);
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        be_text_free(&asked.typed);
        return BE_EXIT_USAGE;
    }
    if (asked.error.status != BE_OK || check_together(&asked, &asked.error) != BE_OK) {
        be_text_free(&asked.typed);
        return be_cli_fail(&asked.error);
    }
    asked.input.file = asked.file;
    asked.input.progress = asked.quiet ? NULL : be_cli_progress;
    asked.input.cancelled = be_cli_interrupted;
    be_cli_catch_interrupt();
    enum be_status status = be_cli_outputs_open(&asked.outputs, &error);
    if (status == BE_OK) {
        status = asked.evaluate > 0 ? print_scores(&asked, &error)
                 : asked.forecast   ? print_forecast(&asked, &error)
                                    : print_table(&asked, &error);
    }
    be_cli_outputs_close(&asked.outputs);
    be_text_free(&asked.typed);
    if (status == BE_STOPPED) {
        be_cli_fail(&error);
        return BE_EXIT_INTERRUPTED;
    }
    return status == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}
