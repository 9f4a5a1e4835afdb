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
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 1}, USED(1),
           {BE_GPU_BUSY, 1, 1}, {BE_GPU_SM_ACTIVE, 1, 0.81});
}

/* Cores asked for beside a GPU: twelve cores each are not many, and two it may well need. */
static void cores_beside_gpus(void **state) {
    (void)state;
    static const struct {
        int cpus;
        double busy;
        const char *advice;
    } cases[] = {
        {12, 1, NULL},
        {13, 12, NULL},
        {13, 0.5, "#SBATCH --cpus-per-task=2"},
        {13, 4, "#SBATCH --cpus-per-task=5"},
        {64, 11, "#SBATCH --cpus-per-task=12"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {USED(0),
                                     {BE_GPU_BUSY, 0, 1},
                                     {BE_GPU_SM_ACTIVE, 0, 0.95},
                                     {BE_CPU_BUSY, 0, cases[i].busy}};
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        make(&made, TICKS, cases[i].busy, list, BE_COUNT(list));
        made.limits.cpus = made.limits.cpus_machine = cases[i].cpus;
        made.limits.asked = true;
        be_copy_text(made.job, sizeof made.job, "slurm 4711");
        assert_int_equal(be_trace_findings(&made, found), cases[i].advice ? 1 : 0);
        if (cases[i].advice) {
            assert_string_equal(found[0].name, "cores-a-gpu");
            assert_string_equal(found[0].advice, cases[i].advice);
        }
        be_trace_close(&made);
    }
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

/* Nobody can say of a slice that a slice would do. */
static void a_slice_is_small_already(void **state) {
    (void)state;
    const struct given list[] = {
        USED(0), {BE_GPU_BUSY, 0, 0.1}, {BE_GPU_SM_ACTIVE, 0, 0.1}, {BE_GPU_MEMORY, 0, 5e9}};
    for (int slice = 0; slice <= 1; slice++) {
        struct be_trace made;
        char text[512];
        make(&made, TICKS, 1, list, BE_COUNT(list));
        made.gpu[0].slice = slice;
        assert_string_equal(names(&made, text, sizeof text), slice ? "sm-low" : "gpu-too-big");
        be_trace_close(&made);
    }
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

/* One reading of the counters for ten seconds in which the GPU worked for six: NVML tells which. */
static void one_reading_of_all(void **state) {
    (void)state;
    static const struct {
        double busy, active; /* NVML's while it works; the counters' mean over ten seconds */
        const char *expected;
    } cases[] = {{1, 0.57, ""}, {1, 0.3, "sm-low"}, {0, 0.57, "sm-low"}};
    for (size_t k = 0; k < BE_COUNT(cases); k++) {
        struct be_trace trace;
        char text[512];
        const struct given others[] = {USED(0)};
        make(&trace, 0, 1, others, BE_COUNT(others));
        int source = be_trace_source(&trace, "made up");
        for (int i = 0; i < TICKS; i++) {
            double end_s = tick_s * (i + 1);
            bool reads = end_s > 5 && end_s <= 15, works = end_s > 7 && end_s <= 13;
            assert_true(be_trace_tick(&trace, end_s));
            be_trace_add(&trace, BE_GPU_OWN_PROCESSES, 0, source, 1);
            be_trace_add(&trace, BE_GPU_BUSY, 0, source, works ? cases[k].busy : 0);
            be_trace_add(&trace, BE_GPU_GRAPHICS, 0, source, reads ? 0.6 : 0);
            be_trace_add(&trace, BE_GPU_SM_ACTIVE, 0, source, reads ? cases[k].active : 0);
            be_trace_add(&trace, BE_GPU_MEMORY, 0, source, 5e10);
        }
        trace.gpus = 1;
        trace.elapsed_s = tick_s * TICKS;
        trace.total.user_s = trace.elapsed_s;
        trace.gpu[0] = (struct be_trace_gpu){.memory_bytes = 141e9};
        assert_string_equal(names(&trace, text, sizeof text), cases[k].expected);
        be_trace_close(&trace);
    }
}

/* The finding of that name; fails where there is none. */
static struct be_run_finding one_of(const struct be_trace *trace, const char *name) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = be_trace_findings(trace, found), at = 0;
    while (at < count && strcmp(found[at].name, name) != 0) {
        at++;
    }
    if (at == count) {
        fail_msg("no %s", name);
    }
    return found[at];
}

/* A limit that holds while it idles does not count: it works for half of the time. */
static void held_down_while_it_works(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_trace made;
    assert_int_equal(be_trace_open(&made, &error), BE_OK);
    int source = be_trace_source(&made, "made up");
    for (int i = 0; i < TICKS; i++) {
        assert_true(be_trace_tick(&made, tick_s * (i + 1)));
        be_trace_add(&made, BE_GPU_BUSY, 0, source, 1);
        be_trace_add(&made, BE_GPU_SM_ACTIVE, 0, source, i % 4 == 1 || i % 4 == 2 ? 0.95 : 0.4);
        be_trace_add(&made, BE_GPU_THROTTLED_POWER, 0, source, 1);
        be_trace_add(&made, BE_GPU_POWER, 0, source, 690);
    }
    made.gpus = 1;
    made.gpu[0].power_limit_w = 700;
    made.elapsed_s = TICKS * tick_s;
    const struct be_run_finding found = one_of(&made, "throttled");
    if (!strstr(found.evidence, "held its clock down 50 % of the time")) {
        fail_msg("%s", found.evidence);
    }
    be_trace_close(&made);
}

/* Either way may be full. */
static void one_way_is_full(void **state) {
    (void)state;
    EXPECT("bus-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.9}, {BE_GPU_SM_ACTIVE, 0, 0.26},
           {BE_GPU_BUS_IN, 0, 1e9}, {BE_GPU_BUS_OUT, 0, 40e9});
    EXPECT("bus-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.9}, {BE_GPU_SM_ACTIVE, 0, 0.26},
           {BE_GPU_BUS_IN, 0, 40e9}, {BE_GPU_BUS_OUT, 0, 1e9});
}

/* The time between two short kernels is launching where it is short. Where SM activity was not measured, it cannot be
 * more than the time in which kernels ran. */
static void launches(void **state) {
    (void)state;
    EXPECT("launch-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.1}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_KERNELS, 0, 2e4}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-5},
           {BE_GPU_KERNEL_SHARE, 0, 0.05}, {BE_GPU_MEMORY, 0, 2e10});
    /* Short pauses decide, where they add up: 0.18 of the time, and 0.12. */
    EXPECT("launch-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.4}, {BE_GPU_SM_ACTIVE, 0, 0.3},
           {BE_GPU_KERNELS, 0, 6e3}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-5},
           {BE_GPU_KERNEL_SHARE, 0, 0.05}, {BE_GPU_MEMORY, 0, 2e10});
    EXPECT("sm-low", 1, USED(0), {BE_GPU_BUSY, 0, 0.4}, {BE_GPU_SM_ACTIVE, 0, 0.3},
           {BE_GPU_KERNELS, 0, 4e3}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-5},
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

/* Pinned copies take half of the time: the other half is what it costs. */
static void half_of_the_copies_is_lost(void **state) {
    (void)state;
    const struct given list[] = {USED(0),
                                 {BE_GPU_BUSY, 0, 0.7},
                                 {BE_GPU_SM_ACTIVE, 0, 0.01},
                                 {BE_GPU_COPY_PAGEABLE, 0, 1},
                                 {BE_GPU_COPY_IN_SHARE, 0, 0.6},
                                 {BE_GPU_COPY_IN, 0, 1.8e9}};
    struct be_trace made;
    make(&made, TICKS, 1, list, BE_COUNT(list));
    assert_true(fabs(one_of(&made, "pageable-copies").cost_s - 0.3 * made.elapsed_s) < 1e-3);
    be_trace_close(&made);
}

/* So many more workers as would keep up, and no more than there are cores for beside the program. As many as there
 * are programs on GPUs are those. */
static void workers_that_are_too_few(void **state) {
    (void)state;
    static const struct {
        int workers, own, cpus;
        const char *advice;
    } cases[] = {
        {4, 1, 16,
         "DataLoader(..., num_workers=8) instead of 4 could keep it at work for about 90 % of the "
         "time; or cheaper steps in the loader"},
        {4, 1, 9,
         "DataLoader(..., num_workers=8) instead of 4 could keep it at work for about 90 %"},
        {4, 1, 8,
         "DataLoader(..., num_workers=7) instead of 4, as many as there are cores for, could keep "
         "it at work for about 88 % of the time"},
        {4, 1, 6,
         "DataLoader(..., num_workers=5) instead of 4, as many as there are cores for, could keep "
         "it at work for about 62 % of the time"},
        {4, 1, 5,
         "cheaper steps in the loader, or more cores for DataLoader(..., num_workers=8) instead of "
         "4"},
        {4, 1, 0, "DataLoader(..., num_workers=8) instead of 4 could keep"},
        {4, 2, 16, "DataLoader(..., num_workers=8) instead of 4 could keep"},
        {2, 2, 16, NULL},
        {1, 1, 16, "DataLoader(..., num_workers=2) instead of 1 could keep"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_GPU_OWN_PROCESSES, 0, cases[i].own},
                                     {BE_GPU_FOREIGN_PROCESSES, 0, 0},
                                     {BE_GPU_BUSY, 0, 0.5},
                                     {BE_GPU_SM_ACTIVE, 0, 0.45},
                                     {BE_GPU_MEMORY, 0, 2e10},
                                     {BE_PROCESS_CPU, 0, 0.95},
                                     {BE_PROCESS_CPU, 1, 0.95},
                                     {BE_PROCESS_CPU, 2, 0.95},
                                     {BE_PROCESS_CPU, 3, 0.95}};
        struct be_trace made;
        char text[512];
        make(&made, TICKS, 3.9, list, BE_COUNT(list));
        made.processes = cases[i].workers;
        be_copy_text(made.libraries, sizeof made.libraries, "python torch");
        made.limits.cpus = made.limits.cpus_machine = cases[i].cpus;
        if (!cases[i].advice) {
            assert_string_equal(names(&made, text, sizeof text), "sm-low");
        } else if (!strstr(one_of(&made, "loader-stall").advice, cases[i].advice)) {
            fail_msg("%s", one_of(&made, "loader-stall").advice);
        }
        be_trace_close(&made);
    }
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
    /* Beside work that fills it, the links may be as busy as they like. */
    EXPECT("sm-low", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.6},
           {BE_GPU_LINK_IN, 0, 40e9}, {BE_GPU_LINK_OUT, 0, 40e9});
}

