/* breakeven decide [OPTION...] [-- COMMAND...] */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/caret.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/script_file.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/values.h"
#include "cli/decide/answer.h"
#include "cli/decide/exchange.h"
#include "cli/decide/watched.h"
#include "cli/predict/numbers.h"
#include "script/sbatch_values.h"

enum { OPTIONS_MAX = 64 };

enum key {
    CPU = 256,
    FROM,
    GPU_RUN,
    GPUS,
    NODES,
    ALL_REDUCE,
    HALO,
    NETWORK,
    SPEEDUP,
    PARALLEL,
    LOAD,
    ON,
    ACCOUNTING,
    LIVE,
    DEADLINE,
    WITHIN,
    EMIT_JOB,
    FORCE,
    CATALOGUE,
    JSON,
    HTML,
    SVG,
    PNG,
};

static const struct argp_option option[] = {
    {NULL, 0, NULL, 0, "The computation: a COMMAND that is run now, a saved run, or numbers", 1},
    {"from", FROM, "FILE", 0,
     "A run that was saved: breakeven run --json=FILE -- COMMAND. The option may be given several "
     "times: of runs on other numbers of cores, which say how it scales, or of the same, which say "
     "how much it varies",
     1},
    {"speedup", SPEEDUP, "A..B", 0,
     "Its version for a GPU is so many times as fast as that run, as 5..20", 1},
    {"gpu-run", GPU_RUN, "FILE", 0,
     "A saved run of its version for GPUs, on a GPU or several; several runs as of --from", 1},
    {"gpus", GPUS, "N", 0,
     "It can use up to N GPUs, with a rank each, as NCCL has them (default: as many as a --gpu-run "
     "had)",
     1},
    {"nodes", NODES, "N", 0, "Its ranks can be on up to N nodes, as of MPI (default: 1)", 1},
    {"all-reduce", ALL_REDUCE, "BYTES[,TIMES]", 0,
     "With --nodes: so many bytes are summed over all ranks, so many times, as gradients", 1},
    {"halo", HALO, "BYTES[,TIMES]", 0,
     "With --nodes: a node sends so many bytes to its neighbours, so many times", 1},
    {"parallel", PARALLEL, "SHARE", 0,
     "Share of its work that several cores or GPUs share, as 0.95 (default: from the cores that "
     "the "
     "run kept at work, or from several runs)",
     1},
    {"load", LOAD, "SECONDS", 0, "What it takes before it computes: reading its input (default: 0)",
     1},
    {NULL, 0, NULL, 0, "Numbers, as `breakeven predict` takes them; n is --size", 2},
    {"size", 'n', "N", 0, "The size n", 2},
    {"cpu", CPU, "NAME", 0, "Profile of the CPU (default: the CPU here)", 2},
    {NULL, 0, NULL, 0, "The places", 3},
    {"on", ON, "LIST", 0,
     "Clusters, as `breakeven clusters` lists them, and here for this machine (default: here)", 3},
    {"accounting", ACCOUNTING, "FILE", 0,
     "Accounting from which waits are forecast, as `breakeven queue` reads it, of the first of "
     "--on; CLUSTER=FILE: of that cluster. The option may be given several times",
     3},
    {"live", LIVE, NULL, 0, "Ask the Slurm here for the waits of the first of --on", 3},
    {"network", NETWORK, "NAME|GB/s,us", 0,
     "Network between nodes, as hdr200, 4xslingshot-11 or 25,2 (default: as the catalogue knows "
     "it)",
     3},
    {"within", WITHIN, "TIME", 0, "Deadline from now: 12:00:00 or 2-00:00:00", 3},
    {"deadline", DEADLINE, "MOMENT", 0,
     "Deadline, as '2026-12-01 09:00', on the clocks of the accounting", 3},
    {"account", 'A', "NAME", 0, "Account that pays for the jobs", 3},
    {"catalogue", CATALOGUE, "DIR", 0, "Look for clusters in DIR first", 3},
    {NULL, 0, NULL, 0, "Results", 4},
    {"emit-job", EMIT_JOB, "FILE", 0, "Write the script of the first place's job", 4},
    {"force", FORCE, NULL, 0, "Replace that FILE if it exists", 4},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the text)", 4},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Write one page that needs nothing else (no FILE: to standard output, instead of the text)",
     4},
    {"svg", SVG, "FILE", 0, "Draw the places as bars of wait and work", 4},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 4},
    {"quiet", 'q', NULL, 0, "Show no progress", 4},
    {0},
};

