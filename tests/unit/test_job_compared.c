/* The resources that a job asks for, from a saved comparison: a GPU or not, threads, memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "job/job.h"

static struct be_comparison saved(const char *name) {
    struct be_comparison comparison;
    struct be_error error;
    char path[128];
    snprintf(path, sizeof path, "tests/golden/%s", name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(be_comparison_read(in, name, &comparison, &error), BE_OK);
    fclose(in);
    return comparison;
}

static void a_comparison_says_whether_a_gpu(void **state) {
    struct be_job_request request = be_job_nothing();
    struct be_comparison h200 = saved("report-h200.json");
    struct be_error error = {0};
    char why[BE_NOTE];
    (void)state;
    /* At the largest size copies take longer than 16 cores; kept there, the GPU is ahead. */
    assert_int_equal(be_job_from(&h200, "power", &request, why, &error), BE_OK);
    assert_int_equal(request.gpus, 0);
    assert_int_equal(request.cpus, 16);
    assert_non_null(strstr(why, "cpu with 16 threads 36.4 ms; cuda:0 49.3 ms, copies included"));
    assert_non_null(strstr(why, "if your program keeps its data on the GPU"));
    /* 3e8 elements in three float32 arrays, twice, and a GiB. */
    assert_true(fabs(request.min_mib - (ceil(2 * 3.6e9 / 1048576) + 1024)) < 0.5);
    /* The user's own wishes stay. */
    request = be_job_nothing();
    request.gpus = 1;
    assert_int_equal(be_job_from(&h200, "power", &request, why, &error), BE_OK);
    assert_true(request.gpus == 1 && request.cpus == 0);
    assert_int_equal(be_job_from(&h200, "nothing", &request, why, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "no workload nothing: the file has: power"));
    /* Had the copies been faster: a GPU. */
    for (size_t i = 0; i < h200.results; i++) {
        if (h200.result[i].placement == BE_COPY) {
            h200.result[i].phase[BE_TOTAL].median_s /= 4;
            h200.result[i].phase[BE_TOTAL].lo_s /= 4;
            h200.result[i].phase[BE_TOTAL].hi_s /= 4;
        }
    }
    request = be_job_nothing();
    assert_int_equal(be_job_from(&h200, "power", &request, why, &error), BE_OK);
    assert_true(request.gpus == 1 && request.cpus == 0);
    request = be_job_nothing(); /* --gpus=0 is a choice */
    request.gpus_given = true;
    assert_int_equal(be_job_from(&h200, "power", &request, why, &error), BE_OK);
    assert_int_equal(request.gpus, 0);
    be_comparison_free(&h200);
}

/* A machine without a GPU is no evidence against one. */
static void no_gpu_measured_is_no_answer(void **state) {
    struct be_comparison cpu = saved("report-cpu.json");
    struct be_job_request request = be_job_nothing();
    struct be_error error = {0};
    char why[BE_NOTE];
    (void)state;
    assert_int_equal(be_job_from(&cpu, NULL, &request, why, &error), BE_USAGE);
    assert_non_null(
        strstr(error.text, "the CPU with 8 threads takes 3.41 ms, and nothing is known of a GPU"));
    assert_non_null(strstr(error.text, "--gpus=1 or --gpus=0"));
    assert_non_null(strstr(error.text, "--elsewhere="));
    for (int gpus = 0; gpus <= 1; gpus++) {
        request = be_job_nothing();
        request.gpus = gpus;
        request.gpus_given = true;
        assert_int_equal(be_job_from(&cpu, NULL, &request, why, &error), BE_OK);
        assert_non_null(strstr(why, "no GPU was measured"));
        assert_int_equal(request.gpus, gpus);
        assert_int_equal(request.cpus, gpus ? 0 : 8);
    }
    be_comparison_free(&cpu);
}

static struct be_result timed(const char *device, enum be_placement placement, enum be_cache cache,
                              double median_s, double spread) {
    struct be_result result = {.size = 1000, .threads = 4, .placement = placement, .cache = cache};
    be_copy_text(result.workload, sizeof result.workload, "power");
    be_copy_text(result.size_name, sizeof result.size_name, "size");
    be_copy_text(result.device, sizeof result.device, device);
    result.phase[BE_TOTAL] = (struct be_summary){.n = 10,
                                                 .median_s = median_s,
                                                 .lo_s = median_s * (1 - spread),
                                                 .hi_s = median_s * (1 + spread)};
    return result;
}

