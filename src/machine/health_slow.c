#include "machine/health_slow.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

/* ---- the same model ------------------------------------------------------------------------- */

/* Words that drivers of some years put into a name and others leave out. */
static const char *const idle_words[] = {"nvidia", "tesla", "gpu"};

static bool is_idle(const char *word, size_t length) {
    for (size_t i = 0; i < BE_COUNT(idle_words); i++) {
        if (strlen(idle_words[i]) == length && strncasecmp(word, idle_words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* The name in lower case, without blanks and idle words; cut to fit. */
static void squeeze(const char *name, char *to, size_t capacity) {
    size_t used = 0;
    while (*name) {
        size_t length = strcspn(name, " \t");
        if (!is_idle(name, length)) {
            for (size_t i = 0; i < length && used + 1 < capacity; i++) {
                to[used++] = (char)tolower((unsigned char)name[i]);
            }
        }
        name += length;
        name += strspn(name, " \t");
    }
    to[used] = '\0';
}

bool be_same_model(const char *a, const char *b) {
    char one[BE_NAME * 2];
    char other[BE_NAME * 2];
    squeeze(a, one, sizeof one);
    squeeze(b, other, sizeof other);
    return *one && strcmp(one, other) == 0;
}

/* ---- the same figure ------------------------------------------------------------------------ */

static const struct {
    const char *what;
    enum be_slow_group group;
} judged[] = {
    {"fma", BE_SLOW_ARITHMETIC},     {"matmul", BE_SLOW_ARITHMETIC},
    {"copy", BE_SLOW_MEMORY},        {"read", BE_SLOW_MEMORY},
    {"triad", BE_SLOW_MEMORY},       {"bus_in_pinned", BE_SLOW_BUS},
    {"bus_out_pinned", BE_SLOW_BUS}, {"bus_both_pinned", BE_SLOW_BUS},
};

static bool in_group(const struct be_figure *figure, enum be_slow_group group) {
    for (size_t i = 0; i < BE_COUNT(judged); i++) {
        if (judged[i].group == group && strcmp(judged[i].what, figure->what) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_cpu(const struct be_device_info *device) {
    return strcmp(device->backend, "cpu") == 0;
}

static bool is_sheet(const struct be_figure *figure) {
    return figure->source == BE_SOURCE_DATA_SHEET;
}

/* A data sheet has one memory bandwidth, whatever the type. */
static bool same_dtype(const char *a, const char *b) {
    return !*a || !*b || strcmp(a, b) == 0;
}

/* True: both figures are of the same thing, at whatever size. On a CPU a matrix product is that of
 * a library, which the note names: another library's says nothing of the machine. */
static bool same_kind(const struct be_figure *a, const struct be_figure *b, bool cpu) {
    return strcmp(a->what, b->what) == 0 && same_dtype(a->dtype, b->dtype) &&
           a->threads == b->threads && strcmp(a->peer, b->peer) == 0 && a->unit == b->unit &&
           !(cpu && strcmp(a->what, "matmul") == 0 && strcmp(a->note, b->note) != 0);
}

static double size_of(const struct be_figure *figure) {
    return isnan(figure->bytes) ? 0 : figure->bytes;
}

/* Does the device have the same thing at a larger size? */
static bool is_largest(const struct be_profile *profile, const struct be_figure *figure, bool cpu) {
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *other = &profile->figure[i];
        if (strcmp(other->device, figure->device) == 0 &&
            strcmp(other->dtype, figure->dtype) == 0 && same_kind(other, figure, cpu) &&
            size_of(other) > size_of(figure)) {
            return false;
        }
    }
    return true;
}

/* A copy over the bus reaches its rate only from some size on (half of it at latency x rate, about
 * 1 MB): a smaller one says nothing beside a larger one. */
static bool comparable(const struct be_figure *figure, const struct be_figure *against) {
    const double enough = 64.0 * 1024 * 1024;
    return strncmp(figure->what, "bus_", 4) != 0 || size_of(figure) >= enough ||
           size_of(figure) >= size_of(against);
}

/* ---- the best reference --------------------------------------------------------------------- */

/* Measured through another backend, it is another thing; a data sheet is of the hardware. */
static bool same_device(const struct be_device_info *device, const struct be_figure *against,
                        const struct be_device_info *other) {
    return device->kind == other->kind &&
           (is_sheet(against) || strcmp(device->backend, other->backend) == 0);
}

static const struct be_device_info *device_of(const struct be_profile *profile, const char *id) {
    for (int i = 0; i < profile->machine.devices; i++) {
        if (strcmp(profile->machine.device[i].id, id) == 0) {
            return &profile->machine.device[i];
        }
    }
    return NULL;
}

static double expect(const struct be_figure *against) {
    bool part = is_sheet(against) && !isnan(against->achievable);
    return part ? against->value * against->achievable : against->value;
}

/* Measured comes before a data sheet, then the higher. */
static bool better(const struct be_slow *best, const struct be_figure *against) {
    if (!best->against || is_sheet(best->against) != is_sheet(against)) {
        return !best->against || is_sheet(best->against);
    }
    return expect(against) > best->expected;
}

static void take_best(const struct be_profile *reference, const struct be_device_info *device,
                      const char *model, struct be_slow *best) {
    for (size_t i = 0; i < reference->figures; i++) {
        const struct be_figure *against = &reference->figure[i];
        const struct be_device_info *other = device_of(reference, against->device);
        if (!other || other == device || !same_device(device, against, other) ||
            !same_kind(best->figure, against, is_cpu(device)) ||
            !be_same_model(model, is_cpu(other) ? reference->machine.cpu : other->name) ||
            !is_largest(reference, against, is_cpu(device)) || !comparable(best->figure, against) ||
            !(expect(against) > 0)) {
            continue;
        }
        if (better(best, against)) {
            best->against = against;
            best->reference = reference;
            best->expected = expect(against);
        }
    }
}

/* The figure against the best of others with the device's model; `against` NULL: there is none. */
static struct be_slow hold(const struct be_figure *figure, const struct be_device_info *device,
                           const char *model, const struct be_profile *const *reference,
                           size_t references) {
    struct be_slow slow = {.figure = figure};
    for (size_t i = 0; i < references; i++) {
        take_best(reference[i], device, model, &slow);
    }
    return slow;
}

static double ratio(const struct be_slow *slow) {
    return slow->against ? slow->figure->value / slow->expected : NAN;
}

struct be_slow be_slow_find(const struct be_profile *profile, const struct be_device_info *device,
                            const struct be_references *references, enum be_slow_group group,
                            double share) {
    bool cpu = is_cpu(device);
    const char *model = cpu ? profile->machine.cpu : device->name;
    struct be_slow worst = {0};
    double lowest = share;
    int below = 0;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *figure = &profile->figure[i];
        if (strcmp(figure->device, device->id) != 0 || is_sheet(figure) ||
            !in_group(figure, group) || !is_largest(profile, figure, cpu)) {
            continue;
        }
        /* A twin beside it is held apart: where both are slow, a data sheet still tells. */
        struct be_slow slow = hold(figure, device, model, references->profile, references->count);
        struct be_slow twin = hold(figure, device, model, &profile, 1);
        slow = !slow.against || ratio(&twin) < ratio(&slow) ? twin : slow;
        below += ratio(&slow) < share;
        if (ratio(&slow) < lowest) {
            lowest = ratio(&slow);
            worst = slow;
        }
    }
    worst.others = below > 0 ? below - 1 : 0;
    return worst;
}
