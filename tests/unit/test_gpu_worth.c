/* Verdicts on GPUs, on traces and rates that are made up: a GPU of 100 multiprocessors beside 4 cores. */
#include "made_findings.h"

#include "ask/gpu_rest.h"
#include "ask/gpu_worth.h"
#include "ask/usual_code.h"
#include "report/trace/trace.h"

/* A trace keeps its values as float. */
static void assert_about(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-6 * fabs(expected))) {
        fail_msg("%.9g instead of %.9g", value, expected);
    }
}

/* A core does 100 GFLOP/s, four 400; the GPU 20 TFLOP/s, and 200 with matrices of 16 bits. */
static const struct be_trace_rates rates = {.cpu = "measured here",
                                            .off = 1,
                                            .cores = 4,
                                            .one = {1e11, 5e10, 1e10, 4e10},
                                            .all = {4e11, 2e11, 4e10, 1.6e11},
                                            .cache_bytes = 3e7,
                                            .gpu = "made up",
                                            .gpu32 = 2e13,
                                            .gpu64 = 1e13,
                                            .gpu_half = 2e14,
                                            .gpu_matrix64 = 2e13,
                                            .gpu_memory = 2e12,
                                            .gpu_bus = 2e10,
                                            .units = 100,
                                            .clock_hz = 1e9};

static struct be_gpu_worth judge(int ticks, const struct be_trace_rates *by,
                                 const struct given *given, size_t count, struct be_text *said) {
    struct be_trace made;
    struct be_gpu_worth worth;
    make(&made, ticks, 1, given, count);
    made.rates = *by;
    be_gpu_worth_of(&made, &worth);
    if (said) {
        be_trace_text_worth(&made, said);
    }
    be_trace_close(&made);
    return worth;
}

#define JUDGE(said, ...)                                                                           \
    judge(TICKS, &rates, (const struct given[]){__VA_ARGS__},                                      \
          sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given), said)

/* All kernels of the GPU, with the shares that come after. */
#define RUNNING(share)                                                                             \
    USED(0), {BE_GPU_BUSY, 0, share}, {BE_GPU_GRAPHICS, 0, share}, {BE_GPU_FP64, 0, 0}, {          \
        BE_GPU_TENSOR, 0, 0                                                                        \
    }

static void work_is_counted(void **state) {
    (void)state;
    /* 20 s at half of 20 TFLOP/s, 200 TFLOP: 500 s of four cores at their rate. */
    const struct be_gpu_worth worth =
        JUDGE(NULL, RUNNING(0.6), {BE_GPU_SM_ACTIVE, 0, 0.6}, {BE_GPU_SM_OCCUPANCY, 0, 0.3},
              {BE_GPU_FP32, 0, 0.5}, {BE_GPU_DRAM, 0, 0.01});
    assert_int_equal(worth.verdict, BE_ASK_YES);
    assert_int_equal(worth.cause, BE_GPU_BY_WORK);
    assert_about(worth.operations, 2e14);
    assert_about(worth.bytes, 0.01 * 2e12 * 20);
    assert_about(worth.all.lo_s, 500);
    assert_about(worth.one.lo_s, 2000 * be_code_arrays.lo);
    assert_true(worth.all.lo_s < worth.all.typical_s && worth.all.typical_s < worth.all.hi_s);
    assert_about(worth.gpu_s, 12);
    assert_about(worth.run.typical_s, 8 + worth.all.typical_s);
    assert_about(worth.gain, worth.run.typical_s / 20);
}

/* Bytes that crossed the bus are none of its work; its own traffic is. */
static void bytes_decide(void **state) {
    (void)state;
    const struct be_gpu_worth worth =
        JUDGE(NULL, RUNNING(0.5), {BE_GPU_SM_ACTIVE, 0, 0.5}, {BE_GPU_SM_OCCUPANCY, 0, 0.4},
              {BE_GPU_FP32, 0, 0.001}, {BE_GPU_DRAM, 0, 0.5}, {BE_GPU_BUS_IN, 0, 1e10},
              {BE_GPU_OWN_MEMORY, 0, 5e10});
    assert_int_equal(worth.verdict, BE_ASK_YES);
    assert_about(worth.bytes, (1e12 - 1e10) * 20);
    assert_about(worth.all.lo_s, (1e12 - 1e10) * 20 / 4e10);
}

