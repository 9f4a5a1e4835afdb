/* FFTW as the workload uses it: what it says without, that plans are made once, and that a team does
 * the loops. */
#include "team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "host/team.h"
#include "workload/fft/fft.h"

enum { N = 64, MEMBERS = 3, JOBS = 7 };

static struct be_host_libraries library;
static void (*share_out)(void *(*job)(char *), char *jobs, size_t job_bytes, int count, void *data);
static void *share_data;
static int planned, forgotten;
static bool no_plans;

/* ---- a table whose functions only count ----------------------------------------------------- */

static fftwf_plan sham_plan(int rank, const int *n, int batch, fftwf_complex *in,
                            const int *in_embed, int in_stride, int in_distance, fftwf_complex *out,
                            const int *out_embed, int out_stride, int out_distance, int sign,
                            unsigned flags) {
    (void)sign, (void)flags, (void)in_embed, (void)out_embed, (void)in_stride, (void)out_stride;
    assert_true(rank == 1 && n[0] == N && batch == 1 && in_distance == N && out_distance == N);
    in[N - 1][1] = out[N - 1][1] = 0; /* both are there to be written */
    planned++;
    return no_plans ? NULL : (fftwf_plan)(void *)(uintptr_t)(unsigned)planned;
}

static void sham_destroy(fftwf_plan plan) {
    assert_non_null(plan);
    forgotten++;
}

static void sham_threads(int threads) {
    assert_true(threads > 0);
}

static void sham_set_callback(void (*loop)(void *(*job)(char *), char *jobs, size_t job_bytes,
                                           int count, void *data),
                              void *data) {
    share_out = loop;
    share_data = data;
}

struct job {
    float *to, value;
};

static void *do_job(char *at) {
    struct job *job = (struct job *)(void *)at;
    *job->to += job->value;
    return NULL;
}

static void *do_within(char *at) {
    struct job *job = (struct job *)(void *)at;
    share_out(do_job, at, sizeof *job, 1, share_data);
    return NULL;
}

/* Two loops, the second of loops. */
static void sham_execute(const fftwf_plan plan, fftwf_complex *in, fftwf_complex *out) {
    struct job job[JOBS];
    assert_non_null(plan);
    for (int i = 0; i < JOBS; i++) {
        out[i][0] = 0;
        job[i] = (struct job){.to = &out[i][0], .value = in[i][0]};
    }
    if (share_out) {
        share_out(do_job, (char *)job, sizeof *job, JOBS, share_data);
        share_out(do_within, (char *)job, sizeof *job, JOBS, share_data);
    }
}

static int start(void **state) {
    struct be_error error;
    (void)state;
    if (be_fftw_open(&library.fftw, &error) != BE_OK) {
        return 0;
    }
    library.fftw.fftwf_plan_many_dft = sham_plan;
    library.fftw.fftwf_execute_dft = sham_execute;
    library.fftw.fftwf_destroy_plan = sham_destroy;
    if (library.fftw.threads.handle) {
        library.fftw.threads.fftwf_plan_with_nthreads = sham_threads;
        library.fftw.threads.fftwf_threads_set_callback = sham_set_callback;
    }
    planned = forgotten = 0;
    no_plans = false;
    share_out = NULL;
    return 0;
}

static int end(void **state) {
    (void)state;
    const int kept = planned - forgotten;
    forgotten = 0;
    if (library.fftw.handle) {
        be_fftw_close(&library.fftw);
        assert_true(no_plans || forgotten == kept);
    }
    return 0;
}

