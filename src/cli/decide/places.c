#include "cli/decide/places.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/decide/gpu_profile.h"
#include "host/cores.h"
#include "machine/profile.h"

/* More cores that do not shorten it by so much are no place of their own. */
static const double worth_cores = 1.05;
/* A job asks for more time than the computation is likely to take, as `job --from` does. */
static const double reserve = 1.5, shortest_s = 900, round_s = 900;

void be_cli_places_remark(struct be_cli_places *places, const char *format, ...) {
    va_list arguments;
    if (places->remarks == BE_DECIDE_REMARKS_MAX) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(places->remark[places->remarks++], BE_NOTE, format, arguments);
    va_end(arguments);
}

static bool is_full(const struct be_cli_places *places) {
    return places->places == BE_DECIDE_PLACES_MAX;
}

/* Places without a machine's own name are called by their amount. */
static void name_cores(struct be_decide_place *place, int cores) {
    snprintf(place->name, sizeof place->name, "%d core%s", cores, cores == 1 ? "" : "s");
}

/* One core, a quarter of them, all: ascending, without repetition and without those that do not help. Where it is not known how the work uses several, as
 * many as it had. */
static int choose_cores(const struct be_cli_work *work, int most, int cores[3]) {
    const int asked[3] = {1, most / 4, most};
    int count = 0;
    if (!work->scales) {
        cores[0] = work->measured_cores < most ? work->measured_cores : most;
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        const int before = count ? cores[count - 1] : 0;
        if (asked[i] > before &&
            (!before || be_cli_work_gain(work, before, asked[i]) > worth_cores)) {
            cores[count++] = asked[i];
        }
    }
    return count;
}

/* ---- here ----------------------------------------------------------------------------------- */

static struct be_decide_place place_here(void) {
    return (struct be_decide_place){
        .where = "here", .here = true, .charge = NAN, .limit_s = NAN, .gpu_share = 1};
}

static void add_gpu_here(const struct be_cli_work *work, struct be_cli_places *places) {
    const struct be_profile *profile = &work->here.profile;
    const struct be_device_info *gpu = work->here.known ? be_profile_gpu(profile) : NULL;
    struct be_decide_place place = place_here();
    struct be_error error;
    if (!gpu || !be_cli_work_has_gpu(work) || is_full(places)) {
        return;
    }
    snprintf(place.name, sizeof place.name, "GPU %.50s", gpu->name);
    place.cores = place.gpus = 1;
    if (be_cli_work_on_gpu(work, profile, 1, 1, &place, &error) == BE_OK) {
        places->place[places->places++] = place;
    } else {
        be_cli_places_remark(places, "here, %s: left out: %s", place.name, error.text);
    }
}

enum be_status be_cli_places_here(const struct be_cli_work *work, struct be_cli_places *places,
                                  struct be_error *error) {
    struct be_cores cores;
    int count[3];
    enum be_status status = be_cores_find(&cores, error);
    const int counts = status ? 0 : choose_cores(work, cores.count, count);
    for (int i = 0; i < counts && !status && !is_full(places); i++) {
        struct be_decide_place place = place_here();
        name_cores(&place, count[i]);
        status = be_cli_work_on_cores(work, count[i], false, &place, error);
        if (!status) {
            places->place[places->places++] = place;
        }
    }
    if (!status) {
        add_gpu_here(work, places);
    }
    return status;
}

/* ---- on a cluster --------------------------------------------------------------------------- */

/* Nodes without GPUs of most cores in all; else any. NULL: their cores are not known. */
static const struct be_cluster_node *usual_node(const struct be_cluster *cluster) {
    const struct be_cluster_node *best = NULL;
    for (int with_gpus = 0; with_gpus < 2 && !best; with_gpus++) {
        for (size_t i = 0; i < cluster->nodes; i++) {
            const struct be_cluster_node *node = &cluster->node[i];
            const bool counts = (node->gpus > 0) == with_gpus && node->cores > 0;
            best = counts && (!best || node->count > best->count) ? node : best;
        }
    }
    return best;
}

/* The time limit that the job asks for, within what the cluster allows. */
static double ask_time(const struct be_decide_place *place, double limit_s) {
    const double likely_s = place->load.typical_s + place->transfer.typical_s +
                            place->compute.typical_s + place->network.typical_s;
    const double asked_s = fmax(ceil(reserve * likely_s / round_s) * round_s, shortest_s);
    return limit_s > 0 && asked_s > limit_s ? fmax(limit_s, 1) : asked_s;
}

/* By --network; else as the catalogue knows it; else nobody knows. */
static struct be_network network_of(const struct be_cli_work *work,
                                    const struct be_cluster_node *node) {
    struct be_network network = work->asked.network;
    return *network.name                                       ? network
           : node && be_network_named(node->network, &network) ? network
                                                               : be_network_unknown();
}