static struct be_comparison on_cuda(struct be_result *result, size_t results) {
    struct be_comparison comparison = {.result = result, .results = results};
    comparison.machine.devices = 1;
    comparison.machine.device[0] = (struct be_device_info){.id = "cuda:0", .kind = BE_KIND_GPU};
    return comparison;
}

/* The faster median alone buys no GPU; a cold time is not held against a hot one. */
static void a_doubtful_comparison_is_no_reason_for_a_gpu(void **state) {
    struct be_result result[] = {timed("cpu", BE_HOST, BE_HOT, 1.0e-3, 0.2),
                                 timed("cpu", BE_HOST, BE_COLD, 0.5e-3, 0.01),
                                 timed("cuda:0", BE_COPY, BE_HOT, 0.9e-3, 0.2)};
    struct be_comparison comparison = on_cuda(result, BE_COUNT(result));
    struct be_job_request request = be_job_nothing();
    struct be_error error = {0};
    char why[BE_NOTE];
    (void)state;
    assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
    assert_int_equal(request.gpus, 0);
    assert_non_null(strstr(why, "cpu with 4 threads 1.00 ms; cuda:0 900 us, copies included: too "
                                "close to call, so no GPU"));
    result[0] = timed("cpu", BE_HOST, BE_HOT, 1.0e-3, 0.01);
    result[2] = timed("cuda:0", BE_COPY, BE_HOT, 0.9e-3, 0.01);
    assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
    assert_int_equal(request.gpus, 1);
    /* The range of three samples says less: a gross difference it shows all the same. */
    for (int gross = 0; gross <= 1; gross++) {
        request = be_job_nothing();
        result[2] = timed("cuda:0", BE_COPY, BE_HOT, gross ? 0.3e-3 : 0.9e-3, 0.01);
        result[0].phase[BE_TOTAL].n = result[2].phase[BE_TOTAL].n = 3;
        assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
        assert_int_equal(request.gpus, gross);
    }
}

/* On either side the range of a few samples is stretched by half, and one sample has none. */
static void few_samples_are_held_to_more(void **state) {
    static const struct {
        int there, here; /* samples on the GPU, on the CPU */
        double ratio;    /* of its time to the CPU's */
        int gpus;
    } known[] = {
        {10, 10, 0.8, 1}, {3, 10, 0.8, 0}, {10, 3, 0.8, 0}, {1, 10, 0.01, 0}, {10, 1, 0.01, 0}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_result result[] = {timed("cpu", BE_HOST, BE_HOT, 1e-3, 0.01),
                                     timed("cuda:0", BE_COPY, BE_HOT, 1e-3 * known[i].ratio, 0.01)};
        const struct be_comparison comparison = on_cuda(result, BE_COUNT(result));
        struct be_job_request request = be_job_nothing();
        struct be_error error = {0};
        char why[BE_NOTE];
        result[0].phase[BE_TOTAL].n = known[i].here;
        result[1].phase[BE_TOTAL].n = known[i].there;
        assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
        assert_int_equal(request.gpus, known[i].gpus);
        assert_int_equal(strstr(why, "too close to call") != NULL, !known[i].gpus);
    }
}

/* A size that was added to narrow a break-even is none that anybody asked for. */
static void added_sizes_say_nothing(void **state) {
    struct be_result result[] = {
        timed("cpu", BE_HOST, BE_HOT, 1e-3, 0.01), timed("cuda:0", BE_COPY, BE_HOT, 2e-3, 0.01),
        timed("cpu", BE_HOST, BE_HOT, 8e-3, 0.01), timed("cuda:0", BE_COPY, BE_HOT, 3e-3, 0.01)};
    const struct be_comparison comparison = on_cuda(result, BE_COUNT(result));
    struct be_job_request request = be_job_nothing();
    struct be_error error = {0};
    char why[BE_NOTE];
    (void)state;
    result[2].size = result[3].size = 8000;
    for (int added = 0; added <= 1; added++) {
        result[2].refines = result[3].refines = added;
        request = be_job_nothing();
        assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
        assert_int_equal(request.gpus, !added);
    }
}