static void need(bool threads) {
    if (!library.fftw.handle || (threads && !library.fftw.threads.handle)) {
        skip();
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void test_ready(void **state) {
    struct be_error error = {0};
    struct be_host_libraries made = {0};
    (void)state;
    assert_int_equal(be_fft_library_host_ready(NULL, 1, &error), BE_ABSENT);
    be_fail(&made.fftw_error, BE_ABSENT, "FFTW is not here: install it");
    assert_int_equal(be_fft_library_host_ready(&made, 1, &error), BE_ABSENT);
    assert_string_equal(error.text, "FFTW is not here: install it");
    made.fftw.handle = &made;
    made.fftw.version = "fftw-3.3.5-sse2";
    assert_int_equal(be_fft_library_host_ready(&made, 1, &error), BE_OK);
    assert_int_equal(be_fft_library_host_ready(&made, 2, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "FFTW 3.3.5: on several cores it takes FFTW 3.3.9"));
    made.fftw.threads.handle = &made; /* threads, but its own only */
    assert_int_equal(be_fft_library_host_ready(&made, 2, &error), BE_ABSENT);
    made.fftw.threads.fftwf_threads_set_callback = sham_set_callback;
    assert_int_equal(be_fft_library_host_ready(&made, 2, &error), BE_OK);
}

static void test_plans(void **state) {
    static float in[2 * N];
    static fftwf_complex out[N];
    const struct be_fftw_form form = {.rows = 1, .columns = N, .batch = 1};
    const struct be_fftw *fftw = &library.fftw;
    (void)state;
    need(true);
    fftwf_plan first = be_fftw_plan(fftw, &form, 1, in, out);
    assert_ptr_equal(be_fftw_plan(fftw, &form, 1, in, out), first);
    assert_int_equal(planned, 1);
    for (int threads = 2; threads <= BE_LIST_MAX; threads++) {
        assert_ptr_not_equal(be_fftw_plan(fftw, &form, threads, in, out), first);
    }
    assert_int_equal(planned, BE_LIST_MAX);
    assert_ptr_equal(be_fftw_plan(fftw, &form, 1, in, out), first);
    assert_int_equal(forgotten, 0);
    assert_non_null(be_fftw_plan(fftw, &form, BE_LIST_MAX + 1, in, out));
    assert_int_equal(forgotten, 1); /* the oldest */
    assert_ptr_not_equal(be_fftw_plan(fftw, &form, 1, in, out), first);
    no_plans = true;
    assert_null(be_fftw_plan(fftw, &form, BE_LIST_MAX + 2, in, out));
}

static void member(void *context, int at, int members) {
    struct be_work work = *(const struct be_work *)context;
    work.member = at;
    work.members = members;
    be_fft_library_host(&work);
}

/* Twice: the second call finds the plan and the crew of the first. */
static void run(int members, const fftwf_complex *in, fftwf_complex *out) {
    struct be_team *team = open_team(members);
    struct be_problem problem = be_problem_preset(&be_workload_fft);
    problem.value[0] = N;
    const size_t bytes = be_fft_library_host_scratch(&problem, members);
    void *array[2] = {(void *)(uintptr_t)in, out};
    struct be_work work = {.problem = &problem,
                           .array = array,
                           .items = 1,
                           .team = team,
                           .scratch = aligned_alloc(BE_WHOLE_ALIGN, bytes),
                           .library = &library};
    assert_non_null(work.scratch);
    memset(work.scratch, 0, bytes);
    for (int i = 0; i < 2; i++) {
        be_team_run(team, member, &work);
    }
    free(work.scratch);
    be_team_close(team);
}

static void test_sharing(void **state) {
    static fftwf_complex in[N];
    static fftwf_complex out[N];
    (void)state;
    need(true);
    for (int i = 0; i < N; i++) {
        in[i][0] = (float)i;
    }
    run(1, (const fftwf_complex *)in, out);
    assert_null(share_out);
    run(MEMBERS, (const fftwf_complex *)in, out);
    assert_int_equal(planned, 2);
    for (int i = 0; i < JOBS; i++) {
        assert_true(out[i][0] == 2 * in[i][0]);
    }
    no_plans = true;
    forgotten = 0;
    run(2, (const fftwf_complex *)in, out);
    assert_true(isnan(out[0][0]) && isnan(out[N - 1][1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ready),
        cmocka_unit_test_setup_teardown(test_plans, start, end),
        cmocka_unit_test_setup_teardown(test_sharing, start, end),
    };
    return cmocka_run_group_tests_name("the library's transforms", tests, NULL, NULL);
}
