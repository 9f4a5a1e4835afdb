/* breakeven lint FILE... */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/script_file.h"
#include "cli/common/settings.h"
#include "cli/lint/scripts.h"
#include "lint/asked.h"
#include "lint/bash_check.h"
#include "report/lint/lint.h"
#include "report/common/out.h"

enum key {
    CLUSTER = 256,
    CATALOGUE,
    SLURM,
    LSF,
    WITH,
    FIX,
    DIFF,
    LIST,
    MARKDOWN,
    FAIL_ON,
    SHOW,
    JSON,
    SARIF,
    SELECT,
    IGNORE,
    FORMAT,
    STATISTICS,
    JOBS_ONLY,
    JOB
};

static const struct argp_option option[] = {
    {"cluster", CLUSTER, "NAME", 0,
     "Also check the script against this cluster's partitions, nodes and limits", 0},
    {"catalogue", CATALOGUE, "DIR", 0, "Look for clusters in DIR first", 0},
    {"slurm", SLURM, "VERSION", 0, "Version of the site's Slurm (sbatch --version): 22.05, 24.11",
     0},
    {"lsf", LSF, NULL, 0, "The script is for bsub. Its #BSUB lines are right as they are", 0},
    {"with", WITH, "OPTIONS", 0,
     "Options that sbatch gets on its command line, where they override the script: '--mem=4G -c "
     "8'",
     0},
    {"recursive", 'r', NULL, 0,
     "Also look at the job scripts of folders, and of the folders in them (no FILE: of this one)",
     0},
    {"jobs-only", JOBS_ONLY, NULL, 0, "Pass over files without a directive, as hooks want it", 0},
    {"job", JOB, NULL, 0, "FILE is the number of a job: look at the script that Slurm kept of it",
     0},
    {"select", SELECT, "RULES", 0, "Ask only these rules: no-time,bad-value", 0},
    {"ignore", IGNORE, "RULES", 0,
     "Leave these rules out. In a script, `# breakeven: ignore RULE because ..` does it", 0},
    {"fix", FIX, "unsafe", OPTION_ARG_OPTIONAL,
     "Apply the safe fixes to the file itself: the job is the same, or a refused one is taken. "
     "=unsafe: also those after which it may be another job",
     1},
    {"diff", DIFF, "unsafe", OPTION_ARG_OPTIONAL,
     "Show those fixes as a difference. With --fix they are also applied", 1},
    {"fail-on", FAIL_ON, "LEVEL", 0,
     "End with exit code 1 from this level on: error (default), warning, advice, never", 2},
    {"show", SHOW, "LEVEL", 0, "Show findings from this level on: error, warning, advice (default)",
     2},
    {"format", FORMAT, "WAY", 0,
     "full (default in a terminal), line (a finding a line; default elsewhere), github (as its "
     "runners show them)",
     2},
    {"statistics", STATISTICS, NULL, 0, "Count findings by rule instead of showing them", 2},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the text)", 3},
    {"sarif", SARIF, "FILE", OPTION_ARG_OPTIONAL,
     "Write SARIF 2.1.0 (no FILE: to standard output, instead of the text)", 3},
    {"list", LIST, NULL, 0, "List the rules, each with its reason and its source", 4},
    {"markdown", MARKDOWN, NULL, OPTION_HIDDEN, NULL, 4},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    struct be_lint_asked lint;
    const char *fail_on, *format;
    bool fix, diff, list, markdown, recursive, jobs_only, of_jobs, statistics;
    bool unread; /* a file could not be read */
    char **file;
    int files;
    struct be_cli_names names; /* of the files, those of folders among them */
};

