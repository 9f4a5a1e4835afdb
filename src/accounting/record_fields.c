/* Memory, counts, states and TRES lists as Slurm writes them. */
#include <math.h>

#include "accounting/record.h"
#include "base/error.h"

/* Reads a number from *at on; false where no digit stands there. *exact: its whole part, of which a
 * double keeps 53 bits. */
static bool number(struct be_slice text, uint32_t *at, double *value, uint64_t *exact) {
    const uint32_t digits_max = 19;
    uint64_t whole = 0;
    uint32_t begin = *at;
    for (; *at < text.length; ++*at) {
        unsigned digit = (unsigned)(unsigned char)text.text[*at] - '0';
        if (digit > 9) {
            break;
        }
        whole = whole * 10 + digit;
    }
    *value = (double)whole;
    *exact = whole;
    if (*at == begin || *at - begin > digits_max) {
        return false;
    }
    if (*at == text.length || text.text[*at] != '.') {
        return true;
    }
    double scale = 1;
    for (++*at; *at < text.length; ++*at) {
        unsigned digit = (unsigned)(unsigned char)text.text[*at] - '0';
        if (digit > 9) {
            break;
        }
        *value += (scale /= 10) * digit;
    }
    return true;
}

/* step to the power that a letter stands for; `none` for another. */
static double prefix(char letter, double step, double none) {
    static const char letters[] = "KMGTP";
    double factor = step;
    for (size_t i = 0; i + 1 < sizeof letters; i++, factor *= step) {
        if (letters[i] == (letter & ~0x20)) {
            return factor;
        }
    }
    return none;
}

bool be_parse_count(struct be_slice text, double *count) {
    uint32_t at = 0;
    uint64_t exact = 0;
    *count = NAN;
    if (text.length == 0) {
        return true;
    }
    if (!number(text, &at, count, &exact)) {
        return false;
    }
    if (at < text.length) {
        double factor = prefix(text.text[at++], 1000, 0);
        *count *= factor;
        return factor > 0 && at == text.length;
    }
    return true;
}

bool be_parse_memory(struct be_slice text, double *bytes, char *per) {
    /* MEM_PER_CPU of slurm.h: bit 31 in old versions, bit 63 now. */
    const uint64_t marks[] = {UINT64_C(1) << 63, UINT64_C(1) << 31};
    uint32_t at = 0;
    uint64_t exact = 0;
    *bytes = NAN;
    *per = 0;
    /* '?' stands for a unit above those that Slurm has: the number was none. */
    if (text.length == 0 || be_slice_is(text, "N/A") || text.text[text.length - 1] == '?') {
        return true;
    }
    if (!number(text, &at, bytes, &exact)) {
        return false;
    }
    double unit = 0x1p20;
    if (at < text.length) {
        double factor = prefix(text.text[at], 1024, 0);
        unit = factor > 0 ? factor : unit;
        at += factor > 0;
    }
    for (size_t i = 0; i < BE_COUNT(marks) && unit == 0x1p20; i++) {
        if (exact >= marks[i]) {
            exact -= marks[i];
            *bytes = (double)exact;
            *per = 'c';
        }
    }
    *bytes *= unit;
    if (at < text.length && text.text[at] == 'B') {
        at++;
    }
    if (at < text.length && (text.text[at] == 'n' || text.text[at] == 'c')) {
        *per = *per ? *per : text.text[at];
        at++;
    }
    return at == text.length;
}

static const struct {
    const char *name;
    enum be_job_state state;
} states[] = {
    {"COMPLETED", BE_JOB_COMPLETED},
    {"FAILED", BE_JOB_FAILED},
    {"CANCELLED", BE_JOB_CANCELLED},
    {"TIMEOUT", BE_JOB_TIMEOUT},
    {"PENDING", BE_JOB_PENDING},
    {"RUNNING", BE_JOB_RUNNING},
    {"OUT_OF_MEMORY", BE_JOB_OUT_OF_MEMORY},
    {"NODE_FAIL", BE_JOB_NODE_FAIL},
    {"PREEMPTED", BE_JOB_PREEMPTED},
    {"BOOT_FAIL", BE_JOB_BOOT_FAIL},
    {"DEADLINE", BE_JOB_DEADLINE},
    {"REQUEUED", BE_JOB_REQUEUED},
    {"RESIZING", BE_JOB_RESIZING},
    {"REVOKED", BE_JOB_REVOKED},
    {"SUSPENDED", BE_JOB_SUSPENDED},
    {"COMPLETING", BE_JOB_RUNNING},
    {"CONFIGURING", BE_JOB_RUNNING},
    {"UNKNOWN", BE_JOB_UNKNOWN},
};

