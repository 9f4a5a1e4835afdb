#include "own/own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "own/check.h"
#include "own/code.h"

/* ---- sizes ---------------------------------------------------------------------------------- */

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_own *own = be_own_of(problem);
    const struct be_computation *c = own->computation;
    const double tight = problem->real == BE_REAL64 ? 1e-12 : 1e-5;
    *shape = (struct be_shape){.items = c->elementwise ? (size_t)problem->value[0] : 1,
                               .tolerance = c->tolerance > 0 ? c->tolerance : tight};
    for (int k = 0; k < c->arrays; k++) {
        const uint64_t count = be_own_count(problem, k);
        const size_t bytes = be_own_element_bytes(problem, k);
        const size_t item = c->elementwise ? bytes : (size_t)count * bytes + be_own_guard_bytes(c);
        if (own->input[k] >= 0) {
            shape->item_bytes[own->input[k]] = item;
            shape->bytes += (double)count * (double)bytes;
        }
        if (own->output[k] >= 0) {
            shape->item_bytes[own->output[k]] = item;
            shape->bytes += (double)count * (double)bytes;
            shape->reference += c->elementwise ? 1 : (size_t)count;
        }
    }
    shape->bytes = c->bytes ? c->bytes(c->self, problem->value) : shape->bytes;
    shape->operations = c->operations ? c->operations(c->self, problem->value) : 0;
}

/* ---- what a description must be ------------------------------------------------------------- */

static bool is_word(const char *text) {
    return text && *text && !text[strcspn(text, " \t\n,=./")];
}

static enum be_status check_arrays(const struct be_computation *c, struct be_error *error) {
    int kept = 0;
    int outputs = 0;
    for (int k = 0; k < c->arrays && k < BE_OWN_ARRAYS_MAX; k++) {
        const struct be_own_array *a = &c->array[k];
        if (!a->name || (unsigned)a->element >= BE_OWN_ELEMENTS ||
            (unsigned)a->role >= BE_OWN_ROLES) {
            return be_fail(
                error, BE_USAGE,
                "workload %.60s: array %d has no name, or an element or role that there is none",
                c->name, k);
        }
        if (c->elementwise && a->count) {
            return be_fail(
                error, BE_USAGE,
                "workload %.60s: array %.60s has a count of its own, and in an elementwise "
                "computation all arrays are as long as the first parameter says",
                c->name, a->name);
        }
        kept += a->role == BE_OWN_UPDATED ? 2 : 1;
        outputs += a->role != BE_OWN_READ;
    }
    if (c->arrays > BE_OWN_ARRAYS_MAX || kept > BE_ARRAYS) {
        return be_fail(
            error, BE_USAGE,
            "workload %.60s: %d arrays, where one that is updated counts twice: at most %d "
            "(BE_OWN_ARRAYS_MAX)",
            c->name, c->arrays > BE_OWN_ARRAYS_MAX ? c->arrays : kept, (int)BE_OWN_ARRAYS_MAX);
    }
    return outputs > 0
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "workload %.60s: none of its arrays is written or updated: nothing "
                         "could be checked",
                         c->name);
}

static enum be_status check_parameters(const struct be_computation *c, struct be_error *error) {
    if (c->parameters < 1 || !c->parameter) {
        return be_fail(error, BE_USAGE, "workload %.60s: no parameter: the first one is the size",
                       c->name);
    }
    if (c->parameters > BE_OWN_PARAMETERS_MAX) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: %d parameters: at most %d (BE_OWN_PARAMETERS_MAX)", c->name,
                       c->parameters, (int)BE_OWN_PARAMETERS_MAX);
    }
    for (int i = 0; i < c->parameters; i++) {
        const struct be_own_parameter *p = &c->parameter[i];
        const uint64_t max = p->max ? p->max : UINT64_MAX;
        if (!is_word(p->name) || p->min > max || p->from > p->to || p->to > max ||
            (p->preset && (p->preset < p->min || p->preset > max))) {
            return be_fail(error, BE_USAGE,
                           "workload %.60s: parameter %d (%.60s): it needs a name of one word, and "
                           "min <= preset, "
                           "from <= to <= max",
                           c->name, i, p->name ? p->name : "no name");
        }
    }
    return BE_OK;
}

