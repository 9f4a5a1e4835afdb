/* The output of scontrol and sinfo -> what was seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cluster/detect_read.h"
#include "script/sbatch_values.h"

void be_seen_free(struct be_seen *seen) {
    for (size_t i = 0; i < seen->nodes; i++) {
        free(seen->node[i].partitions);
    }
    free(seen->node);
    free(seen->partition);
    *seen = (struct be_seen){0};
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

bool be_detect_slice(const char *type, double *share, double *memory_bytes, size_t *whole) {
    const char *part = strrchr(type, '_');
    int parts = 0, gigabytes = 0, length = 0;
    part = part ? part + 1 : type;
    if (sscanf(part, "%dg.%dgb%n", &parts, &gigabytes, &length) != 2 || length == 0 ||
        part[length] != '\0' || parts < 1 || parts > 7 || gigabytes < 1 || gigabytes > 1000) {
        return false;
    }
    *share = parts / 7.0; /* NVIDIA cuts a GPU into at most seven */
    *memory_bytes = 1e9 * gigabytes;
    *whole = part > type ? (size_t)(part - 1 - type) : 0;
    return true;
}

static void add_gpu(struct be_seen_gpu gpu[BE_GRES_MAX], int *gpus, const char *type, size_t length,
                    int count) {
    for (int i = 0; i < *gpus; i++) {
        if (strncmp(gpu[i].type, type, length) == 0 && gpu[i].type[length] == '\0') {
            gpu[i].count += count;
            return;
        }
    }
    if (*gpus == BE_GRES_MAX || length >= BE_NAME) {
        return;
    }
    double share = 0, memory = 0;
    size_t whole = 0, at = (size_t)*gpus;
    struct be_seen_gpu made = {.count = count};
    be_copy_text(made.type, length + 1, type);
    if (!be_detect_slice(made.type, &share, &memory, &whole)) { /* before the slices */
        for (at = 0; at < (size_t)*gpus && !be_detect_slice(gpu[at].type, &share, &memory, &whole);
             at++) {
        }
        memmove(gpu + at + 1, gpu + at, ((size_t)*gpus - at) * sizeof *gpu);
    }
    gpu[at] = made;
    ++*gpus;
}

/* "gpu:a100:4(S:0-1),gpu:a100_1g.5gb:2,nvme:1" */
static int read_gres(const char *gres, struct be_seen_gpu gpu[BE_GRES_MAX]) {
    int gpus = 0;
    while (*gres) {
        size_t length = strcspn(gres, ",("), end = length;
        if (gres[end] == '(') { /* sockets or indices, with commas of their own */
            end += strcspn(gres + end, ")");
            end += strcspn(gres + end, ",");
        }
        if (length > 4 && strncmp(gres, "gpu:", 4) == 0) {
            const char *rest = gres + 4, *last = gres + length;
            const char *colon = last;
            while (colon > rest && colon[-1] != ':') {
                colon--;
            }
            long count = strtol(colon, NULL, 10);
            size_t type = colon > rest ? (size_t)(colon - 1 - rest) : 0;
            if (count > 0 && count <= 1024) {
                add_gpu(gpu, &gpus, rest, type, (int)count);
            }
        }
        gres += end + (gres[end] == ',');
    }
    return gpus;
}

/* ---- records of words key=value -------------------------------------------------------------- */

