/* The promises of the stage engine in device/stage.h, on every device that is here. */
#include "devices.h"

#include "base/random.h"
#include "device/stage.h"
#include "kernel_programs.h"

/* MARGIN: elements on both sides of the range that must stay as they are. FIRST: where it starts.
 */
enum { LARGEST = 3000007, MARGIN = 64, FIRST = 128, CAPACITY = LARGEST + FIRST + MARGIN };
static const float poison = -77.0f;

/* Drawn once, for all tests: what x, y and z on the host are at first. */
static float drawn[3][CAPACITY];
static void draw(void) {
    for (size_t a = 0; a < 3; a++) {
        for (size_t i = 0; i < CAPACITY; i++) {
            drawn[a][i] = be_random_float(a, i) - 0.5f;
        }
    }
}

/* One multiplication through a stage: z = x * y. */
struct call {
    struct be_device *device;
    struct be_stage *stage;
    struct be_module module;
    struct be_kernel kernel;
    struct be_buffer there[3]; /* x, y, z */
    float *here[3];
    int calls, fail_at; /* of work; fail_at 0: never */
};

static void open_call(struct be_device *device, struct call *c) {
    *c = (struct call){.device = device};
    CHECK(be_stage_open(device, team, &c->stage, &error));
    CHECK(device->ops->program->build(device, &be_program_multiply, &c->module, &error));
    CHECK(device->ops->program->kernel(device, &c->module, "k_multiply", &c->kernel, &error));
    for (size_t a = 0; a < 3; a++) {
        c->here[a] = malloc(CAPACITY * sizeof(float));
        assert_non_null(c->here[a]);
        CHECK(device->ops->memory->alloc(device, CAPACITY * sizeof(float), &c->there[a], &error));
        memcpy(c->here[a], drawn[a], sizeof drawn[a]);
    }
}

static void close_call(struct call *c) {
    for (size_t a = 0; a < 3; a++) {
        c->device->ops->memory->release(c->device, &c->there[a]);
        free(c->here[a]);
    }
    c->device->ops->program->forget(c->device, &c->kernel);
    c->device->ops->program->drop(c->device, &c->module);
    be_stage_close(c->stage);
}

static struct be_stage_array array(const struct call *c, int which) {
    return (struct be_stage_array){
        .buffer = &c->there[which], .host = c->here[which], .item_bytes = sizeof(float)};
}

static enum be_status multiply(void *context, enum be_queue queue, size_t first, size_t n,
                               struct be_error *why) {
    struct call *c = context;
    if (++c->calls == c->fail_at) {
        return be_fail(why, BE_TIMEOUT, "call %d fails on purpose", c->calls);
    }
    const size_t per_group = (size_t)BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &c->there[0]},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &c->there[1]},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &c->there[2]},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)first},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)n},
    };
    return c->device->ops->program->launch(c->device, queue, &c->kernel,
                                           (n + per_group - 1) / per_group, BE_ELEMENTWISE_LANES,
                                           argument, BE_COUNT(argument), why);
}

/* From the start of the array to the margin behind so many items, which is all that is looked at. */
static size_t extent(size_t items) {
    return FIRST + items + MARGIN;
}

static void fill_device(const struct call *c, int which, uint8_t byte, size_t items) {
    const struct be_device_ops *ops = c->device->ops;
    const size_t bytes = extent(items) * sizeof(float);
    CHECK(ops->queue->fill(c->device, BE_QUEUE_WORK, &c->there[which], 0, byte, bytes, &error));
    CHECK(ops->queue->drain(c->device, BE_QUEUE_WORK, &error));
}

static void poison_here(struct call *c, int which, size_t items) {
    for (size_t i = 0; i < extent(items); i++) {
        c->here[which][i] = poison;
    }
}

static const size_t counts[] = {1, 1000, 262144, 300001, 1048576, 3000003, LARGEST};

/* ---- copies alone --------------------------------------------------------------------------- */

