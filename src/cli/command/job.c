/* breakeven job [OPTION...] -- COMMAND... */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/job_from.h"
#include "cli/common/parse.h"
#include "cli/common/remarks.h"
#include "cli/common/script_file.h"
#include "cli/common/settings.h"
#include "cli/common/values.h"
#include "cluster/catalogue.h"
#include "job/job.h"
#include "report/common/lines.h"
#include "script/sbatch_values.h"

enum key {
    CLUSTER = 256,
    GPUS,
    CPUS,
    MEM,
    TIME,
    TASKS,
    NODES,
    ARRAY,
    STAGE,
    NAME,
    OUTPUT_FILE,
    WATCH,
    LSF,
    FROM,
    WORKLOAD,
    CATALOGUE,
    FORCE,
    CONSTRAINT,
    QOS,
    EXCLUSIVE
};

static const struct argp_option option[] = {
    {NULL, 0, NULL, 0, "Resources of the job", 1},
    {"cluster", CLUSTER, "NAME", 0, "Cluster that the job is for. `breakeven clusters` lists them",
     1},
    {"gpus", GPUS, "[TYPE:]N", 0, "GPUs of the whole job (default: none)", 1},
    {"cpus", CPUS, "N", 0,
     "CPUs of each process (default: the share that goes with its GPUs, or 1)", 1},
    {"mem", MEM, "SIZE", 0,
     "Memory of each node: 32G, 500M; 0: all of it. GPU memory is not part of it (default: the "
     "share "
     "that goes with GPUs or CPUs)",
     1},
    {"time", TIME, "TIME", 0, "Time limit: minutes, 2:00:00 or 1-12:00:00 (default: an hour)", 1},
    {"tasks", TASKS, "N", 0, "Processes, started by srun (default: one for each node)", 1},
    {"nodes", NODES, "N", 0, "Nodes (default: 1)", 1},
    {"array", ARRAY, "INDICES", 0,
     "Run the job once for each index: 0-99%10. {index} in an argument becomes that index", 1},
    {"partition", 'p', "NAME", 0, "Partition; for LSF the queue (default: the one for such jobs)",
     1},
    {"account", 'A', "NAME", 0, "Account that pays; for LSF the project", 1},
    {"constraint", CONSTRAINT, "FEATURES", 0,
     "Features of its nodes: 'gpu&hbm80g' (default: what leads to such nodes)", 1},
    {"qos", QOS, "NAME", 0, "Quality of service (default: the usual one, where one is needed)", 1},
    {"exclusive", EXCLUSIVE, NULL, 0, "Whole nodes, with all their cores and memory", 1},
    {"from", FROM, "FILE", 0,
     "Take time, cores, memory and GPUs from a saved run (run --json=FILE), with a reserve. Or "
     "take GPU or not, threads and memory from a saved comparison (compare --json=FILE)",
     1},
    {"workload", WORKLOAD, "NAME", 0,
     "Workload of a saved comparison that the job is like, where it has several", 1},
    {NULL, 0, NULL, 0, "Commands of the job", 2},
    {"stage", STAGE, "FILE", 0,
     "Copy this file or folder to the node's own disk first. An argument of that name becomes the "
     "copy. The option may be given several times",
     2},
    {"watch", WATCH, NULL, 0, "Put `breakeven run --` before the command", 2},
    {"name", NAME, "NAME", 0, "Name of the job (default: the program's)", 2},
    {"output-file", OUTPUT_FILE, "PATTERN", 0,
     "File for the job's output (default: %x-%j.out, its name and number)", 2},
    {NULL, 0, NULL, 0, "The script", 3},
    {"output", 'o', "FILE", 0, "Write the script to FILE (default: standard output)", 3},
    {"force", FORCE, NULL, 0, "Replace FILE if it exists", 3},
    {"lsf", LSF, NULL, 0, "Write for LSF (bsub) instead of Slurm. No --cluster is needed", 3},
    {"catalogue", CATALOGUE, "DIR", 0, "Look for clusters in DIR first", 3},
    {"quiet", 'q', NULL, 0, "Print no remarks on standard error", 3},
    {0},
};

struct asked {
    struct be_job_request request;
    const char *cluster, *catalogue, *file, *from, *workload;
    bool lsf, quiet, force;
    char **word;
    int words;
};