/* The advice on the first finding, of a program with those libraries. */
static const char *advised(const char *libraries, const struct given *given, size_t count) {
    static char text[BE_NOTE];
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    struct be_trace made;
    make(&made, TICKS, 3.9, given, count);
    be_copy_text(made.libraries, sizeof made.libraries, libraries);
    assert_true(be_trace_findings(&made, found) > 0);
    be_copy_text(text, sizeof text, found[0].advice);
    be_trace_close(&made);
    return text;
}

/* PyTorch's words are for who has it in Python, CUDA's for programs in C; who is not known gets neither. */
static void words_of_the_program(void **state) {
    (void)state;
    static const struct {
        struct given given[8];
        const char *python, *c, *other;
    } of[] = {
        {{{BE_GPU_BUSY, 0, 0}, {BE_GPU_OWN_PROCESSES, 0, 0}},
         "import torch",
         "built for GPUs",
         "built for GPUs"},
        {{USED(0),
          {BE_GPU_BUSY, 0, 1},
          {BE_GPU_SM_ACTIVE, 0, 0.95},
          {BE_GPU_FP32, 0, 0.5},
          {BE_GPU_TENSOR, 0, 0}},
         "torch.set_float32",
         "cublasSetMathMode",
         "TF32, or half precision"},
        {{USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95}, {BE_GPU_FP64, 0, 0.2}},
         "torch.float32",
         "float instead of double",
         "float instead of double"},
        {{USED(0),
          {BE_GPU_BUSY, 0, 0.26},
          {BE_GPU_KERNELS, 0, 7e4},
          {BE_GPU_KERNEL_MEDIAN, 0, 1e-6},
          {BE_GPU_KERNEL_SHARE, 0, 0.06}},
         "torch.compile",
         "cudaGraphLaunch",
         "recorded once as a graph"},
        {{USED(0),
          {BE_GPU_BUSY, 0, 0.7},
          {BE_GPU_SM_ACTIVE, 0, 0.01},
          {BE_GPU_COPY_PAGEABLE, 0, 0.9},
          {BE_GPU_COPY_IN_SHARE, 0, 0.6},
          {BE_GPU_COPY_IN, 0, 30e9}},
         "pin_memory",
         "cudaMallocHost",
         "pinned (page-locked) memory"},
        {{USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_NCCL_SHARE, 0, 0.3}, {BE_GPU_KERNELS, 0, 1000}},
         "ddp_comm_hooks",
         "between two exchanges",
         "between two exchanges"},
    };
    static const char *const c[] = {"cuda", "torch cuda"}, *const nobody[] = {"", "none", "omp"};
    for (size_t i = 0; i < BE_COUNT(of); i++) {
        size_t count = 0;
        while (count < 8 && (of[i].given[count].signal || of[i].given[count].value > 0)) {
            count++;
        }
        assert_non_null(strstr(advised("python torch cuda", of[i].given, count), of[i].python));
        for (size_t k = 0; k < BE_COUNT(c); k++) {
            assert_non_null(strstr(advised(c[k], of[i].given, count), of[i].c));
        }
        for (size_t k = 0; k < BE_COUNT(nobody); k++) {
            assert_non_null(strstr(advised(nobody[k], of[i].given, count), of[i].other));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_gpus),
        cmocka_unit_test(cores_beside_gpus),
        cmocka_unit_test(nobody_is_listed),
        cmocka_unit_test(shared_is_withheld),
        cmocka_unit_test(how_full),
        cmocka_unit_test(which_units),
        cmocka_unit_test(held_down),
        cmocka_unit_test(one_reading_of_all),
        cmocka_unit_test(a_slice_is_small_already),
        cmocka_unit_test(held_down_while_it_works),
        cmocka_unit_test(one_way_is_full),
        cmocka_unit_test(half_of_the_copies_is_lost),
        cmocka_unit_test(workers_that_are_too_few),
        cmocka_unit_test(launches),
        cmocka_unit_test(one_way_is_slow),
        cmocka_unit_test(edges_are_left_out),
        cmocka_unit_test(other_gpus),
        cmocka_unit_test(words_of_the_program),
    };
    return cmocka_run_group_tests_name("findings of GPUs", tests, NULL, NULL);
}
