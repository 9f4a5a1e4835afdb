/* What the files that read a job script share. Only for them. */
#ifndef BE_SCRIPT_PARTS_H
#define BE_SCRIPT_PARTS_H

#include "script/script.h"

/* A list that grows: at least one more entry of `size` bytes fits; false: no memory. */
bool be_script_room(void **list, size_t count, size_t size);

/* A copy that lives as long as the script; NULL: no memory. */
const char *be_script_keep(struct be_script *script, const char *from, size_t length);

bool be_script_add_fault(struct be_script *script, enum be_fault_kind kind, struct be_span span,
                         const char *word, const struct be_sbatch_option *option);
bool be_script_add_option(struct be_script *script, const struct be_script_option *option);

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

/* Commands, assignments and here-documents, from `at` on. */
bool be_shell_read(struct be_script *script, size_t at);

#endif