/* Kernels run half of the time, each with a warp: no counter sees much, and the warps bound what none of them sees. */
static void little_is_no(void **state) {
    (void)state;
    struct be_text said = {0};
    const struct be_gpu_worth worth =
        JUDGE(&said, RUNNING(0.5), {BE_GPU_SM_ACTIVE, 0, 0.005}, {BE_GPU_SM_OCCUPANCY, 0, 1e-5},
              {BE_GPU_FP32, 0, 1e-5}, {BE_GPU_DRAM, 0, 1e-6});
    assert_int_equal(worth.verdict, BE_ASK_NO);
    assert_true(worth.gain_hi < be_ask_worth);
    /* So few threads have work for one core. */
    assert_about(worth.all.hi_s, worth.one.hi_s);
    assert_non_null(strstr(said.data, "Worth a GPU: no."));
    assert_non_null(strstr(said.data, "ask for no GPU"));
    be_text_free(&said);
}

/* The same counters, but thousands of warps at work all the time: instructions that no counter names may be many. */
static void unseen_work_is_not_no(void **state) {
    (void)state;
    const struct be_gpu_worth worth =
        JUDGE(NULL, RUNNING(0.9), {BE_GPU_SM_ACTIVE, 0, 0.9}, {BE_GPU_SM_OCCUPANCY, 0, 0.5},
              {BE_GPU_FP32, 0, 1e-5}, {BE_GPU_DRAM, 0, 1e-6});
    assert_int_equal(worth.verdict, BE_ASK_CLOSE);
}

/* Integer arithmetic is counted: with it, what no counter names is two instructions for each. */
static void little_arithmetic_bounds_the_rest(void **state) {
    (void)state;
    const struct be_gpu_worth worth =
        JUDGE(NULL, RUNNING(0.9), {BE_GPU_SM_ACTIVE, 0, 0.9}, {BE_GPU_SM_OCCUPANCY, 0, 0.5},
              {BE_GPU_FP32, 0, 1e-5}, {BE_GPU_INT, 0, 1e-5}, {BE_GPU_DRAM, 0, 1e-6});
    assert_int_equal(worth.verdict, BE_ASK_NO);
    /* 3 x (64 + 128) x 1e-5 lanes a clock of 100 multiprocessors at 1 GHz for 20 s, at 2.6 times 200e9 lanes a second */
    assert_about(worth.all.hi_s, 3 * 192e-5 * 100 * 1e9 * 20 / 2e11 * 2.6);
}

/* Without counters only the time of use is known, which bounds the work from above. */
static void no_counters(void **state) {
    (void)state;
    struct be_text said = {0};
    struct be_gpu_worth worth = JUDGE(&said, USED(0), {BE_GPU_BUSY, 0, 0.5});
    assert_int_equal(worth.verdict, BE_ASK_UNKNOWN);
    assert_int_equal(worth.cause, BE_GPU_BY_COUNTERS);
    assert_true(isnan(worth.operations) && isnan(worth.gain) && worth.gain_hi > be_ask_worth);
    assert_non_null(strstr(said.data, "Worth a GPU: not known."));
    assert_null(strstr(said.data, "nan"));
    be_text_free(&said);
    struct be_trace_rates strong = rates; /* cores that are as fast as the GPU */
    strong.all = strong.one = (struct be_core_rates){2e15, 2e14, 2e13, 2e13};
    const struct given few[] = {USED(0), {BE_GPU_BUSY, 0, 0.03}};
    worth = judge(TICKS, &strong, few, BE_COUNT(few), &said);
    assert_int_equal(worth.verdict, BE_ASK_NO);
    assert_non_null(strstr(said.data, "ask for no GPU"));
    be_text_free(&said);
}

/* ---- the CPU's side of the program's libraries ---------------------------------------------- */

static struct be_gpu_worth judge_with(const char *libraries, struct be_text *said) {
    static const struct given given[] = {RUNNING(0.6),           {BE_GPU_SM_ACTIVE, 0, 0.6},
                                         {BE_GPU_FP32, 0, 0.02}, {BE_GPU_SM_OCCUPANCY, 0, 0.3},
                                         {BE_GPU_DRAM, 0, 0.5},  {BE_GPU_OWN_MEMORY, 0, 5e10}};
    struct be_trace made;
    struct be_gpu_worth worth;
    make(&made, TICKS, 1, given, BE_COUNT(given));
    made.rates = rates;
    snprintf(made.libraries, sizeof made.libraries, "%s", libraries);
    be_gpu_worth_of(&made, &worth);
    be_trace_text_worth(&made, said);
    be_trace_close(&made);
    return worth;
}

