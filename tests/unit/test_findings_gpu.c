/* Rules of GPUs on traces made up here. */
#include "made_findings.h"

/* ---- GPUs ------------------------------------------------------------------------------------- */

static void which_gpus(void **state) {
    (void)state;
    EXPECT("gpu-unused", 3.9, {BE_GPU_BUSY, 0, 0}, {BE_GPU_OWN_PROCESSES, 0, 0});
    EXPECT("gpu-unused", 3.9, {BE_GPU_BUSY, 0, 0.001});
    EXPECT("gpus-uneven", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.9},
           {BE_GPU_OWN_PROCESSES, 1, 0}, {BE_GPU_BUSY, 1, 0});
    EXPECT("gpus-uneven", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95}, USED(1),
           {BE_GPU_BUSY, 1, 1}, {BE_GPU_SM_ACTIVE, 1, 0.7});
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95}, USED(1),
           {BE_GPU_BUSY, 1, 1}, {BE_GPU_SM_ACTIVE, 1, 0.9});
}

/* A driver in a container may list nobody: that kernels ran says more. */
static void nobody_is_listed(void **state) {
    (void)state;
    EXPECT("", 1, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 0},
           {BE_GPU_BUSY, 0, 0.9}, {BE_GPU_SM_ACTIVE, 0, 0.9});
    EXPECT("gpu-unused", 3.9, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 0},
           {BE_GPU_BUSY, 0, 0.01});
    /* NVML's own look came at moments at which nothing ran; the counters of GPM leave none out. */
    EXPECT("sm-low", 1, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 0},
           {BE_GPU_BUSY, 0, 0}, {BE_GPU_GRAPHICS, 0, 0.5}, {BE_GPU_SM_ACTIVE, 0, 0.3},
           {BE_GPU_MEMORY, 0, 2e10});
}

static void shared_is_withheld(void **state) {
    (void)state;
    EXPECT("gpu-shared", 3.9, {BE_GPU_OWN_PROCESSES, 0, 1}, {BE_GPU_FOREIGN_PROCESSES, 0, 2},
           {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.01}, {BE_GPU_FP64, 0, 0.9});
    /* Others only: the program's own absence is certain. */
    EXPECT("gpu-unused", 3.9, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 2},
           {BE_GPU_BUSY, 0, 1});
}

static void how_full(void **state) {
    (void)state;
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.8});
    EXPECT("sm-low", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.79});
    EXPECT("gpu-empty", 1, USED(0), {BE_GPU_BUSY, 0, 0.8}, {BE_GPU_SM_ACTIVE, 0, 0.24});
    EXPECT("gpu-too-big", 1, USED(0), {BE_GPU_BUSY, 0, 0.1}, {BE_GPU_SM_ACTIVE, 0, 0.1},
           {BE_GPU_MEMORY, 0, 5e9});
    EXPECT("(memory-bound)", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.45},
           {BE_GPU_DRAM, 0, 0.6});
}

static void which_units(void **state) {
    (void)state;
    EXPECT("tensor-idle", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95},
           {BE_GPU_TENSOR, 0, 0}, {BE_GPU_FP32, 0, 0.5});
    EXPECT("fp64", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95},
           {BE_GPU_FP64, 0, 0.2});
    EXPECT("low-occupancy", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95},
           {BE_GPU_DRAM, 0, 0.4}, {BE_GPU_SM_OCCUPANCY, 0, 0.2}, {BE_GPU_TENSOR, 0, 0.05});
    /* A good matrix product has few warps, and is no fault. */
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.96}, {BE_GPU_DRAM, 0, 0.18},
           {BE_GPU_SM_OCCUPANCY, 0, 0.08}, {BE_GPU_TENSOR, 0, 0.93});
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.96}, {BE_GPU_DRAM, 0, 0.5},
           {BE_GPU_SM_OCCUPANCY, 0, 0.2}, {BE_GPU_TENSOR, 0, 0.6});
}