struct asked {
    struct be_formulas formulas;
    struct be_cli_outputs outputs;
    struct be_cli_decide_asked decide;
    const char *on[BE_LIST_MAX], *accounting[BE_LIST_MAX];
    const char *from[BE_LIST_MAX], *gpu_run[BE_LIST_MAX];
    uint64_t gpus, nodes;
    const char *cpu, *deadline, *account, *catalogue, *emit_job;
    struct be_choice size;
    double load_s;
    char **word;
    int words;
    bool live, quiet, force;
    char watched[BE_PATH]; /* trace of the command that was run now; empty: none */
    struct be_text typed;
    struct be_made made;
    struct be_error error;
};

/* ---- values --------------------------------------------------------------------------------- */

static enum be_status set_size(void *asked, char *text, struct be_error *error) {
    return be_cli_values("size", text, 1, &((struct asked *)asked)->size, error);
}

static enum be_status set_on(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return be_cli_names("--on", text, a->on, &a->decide.ons, error);
}

static enum be_status add_file(const char *name, char *text, const char *file[BE_LIST_MAX],
                               int *files, struct be_error *error) {
    if (*files == BE_LIST_MAX) {
        return be_fail(error, BE_USAGE, "%s: at most %d files", name, (int)BE_LIST_MAX);
    }
    file[(*files)++] = text;
    return BE_OK;
}

static enum be_status set_accounting(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return add_file("--accounting", text, a->accounting, &a->decide.accountings, error);
}

static enum be_status set_from(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return add_file("--from", text, a->from, &a->decide.work.runs, error);
}

static enum be_status set_gpu_run(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return add_file("--gpu-run", text, a->gpu_run, &a->decide.work.gpu_runs, error);
}

static bool is_factor(const char *text, double *factor) {
    char *end = NULL;
    *factor = strtod(text, &end);
    return end != text && *end == '\0' && *factor > 0 && isfinite(*factor);
}

static enum be_status set_speedup(void *asked, char *text, struct be_error *error) {
    struct be_cli_work_asked *work = &((struct asked *)asked)->decide.work;
    char *dots = strstr(text, ".."); /* "5." would be a number, too */
    if (dots) {
        *dots = '\0';
    }
    bool fine = is_factor(text, &work->speedup_lo) &&
                is_factor(dots ? dots + 2 : text, &work->speedup_hi) &&
                work->speedup_hi >= work->speedup_lo;
    if (dots) {
        *dots = '.';
    }
    return fine ? BE_OK
                : be_fail(error, BE_USAGE,
                          "--speedup %s: a factor above 0, or two from small to large, as 5..20",
                          text);
}

static enum be_status set_parallel(void *asked, char *text, struct be_error *error) {
    double *share = &((struct asked *)asked)->decide.work.parallel;
    char *end = NULL;
    *share = strtod(text, &end);
    return end != text && *end == '\0' && *share > 0 && *share <= 1
               ? BE_OK
               : be_fail(error, BE_USAGE, "--parallel %s: a share above 0 and up to 1, as 0.95",
                         text);
}

static enum be_status set_network(void *asked, char *text, struct be_error *error) {
    return be_cli_network_set(text, &((struct asked *)asked)->decide.work.network, error);
}

static enum be_status set_all_reduce(void *asked, char *text, struct be_error *error) {
    struct be_exchange *exchange = &((struct asked *)asked)->decide.work.exchange;
    return be_cli_exchange_set("--all-reduce", text, &exchange->reduce_bytes, &exchange->reduces,
                               error);
}

static enum be_status set_halo(void *asked, char *text, struct be_error *error) {
    struct be_exchange *exchange = &((struct asked *)asked)->decide.work.exchange;
    return be_cli_exchange_set("--halo", text, &exchange->halo_bytes, &exchange->halos, error);
}

static enum be_status set_within(void *asked, char *text, struct be_error *error) {
    double *within_s = &((struct asked *)asked)->decide.within_s;
    return be_sbatch_duration(text, within_s) && isfinite(*within_s) && *within_s > 0
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "--within %s: a time is needed, as 12:00:00 or 2-00:00:00 (30 is minutes)",
                         text);
}