/* Plans the job, takes what the plan knows, and adds the place. */
static enum be_status add(const struct be_cli_work *work, const struct be_cluster *cluster,
                          const struct be_cluster_node *node, struct be_job_request request,
                          struct be_decide_place *place, struct be_cli_places *places,
                          struct be_error *error) {
    const struct be_network network = network_of(work, node);
    struct be_job_plan plan;
    place->network = be_exchange_s(&network, &work->asked.exchange, request.nodes);
    request.time_s =
        fmax(ask_time(place, cluster->limit_s), cluster->min_s > 0 ? cluster->min_s : 0);
    enum be_status status = be_job_plan(&request, cluster, &plan, error);
    if (status) {
        return status;
    }
    be_copy_text(place->where, sizeof place->where, cluster->name);
    be_copy_text(place->partition, sizeof place->partition, plan.in ? plan.in->name : "");
    be_copy_text(place->unit, sizeof place->unit, cluster->unit);
    place->limit_s = plan.in && plan.in->limit_s > 0 ? plan.in->limit_s : cluster->limit_s;
    place->charge = *cluster->unit ? plan.charge : NAN;
    if (!request.gpus) {
        place->cores = plan.cpus * plan.tasks;
    }
    if (place->limit_s < place->compute.typical_s) {
        char takes[BE_WORD], limit[BE_WORD];
        return be_fail(error, BE_USAGE, "it takes %s, and the longest job there %s",
                       be_format_duration(takes, sizeof takes, place->compute.typical_s),
                       be_format_duration(limit, sizeof limit, place->limit_s));
    }
    places->job[places->places] =
        (struct be_cli_place){request, cluster, plan.nodes * plan.memory_mib * 0x1p20, network};
    places->place[places->places++] = *place;
    return BE_OK;
}

/* Ranks that can be on several nodes are a core each; threads are one task. */
static enum be_status add_cores(const struct be_cli_work *work, const struct be_cluster *cluster,
                                const struct be_cluster_node *node,
                                const struct be_job_request *base, int nodes, int cores,
                                struct be_cli_places *places, struct be_error *error) {
    struct be_decide_place place = {.charge = NAN, .limit_s = NAN};
    struct be_job_request request = *base;
    const bool ranks = work->asked.nodes > 1;
    name_cores(&place, nodes * cores);
    request.cpus = ranks ? 1 : cores;
    request.tasks = ranks ? nodes * cores : 0;
    request.nodes = ranks ? nodes : 0;
    request.gpus_given = true;
    enum be_status status = be_cli_work_on_cores(work, nodes * cores, true, &place, error);
    if (!status && nodes > 1) {
        struct be_decide_place one = {.charge = NAN};
        status = be_cli_work_on_cores(work, cores, true, &one, error);
        snprintf(place.name, sizeof place.name, "%d x %d cores", nodes, cores);
        /* Where nobody says what its ranks exchange, it may be no faster than one node. */
        if (!be_exchange_any(&work->asked.exchange)) {
            place.compute.hi_s = fmax(place.compute.hi_s, one.compute.hi_s);
        }
        place.extrapolated = true;
    }
    return status ? status : add(work, cluster, node, request, &place, places, error);
}

/* The name by which people ask for it. */
static void gpu_name(const struct be_cluster_gpu *gpu, char name[BE_NAME]) {
    char word[BE_NAME];
    snprintf(name, BE_NAME, "%.50s",
             *gpu->type                          ? gpu->type
             : be_cli_gpu_word(gpu->model, word) ? word
                                                 : gpu->model);
}

/* Nodes that so many take; 0: more than its ranks can be on, or not the same number on each. */
static int nodes_for(const struct be_cli_work *work, const struct be_cluster_node *node, int gpus) {
    const int each = node && node->gpus > 0 ? node->gpus : 1;
    const int nodes = (gpus + each - 1) / each;
    const bool can_be = nodes == 1 || (nodes <= work->asked.nodes && gpus % nodes == 0);
    return can_be ? nodes : 0;
}

/* One rank a GPU, as NCCL has them. */
static enum be_status request_gpus(const struct be_cli_work *work, int gpus,
                                   const struct be_cluster_gpu *gpu,
                                   const struct be_cluster_node *node,
                                   struct be_job_request *request, struct be_error *error) {
    const int nodes = nodes_for(work, node, gpus);
    if (nodes == 0) {
        return be_fail(error, BE_USAGE,
                       "a node there has %d of them, and its ranks can be on %d node%s (--nodes=N)",
                       node && node->gpus > 0 ? node->gpus : 1,
                       work->asked.nodes > 1 ? work->asked.nodes : 1,
                       work->asked.nodes > 1 ? "s" : "");
    }
    request->gpus = gpus;
    request->gpus_given = true;
    request->gpu = *gpu->type ? gpu->type : NULL;
    request->tasks = gpus > 1 ? gpus : 0;
    request->nodes = nodes > 1 ? nodes : 0;
    return BE_OK;
}

