/* Workloads -> text, JSON: one line a workload. */
#include "cli/compare/workloads.h"

#include "base/error.h"
#include "builtin/builtin.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/common/out.h"
#include "report/json/record.h"

/* ---- JSON ----------------------------------------------------------------------------------- */

static bool add_text(cJSON *object, const char *name, const char *text) {
    return be_json_attach(object, name, be_json_text(text));
}

/* `node` where it is whole; else it is freed, and NULL. */
static cJSON *whole_or_none(cJSON *node, bool whole) {
    if (!whole) {
        cJSON_Delete(node);
        return NULL;
    }
    return node;
}

static cJSON *list_of(size_t count, be_json_at *at, const void *whole) {
    cJSON *list = cJSON_CreateArray();
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        cJSON *item = at(whole, i);
        ok = item && cJSON_AddItemToArray(list, item);
    }
    return whole_or_none(list, ok);
}

static cJSON *name_at(const void *names, size_t i) {
    return be_json_text(((const char *const *)names)[i]);
}

static cJSON *number_at(const void *numbers, size_t i) {
    return cJSON_CreateNumber((double)((const uint64_t *)numbers)[i]);
}

static bool add_names(cJSON *object, const char *name, const char *const *list, size_t count) {
    return be_json_attach(object, name, list_of(count, name_at, list));
}

static cJSON *parameter_at(const void *parameters, size_t i) {
    const struct be_parameter *p = (const struct be_parameter *)parameters + i;
    size_t looks = 0;
    while (looks < BE_COUNT(p->look) && p->look[looks]) {
        looks++;
    }
    cJSON *object = cJSON_CreateObject();
    bool ok = object && add_text(object, "name", p->name) && add_text(object, "meaning", p->what) &&
              cJSON_AddNumberToObject(object, "preset", (double)p->preset);
    if (p->kind) {
        ok = ok && add_names(object, "kinds", p->kind, (size_t)p->max + 1);
    } else {
        ok = ok && cJSON_AddNumberToObject(object, "from", (double)p->from) &&
             cJSON_AddNumberToObject(object, "to", (double)p->to) &&
             be_json_attach(object, "look", list_of(looks, number_at, p->look));
    }
    return whole_or_none(object, ok);
}

/* Says who can have a variant's code there; null where there is none. */
static bool add_code(cJSON *object, const char *name, const struct be_variant *v, bool device) {
    const enum be_code code = device ? v->device_code : v->host_code;
    return be_variant_has_code(v, device)
               ? add_text(object, name, be_names_word(&be_names_code, (int)code))
               : cJSON_AddNullToObject(object, name) != NULL;
}

static cJSON *variant_at(const void *workload, size_t i) {
    const struct be_workload *w = workload;
    const struct be_variant *v = &w->variant[i];
    const char *updated[BE_ARRAYS];
    size_t count = 0;
    for (int k = 0; k < w->inputs; k++) {
        if (be_variant_updates(v, k)) {
            updated[count++] = w->array[k];
        }
    }
    cJSON *object = cJSON_CreateObject();
    const bool ok =
        object && add_text(object, "name", v->name) && add_text(object, "summary", v->summary) &&
        cJSON_AddBoolToObject(object, "as_written", v->as_written) &&
        add_code(object, "cpu_code", v, false) && add_code(object, "device_code", v, true) &&
        add_names(object, "updates", updated, count);
    return whole_or_none(object, ok);
}

/* Names of the types that its numbers can have, the usual one first: how many there are. */
static size_t types_of(const struct be_workload *w, const char *name[BE_REALS]) {
    size_t count = 0;
    name[count++] = w->dtype ? w->dtype : be_real_name(w->real);
    for (int real = 0; !w->dtype && real < BE_REALS; real++) {
        if (real != (int)w->real && (w->reals & BE_TAKES(real))) {
            name[count++] = be_real_name((enum be_real)real);
        }
    }
    return count;
}

static cJSON *workload_at(const void *whole, size_t i) {
    const struct be_workload *w = ((const struct be_workload *const *)whole)[i];
    const char *type[BE_REALS];
    const size_t types = types_of(w, type);
    cJSON *object = cJSON_CreateObject();
    const bool ok =
        object && add_text(object, "name", w->name) && add_text(object, "title", w->title) &&
        add_text(object, "summary", w->summary) && add_names(object, "types", type, types) &&
        cJSON_AddBoolToObject(object, "elementwise", w->elementwise != NULL) &&
        add_names(object, "inputs", w->array, (size_t)w->inputs) &&
        add_names(object, "outputs", w->array + w->inputs, (size_t)w->outputs) &&
        be_json_attach(object, "parameters",
                       list_of((size_t)w->parameters, parameter_at, w->parameter)) &&
        be_json_attach(object, "variants", list_of((size_t)w->variants, variant_at, w));
    return whole_or_none(object, ok);
}

static void add_json(const struct be_workload *const *workload, struct be_text *out) {
    size_t count = 0;
    while (workload[count]) {
        count++;
    }
    be_json_add_head(out, "workloads");
    be_json_add_list(out, "workloads", count, workload_at, workload);
    be_text_add(out, "}\n");
}

/* ---- text ----------------------------------------------------------------------------------- */

enum { INDENT = 15 };

/* "  type           float32, float64" */
static void add_line(const char *head, const char *words, struct be_text *out) {
    char begin[INDENT + BE_WORD];
    snprintf(begin, sizeof begin, "  %-*s", INDENT - 2, head);
    be_lines_wrap(out, begin, words, INDENT);
}

static void add_types(const struct be_workload *w, struct be_text *out) {
    const char *type[BE_REALS];
    const size_t types = types_of(w, type);
    struct be_text words = {0};
    for (size_t i = 0; i < types; i++) {
        be_text_add(&words, "%s%s", i ? ", " : "", type[i]);
    }
    add_line("type", words.data ? words.data : "", out);
    out->failed |= words.failed;
    be_text_free(&words);
}

static void add_parameter(const struct be_parameter *p, struct be_text *out) {
    char from[BE_WORD], to[BE_WORD], head[BE_WORD], words[BE_NOTE];
    snprintf(head, sizeof head, "--%.20s", p->name);
    snprintf(words, sizeof words, "%s", p->what);
    if (!p->kind) {
        snprintf(words, sizeof words, "%s; usually %s to %s", p->what,
                 be_format_n(from, sizeof from, (double)p->from),
                 be_format_n(to, sizeof to, (double)p->to));
    }
    add_line(head, words, out);
}

static void add_one(const struct be_workload *w, struct be_text *out) {
    be_text_add(out, "%s: %s\n", w->name, w->summary);
    add_line("computes", w->title, out);
    add_types(w, out);
    for (int i = 0; i < w->parameters; i++) {
        add_parameter(&w->parameter[i], out);
    }
    for (int i = 0; i < w->variants; i++) {
        char words[BE_NOTE];
        snprintf(words, sizeof words, "%s: %s", w->variant[i].name, w->variant[i].summary);
        add_line(i ? "" : "variant", words, out);
    }
}

enum be_status be_cli_workloads_write(const struct be_workload *const *workload,
                                      enum be_format format, FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format == BE_JSON) {
        add_json(workload, &text);
    } else if (format == BE_TEXT) {
        for (size_t i = 0; workload[i]; i++) {
            be_text_add(&text, "%s", i ? "\n" : "");
            add_one(workload[i], &text);
        }
    } else {
        return be_report_no_format("list workloads", format, error);
    }
    return be_report_out(&text, out, error);
}
