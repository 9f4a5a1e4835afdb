/*
 * nbody's kernel for many bodies, which the workload takes from 32768 on: seconds a call where a CPU runs
 * it. Here on few, against the one that test_workloads.c holds against the reference.
 */
#include "numbers.h"

#include "kernel_programs.h"

enum { BODIES = 1100, SPAN = 416, PARTS = 3, NUMBERS = PARTS * 3 * BODIES };
/* As nbody.cl has them. */
enum { LANES = 128, MANY32 = 4, MANY64 = 2 };

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

static void pull(struct be_device *device, const struct be_module *module, const char *name,
                 size_t each, const struct be_buffer *bodies, void *sums, size_t bytes) {
    const struct be_device_ops *ops = device->ops;
    struct be_kernel kernel = {0};
    struct be_buffer to = {0};
    CHECK(ops->program->kernel(device, module, name, &kernel, &error));
    CHECK(ops->memory->alloc(device, bytes, &to, &error));
    CHECK(ops->queue->fill(device, BE_QUEUE_WORK, &to, 0, 0xff, bytes, &error));
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = bodies},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &to},
        {.kind = BE_ARGUMENT_LONG, .integer = BODIES},
        {.kind = BE_ARGUMENT_LONG, .integer = SPAN},
    };
    CHECK(ops->program->launch(device, BE_QUEUE_WORK, &kernel, over(BODIES, each * LANES) * PARTS,
                               LANES, argument, BE_COUNT(argument), &error));
    CHECK(ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, sums, &to, 0, bytes);
    ops->memory->release(device, &to);
    ops->program->forget(device, &kernel);
}

/* Sums of the same terms in the same order: what is left is how a device rounds a root. */
static void many_as_one(struct be_device *device, enum be_precision precision) {
    const struct be_device_ops *ops = device->ops;
    const bool wide = precision == BE_FLOAT64;
    const size_t bytes = size_of(precision);
    const double allowed = SPAN * rounding(precision);
    static double bodies[4 * BODIES], one[NUMBERS], many[NUMBERS];
    struct be_program program = be_program_nbody;
    struct be_module module = {0};
    struct be_buffer from = {0};
    double largest = 0;
    need(device, ops != &be_cpu_ops && ops != &be_null_ops, "code for it as host C", NULL);
    program.defines = wide ? "#define BE_REAL64 1\n" : NULL;
    CHECK(ops->program->build(device, &program, &module, &error));
    fill(precision, bodies, 5, BE_COUNT(bodies));
    make(device, &from, 0, bodies, 4 * BODIES * bytes);
    pull(device, &module, "k_nbody_one", 1, &from, one, NUMBERS * bytes);
    pull(device, &module, "k_nbody_many", wide ? MANY64 : MANY32, &from, many, NUMBERS * bytes);
    for (size_t i = 0; i < NUMBERS; i++) {
        largest = fmax(largest, fabs(load(precision, one, i)));
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        const double apart = fabs(load(precision, many, i) - load(precision, one, i));
        if (!(apart <= allowed * largest)) {
            fail_msg("sum %zu of %d is apart by %g of at most %g", i, (int)NUMBERS, apart,
                     allowed * largest);
        }
    }
    assert_true(largest > 0);
    ops->memory->release(device, &from);
    ops->program->drop(device, &module);
}

static void in_float32(struct be_device *device) {
    many_as_one(device, BE_FLOAT32);
}

static void in_float64(struct be_device *device) {
    many_as_one(device, BE_FLOAT64);
}

int main(void) {
    static const struct contract contracts[] = {
        {"many bodies as one, float32", in_float32},
        {"many bodies as one, float64", in_float64},
    };
    return run_contracts("nbody", contracts, BE_COUNT(contracts));
}
