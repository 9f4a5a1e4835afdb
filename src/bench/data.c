#include "bench/data.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* A cold instance is seen again only after this many times the cache went by. Caches do not throw
 * out the oldest line exactly, so a few times are not enough. */
enum { CACHES_APART = 8 };

/* Items from one instance to the next. */
static size_t stride_of(const struct be_workload *workload, uint64_t size) {
    size_t grain = workload->host_grain;
    return (workload->items(size) + grain - 1) / grain * grain;
}

double be_data_device_bytes(const struct be_workload *workload, uint64_t size, size_t instances) {
    double bytes = 0;
    for (int i = 0; i < workload->inputs + workload->outputs; i++) {
        bytes += (double)workload->array[i].item_bytes;
    }
    return bytes * (double)stride_of(workload, size) * (double)instances;
}

double be_data_bytes(const struct be_workload *workload, uint64_t size, size_t instances) {
    double reference = (double)(workload->reference_items * sizeof(double));
    return be_data_device_bytes(workload, size, instances) +
           reference * (double)stride_of(workload, size) * (double)instances;
}

size_t be_data_instances(const struct be_workload *workload, uint64_t size, double cache_bytes) {
    double one = be_data_device_bytes(workload, size, 1);
    double wanted = isnan(cache_bytes) ? 1 : ceil(CACHES_APART * cache_bytes / one);
    return wanted > 1 ? (size_t)wanted : 1;
}

struct job {
    struct be_data *data;
    uint64_t seed;
    size_t first, items;       /* of the whole */
    double *difference, *norm; /* one a member */
};

static void share(const struct job *job, int member, int members, size_t *first, size_t *count) {
    be_team_share(job->items, job->data->workload->host_grain, member, members, first, count);
    *first += job->first;
}

static void fill_share(void *context, int member, int members) {
    const struct job *job = context;
    struct be_data *data = job->data;
    size_t first;
    size_t count;
    share(job, member, members, &first, &count);
    data->workload->fill(data->array, first, count, job->seed);
    for (int i = 0; i < data->workload->outputs; i++) {
        int at = data->workload->inputs + i;
        size_t bytes = data->workload->array[at].item_bytes;
        memset((char *)data->array[at] + first * bytes, 0xff, count * bytes);
    }
    data->workload->reference(data->array, data->reference.memory, first, count);
}

static void poison_share(void *context, int member, int members) {
    const struct job *job = context;
    struct be_data *data = job->data;
    size_t first;
    size_t count;
    share(job, member, members, &first, &count);
    for (int i = 0; i < data->workload->outputs; i++) {
        int at = data->workload->inputs + i;
        size_t bytes = data->workload->array[at].item_bytes;
        memset((char *)data->array[at] + first * bytes, 0xff, count * bytes);
    }
}

static void residual_share(void *context, int member, int members) {
    const struct job *job = context;
    struct be_data *data = job->data;
    size_t first;
    size_t count;
    double difference = 0;
    double norm = 0;
    share(job, member, members, &first, &count);
    data->workload->residual(data->array, data->reference.memory, first, count, &difference, &norm);
    job->difference[member] = difference;
    job->norm[member] = norm;
}

enum be_status be_data_open(const struct be_workload *workload, uint64_t size, size_t instances,
                            struct be_team *team, uint64_t seed, struct be_data *data,
                            struct be_error *error) {
    *data = (struct be_data){.workload = workload,
                             .size = size,
                             .items = workload->items(size),
                             .stride = stride_of(workload, size),
                             .instances = instances,
                             .team = team};
    size_t all = data->stride * instances;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < workload->inputs + workload->outputs; i++) {
        status = be_pages_get(all * workload->array[i].item_bytes, &data->pages[i], error);
        data->array[i] = data->pages[i].memory;
    }
    if (status == BE_OK) {
        status =
            be_pages_get(all * workload->reference_items * sizeof(double), &data->reference, error);
    }
    if (status != BE_OK) {
        be_data_close(data);
        return be_context(error, "%s of size %llu", workload->name, (unsigned long long)size);
    }
    struct job job = {.data = data, .seed = seed, .items = all};
    be_team_run(team, fill_share, &job);
    return BE_OK;
}

void be_data_close(struct be_data *data) {
    be_pages_give_back(&data->reference);
    for (int i = 0; i < BE_ARRAYS; i++) {
        be_pages_give_back(&data->pages[i]);
        data->array[i] = NULL;
    }
}

void be_data_poison(struct be_data *data, size_t instance) {
    struct job job = {.data = data, .first = instance * data->stride, .items = data->items};
    be_team_run(data->team, poison_share, &job);
}

double be_data_residual(struct be_data *data, size_t instance) {
    double difference[BE_CORES_MAX] = {0};
    double norm[BE_CORES_MAX] = {0};
    struct job job = {.data = data,
                      .first = instance * data->stride,
                      .items = data->items,
                      .difference = difference,
                      .norm = norm};
    be_team_run(data->team, residual_share, &job);
    for (int i = 1; i < be_team_size(data->team); i++) {
        difference[0] += difference[i];
        norm[0] += norm[i];
    }
    return norm[0] > 0 ? sqrt(difference[0] / norm[0]) : sqrt(difference[0]);
}