/* x goes there in a stage and comes back in one plain read: nothing beside the range has moved. */
static void puts_only(struct be_device *device) {
    struct call c;
    open_call(device, &c);
    float *back = malloc(CAPACITY * sizeof *back);
    assert_non_null(back);
    for (size_t s = 0; s < BE_COUNT(counts); s++) {
        struct be_stage_plan plan = {.ins = 1, .first = FIRST, .items = counts[s]};
        plan.in[0] = array(&c, 0);
        fill_device(&c, 0, 0, counts[s]);
        CHECK(be_stage_run(c.stage, &plan, &error));
        get(device, back, &c.there[0], 0, extent(counts[s]) * sizeof *back);
        assert_memory_equal(back + FIRST, c.here[0] + FIRST, counts[s] * sizeof *back);
        for (size_t i = 0; i < MARGIN; i++) {
            assert_true(back[FIRST - 1 - i] == 0 && back[FIRST + counts[s] + i] == 0);
        }
    }
    free(back);
    close_call(&c);
}

static void gets_only(struct be_device *device) {
    struct call c;
    open_call(device, &c);
    put(device, &c.there[0], 0, c.here[0], CAPACITY * sizeof(float));
    for (size_t s = 0; s < BE_COUNT(counts); s++) {
        struct be_stage_plan plan = {.outs = 1, .first = FIRST, .items = counts[s]};
        plan.out[0] = array(&c, 2);
        plan.out[0].buffer = &c.there[0];
        poison_here(&c, 2, counts[s]);
        CHECK(be_stage_run(c.stage, &plan, &error));
        assert_memory_equal(c.here[2] + FIRST, c.here[0] + FIRST, counts[s] * sizeof(float));
        for (size_t i = 0; i < MARGIN; i++) {
            assert_true(c.here[2][FIRST - 1 - i] == poison &&
                        c.here[2][FIRST + counts[s] + i] == poison);
        }
    }
    close_call(&c);
}

/* ---- whole calls ---------------------------------------------------------------------------- */

static struct be_stage_plan whole(struct call *c, size_t items, size_t grain) {
    struct be_stage_plan plan = {
        .ins = 2, .outs = 1, .first = FIRST, .items = items, .grain = grain};
    plan.in[0] = array(c, 0);
    plan.in[1] = array(c, 1);
    plan.out[0] = array(c, 2);
    plan.work = multiply;
    plan.context = c;
    return plan;
}

/* z poisoned here and there, x and y there too: only what this run moved can give the product. */
static void poison_all(struct call *c, size_t items) {
    for (int a = 0; a < 3; a++) {
        fill_device(c, a, 0xff, items);
    }
    poison_here(c, 2, items);
}

static void check_product_from(const struct call *c, size_t first, size_t items) {
    const float *x = c->here[0];
    const float *y = c->here[1];
    const float *z = c->here[2];
    for (size_t i = first - MARGIN; i < first + items + MARGIN; i++) {
        bool mine = i >= first && i < first + items;
        if (z[i] != (mine ? x[i] * y[i] : poison)) {
            fail_msg("%zu items: z[%zu] is %a, not %a * %a", items, i - first, (double)z[i],
                     (double)x[i], (double)y[i]);
        }
    }
}

static void check_product(const struct call *c, size_t items) {
    check_product_from(c, FIRST, items);
}

static void runs_whole_calls(struct be_device *device) {
    struct call c;
    open_call(device, &c);
    for (size_t s = 0; s < BE_COUNT(counts); s++) {
        for (size_t grain = 0; grain <= 64; grain += 64) {
            struct be_stage_plan plan = whole(&c, counts[s], grain);
            poison_all(&c, counts[s]);
            c.calls = 0;
            CHECK(be_stage_run(c.stage, &plan, &error));
            check_product(&c, counts[s]);
            assert_true(grain == 0 || counts[s] < LARGEST ? c.calls >= 1 : c.calls > 1);
            assert_true(grain != 0 || c.calls == 1);
        }
    }
    close_call(&c);
}

/* Chunks whose work is one range: fewer than the ring holds, more, and more than there are. x and y come with the call,
 * or are there from the one before. */