/* 20 TB: 500 s of four cores at their rate, 2000 s of one. NumPy works on one, PyTorch on all. */
static void numpy_works_on_one_core(void **state) {
    (void)state;
    struct be_text torch_said = {0}, numpy_said = {0}, said = {0};
    const struct be_gpu_worth torch = judge_with("python torch numpy cuda", &torch_said);
    const struct be_gpu_worth numpy = judge_with("python cupy numpy cuda", &numpy_said);
    const struct be_gpu_worth unknown = judge_with("cuda", &said);
    assert_about(torch.all.lo_s, 500);
    assert_about(torch.run.hi_s, torch.well.hi_s);
    assert_string_equal(torch.one_core, "");
    assert_null(strstr(torch_said.data, "one core"));
    assert_about(numpy.one.typical_s, 2000 * be_code_arrays.typical);
    assert_about(numpy.run.typical_s, 8 + numpy.one.typical_s);
    assert_about(numpy.gain_lo, torch.gain_lo); /* as good code does */
    assert_true(numpy.gain_hi > 2 * torch.gain_hi);
    assert_string_equal(numpy.one_core, "NumPy");
    assert_non_null(strstr(numpy_said.data, "as NumPy works"));
    assert_about(unknown.gain, torch.gain);
    assert_about(unknown.gain_hi, numpy.gain_hi);
    assert_non_null(strstr(said.data, "with one core at most"));
    be_text_free(&torch_said);
    be_text_free(&numpy_said);
    be_text_free(&said);
}

/* Products in 16 bits are of a library: on all cores under NumPy, too. */
static void products_take_all_cores(void **state) {
    (void)state;
    const struct be_gpu_work work = {.half = 4e14, .threads = 1e6};
    const struct be_worth_time time = be_gpu_work_as_arrays(&rates, &work, 4);
    assert_about(time.typical_s, 4e14 / 4e11 * be_code_products.typical);
    /* So are a hundred operations a byte outside the units for matrices, typically, but for what calls may do. */
    const struct be_gpu_work plain = {
        .plain32 = 4e14, .bytes = 4e12, .set_bytes = 1e9, .threads = 1e6};
    const struct be_worth_time dense = be_gpu_work_as_arrays(&rates, &plain, 4);
    assert_about(dense.typical_s, 4e13 / 1e11 * be_code_arrays.typical);
    assert_about(dense.hi_s, 4e14 / 1e11 * be_code_arrays.hi);
    assert_true(dense.lo_s < dense.typical_s);
}

/* ---- the rest of the run ------------------------------------------------------------------------ */

/* The GPU worked from a quarter of the run to its end, a fifth of that time; `thread` of a core in the busiest thread. */
static struct be_gpu_rest rest_of(double thread, double system, double sm) {
    const struct given given[] = {RUNNING(0.2),
                                  {BE_GPU_SM_ACTIVE, 0, sm},
                                  {BE_BUSIEST_THREAD, 0, thread},
                                  {BE_CPU_BUSY, 0, thread},
                                  {BE_CPU_SYSTEM, 0, system}};
    const struct be_gpu_work work = {.from_s = 5, .to_s = 20, .gpu_s = 3};
    struct be_trace made;
    struct be_gpu_rest rest;
    make(&made, TICKS, 1, given, BE_COUNT(given));
    be_gpu_rest_of(&made, &work, &rest);
    be_trace_close(&made);
    return rest;
}

static void the_start_is_saved(void **state) {
    (void)state;
    struct be_gpu_rest rest = rest_of(0.5, 0.2, 0.01);
    assert_about(rest.start_s, 0.2 * 5);
    assert_about(rest.host_s, 12);
    assert_about(rest.without.lo_s, 4);
    assert_about(rest.without.typical_s, 5 - 0.5 + 12);
    assert_about(rest.without.hi_s, 20);
    rest = rest_of(
        0.5, 3,
        0.01); /* a program that reads files all the time: not all of that is the driver's */
    assert_about(rest.start_s, 2);
    assert_about(rest.without.lo_s, 3);
}

