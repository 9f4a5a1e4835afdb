#include "bench/case/data.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* A cold instance is seen again only after this many times the cache went by. Caches do not throw
 * out the oldest line exactly, so a few times are not enough. */
enum { CACHES_APART = 8 };

/* A whole problem has at most so many copies side by side. */
enum { WHOLE_MAX = 4096 };

/* Items from one instance to the next. */
static size_t stride_of(const struct be_problem *problem, const struct be_shape *shape) {
    size_t grain = problem->workload->host_grain ? problem->workload->host_grain : 1;
    return (shape->items + grain - 1) / grain * grain;
}

double be_data_device_bytes(const struct be_problem *problem, size_t instances) {
    struct be_shape shape = be_problem_shape(problem);
    double bytes = 0;
    for (int i = 0; i < problem->workload->inputs + problem->workload->outputs; i++) {
        bytes += (double)shape.item_bytes[i];
    }
    return bytes * (double)stride_of(problem, &shape) * (double)instances;
}

/* A reference is kept for these instances: the first, and the one in the middle. */
static size_t referenced(size_t instances) {
    return instances > 1 ? 2 : 1;
}

double be_data_bytes(const struct be_problem *problem, size_t instances) {
    struct be_shape shape = be_problem_shape(problem);
    double reference = (double)shape.reference * sizeof(double) * (double)shape.items;
    return be_data_device_bytes(problem, instances) + reference * (double)referenced(instances);
}