enum be_job_state be_parse_state(struct be_slice text) {
    uint32_t length = 0; /* "CANCELLED by 380693", "CANCELLED+" */
    while (length < text.length && text.text[length] != ' ' && text.text[length] != '+') {
        length++;
    }
    for (size_t i = 0; i < BE_COUNT(states); i++) {
        if (be_slice_is((struct be_slice){text.text, length}, states[i].name)) {
            return states[i].state;
        }
    }
    return BE_JOB_UNKNOWN;
}

const char *be_job_state_name(enum be_job_state state) {
    for (size_t i = 0; i < BE_COUNT(states); i++) {
        if (states[i].state == state) {
            return states[i].name;
        }
    }
    return "UNKNOWN";
}

/* The next part of a list with commas: *at moves behind it. */
static bool next_part(struct be_slice list, uint32_t *at, struct be_slice *part) {
    if (*at >= list.length) {
        return false;
    }
    const char *begin = list.text + *at;
    const char *comma = memchr(begin, ',', list.length - *at);
    part->text = begin;
    part->length = comma ? (uint32_t)(comma - begin) : list.length - *at;
    *at += part->length + 1;
    return true;
}

struct be_slice be_tres_find(struct be_slice tres, const char *name) {
    uint32_t length = (uint32_t)strlen(name);
    struct be_slice part;
    for (uint32_t at = 0; next_part(tres, &at, &part);) {
        if (part.length > length && part.text[length] == '=' &&
            memcmp(part.text, name, length) == 0) {
            return (struct be_slice){part.text + length + 1, part.length - length - 1};
        }
    }
    return (struct be_slice){"", 0};
}

/* "a100=2", "a100:2(S:0-1)", "=2", ":2", "": the count, 1 where none stands there, and the type. */
static double one_gres(struct be_slice rest, struct be_slice *type) {
    const char *paren = memchr(rest.text, '(', rest.length);
    uint32_t length = paren ? (uint32_t)(paren - rest.text) : rest.length;
    uint32_t split = length;
    while (split > 0 && rest.text[split - 1] != '=' && rest.text[split - 1] != ':') {
        split--;
    }
    double count = NAN;
    struct be_slice last = {rest.text + split, length - split};
    bool counted = be_parse_count(last, &count) && count == count;
    *type = counted ? (struct be_slice){rest.text, split ? split - 1 : 0} : last;
    if (type->length > 0 && type->text[0] == ':') { /* ":a100" of "gpu:a100=2" */
        *type = (struct be_slice){type->text + 1, type->length - 1};
    }
    return counted ? count : 1;
}

double be_tres_gpus(struct be_slice tres, struct be_slice *type) {
    double all = 0, typed = 0;
    struct be_slice part;
    *type = (struct be_slice){"", 0};
    for (uint32_t at = 0; next_part(tres, &at, &part);) {
        if (part.length > 5 && memcmp(part.text, "gres", 4) == 0 &&
            (part.text[4] == '/' || part.text[4] == ':')) {
            part = (struct be_slice){part.text + 5, part.length - 5};
        }
        if (part.length < 3 || memcmp(part.text, "gpu", 3) != 0 ||
            (part.length > 3 && part.text[3] != ':' && part.text[3] != '=')) {
            continue;
        }
        struct be_slice kind;
        double count = one_gres((struct be_slice){part.text + 3, part.length - 3}, &kind);
        if (kind.length) {
            typed += count;
            *type = kind;
        } else {
            all += count;
        }
    }
    return all > typed ? all : typed; /* "gres/gpu=2,gres/gpu:a100=2" says the same twice */
}

uint32_t be_array_tasks(struct be_slice id) {
    const uint32_t max = 4000000; /* of Slurm: MaxArraySize at most 4000001 */
    const char *open = memchr(id.text, '[', id.length);
    if (!open) {
        return 1;
    }
    uint64_t tasks = 0, first = 0, value = 0, step = 0;
    int digits = 0;
    bool range = false, stepped = false;
    for (const char *c = open + 1; c < id.text + id.length; c++) {
        if (*c >= '0' && *c <= '9') {
            value = value > max ? value : value * 10 + (uint64_t)(*c - '0');
            digits++;
        } else if (*c == '-' && digits && !range) {
            first = value;
            range = true;
            value = 0;
        } else if (*c == ':' && range) {
            step = value;
            stepped = true;
            value = 0;
        } else if (*c == ',' || *c == ']' || *c == '%') {
            uint64_t by = stepped ? (value ? value : 1) : 1;
            uint64_t last = stepped ? step : value;
            tasks += range ? (last >= first ? (last - first) / by + 1 : 1) : digits > 0;
            digits = 0;
            value = 0;
            range = stepped = false;
            if (*c != ',') {
                break;
            }
        }
    }
    return tasks < 1 ? 1 : tasks > max ? max : (uint32_t)tasks;
}