static void calls_are_cheaper_than_launches(void **state) {
    (void)state;
    struct be_gpu_rest rest =
        rest_of(1, 0, 0.18); /* large kernels: the thread prepares something */
    assert_false(rest.launching);
    assert_about(rest.without.typical_s, 5 + 12);
    rest = rest_of(1, 0, 0.01);
    assert_true(rest.launching);
    assert_true(rest.without.typical_s < 5 + 12 / 2.0);
    assert_true(rest.without.typical_s > rest.without.lo_s);
    assert_about(rest.without.hi_s, 20);
}

/* Memory on the GPU, and nothing ran there. */
static void a_held_gpu_is_no(void **state) {
    (void)state;
    struct be_text said = {0};
    const struct be_gpu_worth worth = JUDGE(&said, USED(0), {BE_GPU_OWN_MEMORY, 0, 7.5e8},
                                            {BE_GPU_BUSY, 0, 0}, {BE_GPU_GRAPHICS, 0, 1e-4});
    assert_true(worth.used);
    assert_int_equal(worth.verdict, BE_ASK_NO);
    assert_int_equal(worth.cause, BE_GPU_BY_IDLENESS);
    assert_about(worth.held_bytes, 7.5e8);
    assert_non_null(strstr(said.data, "750 MB"));
    assert_null(strstr(said.data, "nan"));
    be_text_free(&said);
}

/* The units for matrices were not counted: they may have done anything. */
static void an_uncounted_unit_is_not_no(void **state) {
    (void)state;
    struct be_text said = {0};
    const struct be_gpu_worth worth =
        JUDGE(&said, USED(0), {BE_GPU_BUSY, 0, 0.5}, {BE_GPU_GRAPHICS, 0, 0.5},
              {BE_GPU_SM_ACTIVE, 0, 0.005}, {BE_GPU_SM_OCCUPANCY, 0, 1e-5}, {BE_GPU_FP32, 0, 1e-5},
              {BE_GPU_FP64, 0, 0}, {BE_GPU_DRAM, 0, 1e-6});
    assert_int_equal(worth.verdict, BE_ASK_UNKNOWN);
    assert_int_equal(worth.cause, BE_GPU_BY_COUNTERS);
    assert_non_null(strstr(said.data, "no source"));
    be_text_free(&said);
}

static void what_cannot_be_known(void **state) {
    (void)state;
    static const struct given alone[] = {RUNNING(0.9), {BE_GPU_SM_ACTIVE, 0, 0.9}};
    static const struct given shared[] = {
        {BE_GPU_OWN_PROCESSES, 0, 1}, {BE_GPU_FOREIGN_PROCESSES, 0, 1}, {BE_GPU_BUSY, 0, 0.9}};
    struct be_trace_rates nothing = rates;
    nothing.gpu[0] = '\0';
    const struct {
        int ticks;
        const struct be_trace_rates *rates;
        const struct given *given;
        size_t count;
        enum be_gpu_cause cause;
        const char *said;
    } cases[] = {
        {5, &rates, alone, BE_COUNT(alone), BE_GPU_BY_SHORTNESS, "too short"},
        {TICKS, &nothing, alone, BE_COUNT(alone), BE_GPU_BY_MODEL, "no data sheet"},
        {TICKS, &rates, shared, BE_COUNT(shared), BE_GPU_BY_OTHERS, "Others were on the GPU"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_text said = {0};
        const struct be_gpu_worth worth =
            judge(cases[i].ticks, cases[i].rates, cases[i].given, cases[i].count, &said);
        assert_true(worth.used);
        assert_int_equal(worth.verdict, BE_ASK_UNKNOWN);
        assert_int_equal(worth.cause, cases[i].cause);
        assert_true(isnan(worth.gain));
        assert_non_null(strstr(said.data, cases[i].said));
        be_text_free(&said);
    }
}

static void unused_has_no_verdict(void **state) {
    (void)state;
    struct be_text said = {0};
    const struct be_gpu_worth worth =
        JUDGE(&said, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_BUSY, 0, 0});
    assert_false(worth.used);
    assert_null(said.data);
}

/* A tenth of the time at work: an eighth of the GPU takes a little longer. At work all the time it takes seven times as
 * long, and is not named. */
