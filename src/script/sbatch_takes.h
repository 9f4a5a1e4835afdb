/*
 * Would sbatch take a value of an option? The longer kinds of values have a function each, in a file
 * sbatch_takes_NAME.c.
 */
#ifndef BE_SCRIPT_SBATCH_TAKES_H
#define BE_SCRIPT_SBATCH_TAKES_H

#include "script/sbatch_values.h"

/* Would sbatch take `value` of `option`? NULL: it would; else what it must look like, in one
 * clause: "a whole number above 0". For BE_KIND_SITE and BE_KIND_FILE anything is taken. */
const char *be_sbatch_refuses(const struct be_sbatch_option *option, const char *value);

/* Is it a value that came after 22.05? `since` then is the first Slurm that takes it: "24.11". */
enum { BE_SBATCH_SINCE = 8 };
bool be_sbatch_since(const struct be_sbatch_option *option, const char *value,
                     char since[BE_SBATCH_SINCE]);

/* ---- inside: the longer kinds ---- */

typedef bool be_sbatch_taker(const struct be_sbatch_option *option, const char *value);

be_sbatch_taker be_sbatch_takes_moment, be_sbatch_takes_dependency, be_sbatch_takes_signal,
    be_sbatch_takes_frequency, be_sbatch_takes_binding, be_sbatch_takes_layout,
    be_sbatch_takes_sampling, be_sbatch_takes_switches, be_sbatch_takes_user_env;

#endif
