/* breakeven clusters [NAME] */
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "slurm/cluster_text.h"

enum key { CATALOGUE = 256, JSON };

static const struct argp_option option[] = {
    {"catalogue", CATALOGUE, "DIR", 0,
     "Look there first: folders or files, with colons between; default: BREAKEVEN_CLUSTERS, "
     "/etc/breakeven/clusters and what comes with breakeven",
     0},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "As a file of the catalogue (no FILE: instead of the text)", 0},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    const char *catalogue, *name;
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    switch (key) {
    case CATALOGUE:
        asked->catalogue = text;
        return 0;
    case JSON:
        asked->outputs.json = (struct be_cli_output){.asked = true, .file = text};
        return 0;
    case ARGP_KEY_ARG:
        if (asked->name) {
            argp_error(state, "one name, not two: %s and %s", asked->name, text);
        }
        asked->name = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What is shown: one, or all that count. */
struct shown {
    const struct be_catalogue *catalogue;
    const struct be_cluster *one; /* NULL: all */
    const char *path;             /* of its file */
};

static void write_all(const struct shown *shown, struct be_text *text) {
    const struct be_cluster *list[1024];
    size_t count = 0;
    while (count < BE_COUNT(list) &&
           (list[count] = be_catalogue_at(shown->catalogue, count, NULL))) {
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
    enum be_status status = BE_OK;
    if (text.failed) {
        status = be_fail(error, BE_NOMEM, "clusters: no host memory");
    } else if (text.length && fwrite(text.data, 1, text.length, out) != text.length) {
        status = be_fail(error, BE_IO, "clusters: cannot be written");
    }
    be_text_free(&text);
    return status;
}

static enum be_status show(struct asked *asked, struct be_error *error) {
    struct be_catalogue catalogue = {0};
    struct shown shown = {.catalogue = &catalogue};
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status == BE_OK ? be_catalogue_open(asked->catalogue, &catalogue, error) : status;
    if (status == BE_OK && asked->name) {
        status = be_catalogue_find(&catalogue, asked->name, &shown.one, error);
    }
    const struct be_catalogue_file *file = NULL;
    for (size_t i = 0; shown.one && status == BE_OK; i++) {
        if (be_catalogue_at(&catalogue, i, &file) == shown.one) {
            shown.path = file->path;
            break;
        }
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
        "The clusters that breakeven knows: GPUs and how they are asked for, what goes with one, "
        "limits, costs, and where each fact comes from. With a name: that one.",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error;
    argp_err_exit_status = BE_EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    return show(&asked, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}
