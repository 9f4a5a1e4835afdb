/*
 * Any bytes as a file of the cluster catalogue. A file that is accepted must come out the same when
 * it is written and read again, and take jobs without harm.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "cluster/text.h"
#include "job/job.h"

static const char *const words[] = {
    "name",       "gpus",       "nodes",         "partitions",   "type",
    "of",         "gres",       "lsf",           "slurm",        "bundle",
    "whole node", "memory_mib", "cores",         "limit_s",      "date",
    "default",    "counts",     "aliases",       "share",        "charge",
    "clusters",   "",           "\\u0000",       "\\",           "\"",
    "\xff",       "\\ud800",    "null",          "\\n",          "2026-11-21",
    "local_disk", "successor",  "gpu_partition", "fixed_memory", "slices",
    "remarks",
};

static enum be_status read_text(const struct be_text *text, struct be_clusters *clusters,
                                struct be_error *error) {
    FILE *in = be_fuzz_open(text);
    enum be_status status = be_clusters_read(in, "fuzzed", clusters, error);
    fclose(in);
    return status;
}

static void write_all(const struct be_clusters *clusters, struct be_text *text) {
    for (size_t i = 0; i < clusters->count; i++) {
        const struct be_cluster *one = &clusters->cluster[i];
        be_clusters_write(&one, 1, text);
    }
}

/* Jobs of some sizes: each is planned, or refused with a word; and nothing leaves its line. */
static const char *take_jobs(const struct be_cluster *cluster) {
    static const char *const command[] = {"./x", "{index}"};
    for (int gpus = 0; gpus < 4; gpus++) {
        struct be_job_request request = be_job_nothing();
        struct be_job_plan plan;
        struct be_error error = {0};
        struct be_text text = {0};
        request.word = command;
        request.words = 2;
        request.gpus = gpus;
        request.tasks = 1 + gpus;
        request.array = gpus == 3 ? "1-3" : NULL;
        if (be_job_plan(&request, cluster, &plan, &error) == BE_OK) {
            be_job_write(&plan, "job.sh", &text);
        } else if (!*error.text) {
            return "a job refused without a word";
        }
        bool good = !text.data || (strstr(text.data, "\nset -eo pipefail\n") && !text.failed);
        be_text_free(&text);
        if (!good) {
            return "a script that is not whole";
        }
    }
    return NULL;
}

static const char *check(const struct be_text *text, long *accepted) {
    struct be_clusters first, second = {0};
    struct be_error error = {0};
    if (read_text(text, &first, &error) != BE_OK) {
        bool said = error.status != BE_OK && strncmp(error.text, "fuzzed", 6) == 0;
        return said && !first.cluster ? NULL : "refused without a word";
    }
    ++*accepted;
    struct be_text written = {0}, again = {0}, shown = {0};
    const struct be_cluster *one = &first.cluster[0];
    be_clusters_write(&one, 1, &written);
    be_cluster_text(one, "fuzzed", &shown);
    const char *wrong = take_jobs(one);
    if (read_text(&written, &second, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        wrong = "accepted, but not what was written of it";
    } else {
        write_all(&second, &again);
        wrong = wrong || strcmp(written.data, again.data) == 0 ? wrong : "comes out otherwise";
    }
    be_clusters_free(&first);
    be_clusters_free(&second);
    be_text_free(&written);
    be_text_free(&again);
    be_text_free(&shown);
    return wrong;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_clusters", .word = words, .words = sizeof words / sizeof *words, .check = check};