static enum be_status check_device(const struct be_computation *c, struct be_error *error) {
    const struct be_own_device *d = &c->device;
    if (d->scalars < 0 || d->scalars > BE_OWN_SCALARS_MAX) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: device code takes at most %d scalars (BE_OWN_SCALARS_MAX)",
                       c->name, (int)BE_OWN_SCALARS_MAX);
    }
    if (d->launches < 0 || d->launches > BE_OWN_LAUNCHES_MAX || (d->launches > 0 && !d->launch)) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: %d launches: device code takes a list of at most %d "
                       "(BE_OWN_LAUNCHES_MAX)",
                       c->name, d->launches, (int)BE_OWN_LAUNCHES_MAX);
    }
    if (d->launches > 0 && (d->kernel || d->lanes || d->items_per_lane || d->groups)) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: device code has a list of launches, and kernel, lanes, "
                       "items_per_lane or groups beside it: put those into the list",
                       c->name);
    }
    if (d->arguments > BE_OWN_ARGUMENTS_MAX) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: %d arguments: at most %d (BE_OWN_ARGUMENTS_MAX)", c->name,
                       d->arguments, (int)BE_OWN_ARGUMENTS_MAX);
    }
    for (int i = 0; i < d->arguments; i++) {
        const struct be_own_argument *a = &d->argument[i];
        const int most = a->kind == BE_OWN_ARRAY       ? c->arrays
                         : a->kind == BE_OWN_PARAMETER ? c->parameters
                                                       : BE_OWN_ARGUMENTS_MAX;
        const bool typed =
            a->kind == BE_OWN_ARRAY || (a->element > BE_OWN_REAL && a->element < BE_OWN_BYTE);
        if (a->index < 0 || a->index >= most || !typed) {
            return be_fail(error, BE_USAGE,
                           "workload %.60s: argument %d is of no array or parameter that there "
                           "is, or of no type that a kernel takes",
                           c->name, i);
        }
    }
    for (int i = 0; i < be_own_launches(d); i++) {
        const struct be_own_launch launch = be_own_launch(d, i);
        if (!launch.kernel) {
            return be_fail(error, BE_USAGE,
                           "workload %.60s: device code needs the name of its kernel: launch %d "
                           "has none",
                           c->name, i);
        }
        if (launch.one_group && launch.groups) {
            return be_fail(error, BE_USAGE,
                           "workload %.60s: launch %d (%.60s) is one group, and has a number of "
                           "groups: leave one of the two out",
                           c->name, i, launch.kernel);
        }
    }
    return BE_OK;
}

static enum be_status check(const struct be_computation *c, struct be_error *error) {
    if (!c || !is_word(c->name)) {
        return be_fail(error, BE_USAGE, "workload %.60s: its name is to be one word",
                       c && c->name ? c->name : "without a name");
    }
    if (!c->cpu) {
        return be_fail(error, BE_USAGE, "workload %.60s: no CPU code: a device is held against it",
                       c->name);
    }
    if (c->cpu_finish && c->elementwise) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: an elementwise computation has nothing to put together: "
                       "leave elementwise or cpu_finish out",
                       c->name);
    }
    if (c->cpu_scratch && !c->reference) {
        return be_fail(error, BE_USAGE,
                       "workload %.60s: CPU code with working memory (cpu_scratch) needs a "
                       "reference to be held against",
                       c->name);
    }
    if (!c->array || c->arrays < 1) {
        return be_fail(error, BE_USAGE, "workload %.60s: no arrays", c->name);
    }
    enum be_status status = c->device.source ? check_device(c, error) : BE_OK;
    status = status == BE_OK ? check_parameters(c, error) : status;
    return status == BE_OK ? check_arrays(c, error) : status;
}

/* ---- the workload --------------------------------------------------------------------------- */

enum { SIZE_MAX_BITS = 50 }; /* no memory holds more elements */

static struct be_parameter parameter_of(const struct be_own_parameter *p) {
    struct be_parameter out = {.name = p->name,
                               .what = p->what ? p->what : p->name,
                               .min = p->min ? p->min : 1,
                               .max = p->max ? p->max : (uint64_t)1 << SIZE_MAX_BITS};
    out.from = p->from ? p->from : out.min;
    out.to = p->to ? p->to : out.max;
    out.preset = p->preset ? p->preset : out.from;
    /* A quick look: four sizes, evenly apart as ratios. */
    const double step = pow((double)out.to / (double)out.from, 1.0 / 3);
    int looks = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t size = i == 3 ? out.to : (uint64_t)llround((double)out.from * pow(step, i));
        if (looks == 0 || size > out.look[looks - 1]) {
            out.look[looks++] = size;
        }
    }
    return out;
}

