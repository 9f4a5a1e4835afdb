/*
 * The longer kinds of values (script/sbatch_options.h), each with a function that says whether sbatch
 * would take one. Only for sbatch_values.c.
 */
#ifndef BE_SCRIPT_SBATCH_VALUES_H
#define BE_SCRIPT_SBATCH_VALUES_H

#include "script/sbatch_options.h"

typedef bool be_sbatch_taker(const struct be_sbatch_option *option, const char *value);

be_sbatch_taker be_sbatch_takes_moment, be_sbatch_takes_gpus, be_sbatch_takes_dependency,
    be_sbatch_takes_signal, be_sbatch_takes_frequency, be_sbatch_takes_binding,
    be_sbatch_takes_layout, be_sbatch_takes_sampling, be_sbatch_takes_switches,
    be_sbatch_takes_user_env;

#endif
