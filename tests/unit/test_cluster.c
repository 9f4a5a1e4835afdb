/* Clusters: catalogue files read, refused and written again, what is looked up, folders, --detect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cluster/catalogue.h"
#include "cluster/text.h"
#include "cluster/detect.h"

#define HEAD "{\"schema\":\"breakeven/1\",\"command\":\"clusters\",\"clusters\":["
#define CLUSTER HEAD "{\"name\":\"x\",\"date\":\"2026-11-21\""

static enum be_status read_text(const char *text, struct be_clusters *clusters,
                                struct be_error *error) {
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(in);
    enum be_status status = be_clusters_read(in, "x.json", clusters, error);
    fclose(in);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void bad_files_are_refused_by_name_and_key(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {" ", "x.json: line 1: not JSON"},
        {"{\n\n\"a\" 1}", "x.json: line 3: not JSON"},
        {"[]", "x.json: an object is needed, not a list"},
        {"{}", "x.json: schema: \"breakeven/1\" is needed"},
        {"{\"schema\":\"breakeven/1\"}", "x.json: command: \"clusters\" is needed"},
        {HEAD "]}", "x.json: clusters: is empty"},
        {HEAD "]} x", "x.json: line 1: more text after the end"},
        {HEAD "7]}", "x.json: clusters[0]: an object is needed, not a number"},
        {HEAD "{}]}", "x.json: clusters[0].name: is missing: a string is needed"},
        {HEAD "{\"name\":\"a b\",\"date\":\"2026\"}]}", "clusters[0].name: letters, digits"},
        {HEAD "{\"name\":\"x\",\"date\":\"soon\"}]}", "clusters[0].date: a date is needed"},
        {CLUSTER ",\"limit_s\":-1}]}", "clusters[0].limit_s: a number from 1 to 360000000 is "
                                       "needed, not -1"},
        {CLUSTER ",\"limit_s\":\"7 days\"}]}", "limit_s: a number from 1 to 360000000 is needed, "
                                               "not a string"},
        {CLUSTER ",\"most_jobs\":1.5}]}", "most_jobs: a whole number from 0 to 10000000 is needed"},
        {CLUSTER ",\"scheduler\":\"pbs\"}]}",
         "clusters[0].scheduler: one of \"slurm\", \"lsf\" is needed, not \"pbs\""},
        {CLUSTER ",\"needs_account\":1}]}", "needs_account: true or false is needed, not a number"},
        {CLUSTER ",\"local_disk\":\"$TMP\"}]}", "local_disk: the name of a variable"},
        {CLUSTER ",\"title\":\"a\\nb\"}]}", "title: has a control character"},
        {CLUSTER ",\"gpus\":{}}]}", "clusters[0].gpus: a list is needed, not an object"},
        {CLUSTER ",\"gpus\":[{\"type\":\"a;b\"}]}]}", "clusters[0].gpus[0].type: letters, digits"},
        {CLUSTER ",\"gpus\":[{\"type\":\"a\"},{\"type\":\"a\"}]}]}",
         "gpus[1].type: is there twice"},
        {CLUSTER ",\"gpus\":[{\"type\":\"a\",\"of\":\"b\"}]}]}", "gpus[0].of: no other GPU"},
        {CLUSTER ",\"gpus\":[{\"share\":2}]}]}", "gpus[0].share: a number from 0 to 1 is needed, "
                                                 "not 2"},
        {CLUSTER ",\"gpus\":[{\"aliases\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\"]}]}]}",
         "gpus[0].aliases: has more than 6"},
        {CLUSTER ",\"nodes\":[{\"name\":\"n\",\"gpu\":\"h\",\"gpus\":4}]}]}",
         "nodes[0].gpu: none of `gpus` has that type"},
        {CLUSTER ",\"nodes\":[{\"name\":\"n\"},{\"name\":\"n\"}]}]}",
         "nodes[1].name: is there twice"},
        {CLUSTER ",\"nodes\":[{\"name\":\"\"}]}]}", "nodes[0].name: must not be empty"},
        {CLUSTER ",\"partitions\":[{\"name\":\"p\",\"nodes\":[\"n\"]}]}]}",
         "partitions[0].nodes[0]: none of the cluster's `nodes`"},
        {CLUSTER ",\"partitions\":[{\"name\":\"p\",\"default\":true},{\"name\":\"q\",\"default\":"
                 "true}]}]}",
         "partitions[1].default: another partition is it already"},
        {CLUSTER ",\"gpu_partition\":\"p\"}]}", "gpu_partition: none of `partitions`"},
        {CLUSTER ",\"sources\":[{\"name\":\"s\"}]}]}", "sources[0].date: is missing"},
        {CLUSTER ",\"remarks\":[1]}]}", "clusters[0].remarks: a string is needed, not a number"},
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_clusters clusters;
        struct be_error error = {0};
        if (read_text(cases[i].text, &clusters, &error) != BE_USAGE ||
            !strstr(error.text, cases[i].says) || clusters.cluster) {
            fail_msg("%s\nsays: %s\nand not: %s", cases[i].text, error.text, cases[i].says);
        }
    }
}

static void nothing_is_cut(void **state) {
    char text[512], name[128];
    struct be_clusters clusters;
    struct be_error error = {0};
    (void)state;
    memset(name, 'a', 64);
    name[64] = '\0';
    snprintf(text, sizeof text, CLUSTER ",\"gpus\":[{\"type\":\"%s\"}]}]}", name);
    assert_int_equal(read_text(text, &clusters, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "gpus[0].type: has 64 bytes, and 63 is the most"));
}

static void unknown_keys_are_said_and_passed_over(void **state) {
    struct be_clusters clusters;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(read_text(CLUSTER ",\"limits\":1,\"nodes\":[{\"name\":\"n\",\"core\":4}]}]}",
                               &clusters, &error),
                     BE_OK);
    assert_int_equal(clusters.remarks, 2);
    assert_non_null(strstr(clusters.remark[0], "x.json: clusters[0].limits: not a key"));
    assert_non_null(strstr(clusters.remark[1], "x.json: clusters[0].nodes[0].core: not a key"));
    be_clusters_free(&clusters);
}

static void what_is_not_stated_is_not_known(void **state) {
    struct be_clusters clusters;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(read_text(CLUSTER ",\"gpus\":[{\"type\":\"a\",\"memory_bytes\":null},"
                                       "{\"type\":\"s\",\"of\":\"a\"}]}]}",
                               &clusters, &error),
                     BE_OK);
    const struct be_cluster *cluster = &clusters.cluster[0];
    assert_true(isnan(cluster->limit_s));
    assert_true(isnan(cluster->gpu[0].memory_bytes) && isnan(cluster->gpu[0].charge));
    assert_true(cluster->gpu[0].share >= 1);
    assert_true(isnan(cluster->gpu[1].share));
    assert_int_equal(be_cluster_cores_each(&cluster->gpu[0], NULL), 0);
    assert_true(isnan(be_cluster_mib_each(&cluster->gpu[0], NULL)));
    be_clusters_free(&clusters);
}

/* Every file that is shipped comes out as it went in. */
static void shipped_files_come_out_the_same(void **state) {
    glob_t found = {0};
    (void)state;
    assert_int_equal(glob("share/clusters/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 17);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct be_clusters clusters;
        struct be_error error = {0};
        struct be_text text = {0};
        char *whole = NULL;
        size_t capacity = 0;
        FILE *in = fopen(found.gl_pathv[i], "r");
        assert_non_null(in);
        if (be_clusters_read(in, found.gl_pathv[i], &clusters, &error) != BE_OK) {
            fail_msg("%s", error.text);
        }
        rewind(in);
        assert_true(getdelim(&whole, &capacity, '\0', in) > 0);
        fclose(in);
        assert_int_equal(clusters.remarks, 0);
        assert_int_equal(clusters.count, 1);
        assert_true(clusters.cluster->sources > 0);
        const struct be_cluster *one = clusters.cluster;
        be_clusters_write(&one, 1, &text);
        char *version = strstr(whole, "\"version\":");
        assert_non_null(version); /* a release changes it */
        assert_memory_equal(whole, text.data, (size_t)(version - whole));
        assert_string_equal(strchr(version, '\n'), strchr(strstr(text.data, "\"version\":"), '\n'));
        free(whole);
        be_text_free(&text);
        be_clusters_free(&clusters);
    }
    globfree(&found);
}

/* ---- looking up ------------------------------------------------------------------------------ */

static void the_catalogue_has_what_is_known(void **state) {
    struct be_catalogue catalogue;
    const struct be_cluster *cluster = NULL;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(be_catalogue_open("share/clusters", &catalogue, &error), BE_OK);
    assert_int_equal(be_catalogue_find(&catalogue, "Narval", &cluster, &error), BE_OK);
    const struct be_cluster_gpu *gpu = be_cluster_gpu(cluster, "A100");
    const struct be_cluster_node *node = be_cluster_node_of(cluster, gpu, NULL);
    assert_int_equal(be_cluster_cores_each(gpu, node), 12);
    assert_true(fabs(be_cluster_mib_each(gpu, node) - 127500) < 0.5);
    const struct be_cluster_gpu *slice = be_cluster_gpu(cluster, "a100_3g.20gb");
    assert_ptr_equal(be_cluster_node_of(cluster, slice, NULL), node);
    assert_int_equal(be_cluster_cores_each(slice, node), 6);
    assert_null(be_cluster_gpu(cluster, "h100"));
    assert_int_equal(be_catalogue_find(&catalogue, "nibi", &cluster, &error), BE_OK);
    assert_string_equal(be_cluster_gpu(cluster, "h100_3.40")->type,
                        "nvidia_h100_80gb_hbm3_3g.40gb");
    static const char *const successors[][2] = {
        {"cedar", "fir"}, {"graham", "nibi"}, {"beluga", "rorqual"}, {"niagara", "trillium"}};
    for (size_t i = 0; i < BE_COUNT(successors); i++) {
        assert_int_equal(be_catalogue_find(&catalogue, successors[i][0], &cluster, &error), BE_OK);
        assert_string_equal(cluster->successor, successors[i][1]);
        assert_true(*cluster->ended);
    }
    assert_int_equal(be_catalogue_find(&catalogue, "nowhere", &cluster, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "there are: adroit, beluga"));
    be_catalogue_close(&catalogue);
}

/* Nodes, GPUs of each and cores that go with one, as the sites' pages had them; cores 0: not stated there. */
static void what_is_shipped_has_the_gpus_that_sites_state(void **state) {
    static const struct {
        const char *cluster, *type;
        int nodes, gpus, cores;
    } facts[] = {{"narval", "a100", 159, 4, 12},   {"beluga", "v100", 172, 4, 10},
                 {"cedar", "p100", 96, 4, 0},      {"cedar", "p100l", 32, 4, 0},
                 {"cedar", "v100l", 192, 4, 0},    {"graham", "p100", 160, 2, 0},
                 {"graham", "v100", 7, 8, 0},      {"graham", "t4", 36, 4, 0},
                 {"fir", "h100", 160, 4, 12},      {"nibi", "h100", 36, 8, 14},
                 {"rorqual", "h100", 93, 4, 16},   {"trillium", "h100", 63, 4, 24},
                 {"killarney", "l40s", 168, 4, 0}, {"killarney", "h100", 10, 8, 0},
                 {"tamia", "h100", 53, 4, 0},      {"tamia", "h200", 12, 8, 0},
                 {"vulcan", "l40s", 252, 4, 0},    {"kestrel", "", 156, 4, 32},
                 {"swift", "", 10, 4, 24},         {"vermilion", "", 0, 1, 30}};
    struct be_catalogue catalogue;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(be_catalogue_open("share/clusters", &catalogue, &error), BE_OK);
    for (size_t i = 0; i < BE_COUNT(facts); i++) {
        const struct be_cluster *cluster = NULL;
        assert_int_equal(be_catalogue_find(&catalogue, facts[i].cluster, &cluster, &error), BE_OK);
        const struct be_cluster_gpu *gpu = be_cluster_gpu(cluster, facts[i].type);
        assert_non_null(gpu);
        const struct be_cluster_node *node = be_cluster_node_of(cluster, gpu, NULL);
        assert_non_null(node);
        assert_int_equal(node->count, facts[i].nodes);
        assert_int_equal(node->gpus, facts[i].gpus);
        if (facts[i].cores) {
            assert_int_equal(be_cluster_cores_each(gpu, node), facts[i].cores);
        }
    }
    be_catalogue_close(&catalogue);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void named_folders_come_first(void **state) {
    char folder[] = "/tmp/be-clusters [1]-XXXXXX", command[64];
    struct be_catalogue catalogue;
    const struct be_cluster *cluster = NULL;
    struct be_error error = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file(folder, "mine.json",
               HEAD "{\"name\":\"narval\",\"date\":\"2026\",\"title\":\"mine\"}]}");
    write_file(folder, "broken.json", "{");
    setenv("BREAKEVEN_CLUSTERS", folder, 1);
    assert_int_equal(be_catalogue_open(NULL, &catalogue, &error), BE_OK);
    assert_int_equal(be_catalogue_find(&catalogue, "narval", &cluster, &error), BE_OK);
    assert_string_equal(cluster->title, "mine");
    assert_non_null(strstr(be_catalogue_file_of(&catalogue, cluster)->path, "mine.json"));
    size_t seen = 0;
    for (size_t i = 0; be_catalogue_at(&catalogue, i); i++) {
        seen += strcmp(be_catalogue_at(&catalogue, i)->name, "narval") == 0;
    }
    assert_int_equal(seen, 1);
    assert_int_equal(be_catalogue_find(&catalogue, "broken", &cluster, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "broken.json: line 1"));
    struct be_text text = {0};
    be_catalogue_text(&catalogue, &text);
    assert_non_null(strstr(text.data, "cannot be read: "));
    be_text_free(&text);
    be_catalogue_close(&catalogue);
    unsetenv("BREAKEVEN_CLUSTERS");
    /* A name on the command line must be right. */
    assert_int_equal(be_catalogue_open(folder, &catalogue, &error), BE_USAGE);
    assert_int_equal(be_catalogue_open("/nowhere", &catalogue, &error), BE_IO);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* ---- --detect -------------------------------------------------------------------------------- */

static const char nodes[] =
    "NodeName=g1 Arch=x86_64 CoresPerSocket=24 \n"
    "   CPUAlloc=0 CPUEfctv=46 CPUTot=48 CPULoad=0.10\n"
    "   Gres=gpu:h100:4(S:0-1),nvme:1\n"
    "   OS=Linux 6.1.0 #1 SMP x=y\n"
    "   RealMemory=510000 AllocMem=0 FreeMem=1 Sockets=2 Boards=1\n"
    "   MemSpecLimit=10000\n"
    "   State=IDLE ThreadsPerCore=1 TmpDisk=3000000 Weight=1\n"
    "   Partitions=gpu,all \n"
    "   Reason=disk is bad [root@2026]\n\n"
    "NodeName=g2 CPUEfctv=46 CPUTot=48 Gres=gpu:h100:2(IDX:0-1),gpu:h100_1g.10gb:14 "
    "RealMemory=510000\n"
    "   Partitions=gpu\n\n"
    "NodeName=c1 CPUTot=64 Gres=(null) RealMemory=256000 TmpDisk=0 Partitions=cpu,all\n"
    "NodeName=c2 CPUTot=64 Gres=(null) RealMemory=256000 TmpDisk=0 Partitions=cpu,all\n";

static const char partitions[] =
    "PartitionName=cpu Default=YES MaxNodes=UNLIMITED MaxTime=7-00:00:00 State=UP\n"
    "PartitionName=gpu Default=NO MaxNodes=1 MaxTime=1-00:00:00 State=DRAIN "
    "MaxCPUsPerNode=40 MaxMemPerNode=400000 MaxMemPerCPU=8000 "
    "TRESBillingWeights=CPU=1.0,GRES/gpu=12\n"
    "PartitionName=all Default=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED State=UP "
    "MaxCPUsPerNode=UNLIMITED MaxMemPerNode=UNLIMITED MaxMemPerCPU=4000\n";

static const char config[] = "Configuration data as of 2026-11-21T12:00:00\n"
                             "AccountingStorageBackupHost = (null)\n"
                             "ClusterName             = maple\n"
                             "SelectType              = select/cons_tres\n"
                             "SelectTypeParameters    = CR_CORE_MEMORY\n";

static enum be_status detect(const char *const *text, size_t count, const char *name,
                             struct be_cluster *cluster, struct be_error *error) {
    static const char *const names[] = {"first", "second", "third"};
    struct be_text output[3] = {0};
    for (size_t i = 0; i < count; i++) {
        be_text_add(&output[i], "%s", text[i]);
    }
    enum be_status status =
        be_cluster_detect(output, names, count, name, "2026-11-21", cluster, error);
    for (size_t i = 0; i < count; i++) {
        be_text_free(&output[i]);
    }
    return status;
}

static void a_cluster_is_detected(void **state) {
    const char *const said[] = {partitions, nodes, config};
    struct be_cluster cluster;
    struct be_error error = {0};
    (void)state;
    if (detect(said, 3, NULL, &cluster, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    assert_string_equal(cluster.name, "maple");
    assert_int_equal(cluster.request, BE_REQUEST_PER_NODE);
    assert_int_equal(cluster.gpus, 2);
    assert_string_equal(cluster.gpu[0].type, "h100");
    assert_string_equal(cluster.gpu[1].of, "h100");
    assert_true(fabs(cluster.gpu[1].memory_bytes - 10e9) < 1);
    assert_int_equal(cluster.nodes, 3);
    assert_int_equal(cluster.node[0].cores, 46); /* two are set aside */
    assert_true(fabs(cluster.node[0].memory_mib - 500000) < 0.5);
    assert_true(fabs(cluster.node[0].disk_bytes - 3e6 * 1048576) < 1);
    assert_int_equal(cluster.node[0].gpus, 4);
    assert_string_equal(cluster.node[1].name, "h100-2");
    assert_int_equal(cluster.node[2].count, 2);
    assert_true(isnan(cluster.node[2].disk_bytes));
    assert_true(cluster.partition[0].preset && cluster.partition[0].nodes == 1);
    assert_int_equal(cluster.partition[1].max_nodes, 1);
    assert_int_equal(cluster.partition[1].max_cores, 40);
    assert_true(fabs(cluster.partition[1].max_memory_mib - 400000) < 0.5);
    assert_int_equal(cluster.partition[2].max_cores, 0);
    assert_true(isnan(cluster.partition[0].max_memory_mib) &&
                isnan(cluster.partition[2].max_memory_mib));
    assert_int_equal(cluster.partition[1].nodes, 2);
    assert_string_equal(cluster.partition[1].note,
                        "not up when this was read; a core for each 8000 MiB; billing weights "
                        "CPU=1.0,GRES/gpu=12");
    assert_string_equal(cluster.partition[0].note, "");
    assert_string_equal(cluster.partition[2].note, "a core for each 4000 MiB");
    assert_true(isnan(cluster.partition[2].limit_s) && isnan(cluster.limit_s));
    be_cluster_free(&cluster);
}

static void sinfo_serves_where_nodes_are_hidden(void **state) {
    const char *const said[] = {"c1|cpu*|64|256000|0|(null)|7-00:00:00\n"
                                "c1|all|64|256000|0|(null)|infinite\n"
                                "g1|all|48|510000+|100|gpu:4|infinite\n"};
    struct be_cluster cluster;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(detect(said, 1, "maple", &cluster, &error), BE_OK);
    assert_int_equal(cluster.nodes, 2);
    assert_int_equal(cluster.partitions, 2);
    assert_true(cluster.partition[0].preset);
    assert_int_equal(cluster.partition[1].nodes, 2);
    assert_string_equal(cluster.node[1].name, "gpu");
    assert_int_equal(cluster.node[1].gpus, 4);
    assert_string_equal(cluster.gpu[0].type, "");
    assert_true(isnan(cluster.node[1].memory_mib));     /* "510000+" is no number */
    assert_int_equal(cluster.request, BE_REQUEST_GRES); /* which every Slurm takes */
    be_cluster_free(&cluster);
}

/* As scontrol and sinfo say it, each or both, once or twice; sinfo has a line for each partition of a node. */
static void a_node_counts_once_however_often_it_was_said(void **state) {
    static const char sinfo[] = "c1|cpu*|64|256000|0|(null)|7-00:00:00\n"
                                "c1|all|64|256000|0|(null)|infinite\n"
                                "c2|all|64|256000|0|(null)|infinite\n";
    static const char both[] = "NodeName=c1 CPUTot=64 RealMemory=256000 Partitions=cpu,all\n"
                               "NodeName=c2 CPUTot=64 RealMemory=256000 Partitions=all\n";
    const char *const said[][3] = {{both, both, partitions},
                                   {both, partitions, both},
                                   {sinfo, sinfo, partitions},
                                   {both, sinfo, partitions},
                                   {sinfo, both, partitions}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(said); i++) {
        struct be_cluster cluster;
        struct be_error error = {0};
        assert_int_equal(detect(said[i], 3, "maple", &cluster, &error), BE_OK);
        assert_int_equal(cluster.nodes, 1);
        assert_int_equal(cluster.node[0].count, 2);
        assert_int_equal(cluster.node[0].cores, 64);
        assert_int_equal(cluster.partitions, 3);
        assert_true(be_cluster_partition_has(be_cluster_partition(&cluster, "cpu"), cluster.node));
        be_cluster_free(&cluster);
    }
}

/* More than a file of the catalogue may hold (1e18 bytes), found by libFuzzer. */
static void a_disk_beyond_all_bounds_is_not_known(void **state) {
    const char *const said[] = {
        partitions, "NodeName=c1 CPUTot=64 RealMemory=256000 TmpDisk=999256000000 Partitions=cpu\n",
        config};
    const char *const sinfo[] = {"c1|cpu*|64|256000|999256000000|(null)|7-00:00:00\n"};
    struct be_cluster cluster;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(detect(said, 3, NULL, &cluster, &error), BE_OK);
    assert_true(isnan(cluster.node[0].disk_bytes));
    be_cluster_free(&cluster);
    assert_int_equal(detect(sinfo, 1, "maple", &cluster, &error), BE_OK);
    assert_true(isnan(cluster.node[0].disk_bytes));
    be_cluster_free(&cluster);
}

static void other_output_is_refused(void **state) {
    static const struct {
        const char *said, *says;
    } cases[] = {{"root:x:0:0:root:/root:/bin/bash\n", "first: not the output"},
                 {"", "first: not the output"},
                 {partitions, "detect: no node"},
                 {"NodeName=a CPUTot=4 RealMemory=1\n", "detect: no partition"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_cluster cluster;
        struct be_error error = {0};
        assert_int_equal(detect(&cases[i].said, 1, NULL, &cluster, &error), BE_USAGE);
        assert_non_null(strstr(error.text, cases[i].says));
        assert_null(cluster.gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_files_are_refused_by_name_and_key),
        cmocka_unit_test(nothing_is_cut),
        cmocka_unit_test(unknown_keys_are_said_and_passed_over),
        cmocka_unit_test(what_is_not_stated_is_not_known),
        cmocka_unit_test(shipped_files_come_out_the_same),
        cmocka_unit_test(the_catalogue_has_what_is_known),
        cmocka_unit_test(what_is_shipped_has_the_gpus_that_sites_state),
        cmocka_unit_test(named_folders_come_first),
        cmocka_unit_test(a_cluster_is_detected),
        cmocka_unit_test(sinfo_serves_where_nodes_are_hidden),
        cmocka_unit_test(a_node_counts_once_however_often_it_was_said),
        cmocka_unit_test(a_disk_beyond_all_bounds_is_not_known),
        cmocka_unit_test(other_output_is_refused),
    };
    unsetenv("BREAKEVEN_CLUSTERS");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