/* ---- values ---------------------------------------------------------------------------------- */

static enum be_status take_count(const char *name, const char *text, int *value,
                                 struct be_error *error) {
    uint64_t count = 0;
    enum be_status status = be_cli_whole(name, text, 1, &count, error);
    if (status == BE_OK && count > 1000000) {
        status = be_fail(error, BE_USAGE, "%s %s: at most a million", name, text);
    }
    *value = (int)count;
    return status;
}

static enum be_status take_cpus(void *context, char *text, struct be_error *error) {
    return take_count("cpus", text, &((struct asked *)context)->request.cpus, error);
}

static enum be_status take_tasks(void *context, char *text, struct be_error *error) {
    return take_count("tasks", text, &((struct asked *)context)->request.tasks, error);
}

static enum be_status take_nodes(void *context, char *text, struct be_error *error) {
    return take_count("nodes", text, &((struct asked *)context)->request.nodes, error);
}

static enum be_status take_gpus(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    char *colon = strrchr(text, ':');
    uint64_t count = 0;
    enum be_status status = be_cli_whole("gpus", colon ? colon + 1 : text, 0, &count, error);
    if (status != BE_OK || count > 100000) {
        return be_fail(error, BE_USAGE,
                       "--gpus %.60s: a number is needed, or TYPE:NUMBER as a100:2", text);
    }
    if (colon) {
        *colon = '\0';
        asked->request.gpu = text;
    }
    asked->request.gpus = (int)count;
    asked->request.gpus_given = true;
    return BE_OK;
}

/* Nobody wants so little; who says so means gigabytes (`megabytes` in lint/rules.c). */
static const double few_mib = 32;

static enum be_status take_memory(void *context, char *text, struct be_error *error) {
    double *mib = &((struct asked *)context)->request.memory_mib;
    double bytes = 0;
    if (!be_sbatch_memory(text, &bytes)) {
        return be_fail(error, BE_USAGE,
                       "--mem %.60s: a whole number with K, M, G or T is needed, as 32G; 0: all",
                       text);
    }
    *mib = ceil(bytes / 1048576);
    if (bytes > 0 && *mib < few_mib && text[strspn(text, "0123456789")] == '\0') {
        return be_fail(error, BE_USAGE, "--mem %s: without a unit that is megabytes: %sG or %sM",
                       text, text, text);
    }
    return BE_OK;
}

static enum be_status take_time(void *context, char *text, struct be_error *error) {
    struct be_job_request *request = &((struct asked *)context)->request;
    double *seconds = &request->time_s;
    request->time_text = text;
    return be_sbatch_duration(text, seconds) && *seconds > 0 && !isinf(*seconds)
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "--time %.60s: minutes, 30:00, 2:00:00 or 1-12:00:00 are needed", text);
}

static enum be_status take_staged(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    if (asked->request.stages == BE_STAGED_MAX) {
        return be_fail(error, BE_USAGE, "--stage: at most %d; a folder counts as one",
                       (int)BE_STAGED_MAX);
    }
    asked->request.staged[asked->request.stages++] = text;
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_TEXT(CLUSTER, cluster),
    BE_TEXT(CATALOGUE, catalogue),
    BE_TEXT('o', file),
    BE_TEXT(FROM, from),
    BE_TEXT(WORKLOAD, workload),
    BE_TEXT(ARRAY, request.array),
    BE_TEXT('p', request.partition),
    BE_TEXT('A', request.account),
    BE_TEXT(CONSTRAINT, request.constraint),
    BE_TEXT(QOS, request.qos),
    BE_FLAG(EXCLUSIVE, request.exclusive),
    BE_TEXT(NAME, request.name),
    BE_TEXT(OUTPUT_FILE, request.output),
    BE_FLAG(WATCH, request.watch),
    BE_FLAG(LSF, lsf),
    BE_FLAG(FORCE, force),
    BE_FLAG('q', quiet),
    BE_OWN(GPUS, take_gpus),
    BE_OWN(CPUS, take_cpus),
    BE_OWN(MEM, take_memory),
    BE_OWN(TIME, take_time),
    BE_OWN(TASKS, take_tasks),
    BE_OWN(NODES, take_nodes),
    BE_OWN(STAGE, take_staged),
    BE_REST(word, words), /* from the first word on everything is the command's */
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which command? it stands last, after --: -- python train.py");
        return EINVAL;
    case ARGP_KEY_END:
        if (!asked->cluster && !asked->lsf) {
            argp_error(state, "--cluster=NAME is needed, one of `breakeven clusters`, or --lsf");
        }
        if (asked->workload && !asked->from) {
            argp_error(state, "--workload: of which comparison? --from=FILE");
        }
        return 0;
    default:
        return be_cli_set(setting, BE_COUNT(setting), key, text, state, NULL);
    }
}

