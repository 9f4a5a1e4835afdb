/* `#PBS -l` as sbatch reads it, which is not as PBS does: seen with 22.05.8 and 24.11.5, which agree. It goes through the
 * list sign by sign; where a name that it knows begins, also within another word, it takes what follows as its value, up
 * to a comma or, for three of them, to a colon. All else is passed over without a word. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "script/directive.h"
#include "script/lists.h"

struct resource {
    const char *name;   /* with its = */
    char end;           /* of its value, beside the end of the list */
    const char *option; /* sbatch's; NULL: it is passed over, value and all */
};

/* A name that is a part of another stands behind it: sbatch finds "pmem=" before the "mem=" in it. */
static const struct resource resources[] = {
    {"arch=", ',', NULL},
    {"cput=", ',', "time"},
    {"file=", ',', "tmp"},
    {"host=", ',', NULL},
    {"mppmem=", ',', NULL},
    {"mppnodes=", ',', "nodelist"},
    {"mpiprocs=", ':', "ntasks-per-node"},
    {"naccelerators=", ',', "gres"},
    {"ncpus=", ':', "mincpus"},
    {"nice=", ',', NULL},
    {"nodes=", ',', "nodes"},
    {"opsys=", ',', NULL},
    {"other=", ',', NULL},
    {"pcput=", ',', "time"},
    {"pmem=", ',', NULL},
    {"proc=", ',', "constraint"},
    {"pvmem=", ',', NULL},
    {"select=", ':', "nodes"},
    {"software=", ',', NULL},
    {"vmem=", ',', NULL},
    {"walltime=", ',', "time"},
    {"mem=", ',', "mem"},
};

/* Resources that scripts ask for, and that sbatch passes over. */
static const char *const passed[] = {"ngpus=", "gpus=", "procs=", "ompthreads="};

struct list {
    struct be_script *script;
    struct be_span span; /* of the whole list */
    bool ok;
};

static void add(struct list *list, const char *name, const char *value) {
    const char *kept = be_script_keep(list->script, value, strlen(value));
    const struct be_script_option found = {
        be_sbatch_named(name), list->span, list->span, kept, 0, BE_LINE_PBS};
    list->ok = list->ok && kept && be_script_add_option(list->script, &found);
}

static void add_fault(struct list *list, enum be_fault_kind kind, const char *word) {
    const char *kept = be_script_keep(list->script, word, strlen(word));
    list->ok = list->ok && kept && be_script_add_fault(list->script, kind, list->span, kept, NULL);
}

/* ---- nodes=2:ppn=4+g1:gpus=1 -------------------------------------------------------------------- */

struct nodes {
    long long count, ppn;
    struct be_text names;
    const char *impossible; /* a part that sbatch takes for a node's name, which none can be */
};

static void add_node_part(struct list *list, struct nodes *nodes, const char *part) {
    if (strncmp(part, "ppn=", 4) == 0) {
        nodes->ppn += atoi(part + 4); /* as sbatch does it: a word is 0 */
    } else if (strncmp(part, "gpus=", 5) == 0) {
        add(list, "gpus-per-node", part + 5);
    } else if (isdigit((unsigned char)*part)) {
        nodes->count += atoi(part);
    } else if (strchr(part, '=')) {
        nodes->impossible = part;
    } else if (*part) {
        be_text_add(&nodes->names, "%s%s", nodes->names.length ? "," : "", part);
    }
}

static void add_nodes(struct list *list, char *value) {
    struct nodes nodes = {0};
    char number[BE_NAME], *save = NULL;
    for (char *part = strtok_r(value, ":+", &save); part; part = strtok_r(NULL, ":+", &save)) {
        add_node_part(list, &nodes, part);
    }
    if (nodes.count > 0) {
        snprintf(number, sizeof number, "%lld", nodes.count);
        add(list, "nodes", number);
    }
    if (nodes.ppn > 0) {
        snprintf(number, sizeof number, "%lld", nodes.ppn * (nodes.count > 0 ? nodes.count : 1));
        add(list, "ntasks", number);
    }
    if (nodes.names.length > 0) {
        add(list, "nodelist", nodes.names.data);
    } else if (nodes.impossible) { /* beside a name that there is, 24.11.5 takes it */
        add_fault(list, BE_FAULT_OTHER_OPTION, nodes.impossible);
    }
    list->ok = list->ok && !nodes.names.failed;
    be_text_free(&nodes.names);
}

/* ---- the list ----------------------------------------------------------------------------------- */

static void add_resource(struct list *list, const struct resource *resource, char *value) {
    const size_t length = strlen(value);
    if (strcmp(resource->name, "nodes=") == 0) {
        add_nodes(list, value);
    } else if (strcmp(resource->name, "naccelerators=") == 0) {
        int64_t count = 0;
        char gpus[BE_NOTE];
        snprintf(gpus, sizeof gpus, "gpu:%.100s", value);
        if (be_sbatch_count(value, &count)) {
            add(list, "gres", gpus);
        } else {
            add_fault(list, BE_FAULT_OTHER_OPTION, gpus + strlen("gpu:"));
        }
    } else if (resource->option) {
        const bool bytes = resource->end == ',' && length > 1 && tolower(value[length - 1]) == 'b';
        if (bytes && (resource->name[0] == 'm' || resource->name[0] == 'f')) {
            value[length - 1] = '\0'; /* "16gb": one b is cut off */
        }
        add(list, resource->option, value);
    }
}

static const struct resource *find(const char *at) {
    for (size_t i = 0; i < BE_COUNT(resources); i++) {
        if (strncmp(at, resources[i].name, strlen(resources[i].name)) == 0) {
            return &resources[i];
        }
    }
    return NULL;
}

static void note_passed(struct list *list, const char *at, const char *from) {
    const bool begins = at == from || !isalpha((unsigned char)at[-1]);
    for (size_t i = 0; begins && i < BE_COUNT(passed); i++) {
        if (strncmp(at, passed[i], strlen(passed[i])) == 0) {
            char word[BE_NAME];
            const size_t length = strcspn(at, ",:+");
            be_copy_text(word, length < sizeof word ? length + 1 : sizeof word, at);
            add_fault(list, BE_FAULT_PASSED, word);
        }
    }
}

bool be_directive_pbs_list(struct be_script *script, struct be_span span, const char *value) {
    struct list list = {script, span, true};
    for (const char *at = value; *at && list.ok;) {
        const struct resource *resource = find(at);
        if (!resource) {
            note_passed(&list, at, value);
            at++;
            continue;
        }
        const char *from = at + strlen(resource->name), *end = strchr(from, resource->end);
        const size_t length = end ? (size_t)(end - from) : strlen(from);
        char *own = strndup(from, length);
        list.ok = own != NULL;
        if (own) {
            add_resource(&list, resource, own);
        }
        free(own);
        at = from + length;
    }
    return list.ok;
}
