/*
 * The options of sbatch, as a directive may have them: names, letters, whether a value follows and
 * what it must look like. Shared by the linter and by what writes job scripts.
 *
 * It knows nothing of clusters: whether there is such a partition, or that much memory, is asked of
 * the catalogue.
 *
 * Source: sbatch(1) of Slurm 22.05, of 24.11 and of 25.11, and sbatch 22.05.8 itself, which lists the names
 * that an abbreviation could stand for. Options that other commands of Slurm have, but not sbatch
 * (--mpi, --gpus-per-step), are not here.
 */
#ifndef BE_SCRIPT_SBATCH_OPTIONS_H
#define BE_SCRIPT_SBATCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum be_sbatch_takes {
    BE_TAKES_NOTHING, /* --hold */
    BE_TAKES_VALUE,   /* --time=1:00:00, --time 1:00:00, -t1:00:00, -t 1:00:00 */
    BE_TAKES_MAYBE    /* --nice, --nice=5; never the next word */
};

/* The form that sbatch wants a value to have. */
enum be_sbatch_kind {
    BE_KIND_NONE,       /* there is no value */
    BE_KIND_TEXT,       /* anything */
    BE_KIND_COUNT,      /* a whole number above 0 */
    BE_KIND_WHOLE,      /* 0 or more */
    BE_KIND_BIT,        /* 0 or 1 */
    BE_KIND_NUMBER,     /* a whole number, with or without sign */
    BE_KIND_MEMORY,     /* a whole number, in MiB unless K, M, G or T follows */
    BE_KIND_DURATION,   /* minutes, mm:ss, hh:mm:ss, d-hh, d-hh:mm, d-hh:mm:ss, UNLIMITED */
    BE_KIND_MOMENT,     /* a point in time: 16:00, 2030-01-20T12:34:00, now+1hour, tomorrow */
    BE_KIND_NODES,      /* count, least-most, k and m for thousands and millions; 4,8 and 1-15:4 */
    BE_KIND_GPUS,       /* [type:]count, several with commas */
    BE_KIND_GRES,       /* name[:type][:count], several with commas */
    BE_KIND_ARRAY,      /* 0-15, 1,3,5, 0-15:4, 0-15%4 */
    BE_KIND_DEPENDENCY, /* afterok:12:13,afterany:14, singleton */
    BE_KIND_SIGNAL,     /* [R][B:]signal[@seconds] */
    BE_KIND_WORD,       /* one of `words` */
    BE_KIND_WORDS,      /* some of `words`, with commas */
    BE_KIND_SOME,       /* likewise, and others with them, which sbatch passes over */
    BE_KIND_INITIAL,    /* what begins like one of `words`: --open-mode=a */
    BE_KIND_LIMITS,     /* of --propagate: ALL, NONE, or names of limits */
    BE_KIND_SITE,      /* a name that the site has chosen: account, partition, QOS, feature, node */
    BE_KIND_FILE,      /* a file that sbatch reads when submitting */
    BE_KIND_FREQUENCY, /* of cores or GPUs: low, medium, high, or a number of kHz or MHz */
    BE_KIND_BINDING,   /* of memory or GPUs to tasks */
    BE_KIND_LAYOUT,    /* --distribution, --extra-node-info */
    BE_KIND_SAMPLING,  /* seconds, or task=, energy=, network=, filesystem= with seconds */
    BE_KIND_SWITCHES,  /* count[@longest wait] */
    BE_KIND_USER_ENV,  /* [seconds][S|L] */
    BE_KINDS
};

struct be_sbatch_option {
    const char *name; /* "cpus-per-task" */
    char letter;      /* 'c'; 0: none */
    enum be_sbatch_takes takes;
    enum be_sbatch_kind kind;
    const char *words; /* "user mcs 24.11:topo": with blanks; from a later Slurm on, with that
                          before it; NULL: none. BE_TAKES_NOTHING: values of a later one */
    const char *same;  /* the name it is another spelling of ("ntasks-per-node"); NULL: its own */
    const char *since; /* "23.11": the first Slurm that has it; NULL: 22.05 has it */
};
extern const struct be_sbatch_option be_sbatch_options[]; /* ends with name NULL */

/* The option of that name, of that letter; NULL: there is none. */
const struct be_sbatch_option *be_sbatch_named(const char *name);
const struct be_sbatch_option *be_sbatch_lettered(char letter);

/*
 * The option that getopt_long makes of the first `length` bytes of `name`, which follow "--" and
 * come before '=': the option of that name, or the only one that begins so. NULL: none begins so,
 * or several do; *several says which.
 */
const struct be_sbatch_option *be_sbatch_abbreviated(const char *name, size_t length,
                                                     bool *several);

/* The option whose name is nearest to a misspelt one, "cpu-per-task"; NULL: none is near. */
const struct be_sbatch_option *be_sbatch_nearest(const char *name, size_t length);

#endif