/* ---- the script ------------------------------------------------------------------------------ */

static enum be_status put(const struct asked *asked, const struct be_job_plan *plan,
                          struct be_error *error) {
    struct be_text text = {0};
    be_job_write(plan, asked->file, &text);
    enum be_status status = BE_OK;
    if (text.failed) {
        status = be_fail(error, BE_NOMEM, "job: no host memory");
    } else if (asked->file && strcmp(asked->file, "-") != 0) {
        status = be_script_file_save(asked->file, &text, asked->force, error);
    } else if (fwrite(text.data, 1, text.length, stdout) != text.length || fflush(stdout) != 0) {
        status = be_fail(error, BE_IO, "standard output: %s", strerror(errno));
    }
    be_text_free(&text);
    for (int i = 0; status == BE_OK && !asked->quiet && i < plan->notes; i++) {
        be_lines_wrap(&text, "note: ", plan->note[i], 2);
        fprintf(stderr, "%s", text.data ? text.data : "");
        be_text_free(&text);
    }
    return status;
}

static void say_from(const char *file, const char *why) {
    struct be_text head = {0}, text = {0};
    be_text_add(&head, "from %s: ", file);
    be_lines_wrap(&text, head.data ? head.data : "", why, 2);
    fprintf(stderr, "%s", text.data ? text.data : "");
    be_text_free(&text);
    be_text_free(&head);
}

static enum be_status write_job(struct asked *asked, struct be_error *error) {
    struct be_catalogue catalogue = {0};
    struct be_job_plan plan;
    const struct be_cluster unknown = be_cluster_unknown(BE_SCHEDULER_LSF), *cluster = &unknown;
    char why[BE_NOTE] = "";
    enum be_status status = BE_OK;
    if (asked->cluster) {
        status = be_catalogue_open(asked->catalogue, &catalogue, error);
        if (status == BE_OK) {
            status = be_catalogue_find(&catalogue, asked->cluster, &cluster, error);
        }
        if (status == BE_OK && !asked->quiet) {
            be_cli_catalogue_remarks(be_catalogue_file_of(&catalogue, cluster));
        }
    }
    if (status == BE_OK && asked->lsf && cluster->scheduler != BE_SCHEDULER_LSF) {
        status = be_fail(error, BE_USAGE, "--lsf: %s has Slurm", cluster->name);
    }
    if (status == BE_OK && asked->from) {
        status = be_cli_job_from(asked->from, asked->workload, &asked->request, why, error);
        if (status == BE_OK && !asked->quiet) {
            say_from(asked->from, why);
        }
    }
    status = status == BE_OK ? be_job_plan(&asked->request, cluster, &plan, error) : status;
    status = status == BE_OK ? put(asked, &plan, error) : status;
    be_catalogue_close(&catalogue);
    return status;
}

int be_cli_job(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "-- COMMAND [ARGUMENT...]",
        "This command writes a job script that the cluster accepts. The script has the cluster's "
        "names for GPUs, the CPUs and memory that go with them, thread variables, and a reason "
        "above each line. A request that the cluster cannot meet is an error that names the "
        "limit.\vExamples:\n  breakeven job --cluster=narval --account=def-me --gpus=1 -- python "
        "train.py\n  breakeven job --cluster=narval --from=run.json -- ./sim >job.sh",
        NULL,
        NULL,
        NULL};
    struct asked asked = {.request = be_job_nothing()};
    struct be_error error;
    if (be_cli_parse(&argp, argc, argv, ARGP_IN_ORDER, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    asked.request.word = (const char *const *)asked.word;
    asked.request.words = asked.words;
    return write_job(&asked, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}
