/* Advice for a job script, in the words of the batch system that the job ran under. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "observe/rules/rules.h"

/* Each site decides the unit of LSF's numbers of memory, and whether they are of a slot or of the job. */
static const struct {
    const char *system; /* as be_trace.job begins */
    struct {
        const char *before, *after;
    } line[BE_BATCH_ASKS];
} dialects[] = {
    {"slurm",
     {{"#SBATCH --ntasks=", ""},
      {"#SBATCH --cpus-per-task=", ""},
      {"#SBATCH --mem=", "G"},
      {"#SBATCH --gpus=", ""}}},
    {"lsf",
     {{"#BSUB -n ", ""},
      {"#BSUB -n ", ""},
      {"#BSUB -R \"rusage[mem=...]\" for ", " GiB in all, in the site's unit"},
      {"#BSUB -gpu num=", ""}}},
    {"pbs",
     {{"#PBS -l select=1:mpiprocs=", ""},
      {"#PBS -l select=1:ncpus=", ""},
      {"#PBS -l select=1:mem=", "gb"},
      {"#PBS -l select=1:ngpus=", ""}}},
};

const char *be_batch_line(const struct be_trace *trace, enum be_batch_ask what, double count,
                          char to[BE_NOTE]) {
    size_t at = 0; /* where none is known: most have Slurm */
    for (size_t i = 0; i < BE_COUNT(dialects); i++) {
        size_t length = strlen(dialects[i].system);
        bool is = strncmp(trace->job, dialects[i].system, length) == 0 && trace->job[length] == ' ';
        at = is ? i : at;
    }
    snprintf(to, BE_NOTE, "%s%.0f%s", dialects[at].line[what].before, count,
             dialects[at].line[what].after);
    return to;
}

const char *be_batch_cores(const struct be_trace *trace, double cores, char to[BE_NOTE]) {
    const double tasks = trace->limits.tasks > 1 ? trace->limits.tasks : 1;
    const double each = fmax(1, floor(trace->limits.cpus / tasks)), enough = ceil(cores / tasks);
    if (tasks == 1) {
        return be_batch_line(trace, BE_BATCH_CORES, cores, to);
    }
    return enough < each ? be_batch_line(trace, BE_BATCH_CORES, enough, to)
                         : be_batch_line(trace, BE_BATCH_TASKS, ceil(cores / each), to);
}
