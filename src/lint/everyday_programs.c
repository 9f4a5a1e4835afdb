/* Rules about programs: one that gets no threads, one that is run before its module, and none at all. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/everyday.h"

/* ---- one thread --------------------------------------------------------------------------------- */

/* Programs that run on one core where nobody says how many, and the options that say it: by their manuals. */
static const struct {
    const char *program, *action; /* the word behind it; NULL: any */
    const char *options;          /* with blanks around each */
} one_thread[] = {
    {"featureCounts", NULL, " -T "},
    {"hisat2", NULL, " -p --threads "},
    {"hisat2-build", NULL, " -p "},
    {"bowtie2", NULL, " -p --threads "},
    {"bowtie2-build", NULL, " --threads "},
    {"bwa", "mem", " -t "},
    {"samtools", "sort", " -@ --threads "},
    {"samtools", "view", " -@ --threads "},
    {"bcftools", NULL, " --threads "},
    {"STAR", NULL, " --runThreadN "},
    {"fastqc", NULL, " -t --threads "},
    {"kraken2", NULL, " --threads "},
    {"blastn", NULL, " -num_threads "},
    {"blastp", NULL, " -num_threads "},
    {"blastx", NULL, " -num_threads "},
    {"tblastn", NULL, " -num_threads "},
    {"cutadapt", NULL, " -j --cores "},
    {"trim_galore", NULL, " -j --cores "},
    {"hifiasm", NULL, " -t "},
    {"mafft", NULL, " --thread "},
    {"iqtree", NULL, " -nt -T --threads "},
    {"iqtree2", NULL, " -nt -T --threads "},
    {"kallisto", "quant", " -t --threads "},
    {"stringtie", NULL, " -p "},
    {"busco", NULL, " -c --cpu "},
};

/* May a word be a variable that has options? */
static bool may_be_options(const char *word) {
    static const char *const parts[] = {"opt", "arg",    "flag", "param", "extra",
                                        "cmd", "thread", "cpu",  "core"};
    for (size_t i = 0; word[0] == '$' && i < BE_COUNT(parts); i++) {
        if (strcasestr(word, parts[i])) {
            return true;
        }
    }
    return word[0] == '$' && (word[1] == '@' || word[1] == '*');
}

static bool is_option_of(const char *word, const char *options) {
    for (const char *at = options + 1; *at; at += strcspn(at, " ") + 1) {
        const size_t length = strcspn(at, " ");
        const bool same = strncmp(word, at, length) == 0;
        const bool letter = length == 2;
        if (same && (word[length] == '\0' || word[length] == '=' ||
                     (letter && strchr("0123456789$", word[length])))) {
            return true;
        }
    }
    return false;
}

/* Its line of the table; BE_COUNT(one_thread): it has none, or is told of threads. */
static size_t alone(const struct be_script_command *command) {
    for (size_t i = 0; i < BE_COUNT(one_thread); i++) {
        const char *action = one_thread[i].action;
        bool told = !be_lint_is_one_of(command->word[0], &one_thread[i].program, 1) ||
                    (action && (command->words < 2 || strcmp(command->word[1], action) != 0));
        for (int k = 1; k < command->words && !told; k++) {
            told = is_option_of(command->word[k], one_thread[i].options) ||
                   may_be_options(command->word[k]);
        }
        if (!told) {
            return i;
        }
    }
    return BE_COUNT(one_thread);
}

void be_check_one_thread(struct be_lint *lint) {
    enum { SEVERAL = 4 };
    const struct be_script_command *first = NULL;
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!lint->script->shell || lint->script->heterogeneous || lint->options->lsf ||
        job.cpus < SEVERAL || job.tasks > 1 || lint->script->background.length ||
        be_lint_launches(lint)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (be_lint_is_setup(command)) {
            continue;
        }
        if (alone(command) == BE_COUNT(one_thread)) {
            return; /* another program may have the cores */
        }
        first = first ? first : command;
    }
    if (first) {
        const char *options = one_thread[alone(first)].options + 1;
        be_lint_advise(be_lint_add(lint, BE_WARNING, first->span,
                                   "%lld cores, and %s runs on one of them without %.*s",
                                   (long long)job.cpus, first->word[0], (int)strcspn(options, " "),
                                   options),
                       "%.*s $SLURM_CPUS_PER_TASK, or ask for fewer cores",
                       (int)strcspn(options, " "), options);
    }
}

/* ---- a module that comes late --------------------------------------------------------------------- */

/* Programs that modules of another name bring: the name, or a part of it. */
static const struct {
    const char *program, *part;
} brings[] = {
    {"mpirun", "mpi"},  {"mpiexec", "mpi"},   {"mpicc", "mpi"},     {"mpif90", "mpi"},
    {"nvcc", "cuda"},   {"nsys", "cuda"},     {"gmx", "gromacs"},   {"gmx_mpi", "gromacs"},
    {"lmp", "lammps"},  {"vasp_std", "vasp"}, {"vasp_gam", "vasp"}, {"pw.x", "espresso"},
    {"Rscript", "r"},   {"ifort", "intel"},   {"icc", "intel"},     {"python", "conda"},
    {"conda", "conda"}, {"ffmpeg", "ffmpeg"}, {"namd2", "namd"},    {"cp2k.psmp", "cp2k"}};