static void held_down(void **state) {
    (void)state;
    EXPECT("throttled", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_HEAT, 0, 0.3},
           {BE_GPU_CLOCK, 0, 1.2e9}, {BE_GPU_TEMPERATURE, 0, 88});
    EXPECT("(throttled)", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_POWER, 0, 0.9},
           {BE_GPU_POWER, 0, 690}, {BE_GPU_CLOCK, 0, 1.5e9});
    /* Far from the limit, and no clock to tell by; or one that stays where it was. */
    EXPECT("throttled", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_POWER, 0, 0.9},
           {BE_GPU_POWER, 0, 300});
    EXPECT("(throttled)", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_POWER, 0, 0.9},
           {BE_GPU_POWER, 0, 300}, {BE_GPU_CLOCK, 0, 1.5e9});
}

/* What fills the time between two short kernels is launching where it is short. Where SM activity was
 * not measured, it cannot be more than the time in which kernels ran. */
static void launches(void **state) {
    (void)state;
    EXPECT("launch-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.1}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_KERNELS, 0, 2e4}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-5},
           {BE_GPU_KERNEL_SHARE, 0, 0.05}, {BE_GPU_MEMORY, 0, 2e10});
    EXPECT("launch-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.26}, {BE_GPU_KERNELS, 0, 7e4},
           {BE_GPU_KERNEL_MEDIAN, 0, 1e-6}, {BE_GPU_KERNEL_SHARE, 0, 0.06},
           {BE_GPU_MEMORY, 0, 2e10});
    EXPECT("sm-low", 1, USED(0), {BE_GPU_BUSY, 0, 0.4}, {BE_GPU_SM_ACTIVE, 0, 0.3},
           {BE_GPU_KERNELS, 0, 2e3}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-4},
           {BE_GPU_KERNEL_SHARE, 0, 0.01}, {BE_GPU_MEMORY, 0, 2e10});
}

/* Half of the bytes are pinned, and the other way takes the time. */
static void one_way_is_slow(void **state) {
    (void)state;
    EXPECT("pageable-copies", 1, USED(0), {BE_GPU_BUSY, 0, 0.7}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_COPY_PAGEABLE, 0, 0.47}, {BE_GPU_COPY_IN_SHARE, 0, 0.03},
           {BE_GPU_COPY_OUT_SHARE, 0, 0.6}, {BE_GPU_COPY_IN, 0, 1.8e9},
           {BE_GPU_COPY_OUT, 0, 1.8e9});
    EXPECT("bus-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.7}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_COPY_PAGEABLE, 0, 0.05}, {BE_GPU_COPY_IN_SHARE, 0, 0.03},
           {BE_GPU_COPY_OUT_SHARE, 0, 0.6}, {BE_GPU_COPY_IN, 0, 1.8e9},
           {BE_GPU_COPY_OUT, 0, 1.8e9});
    EXPECT("bus-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.7}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_COPY_PAGEABLE, 0, 0.3}, {BE_GPU_COPY_IN_SHARE, 0, 0.6},
           {BE_GPU_COPY_OUT_SHARE, 0, 0.05}, {BE_GPU_COPY_IN, 0, 30e9},
           {BE_GPU_COPY_OUT, 0, 0.2e9});
}

/* Long ticks of a short run: those in which use begins and ends are partly from outside it. */
static void edges_are_left_out(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_trace made;
    struct be_gpu_look look;
    assert_int_equal(be_trace_open(&made, &error), BE_OK);
    int source = be_trace_source(&made, "made up");
    for (int i = 0; i < 20; i++) {
        double share = i < 4 || i > 17 ? 0 : i == 4 ? 0.3 : i == 17 ? 0.5 : 0.97;
        assert_true(be_trace_tick(&made, tick_s * (i + 1)));
        be_trace_add(&made, BE_GPU_GRAPHICS, 0, source, share);
        be_trace_add(&made, BE_GPU_SM_ACTIVE, 0, source, 0.95 * share);
    }
    made.gpus = 1;
    made.elapsed_s = 20 * tick_s;
    be_look_gpu(&made, 0, &look);
    assert_true(fabs(look.sm - 0.95 * 0.97) < 1e-3);
    assert_true(fabs(look.from_s - 5 * tick_s) < 1e-6 && fabs(look.to_s - 17 * tick_s) < 1e-6);
    be_trace_close(&made);
}

