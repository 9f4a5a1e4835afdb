/*
 * Transforms of FFTW: a plan's shape is noted where the plan is made, and a call where it is executed. Plans are known
 * by their address; one that was made in another way (guru64 with strides below 0, r2r) is passed on and not counted.
 */
#include <string.h>

#include "call.h"
#include "wrappers.h"

enum { PLANS = 2048, TRIES = 8 };
enum form { C2C, R2C, C2R };

struct transform {
    uint64_t plan; /* 0: an empty place */
    uint64_t n, many;
    uint16_t number; /* of the entry's function */
    char type;
    struct array in, out;
};

static struct transform plans[PLANS];

/* NULL: it is not known, and `add`: there is no place. A plan whose memory another one takes is that one then. */
static struct transform *find(uint64_t plan, bool add) {
    size_t at = (size_t)((plan >> 4) * 0x9e3779b97f4a7c15u >> 53);
    for (size_t i = 0; plan && i < TRIES; i++) {
        struct transform *place = &plans[(at + i) % PLANS];
        uint64_t there = __atomic_load_n(&place->plan, __ATOMIC_ACQUIRE);
        if (there == plan || (add && there == 0)) {
            return place;
        }
    }
    return NULL;
}

/* ---- making a plan ---------------------------------------------------------------------------- */

/* The shape as it is read, argument by argument. */
struct shape {
    uint64_t rank, many_rank, n, last, many, in, out;
    bool sound; /* dimensions and strides are above 0 */
};

static void add_dimension(struct shape *shape, int64_t n) {
    shape->sound &= n > 0;
    shape->n *= n > 0 ? (uint64_t)n : 1;
    shape->last = n > 0 ? (uint64_t)n : 1;
}

/* Records {n, is, os} of int or ptrdiff_t. */
static void add_records(struct shape *shape, uint64_t argument, uint64_t rank, bool wide,
                        bool many) {
    for (uint64_t i = 0; i < rank && i < 16; i++) {
        int64_t part[3];
        for (int k = 0; k < 3; k++) {
            part[k] = wide ? ((const int64_t *)argument)[3 * i + (uint64_t)k]
                           : ((const int32_t *)argument)[3 * i + (uint64_t)k];
        }
        shape->sound &= part[1] > 0 && part[2] > 0;
        if (many) {
            shape->many *= part[0] > 0 ? (uint64_t)part[0] : 1;
        } else {
            add_dimension(shape, part[0]);
        }
    }
}

/* Letters of `words`, one for each argument: n a dimension, r the rank, v its dimensions, h how many, g and G records
 * of the rank, H their rank and J records of how many, i and o the arrays. */
static struct shape read_shape(const char *words, const uint64_t *argument) {
    struct shape shape = {.n = 1, .many = 1, .last = 1, .sound = true};
    for (int i = 0; words[i]; i++) {
        uint64_t value = argument[i];
        bool wide = words[0] == 'R';
        switch (words[i]) {
        case 'n':
            add_dimension(&shape, (int32_t)value);
            break;
        case 'r':
        case 'R':
            shape.rank = (uint32_t)value;
            break;
        case 'v':
            for (uint64_t k = 0; k < shape.rank && k < 16; k++) {
                add_dimension(&shape, ((const int32_t *)value)[k]);
            }
            break;
        case 'h':
            shape.many = (int32_t)value > 0 ? (uint32_t)value : 1;
            break;
        case 'H':
            shape.many_rank = (uint32_t)value;
            break;
        case 'g':
            add_records(&shape, value, shape.rank, wide, false);
            break;
        case 'J':
            add_records(&shape, value, shape.many_rank, wide, true);
            break;
        case 'i':
            shape.in = value;
            break;
        case 'o':
            shape.out = value;
            break;
        default:
            break;
        }
    }
    return shape;
}

/* The first transform lies within the first n real numbers of both arrays, or more. */
static void note(uint64_t plan, const char *words, const uint64_t *argument, enum form form,
                 bool single) {
    struct transform *place = find(plan, true);
    if (!place) {
        return;
    }
    const struct shape shape = read_shape(words, argument);
    uint64_t real = single ? 4 : 8, all = shape.n * shape.many;
    uint64_t half = all / shape.last * (shape.last / 2 + 1) * 2 * real;
    uint64_t in = form == C2C ? all * 2 * real : form == R2C ? all * real : half;
    uint64_t out = form == C2C ? all * 2 * real : form == R2C ? half : all * real;
    uint64_t span = shape.sound ? shape.n * real : 0;
    place->n = shape.n;
    place->many = shape.many;
    place->number = form == C2C ? BE_CALL_fft : BE_CALL_rfft;
    place->type = form == C2C ? (single ? 'c' : 'z') : single ? 's' : 'd';
    place->in = (struct array){shape.in, in, span};
    place->out = (struct array){shape.out, out, span};
    __atomic_store_n(&place->plan, plan, __ATOMIC_RELEASE);
}