static void a_part_would_do(void **state) {
    (void)state;
    struct be_gpu_worth worth =
        JUDGE(NULL, RUNNING(0.01), {BE_GPU_SM_ACTIVE, 0, 0.01}, {BE_GPU_SM_OCCUPANCY, 0, 0.005},
              {BE_GPU_FP32, 0, 0.009}, {BE_GPU_DRAM, 0, 0.005}, {BE_GPU_MEMORY, 0, 1e9});
    assert_string_equal(worth.smaller, "1g");
    assert_about(worth.smaller_longer, 1.06);
    worth = JUDGE(NULL, RUNNING(0.01), {BE_GPU_SM_ACTIVE, 0, 0.01}, {BE_GPU_SM_OCCUPANCY, 0, 0.005},
                  {BE_GPU_FP32, 0, 0.009}, {BE_GPU_DRAM, 0, 0.005}, {BE_GPU_MEMORY, 0, 2e10});
    assert_string_equal(worth.smaller, "2g"); /* by its memory */
    worth = JUDGE(NULL, RUNNING(0.9), {BE_GPU_SM_ACTIVE, 0, 0.9}, {BE_GPU_SM_OCCUPANCY, 0, 0.5},
                  {BE_GPU_FP32, 0, 0.8}, {BE_GPU_DRAM, 0, 0.1}, {BE_GPU_MEMORY, 0, 1e9});
    assert_string_equal(worth.smaller, "");
}

/* A card with a tenth of everything, whose clock falls to a half, and one whose memory is too small. The GPU works for half of
 * the run, a quarter of its float32 units and half of its memory's bandwidth. */
static void smaller_cards(void **state) {
    (void)state;
    const struct given given[] = {RUNNING(0.5),           {BE_GPU_SM_ACTIVE, 0, 0.5},
                                  {BE_GPU_FP32, 0, 0.25}, {BE_GPU_SM_OCCUPANCY, 0, 0.3},
                                  {BE_GPU_DRAM, 0, 0.25}, {BE_GPU_MEMORY, 0, 2e10}};
    struct be_trace_rates with = rates;
    struct be_text said = {0};
    with.card[0] = (struct be_card_rates){"S1", 2e12, 1e10, 2e13, 0, 2e11, 10, 1e9, 4e10, 0.5};
    with.card[1] = (struct be_card_rates){"S2", 2e12, 1e10, 2e13, 0, 2e11, 10, 1e9, 2e10, 0.5};
    with.cards = 2;
    const struct be_gpu_worth worth = judge(TICKS, &with, given, BE_COUNT(given), &said);
    assert_int_equal(worth.verdict, BE_ASK_YES);
    assert_int_equal(worth.cards, 1);
    assert_string_equal(worth.card[0].name, "S1");
    /* 10 s of it: 50 s at the card's rates; 200 s where instructions decide, at half the clock. */
    assert_about(worth.card[0].longer_lo, (10 + 50) / 20.0);
    assert_about(worth.card[0].longer_hi, (10 + 200) / 20.0);
    assert_non_null(strstr(said.data, "an S1 makes the run"));
    be_text_free(&said);
    /* None is named where the cores would do. */
    const struct given little[] = {RUNNING(0.5),
                                   {BE_GPU_SM_ACTIVE, 0, 0.005},
                                   {BE_GPU_SM_OCCUPANCY, 0, 1e-5},
                                   {BE_GPU_FP32, 0, 1e-5},
                                   {BE_GPU_DRAM, 0, 1e-6}};
    assert_int_equal(judge(TICKS, &with, little, BE_COUNT(little), NULL).cards, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_counted),
        cmocka_unit_test(bytes_decide),
        cmocka_unit_test(little_is_no),
        cmocka_unit_test(unseen_work_is_not_no),
        cmocka_unit_test(little_arithmetic_bounds_the_rest),
        cmocka_unit_test(no_counters),
        cmocka_unit_test(numpy_works_on_one_core),
        cmocka_unit_test(products_take_all_cores),
        cmocka_unit_test(the_start_is_saved),
        cmocka_unit_test(calls_are_cheaper_than_launches),
        cmocka_unit_test(a_held_gpu_is_no),
        cmocka_unit_test(an_uncounted_unit_is_not_no),
        cmocka_unit_test(what_cannot_be_known),
        cmocka_unit_test(unused_has_no_verdict),
        cmocka_unit_test(a_part_would_do),
        cmocka_unit_test(smaller_cards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