/* A size at which all cores have no time says nothing of what they would take. */
static void a_part_of_the_cpu_is_no_reason_for_a_gpu(void **state) {
    struct be_result result[] = {
        timed("cpu", BE_HOST, BE_HOT, 1e-3, 0.01), timed("cuda:0", BE_COPY, BE_HOT, 2e-3, 0.01),
        timed("cpu", BE_HOST, BE_HOT, 2e-3, 0.01), timed("cpu", BE_HOST, BE_HOT, 8e-3, 0.01),
        timed("cuda:0", BE_COPY, BE_HOT, 3e-3, 0.01)};
    const struct be_comparison comparison = on_cuda(result, BE_COUNT(result));
    struct be_job_request request;
    struct be_error error = {0};
    char why[BE_NOTE];
    (void)state;
    result[3].threads = 1;
    result[2].size = result[3].size = result[4].size = 8000;
    for (int left_out = 0; left_out <= 1; left_out++) {
        result[2].status = left_out ? BE_RESULT_SKIPPED : BE_RESULT_OK;
        request = be_job_nothing();
        assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
        assert_int_equal(request.gpus, 0);
        assert_int_equal(request.cpus, 4);
        assert_non_null(strstr(why, left_out ? "1e3: cpu with 4 threads 1.00 ms"
                                             : "8e3: cpu with 4 threads 2.00 ms"));
    }
}

/* A GPU here counts before one elsewhere, and a measured one before a prediction, however fast those are. */
static void nearer_evidence_counts_first(void **state) {
    enum {
        HERE = BE_ORIGIN_HERE,
        ELSEWHERE = BE_ORIGIN_ELSEWHERE,
        PREDICTED = BE_ORIGIN_PREDICTED
    };
    static const struct {
        int near, far;          /* where their times come from */
        double near_ms, far_ms; /* of a call with copies; the CPU takes 1 */
        int gpus;
        const char *says;
    } known[] = {
        {HERE, ELSEWHERE, 2, 0.1, 0, "; near 2.00 ms, copies included: no GPU; ahead on far"},
        {ELSEWHERE, PREDICTED, 0.5, 0.1, 1,
         "near (measured elsewhere) 500 us, copies included: a GPU"},
        {ELSEWHERE, PREDICTED, 0.5, 1, 1, "a GPU; not beyond doubt on far (predicted) 1.00 ms"},
        {ELSEWHERE, PREDICTED, 2, 0.1, 0,
         "near (measured elsewhere) 2.00 ms, copies included: no GPU; ahead on far (predicted) 100 "
         "us"},
        {PREDICTED, PREDICTED, 2, 0.1, 1,
         "far (predicted) 100 us, copies included: a GPU; not beyond doubt on near (predicted) "
         "2.00 ms"},
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_result result[] = {timed("cpu", BE_HOST, BE_HOT, 1e-3, 0.01),
                                     timed("near", BE_COPY, BE_HOT, 1e-3 * known[i].near_ms, 0.01),
                                     timed("far", BE_COPY, BE_HOT, 1e-3 * known[i].far_ms, 0.01)};
        struct be_comparison comparison = {.result = result, .results = BE_COUNT(result)};
        struct be_job_request request = be_job_nothing();
        struct be_error error = {0};
        char why[BE_NOTE];
        comparison.machine.devices = 2;
        comparison.machine.device[0] = (struct be_device_info){
            .id = "near", .kind = BE_KIND_GPU, .origin = (enum be_origin)known[i].near};
        comparison.machine.device[1] = (struct be_device_info){
            .id = "far", .kind = BE_KIND_GPU, .origin = (enum be_origin)known[i].far};
        assert_int_equal(be_job_from(&comparison, NULL, &request, why, &error), BE_OK);
        assert_int_equal(request.gpus, known[i].gpus);
        assert_non_null(strstr(why, known[i].says));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gpu_measured_is_no_answer),
        cmocka_unit_test(nearer_evidence_counts_first),
        cmocka_unit_test(a_comparison_says_whether_a_gpu),
        cmocka_unit_test(a_doubtful_comparison_is_no_reason_for_a_gpu),
        cmocka_unit_test(few_samples_are_held_to_more),
        cmocka_unit_test(added_sizes_say_nothing),
        cmocka_unit_test(a_part_of_the_cpu_is_no_reason_for_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