static const struct be_setting setting[] = {
    BE_TEXT(CLUSTER, lint.cluster),
    BE_TEXT(CATALOGUE, lint.catalogue),
    BE_TEXT(SLURM, lint.options.slurm),
    BE_FLAG(LSF, lint.options.lsf),
    BE_TEXT(WITH, lint.options.with),
    BE_TEXT(FAIL_ON, fail_on),
    BE_TEXT(SELECT, lint.options.select),
    BE_TEXT(IGNORE, lint.options.ignore),
    BE_TEXT(FORMAT, format),
    BE_FLAG(STATISTICS, statistics),
    BE_FLAG('r', recursive),
    BE_FLAG(JOBS_ONLY, jobs_only),
    BE_FLAG(JOB, of_jobs),
    BE_TEXT(SHOW, lint.show),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(SARIF, outputs.sarif),
    BE_FLAG(LIST, list),
    BE_FLAG(MARKDOWN, markdown),
    BE_REST(file, files),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_END:
        if (asked->list && asked->files) {
            argp_error(state, "--list has the rules, of no script: one or the other");
        }
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (!asked->list && !asked->recursive) {
            argp_error(state, "which script? - is standard input; --list has the rules");
        }
        return 0;
    case FIX:
    case DIFF:
        asked->fix |= key == FIX;
        asked->diff |= key == DIFF;
        if (text && strcmp(text, "unsafe") != 0) {
            argp_error(state, "--%s=%s: there is =unsafe, or nothing for safe fixes",
                       key == FIX ? "fix" : "diff", text);
        }
        asked->lint.options.unsafe |= text != NULL;
        return 0;
    default:
        return be_cli_set(setting, BE_COUNT(setting), key, text, state, NULL);
    }
}

/* ---- words ------------------------------------------------------------------------------------ */

/* "error", or "never", which is above all levels. */
static enum be_status read_fail_on(const char *text, int *level, struct be_error *error) {
    if (text && strcmp(text, "never") == 0) {
        *level = BE_SEVERITIES;
        return BE_OK;
    }
    return text ? be_lint_level("--fail-on", text, ", never", level, error) : BE_OK;
}

/* Where nobody looks a finding is a line; what was put right is for somebody. */
static enum be_status read_format(const struct asked *asked, enum be_lint_format *format,
                                  struct be_error *error) {
    static const char *const words[] = {
        [BE_LINT_FULL] = "full", [BE_LINT_LINE] = "line", [BE_LINT_GITHUB] = "github"};
    *format = asked->statistics                     ? BE_LINT_COUNTS
              : asked->fix || isatty(STDOUT_FILENO) ? BE_LINT_FULL
                                                    : BE_LINT_LINE;
    if (!asked->format) {
        return BE_OK;
    }
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        if (strcmp(asked->format, words[i]) == 0) {
            *format = asked->statistics ? BE_LINT_COUNTS : (enum be_lint_format)i;
            return BE_OK;
        }
    }
    return be_fail(error, BE_USAGE, "--format %s: there are full, line, github", asked->format);
}

/* A script that Slurm kept cannot be changed, and a job's number is no file's name. */
static enum be_status check_jobs(const struct asked *asked, struct be_error *error) {
    for (int i = 0; asked->of_jobs && i < asked->files; i++) {
        const char *job = asked->file[i];
        if (strspn(job, "0123456789_+") != strlen(job) || strlen(job) > 30) {
            return be_fail(error, BE_USAGE, "--job %.60s: a job's number is needed", job);
        }
    }
    return asked->of_jobs && (asked->fix || asked->recursive)
               ? be_fail(error, BE_USAGE, "--job: a script that Slurm kept, which %s does not fit",
                         asked->fix ? "--fix" : "--recursive")
               : BE_OK;
}

/* ---- results ------------------------------------------------------------------------------------ */

static void write_text(const struct be_lint_run *run, struct be_text *text) {
    static void (*const write[])(const struct be_lint_run *,
                                 struct be_text *) = {[BE_LINT_FULL] = be_lint_text,
                                                      [BE_LINT_LINE] = be_lint_lines,
                                                      [BE_LINT_GITHUB] = be_lint_github,
                                                      [BE_LINT_COUNTS] = be_lint_statistics};
    write[run->format](run, text);
}

static enum be_status write_run(const void *results, enum be_format format, FILE *out,
                                struct be_error *error) {
    struct be_text text = {0};
    switch (format) {
    case BE_JSON:
        be_lint_json(results, &text);
        break;
    case BE_SARIF:
        be_lint_sarif(results, &text);
        break;
    default:
        write_text(results, &text);
        break;
    }
    enum be_status status = BE_OK;
    if (text.failed) {
        status = be_fail(error, BE_NOMEM, "lint: no host memory");
    } else if ((text.length && fwrite(text.data, 1, text.length, out) != text.length) ||
               fflush(out) != 0) {
        status = be_fail(error, BE_IO, "lint: cannot be written: %s", strerror(errno));
    }
    be_text_free(&text);
    return status;
}

