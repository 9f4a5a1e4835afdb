/* breakeven clusters [NAME] */
#include <string.h>
#include <time.h>

#include "base/command.h"
#include "base/error.h"
#include "base/input.h"
#include "base/read_all.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/remarks.h"
#include "cli/common/settings.h"
#include "cli/common/values.h"
#include "cluster/detect.h"
#include "cluster/text.h"
#include "report/common/lines.h"
#include "report/common/out.h"

enum key { CATALOGUE = 256, DETECT, JSON };
enum { OUTPUTS_MAX = 16, HEARD_MAX_MIB = 256 };

static const struct argp_option option[] = {
    {"catalogue", CATALOGUE, "DIR", 0,
     "Look in these folders or files first, with colons between them (default: BREAKEVEN_CLUSTERS, "
     "/etc/breakeven/clusters and the clusters that come with breakeven)",
     0},
    {"detect", DETECT, "FILES", OPTION_ARG_OPTIONAL,
     "Describe the cluster that this runs on, by asking its Slurm. FILES: read the output of "
     "scontrol show partition, show node, show config and sinfo instead, with commas between the "
     "files",
     0},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON, as a file of the catalogue (no FILE: to standard output, instead of the text)",
     0},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    const char *catalogue;
    char **name;
    int names;
    bool detect;
    const char *file[BE_LIST_MAX];
    int files;
};

static enum be_status take_detect(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    asked->detect = true;
    enum be_status status =
        text ? be_cli_names("--detect", text, asked->file, &asked->files, error) : BE_OK;
    return status != BE_OK || asked->files <= OUTPUTS_MAX
               ? status
               : be_fail(error, BE_USAGE, "--detect: at most %d files", (int)OUTPUTS_MAX);
}

static const struct be_setting setting[] = {
    BE_TEXT(CATALOGUE, catalogue),
    BE_OWN(DETECT, take_detect),
    BE_OUTPUT(JSON, outputs.json),
    BE_REST(name, names),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    const struct asked *asked = state->input;
    if (key == ARGP_KEY_END && asked->names > 1) {
        argp_error(state, "one name, not two: %s and %s", asked->name[0], asked->name[1]);
    }
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, NULL);
}

static const char *name_of(const struct asked *asked) {
    return asked->names ? asked->name[0] : NULL;
}

/* The clusters to show: one, or all that count. */
struct shown {
    const struct be_catalogue *catalogue;
    const struct be_cluster *one; /* NULL: all */
    const char *path;             /* of its file */
};

static void write_all(const struct shown *shown, struct be_text *text) {
    const struct be_cluster *list[1024];
    size_t count = 0;
    while (count < BE_COUNT(list) && (list[count] = be_catalogue_at(shown->catalogue, count))) {
        count++;
    }
    be_clusters_write(list, count, text);
}

static enum be_status write_clusters(const void *results, enum be_format format, FILE *out,
                                     struct be_error *error) {
    const struct shown *shown = results;
    struct be_text text = {0};
    if (format == BE_JSON && shown->one) {
        be_clusters_write(&shown->one, 1, &text);
    } else if (format == BE_JSON) {
        write_all(shown, &text);
    } else if (shown->one) {
        be_cluster_text(shown->one, shown->path, &text);
    } else {
        be_catalogue_text(shown->catalogue, &text);
    }
    return be_report_out(&text, out, error);
}

/* ---- --detect -------------------------------------------------------------------------------- */

/* Output of the commands, each whole. */
struct heard {
    struct be_text text[OUTPUTS_MAX];
    const char *name[OUTPUTS_MAX];
    size_t count;
};

static void forget(struct heard *heard) {
    for (size_t i = 0; i < heard->count; i++) {
        be_text_free(&heard->text[i]);
    }
}

static enum be_status hear_file(struct heard *heard, const char *name, struct be_error *error) {
    struct be_text *text = &heard->text[heard->count];
    FILE *in;
    enum be_status status = be_input_open(name, &in, error);
    if (status == BE_OK) {
        heard->name[heard->count++] = name;
        status = be_whole_read(in, name, HEARD_MAX_MIB, "not of scontrol or sinfo", text, error);
        be_input_close(in);
    }
    return status;
}

