/* Commands that start processes themselves, where a job script starts several tasks, too. */
#include <string.h>

#include "base/error.h"
#include "job/plan.h"
#include "job/words.h"

static const char *program_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_one_of(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The word by which the command starts a process for each GPU of a node; NULL: nothing of that
 * kind. */
static const char *gpu_launcher(const struct be_job_request *request) {
    static const char *const programs[] = {"torchrun", "accelerate", "deepspeed", "horovodrun"};
    static const char *const modules[] = {"torch.distributed.run", "torch.distributed.launch"};
    const char *name = program_name(request->word[0]);
    if (is_one_of(name, programs, BE_COUNT(programs))) {
        return name;
    }
    for (int i = 1; i + 1 < request->words && strncmp(name, "python", 6) == 0; i++) {
        if (strcmp(request->word[i], "-m") == 0) { /* behind it are the program's own words */
            const char *module = request->word[i + 1];
            return is_one_of(module, modules, BE_COUNT(modules)) ? module : NULL;
        }
    }
    return NULL;
}

enum be_status be_job_launcher(struct be_job_plan *plan, struct be_error *error) {
    static const char *const refused[] = {"srun",    "mpirun",        "mpirun.openmpi",
                                          "mpiexec", "mpiexec.hydra", "mpiexec.openmpi",
                                          "orterun"};
    const char *own = plan->cluster->scheduler == BE_SCHEDULER_LSF ? "mpirun" : "srun";
    const char *name = program_name(plan->request->word[0]);
    if (plan->tasks < 2) {
        return BE_OK;
    }
    if (is_one_of(name, refused, BE_COUNT(refused))) {
        return be_fail(error, BE_USAGE,
                       "%s: job starts the %d tasks with %s itself, each of which would start all "
                       "of them again: leave %s out of the command",
                       name, plan->tasks, own, name);
    }
    const char *launcher = gpu_launcher(plan->request);
    if (launcher && be_job_tasks_each(plan) > 1) {
        be_job_note(plan,
                    "%s starts the processes of a node itself, and %s starts it %d times there: "
                    "--tasks=%d is once a node",
                    launcher, own, be_job_tasks_each(plan), plan->nodes);
    }
    return BE_OK;
}