/* Makes the fixes of a file that was read; shows them where that is asked for. */
static enum be_status fix_file(const struct asked *asked, struct be_lint_file *file,
                               struct be_error *error) {
    struct be_text fixed = {0}, diff = {0};
    enum be_status status = be_lint_fix(file->text.data ? file->text.data : "", file->text.length,
                                        &asked->lint.options, &fixed, &file->fixed, error);
    status = status == BE_OK ? BE_OK : be_context(error, "%s", file->name);
    if (status == BE_OK && asked->diff && file->fixed) {
        be_lint_diff(file->name, &file->text, &fixed, &diff);
        status = diff.failed ? be_fail(error, BE_NOMEM, "%s: no host memory", file->name) : BE_OK;
        fwrite(diff.data, 1, status == BE_OK ? diff.length : 0, stdout);
    }
    bool stream = strcmp(file->name, "-") == 0;
    if (status == BE_OK && asked->fix && stream && !asked->diff) {
        fwrite(fixed.data, 1, fixed.length, stdout);
    } else if (status == BE_OK && asked->fix && !stream && file->fixed) {
        status = be_script_file_replace(file->name, &fixed, error);
    }
    if (status == BE_OK && asked->fix) { /* what is said from here on is of the new text */
        be_text_free(&file->text);
        file->text = fixed;
        fixed = (struct be_text){0};
    } else {
        file->fixed = 0;
    }
    be_text_free(&fixed);
    be_text_free(&diff);
    return status;
}