static void runs_several_chunks_at_a_time(struct be_device *device) {
    enum { ITEMS = 700001 };
    static const size_t at_a_time[] = {2, 3, 5, 100};
    struct call c;
    open_call(device, &c);
    for (size_t i = 0; i < 2 * BE_COUNT(at_a_time); i++) {
        struct be_stage_plan plan = whole(&c, ITEMS, 64);
        plan.at_a_time = at_a_time[i / 2];
        if (i % 2 == 0) {
            poison_all(&c, ITEMS);
        } else {
            plan.ins = 0;
            fill_device(&c, 2, 0xff, ITEMS);
            poison_here(&c, 2, ITEMS);
        }
        const size_t chunk = be_stage_chunk(&plan);
        const size_t chunks = (ITEMS + chunk - 1) / chunk;
        const size_t together = plan.at_a_time < chunks ? plan.at_a_time : chunks;
        assert_true(chunks > (plan.ins ? 5 : 2) && chunk % 64 == 0);
        c.calls = 0;
        CHECK(be_stage_run(c.stage, &plan, &error));
        check_product(&c, ITEMS);
        assert_int_equal(c.calls, (chunks + together - 1) / together);
    }
    close_call(&c);
}

/* Inputs there already: only work and the way back. Then the reverse, which has no way back. */
static void runs_without_ins_or_outs(struct be_device *device) {
    struct call c;
    open_call(device, &c);
    for (size_t grain = 0; grain <= 64; grain += 64) {
        struct be_stage_plan plan = whole(&c, LARGEST, grain);
        poison_all(&c, LARGEST);
        plan.outs = 0;
        CHECK(be_stage_run(c.stage, &plan, &error));
        assert_true(c.here[2][FIRST] == poison);
        plan.outs = 1;
        plan.ins = 0;
        CHECK(be_stage_run(c.stage, &plan, &error));
        check_product(&c, LARGEST);
    }
    close_call(&c);
}

/* ---- windows -------------------------------------------------------------------------------- */

/* Arguments may begin at any multiple of so many elements. */
enum { APART = 1024 };

struct windowed {
    struct call call;
    struct be_buffer window; /* z */
    size_t items;            /* that it holds */
    bool eager;              /* work is done as soon as it is asked for */
};

static enum be_status multiply_in_window(void *context, enum be_queue queue, size_t first, size_t n,
                                         struct be_error *why) {
    struct windowed *w = context;
    struct call *c = &w->call;
    const size_t per_group = (size_t)BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    const size_t at = (first - APART) % w->items;
    const struct be_argument argument[] = {
        {BE_ARGUMENT_BUFFER, .buffer = &c->there[0], .offset = first * sizeof(float)},
        {BE_ARGUMENT_BUFFER, .buffer = &c->there[1], .offset = first * sizeof(float)},
        {BE_ARGUMENT_BUFFER, .buffer = &w->window, .offset = at * sizeof(float)},
        {.kind = BE_ARGUMENT_LONG, .integer = 0},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)n},
    };
    c->calls++;
    const enum be_status status = c->device->ops->program->launch(
        c->device, queue, &c->kernel, (n + per_group - 1) / per_group, BE_ELEMENTWISE_LANES,
        argument, BE_COUNT(argument), why);
    return status == BE_OK && w->eager ? c->device->ops->queue->drain(c->device, queue, why)
                                       : status;
}

/* A result that is computed too early, into the half of a window whose last results are still on
 * their way to the host, would show: on the pretend device always, elsewhere now and then. */
static void runs_through_windows(struct be_device *device) {
    static const size_t items[] = {1, APART, 5 * APART, 20 * APART + 7, 1000003};
    static const size_t capacity[] = {2 * APART, 6 * APART, 128 * APART};
    struct windowed w = {0};
    open_call(device, &w.call);
    put(device, &w.call.there[0], 0, w.call.here[0], CAPACITY * sizeof(float));
    put(device, &w.call.there[1], 0, w.call.here[1], CAPACITY * sizeof(float));
    for (size_t r = 0; r < BE_COUNT(capacity); r++) {
        w.items = capacity[r];
        CHECK(device->ops->memory->alloc(device, w.items * sizeof(float), &w.window, &error));
        for (size_t s = 0; s < 2 * BE_COUNT(items); s++) {
            const size_t n = items[s / 2];
            struct be_stage_plan plan = {.outs = 1,
                                         .first = APART,
                                         .items = n,
                                         .window = w.items,
                                         .work = multiply_in_window,
                                         .context = &w};
            plan.out[0] = array(&w.call, 2);
            plan.out[0].buffer = &w.window;
            poison_here(&w.call, 2, APART + n);
            w.eager = s % 2;
            w.call.calls = 0;
            CHECK(be_stage_run(w.call.stage, &plan, &error));
            check_product_from(&w.call, APART, n);
            assert_int_equal(w.call.calls, (n + w.items / 2 - 1) / (w.items / 2));
        }
        device->ops->memory->release(device, &w.window);
    }
    close_call(&w.call);
}

