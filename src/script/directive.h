/* The words of a directive, and the options that they make. */
#ifndef BE_SCRIPT_DIRECTIVE_H
#define BE_SCRIPT_DIRECTIVE_H

#include "script/script.h"

/* A word of a directive. */
struct be_directive_word {
    struct be_span span;
    const char *text; /* without quotes */
};

/* The words of one directive, from `at` on, as sbatch cuts them. */
struct be_directive_words {
    struct be_directive_word *word;
    size_t words;
    bool hetjob; /* the line begins a component of a heterogeneous job */
    bool fatal;  /* sbatch reads no further */
};
bool be_directive_cut(struct be_script *script, size_t at, size_t end,
                      struct be_directive_words *words);

/* The options that words of one component make, and their faults. origin: of the options. */
bool be_directive_options(struct be_script *script, const struct be_directive_word *word,
                          size_t words, int component, enum be_line_kind origin);

/* The same for the words of a PBS or LSF line. */
bool be_directive_other(struct be_script *script, enum be_line_kind kind,
                        const struct be_directive_word *word, size_t words);

/* The options that a list of resources makes, the value of #PBS -l. */
bool be_directive_pbs_list(struct be_script *script, struct be_span span, const char *value);

#endif
