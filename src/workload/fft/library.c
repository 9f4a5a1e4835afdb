/*
 * Fourier transforms by libraries. FFTW's own threads would all inherit the core that the caller is
 * pinned to, so it is given the team instead: member 0 calls it, and its parallel loops are done by
 * all members. That takes FFTW 3.3.9: an older one is measured alone only.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "workload/fft/fft.h"

/* The work that member 0 has for the others: a loop of FFTW's, or the end. */
struct crew {
    struct be_team *team;
    int members;
    bool over;
    bool busy; /* a loop within a loop is not shared out */
    void *(*job)(char *);
    char *jobs;
    size_t job_bytes;
    int count;
};

enum { CREW_BYTES = (sizeof(struct crew) + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN };

/* Behind the crew: numbers that planning is tried on. */
size_t be_fft_library_host_scratch(const struct be_problem *problem, int members) {
    const struct be_fft_size size = be_fft_size(problem);
    (void)members;
    return CREW_BYTES + be_fft_input_floats(&size) * sizeof(float);
}

enum be_status be_fft_library_host_ready(const struct be_host_libraries *library, int members,
                                         struct be_error *error) {
    if (!library || !library->fftw.handle) {
        return be_fail(error, BE_ABSENT, "%s", library ? library->fftw_error.text : "no FFTW");
    }
    if (members > 1 && !be_fftw_shares(&library->fftw)) {
        char name[BE_NAME];
        be_fftw_name(&library->fftw, name, sizeof name);
        return be_fail(error, BE_ABSENT,
                       "%s: on several cores it takes FFTW 3.3.9 or newer, with its library of "
                       "threads",
                       name);
    }
    return BE_OK;
}

static void do_jobs(const struct crew *crew, int member) {
    for (int i = member; i < crew->count; i += crew->members) {
        crew->job(crew->jobs + (size_t)i * crew->job_bytes);
    }
}

/* FFTW calls this for a loop. */
static void share_out(void *(*job)(char *), char *jobs, size_t job_bytes, int count, void *data) {
    struct crew *crew = data;
    if (crew->busy) {
        for (int i = 0; i < count; i++) {
            job(jobs + (size_t)i * job_bytes);
        }
        return;
    }
    crew->busy = true;
    crew->job = job;
    crew->jobs = jobs;
    crew->job_bytes = job_bytes;
    crew->count = count;
    be_team_barrier(crew->team);
    do_jobs(crew, 0);
    be_team_barrier(crew->team);
    crew->busy = false;
}

/* Nothing of the crew's is there before the first meeting. */
static void help(const struct crew *crew, const struct be_work *work) {
    for (;;) {
        be_team_barrier(work->team);
        if (crew->over) {
            return;
        }
        do_jobs(crew, work->member);
        be_team_barrier(work->team);
    }
}

/* Plans are made in the first call, which is not timed, and kept. */
static void lead(const struct be_work *work) {
    const struct be_fftw *fftw = &work->library->fftw;
    const struct be_fft_size size = be_fft_size(work->problem);
    const struct be_fftw_form form = {.rows = (int)size.rows,
                                      .columns = (int)size.columns,
                                      .batch = (int)size.batch,
                                      .real = size.real};
    void *x = be_work_array(work, 0);
    void *z = be_work_array(work, 1);
    void *trial = (char *)work->scratch + CREW_BYTES;
    fftwf_plan plan = be_fftw_plan(fftw, &form, work->members, trial, z);
    if (plan) {
        be_fftw_execute(fftw, &form, plan, x, z);
    } else {
        memset(z, 0xff, size.lines * size.width * sizeof(fftwf_complex)); /* no number: no result */
    }
}

void be_fft_library_host(const struct be_work *work) {
    struct crew *crew = work->scratch;
    if (work->members == 1) {
        lead(work);
        return;
    }
    if (work->member > 0) {
        help(crew, work);
        return;
    }
    *crew = (struct crew){.team = work->team, .members = work->members};
    work->library->fftw.threads.fftwf_threads_set_callback(share_out, crew);
    lead(work);
    crew->over = true;
    be_team_barrier(work->team);
}

/* ---- on a device ---------------------------------------------------------------------------- */

enum be_status be_fft_library_prepare(struct be_device *device, const struct be_problem *problem,
                                      struct be_prepared *prepared, struct be_error *error) {
    *prepared = (struct be_prepared){0};
    if (!device->ops->fft) {
        return be_fail(error, BE_ABSENT,
                       "%s: no library of Fourier transforms is known for %s devices%s",
                       device->info.id, device->ops->name,
                       be_fft_unfit(problem) ? "; our own code takes some sizes only" : "");
    }
    struct be_fft *fft = calloc(1, sizeof *fft);
    if (!fft) {
        return be_fail(error, BE_NOMEM, "Fourier transform: no host memory");
    }
    const struct be_fft_size size = be_fft_size(problem);
    const struct be_fft_form form = {.rows = (int64_t)size.rows,
                                     .columns = (int64_t)size.columns,
                                     .batch = (int64_t)size.batch,
                                     .real = size.real};
    enum be_status status = device->ops->fft->open(device, &form, fft, error);
    if (status != BE_OK) {
        free(fft);
        return status;
    }
    prepared->extra = fft;
    return BE_OK;
}

enum be_status be_fft_library_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_shape shape = be_problem_shape(launch->problem);
    const struct be_part from = {&launch->buffer[0], launch->first * shape.item_bytes[0]};
    const struct be_part to = {&launch->buffer[1], launch->first * shape.item_bytes[1]};
    return launch->device->ops->fft->forward(launch->device, launch->prepared->extra, &from, &to,
                                             error);
}

void be_fft_library_discard(struct be_device *device, struct be_prepared *prepared) {
    struct be_fft *fft = prepared->extra;
    if (fft) {
        device->ops->fft->close(device, fft);
        free(fft);
    }
    *prepared = (struct be_prepared){0};
}