static const struct be_setting setting[] = {
    BE_OWN('n', set_size),
    BE_TEXT(CPU, cpu),
    BE_OWN(FROM, set_from),
    BE_OWN(GPU_RUN, set_gpu_run),
    BE_WHOLE(GPUS, gpus, "--gpus", 1),
    BE_WHOLE(NODES, nodes, "--nodes", 1),
    BE_OWN(ALL_REDUCE, set_all_reduce),
    BE_OWN(HALO, set_halo),
    BE_OWN(NETWORK, set_network),
    BE_OWN(SPEEDUP, set_speedup),
    BE_OWN(PARALLEL, set_parallel),
    BE_SECONDS(LOAD, load_s, "--load"),
    BE_OWN(ON, set_on),
    BE_OWN(ACCOUNTING, set_accounting),
    BE_FLAG(LIVE, live),
    BE_OWN(WITHIN, set_within),
    BE_TEXT(DEADLINE, deadline),
    BE_TEXT('A', account),
    BE_TEXT(CATALOGUE, catalogue),
    BE_TEXT(EMIT_JOB, emit_job),
    BE_FLAG(FORCE, force),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(HTML, outputs.html),
    BE_DRAWING(SVG, outputs.chart),
    BE_DRAWING(PNG, outputs.png),
    BE_FLAG('q', quiet),
    BE_REST(word, words),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    struct be_error later = {0};
    struct be_error *error =
        asked->error.status == BE_OK ? &asked->error : &later; /* the first is said */
    return !be_cli_numbers_set(&asked->formulas, key, text, error) &&
                   be_cli_set(setting, BE_COUNT(setting), key, text, state, error) ==
                       ARGP_ERR_UNKNOWN
               ? ARGP_ERR_UNKNOWN
               : 0;
}

/* ---- together ------------------------------------------------------------------------------- */

/* An option without meaning beside the others is an error. */
static enum be_status check_together(const struct asked *asked, struct be_error *error) {
    const bool numbers = be_formulas_say_work(&asked->formulas),
               run = asked->decide.work.runs || (!numbers && asked->words);
    const struct be_cli_work_asked *work = &asked->decide.work;
    const bool of_run = work->speedup_lo > 0 || work->gpu_runs;
    const struct {
        bool wrong;
        const char *text;
    } pair[] = {
        {!numbers && !run,
         "which computation? give a command (-- python script.py), a saved run (--from=RUN.json), "
         "or numbers (--flops=2e15 --bytes=1e12)"},
        {numbers && work->runs,
         "--from and --flops or --bytes: one of them says how long it takes"},
        {of_run && !run, "--speedup and --gpu-run are of a run: name it with --from=RUN.json"},
        {work->speedup_lo > 0 && work->gpu_runs,
         "--speedup and --gpu-run: both say how long a GPU takes; leave one out"},
        {asked->size.from || asked->size.values > 1, "--size: one size at a time, as --size=1e4"},
        {asked->deadline && asked->decide.within_s > 0,
         "--deadline and --within: both are the deadline; leave one out"},
        {be_exchange_any(&work->exchange) && asked->nodes < 2,
         "--all-reduce and --halo are between nodes: say on how many its ranks can be (--nodes=4)"},
        {*work->network.name && !be_exchange_any(&work->exchange),
         "--network: say what its ranks exchange over it (--all-reduce=4e8,1000 or "
         "--halo=1e6,1000)"},
        {asked->live && asked->decide.accountings > 0,
         "--live and --accounting: waits come from one of them; leave one out"},
        {asked->force && !asked->emit_job, "--force: belongs to --emit-job=FILE: add it"},
    };
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        if (pair[i].wrong) {
            return be_fail(error, BE_USAGE, "%s", pair[i].text);
        }
    }
    return be_formulas_check(&asked->formulas, error);
}

/* ---- answers -------------------------------------------------------------------------------- */

static enum be_status write_table(const void *results, enum be_format format, FILE *out,
                                  struct be_error *error) {
    return be_decide_write(results, format, out, error);
}

static enum be_status emit_job(const struct asked *asked, const struct be_cli_decide *decide,
                               struct be_error *error) {
    struct be_text text = {0};
    enum be_status status = be_cli_decide_job(decide, asked->emit_job, &text, error);
    status = status ? status : be_script_file_save(asked->emit_job, &text, asked->force, error);
    be_text_free(&text);
    return status;
}

