/* The meaning of the values of sbatch's options: counts, sizes, times. */
#ifndef BE_SCRIPT_SBATCH_VALUES_H
#define BE_SCRIPT_SBATCH_VALUES_H

#include <stdint.h>

#include "script/sbatch_options.h"

/* Counts end here, as Slurm's own do, so that two of them can be multiplied. */
#define BE_SBATCH_MAX ((int64_t)1 << 31)

/* Each returns false where sbatch would refuse the value. */
bool be_sbatch_count(const char *text, int64_t *count);
bool be_sbatch_memory(const char *text, double *bytes);     /* 0: all of the node's */
bool be_sbatch_duration(const char *text, double *seconds); /* INFINITY: no limit; whole minutes, as
                                                               Slurm rounds: up */
/* The smallest and the largest of a list of sizes ("4,8", "1-15:4"), which came after 22.05. */
bool be_sbatch_nodes(const char *text, int64_t *min, int64_t *max);

/* The GPUs that a value of --gpus.. (BE_KIND_GPUS) or --gres (BE_KIND_GRES) asks for. */
struct be_sbatch_gpus {
    int64_t count; /* 0: none */
    char type[64]; /* "a100"; empty: any; of several types the first */
    int items;     /* in the list */
    bool mixed;    /* some with a type, some without */
};
bool be_sbatch_gpus(const struct be_sbatch_option *option, const char *value,
                    struct be_sbatch_gpus *gpus);

/* Indices of an array job, and how many may run at once (0: no limit). */
bool be_sbatch_array(const char *text, int64_t *tasks, int64_t *at_once);

/* As strtol reads a number: blanks and a sign may come first. Returns the text behind it; NULL: there is none. Beyond
 * BE_SBATCH_MAX it is that. */
const char *be_sbatch_after_number(const char *text, int64_t *number);
/* Is it a list of node counts, "4,8", "1-15:4"? */
bool be_sbatch_is_sizes(const char *text);

#endif