static void other_gpus(void **state) {
    (void)state;
    EXPECT("communication-bound", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_NCCL_SHARE, 0, 0.3},
           {BE_GPU_KERNELS, 0, 1000});
    EXPECT("communication-bound", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.4},
           {BE_GPU_LINK_IN, 0, 40e9}, {BE_GPU_LINK_OUT, 0, 40e9});
}

/* The advice on the first finding, of a program of that name. */
static const char *advised(const char *program, const struct given *given, size_t count) {
    static char text[BE_NOTE];
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    struct be_trace made;
    make(&made, TICKS, 3.9, given, count);
    if (*program) {
        int at = be_trace_process(&made, 7, 0, 1);
        assert_true(at >= 0);
        be_copy_text(made.process[at].name, BE_NAME, program);
    }
    assert_true(be_trace_findings(&made, found) > 0);
    be_copy_text(text, sizeof text, found[0].advice);
    be_trace_close(&made);
    return text;
}

/* PyTorch's words are for Python; and for who is not known. */
static void words_of_the_program(void **state) {
    (void)state;
    static const struct {
        struct given given[8];
        const char *python, *other;
    } of[] = {
        {{{BE_GPU_BUSY, 0, 0}, {BE_GPU_OWN_PROCESSES, 0, 0}}, "import torch", "built for GPUs"},
        {{USED(0),
          {BE_GPU_BUSY, 0, 1},
          {BE_GPU_SM_ACTIVE, 0, 0.95},
          {BE_GPU_FP32, 0, 0.5},
          {BE_GPU_TENSOR, 0, 0}},
         "torch.set_float32",
         "cublasSetMathMode"},
        {{USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95}, {BE_GPU_FP64, 0, 0.2}},
         "torch.float32",
         "float instead of double"},
        {{USED(0),
          {BE_GPU_BUSY, 0, 0.26},
          {BE_GPU_KERNELS, 0, 7e4},
          {BE_GPU_KERNEL_MEDIAN, 0, 1e-6},
          {BE_GPU_KERNEL_SHARE, 0, 0.06}},
         "torch.compile",
         "cudaGraphLaunch"},
        {{USED(0),
          {BE_GPU_BUSY, 0, 0.7},
          {BE_GPU_SM_ACTIVE, 0, 0.01},
          {BE_GPU_COPY_PAGEABLE, 0, 0.9},
          {BE_GPU_COPY_IN_SHARE, 0, 0.6},
          {BE_GPU_COPY_IN, 0, 30e9}},
         "pin_memory",
         "cudaMallocHost"},
        {{USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_NCCL_SHARE, 0, 0.3}, {BE_GPU_KERNELS, 0, 1000}},
         "ddp_comm_hooks",
         "between two exchanges"},
    };
    static const char *const torch[] = {"python3.11", "pt_main_thread", ""};
    for (size_t i = 0; i < BE_COUNT(of); i++) {
        size_t count = 0;
        while (count < 8 && (of[i].given[count].signal || of[i].given[count].value > 0)) {
            count++;
        }
        for (size_t k = 0; k < BE_COUNT(torch); k++) {
            assert_non_null(strstr(advised(torch[k], of[i].given, count), of[i].python));
        }
        const char *text = advised("lmp", of[i].given, count);
        assert_non_null(strstr(text, of[i].other));
        assert_null(strcasestr(text, "torch"));
        assert_true(strlen(text) <= 80);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_gpus),
        cmocka_unit_test(nobody_is_listed),
        cmocka_unit_test(shared_is_withheld),
        cmocka_unit_test(how_full),
        cmocka_unit_test(which_units),
        cmocka_unit_test(held_down),
        cmocka_unit_test(launches),
        cmocka_unit_test(one_way_is_slow),
        cmocka_unit_test(edges_are_left_out),
        cmocka_unit_test(other_gpus),
        cmocka_unit_test(words_of_the_program),
    };
    return cmocka_run_group_tests_name("findings of GPUs", tests, NULL, NULL);
}