/* Said before anything is measured. */
static enum be_status check_job_file(const struct asked *asked, struct be_error *error) {
    struct stat there;
    return asked->emit_job && !asked->force && stat(asked->emit_job, &there) == 0
               ? be_fail(error, BE_USAGE, "%s: is there already; --force replaces it",
                         asked->emit_job)
               : BE_OK;
}

static enum be_status answer(struct asked *asked, struct be_error *error) {
    struct be_cli_decide *decide = calloc(1, sizeof *decide);
    if (!decide) {
        return be_fail(error, BE_NOMEM, "decide: no host memory");
    }
    enum be_status status = be_cli_decide_make(&asked->decide, decide, error);
    decide->table.made = asked->made;
    status =
        status ? status : be_cli_outputs_write(&asked->outputs, write_table, &decide->table, error);
    if (!status && asked->emit_job) {
        status = emit_job(asked, decide, error);
    }
    be_cli_decide_close(decide);
    free(decide);
    return status;
}

static void complete(struct asked *asked) {
    static const char *const only_here[] = {"here"};
    struct be_cli_decide_asked *d = &asked->decide;
    d->work.formulas = be_formulas_say_work(&asked->formulas) ? &asked->formulas : NULL;
    d->work.n = asked->size.values ? (double)asked->size.value[0] : 1;
    d->work.cpu = asked->cpu;
    d->work.run = asked->from;
    d->work.gpu_run = asked->gpu_run;
    d->work.gpus = (int)fmin((double)asked->gpus, 1e6);
    d->work.nodes = (int)fmin((double)asked->nodes, 1e6);
    d->work.load_s = asked->load_s;
    d->work.quiet = d->quiet = asked->quiet;
    d->on = d->ons ? asked->on : only_here;
    d->ons = d->ons ? d->ons : 1;
    d->accounting = asked->accounting;
    d->live = asked->live;
    d->deadline = asked->deadline;
    d->account = asked->account;
    d->command = asked->word;
    d->words = asked->words;
    d->catalogue = asked->catalogue;
}

static enum be_status decide(struct asked *asked, struct be_error *error) {
    enum be_status status = check_job_file(asked, error);
    status = status ? status : be_cli_outputs_open(&asked->outputs, error);
    if (!status && !asked->decide.work.runs && !be_formulas_say_work(&asked->formulas)) {
        status = be_cli_watched(asked->word, asked->words, asked->watched, error);
        asked->from[asked->decide.work.runs++] = asked->watched;
    }
    status = status ? status : be_cli_formulas_open(&asked->formulas, error);
    status = status ? status : answer(asked, error);
    if (*asked->watched) {
        unlink(asked->watched);
    }
    return status;
}

int be_cli_decide(int argc, char **argv) {
    struct argp_option all[OPTIONS_MAX] = {0};
    const struct argp argp = {
        all,
        parse,
        "[-- COMMAND [ARGUMENT...]]",
        "This command ranks the places where a computation could be done by the time to its "
        "result: wait + load + transfer + compute. It says why the first is first, and what would "
        "change that.\vExamples:\n  breakeven decide --on=narval --accounting=sacct.txt \\\n      "
        "--flops=2e15 --within=12:00:00\n  breakeven decide --on=narval,here --speedup=5..20 -- "
        "python script.py",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error = {0};
    memcpy(all, option, sizeof option);
    be_cli_numbers_options(all, OPTIONS_MAX, 2);
    asked.made = be_cli_typed(argc, argv, &asked.typed);
    if (be_cli_parse(&argp, argc, argv, ARGP_IN_ORDER, &asked) != 0) {
        be_text_free(&asked.typed);
        return BE_EXIT_USAGE;
    }
    if (asked.error.status != BE_OK || check_together(&asked, &asked.error) != BE_OK) {
        be_text_free(&asked.typed);
        return be_cli_fail(&asked.error);
    }
    be_cli_catch_interrupt();
    complete(&asked);
    enum be_status status = decide(&asked, &error);
    be_cli_outputs_close(&asked.outputs);
    be_formulas_close(&asked.formulas);
    be_text_free(&asked.typed);
    return status == BE_OK        ? BE_EXIT_OK
           : status == BE_STOPPED ? (be_cli_fail(&error), BE_EXIT_INTERRUPTED)
                                  : be_cli_fail(&error);
}
