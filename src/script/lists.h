/* The lists that a script is read into, which grow. */
#ifndef BE_SCRIPT_LISTS_H
#define BE_SCRIPT_LISTS_H

#include "script/script.h"

/* A list that grows: at least one more entry of `size` bytes fits; false: no memory. */
bool be_script_capacity(void **list, size_t count, size_t size);

/* A copy that lives as long as the script; NULL: no memory. */
const char *be_script_keep(struct be_script *script, const char *from, size_t length);

bool be_script_add_fault(struct be_script *script, enum be_fault_kind kind, struct be_span span,
                         const char *word, const struct be_sbatch_option *option);
bool be_script_add_option(struct be_script *script, const struct be_script_option *option);

#endif