/* Only the outermost call is noted, as any other: its frame is that of the wrapper. */
#define PLANNER(name, words, form, is_single, count)                                               \
    __attribute__((visibility("default"))) uint64_t name(double x1, double x2,                     \
                                                         PARAMETERS_##count);                      \
    uint64_t name(double x1, double x2, PARAMETERS_##count) {                                      \
        static struct site site = {.symbol = #name};                                               \
        const uint64_t argument[] = {ARGUMENTS_##count};                                           \
        const struct bound *kept;                                                                  \
        uint64_t (*real)(double, double, TYPES_##count) =                                          \
            (uint64_t(*)(double, double, TYPES_##count))site_real(                                 \
                &site, (uintptr_t)__builtin_return_address(0), &kept);                             \
        uint64_t plan = real(x1, x2, ARGUMENTS_##count);                                           \
        note(plan, words, argument, form, is_single);                                              \
        return plan;                                                                               \
    }

#define PLANNERS(prefix, single)                                                                   \
    PLANNER(prefix##plan_dft_1d, "nio..", C2C, single, 5)                                          \
    PLANNER(prefix##plan_dft_2d, "nnio..", C2C, single, 6)                                         \
    PLANNER(prefix##plan_dft_3d, "nnnio..", C2C, single, 7)                                        \
    PLANNER(prefix##plan_dft, "rvio..", C2C, single, 6)                                            \
    PLANNER(prefix##plan_dft_r2c_1d, "nio.", R2C, single, 4)                                       \
    PLANNER(prefix##plan_dft_r2c_2d, "nnio.", R2C, single, 5)                                      \
    PLANNER(prefix##plan_dft_r2c_3d, "nnnio.", R2C, single, 6)                                     \
    PLANNER(prefix##plan_dft_r2c, "rvio.", R2C, single, 5)                                         \
    PLANNER(prefix##plan_dft_c2r_1d, "nio.", C2R, single, 4)                                       \
    PLANNER(prefix##plan_dft_c2r_2d, "nnio.", C2R, single, 5)                                      \
    PLANNER(prefix##plan_dft_c2r_3d, "nnnio.", C2R, single, 6)                                     \
    PLANNER(prefix##plan_dft_c2r, "rvio.", C2R, single, 5)                                         \
    PLANNER(prefix##plan_many_dft, "rvhi...o.....", C2C, single, 13)                               \
    PLANNER(prefix##plan_many_dft_r2c, "rvhi...o....", R2C, single, 12)                            \
    PLANNER(prefix##plan_many_dft_c2r, "rvhi...o....", C2R, single, 12)                            \
    PLANNER(prefix##plan_guru_dft, "rgHJio..", C2C, single, 8)                                     \
    PLANNER(prefix##plan_guru_dft_r2c, "rgHJio.", R2C, single, 7)                                  \
    PLANNER(prefix##plan_guru_dft_c2r, "rgHJio.", C2R, single, 7)                                  \
    PLANNER(prefix##plan_guru64_dft, "RgHJio..", C2C, single, 8)                                   \
    PLANNER(prefix##plan_guru64_dft_r2c, "RgHJio.", R2C, single, 7)                                \
    PLANNER(prefix##plan_guru64_dft_c2r, "RgHJio.", C2R, single, 7)

PLANNERS(fftw_, false)
PLANNERS(fftwf_, true)

/* ---- executing it ----------------------------------------------------------------------------- */

/* Arrays of the plan, or others that were given. A plan that is not known: a shape of no function. */
static struct be_call_entry shape_of(const uint64_t *argument, int count, struct array *in,
                                     struct array *out) {
    const struct transform *transform = find(argument[0], false);
    if (!transform) {
        return (struct be_call_entry){0};
    }
    *in = transform->in;
    *out = transform->out;
    if (count == 3) {
        in->base = argument[1];
        out->base = argument[2];
    }
    return (struct be_call_entry){.function = (uint16_t)(transform->number + 1),
                                  .type = transform->type,
                                  .n = (int64_t)transform->n,
                                  .k = (int64_t)transform->many};
}

#define EXECUTOR(name, count)                                                                      \
    __attribute__((visibility("default"))) void name(PARAMETERS_##count);                          \
    void name(PARAMETERS_##count) {                                                                \
        static struct site site = {.symbol = #name};                                               \
        const uint64_t argument[] = {ARGUMENTS_##count};                                           \
        struct array in = {0}, out = {0};                                                          \
        struct call call;                                                                          \
        const struct be_call_entry shape = shape_of(argument, count, &in, &out);                   \
        void (*real)(TYPES_##count) = (void (*)(TYPES_##count))call_begin_transform(               \
            &site, &shape, &in, &out, __builtin_frame_address(0), __builtin_return_address(0),     \
            &call);                                                                                \
        real(ARGUMENTS_##count);                                                                   \
        call_end(&call);                                                                           \
    }

#define EXECUTORS(prefix)                                                                          \
    EXECUTOR(prefix##execute, 1)                                                                   \
    EXECUTOR(prefix##execute_dft, 3)                                                               \
    EXECUTOR(prefix##execute_dft_r2c, 3)                                                           \
    EXECUTOR(prefix##execute_dft_c2r, 3)

EXECUTORS(fftw_)
EXECUTORS(fftwf_)
