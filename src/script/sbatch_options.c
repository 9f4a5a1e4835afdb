#include "script/sbatch_options.h"

#include <string.h>

#include "base/suggest.h"

/* man sbatch, --mail-type */
#define WORDS_MAIL                                                                                 \
    "NONE BEGIN END FAIL REQUEUE ALL INVALID_DEPEND STAGE_OUT TIME_LIMIT TIME_LIMIT_90 "           \
    "TIME_LIMIT_80 TIME_LIMIT_50 ARRAY_TASKS"
/* man sbatch, --propagate */
#define WORDS_LIMITS "ALL NONE AS CORE CPU DATA FSIZE MEMLOCK NOFILE NPROC RSS STACK"

const struct be_sbatch_option be_sbatch_options[] = {
    {"account", 'A', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"acctg-freq", 0, BE_TAKES_VALUE, BE_KIND_SAMPLING, NULL, NULL, NULL},
    {"array", 'a', BE_TAKES_VALUE, BE_KIND_ARRAY, NULL, NULL, NULL},
    {"batch", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"bb", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"bbf", 0, BE_TAKES_VALUE, BE_KIND_FILE, NULL, NULL, NULL},
    {"begin", 'b', BE_TAKES_VALUE, BE_KIND_MOMENT, NULL, NULL, NULL},
    {"chdir", 'D', BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"cluster", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, "clusters", NULL},
    {"cluster-constraint", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"clusters", 'M', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"comment", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    /* CHANGELOG/slurm-25.11.md of Slurm, this one and --spread-segments: new in 25.11.0rc1. */
    {"consolidate-segments", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, "25.11"},
    {"constraint", 'C', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"container", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"container-id", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, "23.02"},
    {"context", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"contiguous", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"core-spec", 'S', BE_TAKES_VALUE, BE_KIND_WHOLE, NULL, NULL, NULL},
    {"cores-per-socket", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"cpu-freq", 0, BE_TAKES_VALUE, BE_KIND_FREQUENCY, NULL, NULL, NULL},
    {"cpus-per-gpu", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"cpus-per-task", 'c', BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"deadline", 0, BE_TAKES_VALUE, BE_KIND_MOMENT, NULL, NULL, NULL},
    {"delay-boot", 0, BE_TAKES_VALUE, BE_KIND_DURATION, NULL, NULL, NULL},
    {"dependency", 'd', BE_TAKES_VALUE, BE_KIND_DEPENDENCY, NULL, NULL, NULL},
    {"distribution", 'm', BE_TAKES_VALUE, BE_KIND_LAYOUT, NULL, NULL, NULL},
    {"error", 'e', BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"exclude", 'x', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"exclusive", 0, BE_TAKES_MAYBE, BE_KIND_WORD, "user mcs 24.11:topo", NULL, NULL},
    {"export", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"export-file", 0, BE_TAKES_VALUE, BE_KIND_FILE, NULL, NULL, NULL},
    {"extra", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, "23.02"},
    {"extra-node-info", 'B', BE_TAKES_VALUE, BE_KIND_LAYOUT, NULL, NULL, NULL},
    {"get-user-env", 0, BE_TAKES_MAYBE, BE_KIND_USER_ENV, NULL, NULL, NULL},
    {"gid", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"gpu-bind", 0, BE_TAKES_VALUE, BE_KIND_BINDING, NULL, NULL, NULL},
    {"gpu-freq", 0, BE_TAKES_VALUE, BE_KIND_FREQUENCY, NULL, NULL, NULL},
    {"gpus", 'G', BE_TAKES_VALUE, BE_KIND_GPUS, NULL, NULL, NULL},
    {"gpus-per-node", 0, BE_TAKES_VALUE, BE_KIND_GPUS, NULL, NULL, NULL},
    {"gpus-per-socket", 0, BE_TAKES_VALUE, BE_KIND_GPUS, NULL, NULL, NULL},
    {"gpus-per-task", 0, BE_TAKES_VALUE, BE_KIND_GPUS, NULL, NULL, NULL},
    {"gres", 0, BE_TAKES_VALUE, BE_KIND_GRES, NULL, NULL, NULL},
    {"gres-flags", 0, BE_TAKES_VALUE, BE_KIND_WORDS,
     "disable-binding enforce-binding 23.02:multiple-tasks-per-sharing 23.02:one-task-per-sharing "
     "23.11:allow-task-sharing",
     NULL, NULL},
    {"help", 'h', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"hint", 0, BE_TAKES_VALUE, BE_KIND_WORD,
     "compute_bound memory_bound multithread nomultithread", NULL, NULL},
    {"hold", 'H', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"ignore-pbs", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"input", 'i', BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"job-name", 'J', BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"kill-on-invalid-dep", 0, BE_TAKES_VALUE, BE_KIND_WORD, "yes no", NULL, NULL},
    {"licenses", 'L', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"mail-type", 0, BE_TAKES_VALUE, BE_KIND_SOME, WORDS_MAIL, NULL, NULL},
    {"mail-user", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"mcs-label", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"mem", 0, BE_TAKES_VALUE, BE_KIND_MEMORY, NULL, NULL, NULL},
    {"mem-bind", 0, BE_TAKES_VALUE, BE_KIND_BINDING, NULL, NULL, NULL},
    {"mem-per-cpu", 0, BE_TAKES_VALUE, BE_KIND_MEMORY, NULL, NULL, NULL},
    {"mem-per-gpu", 0, BE_TAKES_VALUE, BE_KIND_MEMORY, NULL, NULL, NULL},
    {"mincpus", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"network", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"nice", 0, BE_TAKES_MAYBE, BE_KIND_NUMBER, NULL, NULL, NULL},
    {"no-kill", 'k', BE_TAKES_MAYBE, BE_KIND_WORD, "off set no", NULL, NULL},
    {"no-requeue", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"nodefile", 'F', BE_TAKES_VALUE, BE_KIND_FILE, NULL, NULL, NULL},
    {"nodelist", 'w', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"nodes", 'N', BE_TAKES_VALUE, BE_KIND_NODES, NULL, NULL, NULL},
    {"ntasks", 'n', BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"ntasks-per-core", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"ntasks-per-gpu", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"ntasks-per-node", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"ntasks-per-socket", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"ntasks-per-tres", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"oom-kill-step", 0, BE_TAKES_MAYBE, BE_KIND_BIT, NULL, NULL, "24.05"},
    {"open-mode", 0, BE_TAKES_VALUE, BE_KIND_INITIAL, "append truncate", NULL, NULL},
    {"output", 'o', BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"overcommit", 'O', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"oversubscribe", 's', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"parsable", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"partition", 'p', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"power", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {"prefer", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"priority", 0, BE_TAKES_VALUE, BE_KIND_NUMBER, NULL, NULL, NULL},
    {"profile", 0, BE_TAKES_VALUE, BE_KIND_SOME, "all none energy lustre network task", NULL, NULL},
    {"propagate", 0, BE_TAKES_MAYBE, BE_KIND_LIMITS, WORDS_LIMITS, NULL, NULL},
    {"qos", 'q', BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"quiet", 'Q', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"reboot", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    /* The release notes of 25.11 and its manual spell the value differently. */
    {"requeue", 0, BE_TAKES_NOTHING, BE_KIND_NONE, "25.11:expedite 25.11:expedited", NULL, NULL},
    {"reservation", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    /* Hierarchical resources are of 25.05; when the option came is not known: the newest here. */
    {"resources", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, "25.11"},
    {"resv-ports", 0, BE_TAKES_MAYBE, BE_KIND_COUNT, NULL, NULL, "23.11"},
    {"segment", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, "24.05"},
    {"signal", 0, BE_TAKES_VALUE, BE_KIND_SIGNAL, NULL, NULL, NULL},
    {"sockets-per-node", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"spread-job", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"spread-segments", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, "25.11"},
    {"stepmgr", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, "24.05"},
    {"switches", 0, BE_TAKES_VALUE, BE_KIND_SWITCHES, NULL, NULL, NULL},
    {"tasks-per-node", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, "ntasks-per-node", NULL},
    {"test-only", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"thread-spec", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"threads-per-core", 0, BE_TAKES_VALUE, BE_KIND_COUNT, NULL, NULL, NULL},
    {"time", 't', BE_TAKES_VALUE, BE_KIND_DURATION, NULL, NULL, NULL},
    {"time-min", 0, BE_TAKES_VALUE, BE_KIND_DURATION, NULL, NULL, NULL},
    {"tmp", 0, BE_TAKES_VALUE, BE_KIND_MEMORY, NULL, NULL, NULL},
    {"tres-bind", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, "23.11"},
    {"tres-per-task", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, "23.11"},
    {"uid", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"usage", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"use-min-nodes", 0, BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"verbose", 'v', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"version", 'V', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"wait", 'W', BE_TAKES_NOTHING, BE_KIND_NONE, NULL, NULL, NULL},
    {"wait-all-nodes", 0, BE_TAKES_VALUE, BE_KIND_BIT, NULL, NULL, NULL},
    {"wckey", 0, BE_TAKES_VALUE, BE_KIND_SITE, NULL, NULL, NULL},
    {"wrap", 0, BE_TAKES_VALUE, BE_KIND_TEXT, NULL, NULL, NULL},
    {0},
};

const struct be_sbatch_option *be_sbatch_named(const char *name) {
    for (const struct be_sbatch_option *at = be_sbatch_options; at->name; at++) {
        if (strcmp(at->name, name) == 0) {
            return at;
        }
    }
    return NULL;
}

const struct be_sbatch_option *be_sbatch_lettered(char letter) {
    for (const struct be_sbatch_option *at = be_sbatch_options; letter && at->name; at++) {
        if (at->letter == letter) {
            return at;
        }
    }
    return NULL;
}

/* getopt_long takes an abbreviation that several names begin with where they are the same option. */
static bool are_same(const struct be_sbatch_option *a, const struct be_sbatch_option *b) {
    const char *one = a->same ? a->same : a->name;
    const char *other = b->same ? b->same : b->name;
    return strcmp(one, other) == 0;
}

const struct be_sbatch_option *be_sbatch_abbreviated(const char *name, size_t length,
                                                     bool *several) {
    const struct be_sbatch_option *found = NULL;
    *several = false;
    for (const struct be_sbatch_option *at = be_sbatch_options; at->name; at++) {
        if (strncmp(at->name, name, length) != 0) {
            continue;
        }
        if (strlen(at->name) == length) {
            *several = false;
            return at;
        }
        /* An option newer than 22.05 stands back: a script's abbreviation was right before it. */
        if (found && !at->since) {
            *several = *several || !are_same(found, at);
        }
        found = found && (at->since || !found->since) ? found : at;
    }
    return *several ? NULL : found;
}

const struct be_sbatch_option *be_sbatch_nearest(const char *name, size_t length) {
    const struct be_sbatch_option *nearest = NULL;
    size_t min = be_near_limit(length);
    for (const struct be_sbatch_option *at = be_sbatch_options; at->name; at++) {
        nearest = be_is_nearer(name, length, at->name, &min) ? at : nearest;
    }
    return nearest;
}