uint64_t be_data_largest(const struct be_problem *problem, double have,
                         double (*need)(const struct be_problem *sized, const void *context),
                         const void *context) {
    uint64_t low = 0;
    uint64_t high = problem->workload->parameter[problem->swept].max + 1;
    while (low + 1 < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct be_problem sized = be_problem_sized(problem, middle);
        const bool fits = need(&sized, context) <= have;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    return low;
}

size_t be_data_instances(const struct be_problem *problem, double cache_bytes) {
    double one = be_data_device_bytes(problem, 1);
    double wanted = isnan(cache_bytes) ? 1 : ceil(CACHES_APART * cache_bytes / one);
    wanted = problem->workload->grain == 0 && wanted > WHOLE_MAX ? WHOLE_MAX : wanted;
    return wanted > 1 ? (size_t)wanted : 1;
}

size_t be_data_looked_at(const struct be_data *data) {
    return data->instances / 2;
}

/* ---- what the team does --------------------------------------------------------------------- */

struct job {
    struct be_data *data;
    uint64_t seed;
    size_t first, items;       /* the range */
    unsigned updates;          /* as of struct be_variant */
    double *reference;         /* of the instance that begins at `first` */
    double *difference, *norm; /* one a member */
};

static struct be_work work_of(const struct job *job, int member, int members) {
    return (struct be_work){.problem = &job->data->problem,
                            .array = job->data->array,
                            .first = job->first,
                            .items = job->items,
                            .member = member,
                            .members = members,
                            .team = job->data->team};
}

/* Every output of the range: bytes that are NaN as floating point. */
static void poison_share(void *context, int member, int members) {
    const struct job *job = context;
    struct be_data *data = job->data;
    const struct be_workload *w = data->problem.workload;
    size_t grain = w->host_grain ? w->host_grain : 1;
    for (int i = w->inputs; i < w->inputs + w->outputs; i++) {
        size_t bytes = data->shape.item_bytes[i];
        size_t first;
        size_t count;
        be_team_share(job->items * bytes, grain * bytes, member, members, &first, &count);
        if (w->grain == 0) { /* one item: cut it */
            be_team_share(job->items * bytes, BE_WHOLE_ALIGN, member, members, &first, &count);
        }
        memset((char *)data->array[i] + job->first * bytes + first, 0xff, count);
    }
}

static void fill_share(void *context, int member, int members) {
    const struct job *job = context;
    const struct be_workload *w = job->data->problem.workload;
    struct be_work work = work_of(job, member, members);
    poison_share(context, member, members);
    if (w->grain > 0) {
        w->fill(&work, job->seed);
        return;
    }
    for (size_t i = 0; i < job->items; i++) { /* whole problems, one after the other */
        work.first = job->first + i;
        work.items = 1;
        w->fill(&work, job->seed);
    }
}

/* A workload writes its reference as if it began at item 0. */
static void reference_share(void *context, int member, int members) {
    const struct job *job = context;
    const struct be_data *data = job->data;
    struct be_work work = work_of(job, member, members);
    void *array[BE_ARRAYS];
    for (int i = 0; i < BE_ARRAYS; i++) {
        array[i] =
            data->array[i] ? (char *)data->array[i] + job->first * data->shape.item_bytes[i] : NULL;
    }
    work.array = array;
    work.first = 0;
    data->problem.workload->reference(&work, job->reference);
}

static void residual_share(void *context, int member, int members) {
    const struct job *job = context;
    const struct be_data *data = job->data;
    struct be_work work = work_of(job, member, members);
    void *array[BE_ARRAYS];
    double difference = 0;
    double norm = 0;
    for (int i = 0; i < BE_ARRAYS; i++) {
        array[i] =
            data->array[i] ? (char *)data->array[i] + job->first * data->shape.item_bytes[i] : NULL;
    }
    work.array = array;
    work.first = 0;
    data->problem.workload->residual(&work, job->reference, &difference, &norm);
    job->difference[member] = difference;
    job->norm[member] = norm;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static double *reference_at(const struct be_data *data, size_t instance) {
    double *all = data->reference.memory;
    return all ? all + (instance > 0 ? data->items * data->shape.reference : 0) : NULL;
}

static void compute_references(struct be_data *data) {
    const size_t instance[] = {0, be_data_looked_at(data)};
    for (size_t i = 0; i < referenced(data->instances); i++) {
        struct job job = {.data = data,
                          .first = instance[i] * data->stride,
                          .items = data->items,
                          .reference = reference_at(data, instance[i])};
        be_team_run(data->team, reference_share, &job);
    }
    const struct be_workload *w = data->problem.workload;
    if (w->operations) {
        const struct job job = {.data = data, .items = data->items};
        const struct be_work work = work_of(&job, 0, 1);
        data->shape.operations = w->operations(&work, reference_at(data, 0));
    }
}

enum be_status be_data_open(const struct be_problem *problem, size_t instances,
                            struct be_team *team, uint64_t seed, struct be_data *data,
                            struct be_error *error) {
    const struct be_workload *w = problem->workload;
    struct be_shape shape = be_problem_shape(problem);
    *data = (struct be_data){.problem = *problem,
                             .shape = shape,
                             .items = shape.items,
                             .stride = stride_of(problem, &shape),
                             .instances = instances,
                             .team = team};
    size_t all = data->stride * instances;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < w->inputs + w->outputs; i++) {
        status = be_pages_get(all * shape.item_bytes[i], &data->pages[i], error);
        data->array[i] = data->pages[i].memory;
    }
    if (status == BE_OK && shape.reference > 0) {
        status =
            be_pages_get(referenced(instances) * shape.items * shape.reference * sizeof(double),
                         &data->reference, error);
    }
    if (status != BE_OK) {
        be_data_close(data);
        return be_context(error, "%s of size %llu", w->name,
                          (unsigned long long)be_problem_size(problem));
    }
    struct job job = {.data = data, .seed = seed, .items = all};
    be_team_run(team, fill_share, &job);
    if (w->reference && shape.reference > 0) {
        compute_references(data);
    }
    return BE_OK;
}

void be_data_close(struct be_data *data) {
    be_pages_give_back(&data->reference);
    for (int i = 0; i < BE_ARRAYS; i++) {
        be_pages_give_back(&data->pages[i]);
        data->array[i] = NULL;
    }
}

/* ---- looking at results --------------------------------------------------------------------- */

void be_data_poison(struct be_data *data, size_t instance) {
    struct job job = {.data = data, .first = instance * data->stride, .items = data->items};
    be_team_run(data->team, poison_share, &job);
}

static void begin_share(void *context, int member, int members) {
    const struct job *job = context;
    struct be_data *data = job->data;
    const struct be_workload *w = data->problem.workload;
    for (int i = 0; i < w->inputs; i++) {
        if ((job->updates >> i & 1U) == 0) {
            continue;
        }
        const size_t bytes = data->shape.item_bytes[i];
        size_t first;
        size_t count;
        be_team_share(job->items * bytes, BE_WHOLE_ALIGN, member, members, &first, &count);
        first += job->first * bytes;
        memcpy((char *)data->array[w->inputs + i] + first, (const char *)data->array[i] + first,
               count);
    }
}

void be_data_begin(struct be_data *data, unsigned updates, size_t instance) {
    struct job job = {
        .data = data, .first = instance * data->stride, .items = data->items, .updates = updates};
    be_team_run(data->team, begin_share, &job);
}

double be_data_residual(struct be_data *data, size_t instance) {
    double difference[BE_CORES_MAX] = {0};
    double norm[BE_CORES_MAX] = {0};
    struct job job = {.data = data,
                      .first = instance * data->stride,
                      .items = data->items,
                      .reference = reference_at(data, instance),
                      .difference = difference,
                      .norm = norm};
    be_team_run(data->team, residual_share, &job);
    for (int i = 1; i < be_team_size(data->team); i++) {
        difference[0] += difference[i];
        norm[0] += norm[i];
    }
    return norm[0] > 0 ? sqrt(difference[0] / norm[0]) : sqrt(difference[0]);
}

void be_data_explain(struct be_data *data, size_t instance, char note[BE_NOTE]) {
    struct job job = {.data = data, .first = instance * data->stride, .items = data->items};
    struct be_work work = work_of(&job, 0, 1);
    note[0] = '\0';
    if (data->problem.workload->explain) {
        data->problem.workload->explain(&work, reference_at(data, instance), note);
    }
}

void be_data_tell(struct be_data *data, size_t instance, char note[BE_NOTE]) {
    struct job job = {.data = data, .first = instance * data->stride, .items = data->items};
    struct be_work work = work_of(&job, 0, 1);
    data->problem.workload->tell(&work, note);
}

enum be_status be_data_picture(struct be_data *data, size_t instance, struct be_picture *picture,
                               struct be_error *error) {
    struct job job = {.data = data, .first = instance * data->stride, .items = data->items};
    struct be_work work = work_of(&job, 0, 1);
    return data->problem.workload->picture(&work, picture, error);
}
