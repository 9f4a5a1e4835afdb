/* breakeven probe */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/values.h"
#include "machine/health.h"
#include "report/store.h"

enum key {
    DEVICE = 'd',
    OUTPUT = 'o',
    QUIET = 'q',
    JSON = 256,
    CSV,
    NAME,
    FOLDER,
    QUICK,
    HTML,
    SVG,
    PNG,
};

static const struct argp_option option[] = {
    {"name", NAME, "NAME", 0, "Name of the profile (default: the host's name)", 1},
    {"device", DEVICE, "LIST", 0, "Only these devices: cpu, cuda, opencl, cuda:0 (default: all)",
     1},
    {"folder", FOLDER, "DIR", 0,
     "Also measure how fast a file in DIR is read. Up to 1 GiB is written there and removed again",
     1},
    {"quick", QUICK, NULL, 0, "Take a quick look: fewer sizes and samples. The profile is not kept",
     1},
    {"output", OUTPUT, "FILE", 0,
     "Save the profile to FILE, not among your own. none: save it nowhere", 2},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Also write the profile as JSON (no FILE: to standard output, instead of the summary)", 2},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Also write the profile as CSV (no FILE: to standard output, instead of the summary)", 2},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Also write one page that needs nothing else (no FILE: to standard output, instead of the "
     "summary)",
     2},
    {"svg", SVG, "FILE", 0, "Also draw the roofline", 2},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 2},
    {"quiet", QUIET, NULL, 0, "Show no progress", 2},
    {0},
};

struct asked {
    struct be_probe_options probe;
    struct be_cli_outputs outputs;
    const char *output;
    bool quiet;
    struct be_error error;
};

static const struct be_setting setting[] = {
    BE_TEXT(NAME, probe.name),     BE_NAMES(DEVICE, probe.device, probe.devices, "--device"),
    BE_TEXT(FOLDER, probe.folder), BE_FLAG(QUICK, probe.quick),
    BE_TEXT(OUTPUT, output),       BE_FLAG(QUIET, quiet),
    BE_OUTPUT(JSON, outputs.json), BE_OUTPUT(CSV, outputs.csv),
    BE_OUTPUT(HTML, outputs.html), BE_DRAWING(SVG, outputs.chart),
    BE_DRAWING(PNG, outputs.png),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    if (key == ARGP_KEY_ARG) {
        argp_error(state, "%s: probe takes options only", text);
        return EINVAL;
    }
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
}

static bool kept_nowhere(const struct asked *asked) {
    return asked->output && strcmp(asked->output, "none") == 0;
}