static enum be_status add_gpu(const struct be_cli_work *work, const struct be_cluster *cluster,
                              const struct be_job_request *base, const struct be_cluster_gpu *gpu,
                              int gpus, struct be_cli_places *places, struct be_error *error) {
    const struct be_cluster_gpu *whole = *gpu->of ? be_cluster_gpu(cluster, gpu->of) : gpu;
    const struct be_cluster_node *node = be_cluster_node_of(cluster, gpu, NULL);
    struct be_decide_place place = {
        .charge = NAN, .limit_s = NAN, .gpus = gpus, .gpu_share = gpu->share};
    struct be_job_request request = *base;
    struct be_profile profile = {0};
    char name[BE_NAME];
    gpu_name(gpu, name);
    snprintf(place.name, sizeof place.name, "%d %.50s", gpus, name);
    if (!whole || !be_cli_gpu_profile(whole->model, whole->memory_bytes, &profile)) {
        return be_fail(error, BE_ABSENT, "no profile or data sheet of a %s is known",
                       whole ? whole->model : gpu->of);
    }
    enum be_status status = request_gpus(work, gpus, gpu, node, &request, error);
    if (request.nodes > 1) {
        snprintf(place.name, sizeof place.name, "%d x %d %.30s", request.nodes,
                 gpus / request.nodes, name);
        place.extrapolated = true;
    }
    place.cores = gpus * be_cluster_cores_each(gpu, node);
    status = status ? status : be_cli_work_on_gpu(work, &profile, gpus, gpu->share, &place, error);
    be_profile_free(&profile);
    return status ? status : add(work, cluster, node, request, &place, places, error);
}

/* A place that cannot be is left out, and that is said. */
static void note(struct be_cli_places *places, const struct be_cluster *cluster, const char *name,
                 enum be_status status, const struct be_error *error) {
    if (status) {
        be_cli_places_remark(places, "%s, %s: left out: %.200s", cluster->name, name, error->text);
    }
}

static void add_all_cores(const struct be_cli_work *work, const struct be_cluster *cluster,
                          const struct be_job_request *base, struct be_cli_places *places,
                          struct be_error *last) {
    const struct be_cluster_node *node = usual_node(cluster);
    const int most = node ? node->cores : 1;
    char name[BE_NAME];
    int count[3];
    const int counts = choose_cores(work, most, count);
    for (int i = 0; i < counts && !is_full(places); i++) {
        snprintf(name, sizeof name, "%d core%s", count[i], count[i] == 1 ? "" : "s");
        note(places, cluster, name, add_cores(work, cluster, node, base, 1, count[i], places, last),
             last);
    }
    for (int nodes = 2; work->scales && nodes <= work->asked.nodes && !is_full(places);
         nodes *= 2) {
        if (be_cli_work_gain(work, (nodes / 2) * most, nodes * most) <= worth_cores) {
            be_cli_places_remark(places, "%s: more than %d node%s would not be faster",
                                 cluster->name, nodes / 2, nodes == 2 ? "" : "s");
            break;
        }
        snprintf(name, sizeof name, "%d nodes", nodes);
        note(places, cluster, name, add_cores(work, cluster, node, base, nodes, most, places, last),
             last);
    }
}

/* Slices are for one. */
static void add_all_gpus(const struct be_cli_work *work, const struct be_cluster *cluster,
                         const struct be_job_request *base, struct be_cli_places *places,
                         struct be_error *last) {
    int count[BE_CLI_GPU_COUNTS];
    char name[BE_NAME];
    const int counts = be_cli_work_gpu_counts(work, count);
    for (size_t i = 0; i < cluster->gpus; i++) {
        const struct be_cluster_gpu *gpu = &cluster->gpu[i];
        for (int k = 0; k < counts && !is_full(places); k++) {
            if (count[k] > 1 && *gpu->of) {
                break;
            }
            snprintf(name, sizeof name, "%d %.50s", count[k], *gpu->type ? gpu->type : gpu->model);
            note(places, cluster, name, add_gpu(work, cluster, base, gpu, count[k], places, last),
                 last);
        }
    }
}

enum be_status be_cli_places_of(const struct be_cli_work *work, const struct be_cluster *cluster,
                                const struct be_job_request *base, struct be_cli_places *places,
                                struct be_error *error) {
    const int before = places->places;
    struct be_error last = {0};
    add_all_cores(work, cluster, base, places, &last);
    if (be_cli_work_has_gpu(work)) {
        add_all_gpus(work, cluster, base, places, &last);
    }
    return places->places > before
               ? BE_OK
               : be_fail(error, BE_USAGE, "%s: no place there takes this: %.200s", cluster->name,
                         last.text);
}