static enum be_status lint_file(const struct asked *asked, struct be_lint_file *file,
                                struct be_error *error) {
    enum be_status status = asked->fix || asked->diff ? fix_file(asked, file, error) : BE_OK;
    if (status == BE_OK) {
        char said[BE_NOTE * 4];
        struct be_lint_options options = asked->lint.options;
        be_lint_bash_check(&file->text, said, sizeof said);
        options.bash = said;
        status = be_lint(file->text.data ? file->text.data : "", file->text.length, &options,
                         &file->report, error);
        status = status == BE_OK ? BE_OK : be_context(error, "%s", file->name);
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------- */

/* The fixes went to standard output, and the findings would be among them. */
static bool is_taken(const struct asked *asked) {
    bool stream = false;
    for (int i = 0; i < asked->files; i++) {
        stream = stream || strcmp(asked->file[i], "-") == 0;
    }
    return asked->diff || (asked->fix && stream);
}

static enum be_status check_outputs(struct asked *asked, struct be_error *error) {
    const struct be_cli_output *json = &asked->outputs.json, *sarif = &asked->outputs.sarif;
    bool wanted = (json->asked && !json->file) || (sarif->asked && !sarif->file);
    asked->outputs.no_text = is_taken(asked);
    return asked->outputs.no_text && wanted
               ? be_fail(error, BE_USAGE, "%s: standard output has the %s: name a file, as %s=FILE",
                         json->asked ? "--json" : "--sarif",
                         asked->diff ? "differences" : "fixed script",
                         json->asked ? "--json" : "--sarif")
               : BE_OK;
}

static enum be_status read_text(const struct asked *asked, const char *name, struct be_text *text,
                                struct be_error *error) {
    return asked->of_jobs ? be_cli_script_of_job(name, text, error)
                          : be_script_file_read(name, text, error);
}

/* All are read before the first is changed: with --fix a name that is wrong ends it before that. Else it is said,
 * and the others are looked at. */
static enum be_status read_file(struct asked *asked, const char *name, struct be_lint_run *run,
                                struct be_error *error) {
    struct be_lint_file *file = &run->file[run->files];
    *file = (struct be_lint_file){.name = name};
    be_text_add(&file->with, "%s", asked->lint.options.with ? asked->lint.options.with : "");
    enum be_status status = read_text(asked, name, &file->text, error);
    if (status == BE_OK && (!asked->jobs_only || be_cli_script_is_job(&file->text))) {
        run->files++;
        return BE_OK;
    }
    be_text_free(&file->text);
    be_text_free(&file->with);
    if (status != BE_OK && !asked->fix && status != BE_NOMEM && asked->names.count > 1) {
        be_cli_fail(error);
        *error = (struct be_error){0};
        asked->unread = true;
        status = BE_OK;
    }
    return status;
}

/* The names that were given, with those of the scripts below a folder in its place. */
static enum be_status find_files(struct asked *asked, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < asked->files; i++) {
        struct stat there;
        const char *name = asked->file[i];
        if (asked->recursive && stat(name, &there) == 0 && S_ISDIR(there.st_mode)) {
            status = be_cli_scripts_find(name, &asked->names, error);
        } else {
            be_cli_names_add(&asked->names, name);
        }
    }
    if (asked->recursive && asked->files == 0) {
        status = be_cli_scripts_find(".", &asked->names, error);
    }
    if (status == BE_OK && asked->names.count == 0) {
        fputs("breakeven: lint: no job script is there\n", stderr);
    }
    return status != BE_OK       ? status
           : asked->names.failed ? be_fail(error, BE_NOMEM, "lint: no host memory")
                                 : BE_OK;
}

static enum be_status lint_files(struct asked *asked, struct be_lint_run *run,
                                 struct be_error *error) {
    enum be_status status = check_outputs(asked, error);
    status = status == BE_OK ? find_files(asked, error) : status;
    status = status == BE_OK ? be_cli_outputs_open(&asked->outputs, error) : status;
    run->file = calloc(asked->names.count + 1, sizeof *run->file);
    if (status == BE_OK && !run->file) {
        status = be_fail(error, BE_NOMEM, "lint: no host memory");
    }
    for (size_t i = 0; status == BE_OK && i < asked->names.count; i++) {
        status = read_file(asked, asked->names.name[i], run, error);
    }
    for (size_t i = 0; status == BE_OK && i < run->files; i++) {
        status = lint_file(asked, &run->file[i], error);
    }
    status =
        status == BE_OK ? be_cli_outputs_write(&asked->outputs, write_run, run, error) : status;
    be_cli_outputs_close(&asked->outputs);
    return status;
}

static void free_run(struct be_lint_run *run) {
    for (size_t i = 0; i < run->files; i++) {
        be_text_free(&run->file[i].text);
        be_text_free(&run->file[i].with);
        be_lint_free(&run->file[i].report);
    }
    free(run->file);
}

/* The exit code that findings from `level` on have. */
static int judge(const struct be_lint_run *run, int level) {
    for (size_t i = 0; i < run->files; i++) {
        for (int k = level; k < BE_SEVERITIES; k++) {
            if (run->file[i].report.count[k]) {
                return BE_EXIT_FINDINGS;
            }
        }
    }
    return BE_EXIT_OK;
}

static int list_rules(bool markdown) {
    struct be_text text = {0};
    be_lint_list(markdown, &text);
    struct be_error error = {0};
    return be_report_out(&text, stdout, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}

static int run_lint(struct asked *asked) {
    struct be_error error = {0};
    struct be_catalogue catalogue = {0};
    struct be_lint_run run = {.min = BE_ADVICE};
    int level = BE_ERROR;
    asked->lint.typed = true;
    enum be_status status = read_fail_on(asked->fail_on, &level, &error);
    status =
        status == BE_OK ? be_lint_asked_open(&asked->lint, &catalogue, &run.min, &error) : status;
    status = status == BE_OK ? read_format(asked, &run.format, &error) : status;
    status = status == BE_OK ? check_jobs(asked, &error) : status;
    status = status == BE_OK ? lint_files(asked, &run, &error) : status;
    int code = status != BE_OK ? be_cli_fail(&error)
               : asked->unread ? BE_EXIT_USAGE
                               : judge(&run, level);
    free_run(&run);
    be_cli_names_free(&asked->names);
    be_catalogue_close(&catalogue);
    return code;
}

int be_cli_lint(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[FILE...]",
        "This command checks job scripts. An error is a line that sbatch would refuse. A warning "
        "is a line that sbatch takes and that does not do what is meant. Advice says what would be "
        "better. Nothing is submitted or run. - is standard input.\vExamples:\n  breakeven lint "
        "job.sh\n  breakeven lint --diff --fix job.sh\n  breakeven lint "
        "--recursive --statistics jobs",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    return asked.list ? list_rules(asked.markdown) : run_lint(&asked);
}