static void refuses_windows_that_make_no_sense(struct be_device *device) {
    const size_t max = be_stage_window(sizeof(float), 1e18);
    const struct {
        size_t window;
        int ins, outs;
    } wrong[] = {{1, 0, 1}, {3, 0, 1}, {max + 2, 0, 1}, {2, 1, 1}, {2, 0, 0}};
    struct call c;
    open_call(device, &c);
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        struct be_stage_plan plan = whole(&c, 100, 64);
        plan.window = wrong[i].window;
        plan.ins = wrong[i].ins;
        plan.outs = wrong[i].outs;
        check_fails(be_stage_run(c.stage, &plan, &error), BE_USAGE, "window");
    }
    close_call(&c);
    assert_true(max > 1000000 && max % 2 == 0);
    assert_int_equal(be_stage_window(1000, 1999), 0);
    assert_int_equal(be_stage_window(1000, 2000), 2);
    assert_int_equal(be_stage_window(1000, 7999), 6);
    assert_int_equal(be_stage_window(1000, -1), 0);
    assert_int_equal(be_stage_window((size_t)1 << 30, 1e18), 0);
}

/* ---- errors --------------------------------------------------------------------------------- */

/* z there is poisoned from a queue that waits for no work: work still in flight would write over
 * it (on the pretend device always, elsewhere now and then). Then everything is as before. */
static void leaves_nothing_in_flight(struct be_device *device) {
    const struct be_device_ops *ops = device->ops;
    const struct {
        size_t items, grain;
        int fail_at;
    } cases[] = {{1000, 0, 1}, {LARGEST, 0, 1}, {LARGEST, 64, 1}, {LARGEST, 64, 6}};
    struct call c;
    open_call(device, &c);
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_stage_plan plan = whole(&c, cases[i].items, cases[i].grain);
        c.calls = 0;
        c.fail_at = cases[i].fail_at;
        check_fails(be_stage_run(c.stage, &plan, &error), BE_TIMEOUT, "fails on purpose");
        assert_int_equal(c.calls, cases[i].fail_at);
        CHECK(
            ops->queue->fill(device, BE_QUEUE_IN, &c.there[2], 0, 0xff, c.there[2].bytes, &error));
        for (int queue = 0; queue < BE_QUEUES; queue++) {
            CHECK(ops->queue->drain(device, (enum be_queue)queue, &error));
        }
        get(device, c.here[2], &c.there[2], 0, c.there[2].bytes);
        const uint8_t *byte = (const uint8_t *)c.here[2];
        assert_int_equal(byte[0], 0xff);
        assert_memory_equal(byte, byte + 1, c.there[2].bytes - 1); /* each like the one before it */
        c.fail_at = 0;
        poison_all(&c, cases[i].items);
        CHECK(be_stage_run(c.stage, &plan, &error));
        check_product(&c, cases[i].items);
    }
    close_call(&c);
}

static const struct contract contracts[] = {
    {"puts only", puts_only},
    {"gets only", gets_only},
    {"runs whole calls", runs_whole_calls},
    {"runs without ins or outs", runs_without_ins_or_outs},
    {"runs several chunks at a time", runs_several_chunks_at_a_time},
    {"runs through windows", runs_through_windows},
    {"refuses windows that make no sense", refuses_windows_that_make_no_sense},
    {"leaves nothing in flight after an error", leaves_nothing_in_flight},
};

int main(void) {
    draw();
    return run_contracts("stage", contracts, BE_COUNT(contracts));
}
