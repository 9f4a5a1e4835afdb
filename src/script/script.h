/*
 * A job script as sbatch and as a shell read it: directives with their options, and commands. Every place is an
 * offset into the text, so that a message can show the place and a fix can change it.
 *
 * It does not know what is right: a request that sbatch would refuse is listed as a fault, and lint/lint.h says why
 * it matters. Facts about sbatch were seen with 22.05.8 (tests/lint/check.py).
 */
#ifndef BE_SCRIPT_SCRIPT_H
#define BE_SCRIPT_SCRIPT_H

#include "base/text.h"
#include "breakeven.h"
#include "script/sbatch_takes.h"

/* Slurm's own limit (slurm.conf, max_script_size): a longer one is refused. */
enum { BE_SCRIPT_MAX = 4 << 20 };

struct be_span {
    size_t at, length; /* bytes of the text */
};

enum be_line_kind {
    BE_LINE_BLANK,
    BE_LINE_COMMENT, /* the interpreter's line, too */
    BE_LINE_SBATCH,
    BE_LINE_PBS,
    BE_LINE_LSF,
    BE_LINE_COMMAND,
    BE_LINE_HEREDOC, /* text that a command reads */
    BE_LINE_GIVEN    /* not of the file: what sbatch is given on its command line */
};

struct be_script_line {
    struct be_span span; /* without its end */
    enum be_line_kind kind;
    bool read; /* sbatch reads directives up to here: it comes before the first command */
};

/* An option of a directive, in the order of the file. */
struct be_script_option {
    const struct be_sbatch_option *option;
    struct be_span name;      /* as written, with its dashes */
    struct be_span value;     /* as written, with its quotes; length 0: there is none */
    const char *text;         /* the value without quotes; NULL: there is none */
    int component;            /* of a heterogeneous job; 0: the first or only one */
    enum be_line_kind origin; /* BE_LINE_SBATCH, BE_LINE_GIVEN, or what a PBS or LSF line means */
};

enum be_fault_kind {
    BE_FAULT_EMPTY,          /* nothing but blanks */
    BE_FAULT_NO_INTERPRETER, /* the first line does not begin with "#!" */
    BE_FAULT_CARRIAGE,       /* a line ends as DOS ends it */
    BE_FAULT_NULL,           /* a byte 0 */
    BE_FAULT_QUOTE,          /* a quote that does not end on its line */
    BE_FAULT_COLON,          /* a word that begins with a colon */
    BE_FAULT_BARE,           /* a word that is neither an option nor a value */
    BE_FAULT_UNKNOWN,        /* no such option */
    BE_FAULT_SEVERAL,        /* an abbreviation of several options */
    BE_FAULT_NO_VALUE,       /* an option without the value it needs */
    BE_FAULT_VALUE,          /* a value for an option that has none */
    BE_FAULT_OTHER_OPTION,   /* an option of a PBS or LSF line that sbatch does not know */
    BE_FAULT_PASSED,         /* a resource of #PBS -l that sbatch passes over */
    BE_FAULT_REST,    /* what follows on the line is passed over: an empty word, a backslash */
    BE_FAULT_CUT,     /* a '#' ends the word and the line */
    BE_FAULT_PACKJOB, /* the old word for hetjob */
    BE_FAULTS
};

struct be_script_fault {
    enum be_fault_kind kind;
    struct be_span span;
    const char *word;                      /* without quotes; may be empty */
    const struct be_sbatch_option *option; /* that it is about; NULL: none */
};

/* A simple command of the shell, as far as it can be told without running it. */
struct be_script_command {
    struct be_span span;
    const char **word; /* without quotes; variables as they stand */
    int words;
    int loops;       /* that it stands in: between do and done */
    bool background; /* & ends it */
    bool piped, fed; /* a pipe, a redirection of its own is its standard input */
};

/* NAME=VALUE, exported or before a command or neither. */
struct be_script_assignment {
    struct be_span span;
    const char *name, *value;
};

struct be_script {
    char *text; /* the file, terminated; behind that what sbatch is given, as a line of its own */
    size_t length;       /* of the file */
    char *code;          /* the text with blanks in the place of comments and directives */
    bool shell;          /* the interpreter is one whose language is understood here */
    bool heterogeneous;  /* hetjob stands in it */
    bool ignores_others; /* --ignore-pbs: PBS and LSF lines are comments */
    bool escapes_blanks; /* "a\ b" is one word: seen with 24.11.5, not with 22.05.8 */
    int components;
    struct be_script_line *line;
    size_t lines;
    struct be_script_option *option;
    size_t options;
    size_t *begin; /* of each component: its first option among those of #SBATCH lines */
    size_t own;    /* options of #SBATCH lines; behind them are others, of component 0 */
    struct be_script_fault *fault;
    size_t faults;
    struct be_script_command *command;
    size_t commands;
    struct be_script_assignment *assignment;
    size_t assignments;
    struct be_span
        background; /* the last "&" that sends a command there; length 0: there is none */
    char **kept;    /* what the words above point to */
    size_t kepts;
};

/* The sbatch that reads a script. Zero-initialise, then set what is known. */
struct be_script_reader {
    const char *given; /* options of its command line, "--mem=4G -c 8", which win over those of the
                          (first component of the) script; NULL: none */
    double slurm;      /* its version, 24.11; 0: not known, read as 22.05.8 does */
};

/* Reads `length` bytes. reader NULL: nothing is known of it. BE_USAGE: more than BE_SCRIPT_MAX; BE_NOMEM.
 * Whatever is wrong with the script itself is among its faults. *script owns memory: be_script_free. */
enum be_status be_script_parse(const char *text, size_t length,
                               const struct be_script_reader *reader, struct be_script *script,
                               struct be_error *error);
void be_script_free(struct be_script *script); /* accepts a zeroed one */

/* The last option of that name, which is what counts; NULL: it is not given. component -1: any. */
const struct be_script_option *be_script_option(const struct be_script *script, int component,
                                                const char *name);

/* Line (from 0) of a byte. */
size_t be_script_line_at(const struct be_script *script, size_t at);

/* Where `word` stands in the commands, as a word of its own (letters, digits and '_' count as parts
 * of one); NULL: nowhere. With `within`: as a part of a word, too. */
const char *be_script_mentions(const struct be_script *script, const char *word, bool within);
/* The first such place from byte `from` on. */
const char *be_script_mentions_from(const struct be_script *script, size_t from, const char *word,
                                    bool within);

/* The value that the script gives a variable last; NULL: it gives none. */
const struct be_script_assignment *be_script_sets(const struct be_script *script, const char *name);

#endif