/* Is it a command that loads modules? *from: the first word that names one. */
static bool loads_modules(const struct be_script_command *command, int *from) {
    static const char *const programs[] = {"module", "ml"}, *const actions[] = {"load", "add"};
    static const char *const others[] = {"purge", "unload", "list",  "avail", "use",  "rm",  "del",
                                         "swap",  "spider", "reset", "show",  "save", "help"};
    if (!be_lint_is_one_of(command->word[0], programs, 2) || command->words < 2) {
        return false;
    }
    const bool said = be_lint_is_one_of(command->word[1], actions, 2);
    *from = said ? 2 : 1;
    return said || (strcmp(command->word[0], "ml") == 0 &&
                    !be_lint_is_one_of(command->word[1], others, BE_COUNT(others)));
}

/* "python3" and "python" are one; so are names in other letters. */
static bool same_name(const char *program, const char *part, size_t length) {
    size_t own = strlen(program);
    while (own > 0 && strchr("0123456789.", program[own - 1])) {
        own--;
    }
    return own == length && length > 0 && strncasecmp(program, part, length) == 0;
}

/* Does a module's name, "bio/samtools/1.20", stand for a program? */
static bool module_brings(const char *module, const char *program) {
    for (const char *at = module; *at; at += strcspn(at, "/"), at += *at == '/') {
        const size_t length = strcspn(at, "/-");
        if (same_name(program, at, length)) {
            return true;
        }
        for (size_t i = 0; i < BE_COUNT(brings); i++) {
            const size_t part = strlen(brings[i].part);
            bool whole = part > 1 ? strcasestr(at, brings[i].part) != NULL
                                  : length == part && strncasecmp(at, brings[i].part, part) == 0;
            if (whole && same_name(program, brings[i].program, strlen(brings[i].program))) {
                return true;
            }
        }
    }
    return false;
}

/* The first command that loads what brings the program, behind command `from`; NULL: none does. */
static const struct be_script_command *loaded_later(const struct be_lint *lint, size_t from,
                                                    const char *program, const char **module) {
    for (size_t i = from; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        int word = 0;
        for (bool loads = loads_modules(command, &word); loads && word < command->words; word++) {
            if (command->word[word][0] != '-' && module_brings(command->word[word], program)) {
                *module = command->word[word];
                return command;
            }
        }
    }
    return NULL;
}

/* Only what runs before any module and any environment is judged: another may bring the program. */
void be_check_module_late(struct be_lint *lint) {
    static const char *const environments[] = {"module", "ml",    "source",     ".",      "conda",
                                               "mamba",  "spack", "micromamba", "export", "eval"};
    static const char *const always[] = {"command", "which", "type", "hash", "git", "make"};
    if (!lint->script->shell || be_script_mentions(lint->script, "()", true) ||
        be_script_mentions(lint->script, "function", false)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (be_lint_is_one_of(command->word[0], environments, BE_COUNT(environments))) {
            return;
        }
        const int at = be_lint_is_srun(command) ? be_lint_started(command) : 0;
        const char *program = at < command->words ? command->word[at] : "", *module = NULL;
        if (strpbrk(program, "/$") || be_lint_is_plain(command) ||
            be_lint_is_one_of(program, always, BE_COUNT(always))) {
            continue;
        }
        const struct be_script_command *load = loaded_later(lint, i + 1, program, &module);
        if (load) {
            be_lint_advise(
                be_lint_add(lint, BE_WARNING, command->span,
                            "%.40s runs before its module is loaded, in line %zu: it is not "
                            "found, or it is the system's own",
                            program, be_script_line_at(lint->script, load->span.at) + 1),
                "module load %.60s before it", module);
            return;
        }
    }
}

/* ---- nothing ------------------------------------------------------------------------------------- */

/* The last commands were forgotten, or are in a file that was to be put behind this one. */
void be_check_nothing_runs(struct be_lint *lint) {
    static const char *const sets[] = {"module", "ml",    "export", "set",   "unset", "ulimit",
                                       "umask",  "conda", "mamba",  "shopt", "trap"};
    if (!lint->script->shell || lint->script->options == 0 || lint->options->lsf) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (!be_lint_is_one_of(command->word[0], sets, BE_COUNT(sets)) ||
            (command->words > 1 && strcmp(command->word[1], "run") == 0)) {
            return;
        }
    }
    for (size_t i = 0; i < lint->script->assignments; i++) {
        if (!be_lint_runs_plain(lint->script->assignment[i].value)) {
            return;
        }
    }
    be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_commands(lint),
                               "no command runs a program: the job ends at once"),
                   "the program's command, as the last line");
}

/* ---- conda init ---------------------------------------------------------------------------------- */

void be_check_conda_init(struct be_lint *lint) {
    static const char *const programs[] = {"conda", "mamba"};
    for (size_t i = 0; lint->script->shell && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (command->words > 1 && strcmp(command->word[1], "init") == 0 &&
            be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs))) {
            be_lint_advise(be_lint_add(lint, BE_ADVICE, command->span,
                                       "%s init writes to ~/.bashrc, for shells that start later: "
                                       "this one has no shell function from it",
                                       command->word[0]),
                           "eval \"$(conda shell.bash hook)\", and run %s init once, by hand",
                           command->word[0]);
            return;
        }
    }
}