/* The value of the word `key=value`, or NULL. */
static const char *value_of(const char *word, const char *key) {
    size_t length = strlen(key);
    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static const long mib_max = 1L << 39; /* fewer bytes than a file of the catalogue may hold: 1e18 */

/* A whole number from 0 to most, or -1: "UNLIMITED", "N/A". */
static long whole_of(const char *value, long max) {
    char *end = NULL;
    long number = strtol(value, &end, 10);
    return end == value || *end != '\0' || number < 0 || number > max ? -1 : number;
}

/* Seconds of MaxTime; NAN: UNLIMITED, or longer than any limit that means one. */
static double limit_of(const char *value) {
    double seconds = NAN;
    return be_sbatch_duration(value, &seconds) && seconds > 0 && seconds < 3.6e8 ? seconds : NAN;
}

static void take_name(char to[BE_NAME], const char *value) {
    be_copy_text(to, BE_NAME, value);
}

static struct be_seen_node *find_node(const struct be_seen *seen, const char *name) {
    char cut[BE_NAME]; /* as it is kept */
    take_name(cut, name);
    for (size_t i = seen->nodes; i > 0; i--) {
        if (strcmp(seen->node[i - 1].name, cut) == 0) {
            return &seen->node[i - 1];
        }
    }
    return NULL;
}

/* A node that was seen before (one output given twice, two ranges that overlap) begins anew. */
static struct be_seen_node *new_node(struct be_seen *seen, const char *name) {
    struct be_seen_node *node = find_node(seen, name);
    if (!node) {
        struct be_seen_node *more = realloc(seen->node, (seen->nodes + 1) * sizeof *more);
        if (!more) {
            seen->failed = true;
            return NULL;
        }
        seen->node = more;
        node = &more[seen->nodes++];
        node->partitions = NULL;
    }
    free(node->partitions);
    *node = (struct be_seen_node){.memory_mib = NAN, .disk_bytes = NAN};
    take_name(node->name, name);
    return node;
}

static struct be_seen_partition *new_partition(struct be_seen *seen, const char *name) {
    for (size_t i = 0; i < seen->partitions; i++) {
        if (strcmp(seen->partition[i].name, name) == 0) {
            return &seen->partition[i];
        }
    }
    struct be_seen_partition *more =
        realloc(seen->partition, (seen->partitions + 1) * sizeof *more);
    if (!more) {
        seen->failed = true;
        return NULL;
    }
    seen->partition = more;
    struct be_seen_partition *partition = &more[seen->partitions++];
    *partition =
        (struct be_seen_partition){.limit_s = NAN, .max_memory_mib = NAN, .max_mib_each = NAN};
    take_name(partition->name, name);
    return partition;
}

static void add_partitions(struct be_seen *seen, struct be_seen_node *node, const char *names) {
    struct be_text all = {0};
    be_text_add(&all, "%s%s%s", node->partitions ? node->partitions : "",
                node->partitions ? "," : "", names);
    free(node->partitions);
    node->partitions = all.failed ? NULL : all.data;
    seen->failed |= all.failed;
}

/* Cores that jobs can have: CPUEfctv is CPUTot without those set aside. */
static void take_node(struct be_seen *seen, struct be_seen_node *node, const char *word) {
    const char *value = NULL;
    if ((value = value_of(word, "CPUEfctv")) ||
        (node->cores == 0 && (value = value_of(word, "CPUTot")))) {
        long cores = whole_of(value, 100000);
        node->cores = cores > 0 ? (int)cores : node->cores;
    } else if ((value = value_of(word, "RealMemory"))) {
        long mib = whole_of(value, mib_max);
        node->memory_mib = mib > 0 ? (double)mib : NAN;
    } else if ((value = value_of(word, "MemSpecLimit"))) {
        long mib = whole_of(value, mib_max);
        node->memory_mib -= mib > 0 && (double)mib < node->memory_mib ? (double)mib : 0;
    } else if ((value = value_of(word, "TmpDisk"))) {
        long mib = whole_of(value, mib_max);
        node->disk_bytes = mib > 0 ? 1048576.0 * (double)mib : NAN;
    } else if ((value = value_of(word, "Gres"))) {
        node->gpus = read_gres(value, node->gpu);
    } else if ((value = value_of(word, "Partitions"))) {
        add_partitions(seen, node, value);
    }
}

static void take_partition(struct be_seen_partition *partition, const char *word) {
    const char *value = NULL;
    if ((value = value_of(word, "Default"))) {
        partition->preset = strcmp(value, "YES") == 0;
    } else if ((value = value_of(word, "MaxTime"))) {
        partition->limit_s = limit_of(value);
    } else if ((value = value_of(word, "MaxNodes"))) {
        long nodes = whole_of(value, 10000000);
        partition->max_nodes = nodes > 0 ? (int)nodes : 0;
    } else if ((value = value_of(word, "MaxCPUsPerNode"))) {
        long cores = whole_of(value, 100000);
        partition->max_cores = cores > 0 ? (int)cores : 0;
    } else if ((value = value_of(word, "MaxMemPerNode"))) {
        long mib = whole_of(value, mib_max);
        partition->max_memory_mib = mib > 0 ? (double)mib : NAN;
    } else if ((value = value_of(word, "MaxMemPerCPU"))) {
        long mib = whole_of(value, mib_max);
        partition->max_mib_each = mib > 0 ? (double)mib : NAN;
    } else if ((value = value_of(word, "State"))) {
        partition->down = strcmp(value, "UP") != 0;
    } else if ((value = value_of(word, "TRESBillingWeights"))) {
        be_copy_text(partition->weights, sizeof partition->weights, value);
    }
}

struct record {
    struct be_seen *seen;
    struct be_seen_node *node;
    struct be_seen_partition *partition;
};

static bool take_word(struct record *record, const char *word) {
    const char *value = NULL;
    if ((value = value_of(word, "NodeName"))) {
        record->node = new_node(record->seen, value);
        record->partition = NULL;
    } else if ((value = value_of(word, "PartitionName"))) {
        record->partition = new_partition(record->seen, value);
        record->node = NULL;
    } else if (record->node) {
        take_node(record->seen, record->node, word);
    } else if (record->partition) {
        take_partition(record->partition, word);
    } else {
        return false;
    }
    return true;
}

/* Words with blanks between. A word that is no key=value is the rest of a value that has blanks
 * itself. */
static bool read_words(char *text, struct be_seen *seen) {
    struct record record = {.seen = seen};
    char *rest = NULL;
    bool any = false;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word && !seen->failed;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (strchr(word, '=')) {
            any |= take_word(&record, word);
        }
    }
    return any;
}