/* Inputs that are updated come first on either side: output i begins as input i. */
static void place_arrays(struct be_own *own) {
    const struct be_computation *c = own->computation;
    struct be_workload *w = &own->workload;
    static const enum be_role in[] = {BE_OWN_UPDATED, BE_OWN_READ};
    static const enum be_role out[] = {BE_OWN_UPDATED, BE_OWN_WRITTEN};
    for (int k = 0; k < c->arrays; k++) {
        own->input[k] = own->output[k] = -1;
    }
    for (size_t r = 0; r < BE_COUNT(in); r++) {
        for (int k = 0; k < c->arrays; k++) {
            if (c->array[k].role == in[r]) {
                own->input[k] = w->inputs;
                own->array[w->inputs++] = c->array[k].name;
            }
        }
    }
    for (size_t r = 0; r < BE_COUNT(out); r++) {
        for (int k = 0; k < c->arrays; k++) {
            if (c->array[k].role == out[r]) {
                own->variant.updates |= out[r] == BE_OWN_UPDATED ? 1u << w->outputs : 0;
                own->output[k] = w->inputs + w->outputs;
                own->array[w->inputs + w->outputs++] = c->array[k].name;
            }
        }
    }
}

static enum be_status make_source(struct be_own *own, struct be_error *error) {
    const struct be_computation *c = own->computation;
    const char *words = c->device.language == BE_OWN_WORDS ? be_program_words.source : "";
    const char *file = c->device.file ? c->device.file : c->name;
    if (!c->device.source) {
        return BE_OK;
    }
    const size_t capacity = strlen(words) + strlen(c->device.source) + strlen(file) + BE_NAME;
    own->source = malloc(capacity);
    if (!own->source) {
        return be_fail(error, BE_NOMEM, "workload %.60s: no host memory for its device code",
                       c->name);
    }
    snprintf(own->source, capacity, "%s\n#line 1 \"%s\"\n%s\n", words, file, c->device.source);
    return BE_OK;
}

static const char no_reference[] =
    "its description has no reference: results are held against its CPU code on one "
    "thread";

static const char unchecked[] =
    "nothing was checked, as asked for: a time may be that of a wrong result";

static void fill_tables(struct be_own *own) {
    const struct be_computation *c = own->computation;
    enum { GRAIN = 64 }; /* elements: pieces begin at cache lines, and device code may rely on it */
    for (int i = 0; i < c->parameters; i++) {
        own->parameter[i] = parameter_of(&c->parameter[i]);
    }
    own->variant = (struct be_variant){.name = "own",
                                       .summary = "as described",
                                       .host_code = BE_CODE_PLAIN,
                                       .device_code = BE_CODE_PLAIN,
                                       .host = be_own_host,
                                       .host_ready = c->one_thread ? be_own_host_ready : NULL,
                                       .host_scratch = c->cpu_scratch ? be_own_host_scratch : NULL};
    if (c->device.source) {
        own->variant.prepare = be_own_prepare;
        own->variant.enqueue = be_own_enqueue;
        own->variant.discard = be_discard_kernels;
        own->variant.device_scratch = c->device.scratch ? be_own_device_scratch : NULL;
    }
    const unsigned narrow = c->float32 || !c->float64 ? BE_TAKES(BE_REAL32) : 0;
    own->workload = (struct be_workload){.self = own,
                                         .name = c->name,
                                         .title = c->title ? c->title : c->name,
                                         .like = c->like,
                                         .summary = c->title ? c->title : c->name,
                                         .remark = c->unchecked   ? unchecked
                                                   : c->remark    ? c->remark
                                                   : c->reference ? NULL
                                                                  : no_reference,
                                         .explain = be_own_explain,
                                         .parameter = own->parameter,
                                         .parameters = c->parameters,
                                         .real = narrow ? BE_REAL32 : BE_REAL64,
                                         .reals = narrow | (c->float64 ? BE_TAKES(BE_REAL64) : 0),
                                         .array = own->array,
                                         .grain = c->elementwise ? GRAIN : 0,
                                         .host_grain = c->elementwise ? GRAIN : 0,
                                         .shape = shape,
                                         .fill = be_own_fill,
                                         .reference = be_own_reference,
                                         .residual = be_own_residual,
                                         .variant = &own->variant,
                                         .variants = 1};
    place_arrays(own);
}

enum be_status be_own_open(const struct be_computation *computation, struct be_own **own,
                           struct be_error *error) {
    *own = NULL;
    enum be_status status = check(computation, error);
    if (status != BE_OK) {
        return status;
    }
    struct be_own *made = calloc(1, sizeof *made);
    if (!made) {
        return be_fail(error, BE_NOMEM, "workload %.60s: no host memory", computation->name);
    }
    made->computation = computation;
    fill_tables(made);
    status = make_source(made, error);
    if (status != BE_OK) {
        be_own_close(made);
        return status;
    }
    *own = made;
    return BE_OK;
}

void be_own_close(struct be_own *own) {
    if (own) {
        free(own->source);
        free(own);
    }
}

const struct be_workload *be_own_workload(const struct be_own *own) {
    return &own->workload;
}
