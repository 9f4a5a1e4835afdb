/*
 * Any bytes as what scontrol or sinfo says, of which a cluster is made. The result must be a file of the catalogue.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "cluster/detect.h"

static const char *const words[] = {
    "NodeName",
    "PartitionName",
    "Gres",
    "gpu",
    "Partitions",
    "CPUTot",
    "CPUEfctv",
    "RealMemory",
    "MaxTime",
    "MaxNodes",
    "UNLIMITED",
    "infinite",
    "Default",
    "YES",
    "(null)",
    "|",
    "=",
    "(S:0-1)",
    "gpu:a:1",
    ",,,",
    "\xff",
    "1g.10gb",
    "a_7g.80gb",
    "\n",
    "TmpDisk",
    "MemSpecLimit",
    "gpu:h100:",
    "Configuration data",
    "ClusterName ",
    "",
};

static const char *check(const struct be_text *text, long *accepted) {
    static char partition[] = "PartitionName=p Default=NO MaxTime=1:00:00 State=UP\n";
    static char node[] = "NodeName=n CPUTot=4 RealMemory=1000 Partitions=p\n";
    static const char *const names[] = {"fuzzed", "partition", "node"};
    const struct be_text output[] = {*text,
                                     {.data = partition, .length = sizeof partition - 1},
                                     {.data = node, .length = sizeof node - 1}};
    struct be_cluster cluster;
    struct be_error error = {0};
    if (be_cluster_detect(output, names, 3, NULL, "2026-11-21", &cluster, &error) != BE_OK) {
        return *error.text && !cluster.node ? NULL : "refused without a word";
    }
    ++*accepted;
    struct be_text written = {0}, again = {0};
    struct be_clusters read = {0};
    const struct be_cluster *one = &cluster;
    be_clusters_write(&one, 1, &written);
    FILE *in = be_fuzz_open(&written);
    const char *wrong = NULL;
    if (be_clusters_read(in, "written", &read, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        wrong = "detected, but no file of the catalogue";
    } else {
        one = &read.cluster[0];
        be_clusters_write(&one, 1, &again);
        wrong = strcmp(written.data, again.data) == 0 ? NULL : "comes out otherwise";
    }
    fclose(in);
    be_clusters_free(&read);
    be_cluster_free(&cluster);
    be_text_free(&written);
    be_text_free(&again);
    return wrong;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_detect", .word = words, .words = sizeof words / sizeof *words, .check = check};