/* ---- sinfo and the configuration ------------------------------------------------------------- */

/* node|partition, with * if it is the default|CPUs|MiB|MiB of disk|gres|limit: a line for each
 * node in each partition. */
static bool read_sinfo_line(char *line, struct be_seen *seen) {
    char *field[7];
    int fields = 0;
    while (fields < 7 && (field[fields] = strsep(&line, "|")) != NULL) {
        fields++;
    }
    if (fields != 7 || !*field[0] || !*field[1]) {
        return false;
    }
    size_t length = strlen(field[1]);
    bool preset = field[1][length - 1] == '*';
    field[1][length - preset] = '\0';
    struct be_seen_partition *partition = new_partition(seen, field[1]);
    if (!partition) {
        return false;
    }
    partition->preset |= preset;
    partition->limit_s = limit_of(field[6]);
    struct be_seen_node *node = find_node(seen, field[0]);
    if (node) {
        add_partitions(seen, node, field[1]);
        return true;
    }
    node = new_node(seen, field[0]);
    long cores = whole_of(field[2], 100000), mib = whole_of(field[3], mib_max);
    long disk = whole_of(field[4], mib_max);
    if (!node) {
        return false;
    }
    node->cores = cores > 0 ? (int)cores : 0;
    node->memory_mib = mib > 0 ? (double)mib : NAN;
    node->disk_bytes = disk > 0 ? 1048576.0 * (double)disk : NAN;
    node->gpus = read_gres(field[5], node->gpu);
    add_partitions(seen, node, field[1]);
    return true;
}

static bool read_sinfo(char *text, struct be_seen *seen) {
    char *rest = NULL;
    bool any = false;
    for (char *line = strtok_r(text, "\r\n", &rest); line && !seen->failed;
         line = strtok_r(NULL, "\r\n", &rest)) {
        any |= read_sinfo_line(line, seen);
    }
    return any;
}

/* The value of the line "ClusterName             = breakeven", or NULL. */
static const char *setting(const char *line, const char *name, size_t *length) {
    size_t key = strlen(name);
    if (strncmp(line, name, key) != 0 || line[key] != ' ') {
        return NULL;
    }
    const char *value = line + key + strspn(line + key, " ");
    if (*value != '=') {
        return NULL;
    }
    value += 1 + strspn(value + 1, " ");
    *length = strcspn(value, " \t\r\n");
    return value;
}

static bool read_config(const char *text, struct be_seen *seen) {
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = 0;
        const char *name = setting(line, "ClusterName", &length);
        if (name && length < BE_NAME) {
            be_copy_text(seen->cluster, length + 1, name);
        }
        const char *version = setting(line, "SLURM_VERSION", &length);
        if (version && length < BE_NAME) {
            be_copy_text(seen->version, length + 1, version);
        }
        const char *type = setting(line, "SelectType", &length);
        seen->tres |= type && length == 16 && strncmp(type, "select/cons_tres", 16) == 0;
    }
    return true;
}

/* Names of Slurm are plain; what is not, in a comment or by damage, must not reach a record. */
static void make_plain(char *text) {
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if ((byte < ' ' && !strchr("\n\t\r", *text)) || byte >= 0x7F) {
            *text = '?';
        }
    }
}

bool be_detect_read(const char *text, struct be_seen *seen) {
    char *copy = strdup(text + strspn(text, " \r\n"));
    if (!copy) {
        seen->failed = true;
        return false;
    }
    make_plain(copy);
    bool words = strncmp(copy, "NodeName=", 9) == 0 || strncmp(copy, "PartitionName=", 14) == 0;
    bool read = strncmp(copy, "Configuration data", 18) == 0 ? read_config(copy, seen)
                : words                                      ? read_words(copy, seen)
                                                             : read_sinfo(copy, seen);
    free(copy);
    return read;
}