/* A folder that the user names must be there: a new one would more often be a slip. */
static enum be_status check_folder(const char *file, struct be_error *error) {
    const char *slash = strrchr(file, '/');
    char folder[BE_PATH];
    struct stat there;
    if (!slash || slash == file) {
        return BE_OK;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
    return stat(folder, &there) == 0
               ? BE_OK
               : be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
}

/* Where it will be saved: `path` stays empty where it will not. A file that cannot be written is an error
 * before a minute of measuring. */
static enum be_status choose_path(struct asked *asked, char path[BE_PATH]) {
    char host[BE_NAME];
    *path = '\0';
    enum be_status status = BE_OK;
    if (kept_nowhere(asked)) {
        return BE_OK;
    }
    if (asked->output && !*asked->output) {
        return be_fail(&asked->error, BE_USAGE, "--output: which file? its name is empty");
    }
    if (asked->output && strcmp(asked->output, "-") == 0) {
        return be_fail(&asked->error, BE_USAGE,
                       "--output -: a profile is kept in a file; --json prints it");
    }
    if (asked->output && strlen(asked->output) >= BE_PATH) {
        return be_fail(&asked->error, BE_USAGE, "--output %.60s...: the path is too long",
                       asked->output);
    }
    if (asked->output) {
        be_copy_text(path, BE_PATH, asked->output);
        status = check_folder(path, &asked->error);
    } else if (!asked->probe.quick && asked->probe.name) {
        status = be_store_path(asked->probe.name, path, &asked->error);
    } else if (!asked->probe.quick) {
        if (gethostname(host, sizeof host) != 0) {
            return be_fail(&asked->error, BE_IO, "this host has no name: give one with --name");
        }
        host[sizeof host - 1] = 0;
        status = be_store_path(host, path, &asked->error);
    }
    return status == BE_OK && *path ? be_store_try(path, &asked->error) : status;
}

/* Held against what is known of the same models. */
static enum be_status check_health(struct be_profile *profile, struct be_error *error) {
    struct be_store store;
    const struct be_profile *reference[BE_LIST_MAX];
    size_t references = 0;
    enum be_status status = be_store_open(&store, error);
    if (status != BE_OK) {
        return status;
    }
    for (size_t i = 0; i < store.count && references < BE_LIST_MAX; i++) {
        if (store.stored[i].status == BE_OK) {
            reference[references++] = &store.stored[i].profile;
        }
    }
    status = be_profile_check(profile, reference, references, error);
    be_store_close(&store);
    return status;
}

/* A profile that is not whole must not take the place of one that is. */
static bool is_to_keep(const struct asked *asked, const struct be_profile *profile,
                       const char *path) {
    return !kept_nowhere(asked) && *path && (!profile->partial || asked->output);
}

static void say_where(const struct asked *asked, const struct be_profile *profile,
                      const char *path) {
    if (is_to_keep(asked, profile, path)) {
        fprintf(stderr, "breakeven: saved as %s\n", path);
    } else if (!kept_nowhere(asked)) {
        fputs(*path ? "breakeven: stopped before it was whole: not saved\n"
                    : "breakeven: a quick look is not kept: --output FILE keeps it\n",
              stderr);
    }
}

/* Saved before anything is printed: whoever reads that may have gone, with a minute of measuring. */
static enum be_status put(struct asked *asked, const struct be_profile *profile, const char *path) {
    enum be_status status =
        is_to_keep(asked, profile, path) ? be_store_save(profile, path, &asked->error) : BE_OK;
    struct be_error *error = status == BE_OK ? &asked->error : NULL;
    enum be_status shown =
        be_cli_outputs_write(&asked->outputs, be_cli_write_profile, profile, error);
    fflush(stdout);
    if (status == BE_OK) {
        say_where(asked, profile, path);
    }
    return status == BE_OK ? shown : status;
}

int be_cli_probe(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        NULL,
        "The probe measures the maximum speeds of this machine: arithmetic, memory, caches, bus "
        "and kernel launches. It takes less than 90 seconds. The result is a profile, which is "
        "saved. `breakeven compare` takes its limits from that profile for 30 days.\vExamples:\n  "
        "breakeven probe\n  breakeven probe --quick --device=cpu",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_profile profile = {0};
    char path[BE_PATH];
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return be_cli_fail(&asked.error);
    }
    asked.probe.cancelled = be_cli_interrupted;
    asked.probe.progress = asked.quiet ? NULL : be_cli_progress;
    be_cli_catch_interrupt();
    enum be_status status = be_cli_outputs_open(&asked.outputs, &asked.error);
    status = status == BE_OK ? choose_path(&asked, path) : status;
    if (status == BE_OK) {
        status = be_probe(&asked.probe, &profile, &asked.error);
        be_cli_progress_clear();
    }
    status = status == BE_OK ? check_health(&profile, &asked.error) : status;
    status = status == BE_OK ? put(&asked, &profile, path) : status;
    int code = profile.partial ? BE_EXIT_INTERRUPTED : BE_EXIT_OK;
    be_cli_outputs_close(&asked.outputs);
    be_profile_free(&profile);
    return status == BE_OK ? code : be_cli_fail(&asked.error);
}