static enum be_status add_line(void *context, struct be_slice line, struct be_error *error) {
    struct be_text *text = context;
    (void)error;
    be_text_add_bytes(text, line.text, line.length);
    be_text_add_bytes(text, "\n", 1);
    return BE_OK;
}

static enum be_status hear_command(struct heard *heard, const char *const *word, const char *name,
                                   struct be_error *error) {
    struct be_text text = {0};
    enum be_status status = be_command_each(word, add_line, &text, error);
    if (status == BE_OK) {
        heard->name[heard->count] = name;
        heard->text[heard->count++] = text;
    } else {
        be_text_free(&text);
    }
    return status;
}

/* Nodes that are hidden from scontrol may be shown by sinfo; the configuration only says more. */
static enum be_status hear_slurm(struct heard *heard, struct be_error *error) {
    static const char *const partition[] = {"scontrol", "-o", "show", "partition", NULL};
    static const char *const node[] = {"scontrol", "-o", "show", "node", NULL};
    static const char *const config[] = {"scontrol", "show", "config", NULL};
    static const char *const sinfo[] = {"sinfo", "-N", "-h", "-o", BE_DETECT_SINFO, NULL};
    enum be_status status = hear_command(heard, partition, "scontrol show partition", error);
    if (status == BE_ABSENT) {
        return be_fail(error, BE_ABSENT,
                       "--detect: no Slurm to ask is here (scontrol): run it on the cluster, or "
                       "give --detect=FILES with what it wrote there");
    }
    if (status != BE_OK) {
        return be_context(error, "--detect (on the cluster; elsewhere --detect=FILES)");
    }
    if (hear_command(heard, node, "scontrol show node", NULL) != BE_OK) {
        status = hear_command(heard, sinfo, "sinfo", error);
    }
    if (status == BE_OK) {
        hear_command(heard, config, "scontrol show config", NULL);
    }
    return status;
}

static enum be_status detect(struct asked *asked, struct be_error *error) {
    struct heard heard = {0};
    struct be_cluster cluster = {0};
    char today[BE_NAME];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(today, sizeof today, "%Y-%m-%d", &utc);
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    for (int i = 0; status == BE_OK && i < asked->files; i++) {
        status = hear_file(&heard, asked->file[i], error);
    }
    if (status == BE_OK && !asked->files) {
        status = hear_slurm(&heard, error);
    }
    if (status == BE_OK) {
        status = be_cluster_detect(heard.text, heard.name, heard.count, name_of(asked), today,
                                   &cluster, error);
    }
    if (status == BE_OK) {
        const struct shown shown = {.one = &cluster};
        status = be_cli_outputs_write(&asked->outputs, write_clusters, &shown, error);
    }
    be_cli_outputs_close(&asked->outputs);
    be_cluster_free(&cluster);
    forget(&heard);
    return status;
}

/* ---- the catalogue --------------------------------------------------------------------------- */

static enum be_status show(struct asked *asked, struct be_error *error) {
    struct be_catalogue catalogue = {0};
    struct shown shown = {.catalogue = &catalogue};
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status == BE_OK ? be_catalogue_open(asked->catalogue, &catalogue, error) : status;
    if (status == BE_OK && asked->names) {
        status = be_catalogue_find(&catalogue, asked->name[0], &shown.one, error);
    }
    const struct be_catalogue_file *file =
        shown.one ? be_catalogue_file_of(&catalogue, shown.one) : NULL;
    if (file) {
        shown.path = file->path;
        be_cli_catalogue_remarks(file);
    }
    if (status == BE_OK) {
        status = be_cli_outputs_write(&asked->outputs, write_clusters, &shown, error);
    }
    be_cli_outputs_close(&asked->outputs);
    be_catalogue_close(&catalogue);
    return status;
}

int be_cli_clusters(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[NAME]",
        "This command lists the clusters that breakeven knows. With a name it shows that cluster: "
        "its GPUs and how to ask for them, the cores and memory that go with a GPU, limits, costs, "
        "and the source of each fact.\vExamples:\n  breakeven clusters\n  breakeven clusters "
        "--detect --json=mine.json",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error;
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    enum be_status status = asked.detect ? detect(&asked, &error) : show(&asked, &error);
    return status == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}
