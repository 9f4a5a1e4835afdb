/*
 * What a computation on the CPU takes of memory, beside what its arrays need: for each variant of a
 * workload, in a process of its own, the most that was in memory until the end of a call, less what was
 * there before there were arrays. No reference, no second copy: only what a user would need as well.
 *
 * usage: bench_memory WORKLOAD TYPE THREADS [PARAMETER=VALUE]...
 * Prints a line a variant: workload, parameters, variant, bytes of inputs and outputs, bytes at most.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "host/pages.h"
#include "builtin/builtin.h"

enum { CALLS = 2, SEED = 1 };

struct run {
    struct be_problem problem;
    const struct be_variant *variant;
    struct be_shape shape;
    struct be_host_libraries library;
    struct be_team *team;
    void *array[BE_ARRAYS];
    void *scratch;
    enum { FILL, CALL } what;
};

static void share(void *context, int member, int members) {
    const struct run *run = context;
    const struct be_workload *w = run->problem.workload;
    const struct be_work work = {.problem = &run->problem,
                                 .array = run->array,
                                 .items = run->shape.items,
                                 .member = member,
                                 .members = members,
                                 .team = run->team,
                                 .scratch = run->scratch,
                                 .library = &run->library,
                                 .beyond_cache = true,
                                 .stores = BE_STORES_NONTEMPORAL};
    if (run->what == FILL) {
        w->fill(&work, SEED);
    } else {
        run->variant->host(&work);
    }
}

/* A line of /proc/self/status, in bytes; 0: not there. */
static double status_bytes(const char *name) {
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kib = strtod(line + strlen(name) + 1, NULL);
        }
    }
    if (file) {
        fclose(file);
    }
    return 1024 * kib;
}

/* Libraries keep what they need from their first call on: one small product belongs to the program. */
static void open_libraries(struct run *run) {
    const struct be_workload *w = run->problem.workload;
    if (w->wants_blas) {
        (void)be_host_blas_open(&run->library.blas, &run->library.blas_error);
    }
    if (w->wants_fftw) {
        (void)be_fftw_open(&run->library.fftw, &run->library.fftw_error);
    }
}

static enum be_status get_arrays(struct run *run, double *bytes, struct be_error *error) {
    const struct be_workload *w = run->problem.workload;
    struct be_pages pages;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < w->inputs + w->outputs; i++) {
        size_t need = run->shape.items * run->shape.item_bytes[i];
        status = be_pages_get(need, &pages, error);
        run->array[i] = pages.memory;
        *bytes += (double)need;
    }
    if (status == BE_OK && run->variant->host_scratch) {
        size_t need = run->variant->host_scratch(&run->problem, be_team_size(run->team));
        status = be_pages_get(need > BE_WHOLE_ALIGN ? need : BE_WHOLE_ALIGN, &pages, error);
        run->scratch = pages.memory;
        memset(run->scratch, 0, status == BE_OK ? BE_WHOLE_ALIGN : 0);
    }
    return status;
}

/* In a process of its own, whose memory the system takes back. */
static enum be_status measure(struct run *run, int threads, struct be_error *error) {
    struct be_cores cores;
    char text[BE_NOTE];
    double bytes = 0;
    enum be_status status = be_cores_find(&cores, error);
    status = status == BE_OK ? be_team_open(&cores, threads, &run->team, error) : status;
    open_libraries(run);
    if (status == BE_OK && run->variant->host_ready) {
        status = run->variant->host_ready(&run->library, threads, error);
    }
    const double before = status_bytes("VmRSS:");
    status = status == BE_OK ? get_arrays(run, &bytes, error) : status;
    if (status != BE_OK) {
        return status;
    }
    run->what = FILL;
    be_team_run(run->team, share, run);
    run->what = CALL;
    for (int i = 0; i < CALLS; i++) {
        be_team_run(run->team, share, run);
    }
    be_problem_text(&run->problem, text, sizeof text);
    printf("%s\t%s %llu%s%s, %s\t%s\t%.0f\t%.0f\n", run->problem.workload->name,
           run->problem.workload->parameter[run->problem.swept].name,
           (unsigned long long)be_problem_size(&run->problem), *text ? ", " : "", text,
           be_real_name(run->problem.real), run->variant->name, bytes,
           status_bytes("VmHWM:") - before);
    return fflush(stdout) == 0 ? BE_OK : BE_IO;
}

static int one_variant(struct run *run, int threads) {
    int ended = 0;
    pid_t child = fork();
    if (child == 0) {
        struct be_error error = {0};
        enum be_status status = measure(run, threads, &error);
        if (status != BE_OK) {
            fprintf(stderr, "memory: %s %s: %s\n", run->problem.workload->name, run->variant->name,
                    error.text);
        }
        _exit(status == BE_OK || status == BE_ABSENT ? 0 : 1);
    }
    return child < 0 || waitpid(child, &ended, 0) < 0 || ended != 0;
}

static int set_parameter(struct be_problem *problem, const char *word) {
    const struct be_workload *w = problem->workload;
    size_t length = strcspn(word, "=");
    for (int i = 0; i < w->parameters; i++) {
        if (strlen(w->parameter[i].name) == length &&
            strncmp(w->parameter[i].name, word, length) == 0 && word[length] == '=') {
            problem->value[i] = (uint64_t)strtod(word + length + 1, NULL);
            return 0;
        }
    }
    fprintf(stderr, "memory: %s: no parameter of %s\n", word, w->name);
    return 2;
}

int main(int argc, char **argv) {
    const struct be_workload *w = argc > 3 ? be_workload_find(argv[1]) : NULL;
    if (!w) {
        fprintf(stderr, "usage: bench_memory WORKLOAD TYPE THREADS [PARAMETER=VALUE]...\n");
        return 2;
    }
    struct run run = {.problem = be_problem_preset(w)};
    run.problem.real = strcmp(argv[2], "float64") == 0 ? BE_REAL64 : BE_REAL32;
    int failed = 0;
    for (int i = 4; i < argc && !failed; i++) {
        failed = set_parameter(&run.problem, argv[i]);
    }
    run.shape = be_problem_shape(&run.problem);
    for (int v = 0; v < w->variants && !failed; v++) {
        run.variant = &w->variant[v];
        if (run.variant->host && be_variant_can(run.variant, &run.problem)) {
            failed = one_variant(&run, (int)strtol(argv[3], NULL, 10));
        }
    }
    return failed;
}
