/* A fake cuFFT: the sum as it is defined, of one dimension or two, put into the fake driver's stream. Plans are numbers
 * from 0 on, and have no stream of their own until they are given one. */
#include <math.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "dyn/nvidia/cufft.h"

enum { PLANS = 16, SCRATCH = 512 };

static struct plan {
    bool here, made, real;
    long long rows, columns, batch;
    cudaStream_t stream;
} plans[PLANS];

static cufftResult begin(int at, cufftHandle plan) {
    cufftResult code = fake_call(at);
    return code == 0 && (plan < 0 || plan >= PLANS || !plans[plan].here)
               ? fake_misuse(CUFFT_INVALID_PLAN, "%s without a plan", fake.function[at].name)
               : code;
}

cufftResult cufftGetVersion(int *version) {
    cufftResult code = fake_call(AT_cufftGetVersion);
    *version = code == 0 ? 12000 : 0;
    return code;
}

cufftResult cufftCreate(cufftHandle *plan) {
    cufftResult code = fake_call(AT_cufftCreate);
    int free_place = 0;
    while (free_place < PLANS && plans[free_place].here) {
        free_place++;
    }
    if (code == 0 && free_place < PLANS) {
        plans[free_place] = (struct plan){.here = true};
        fake.live[FAKE_PLAN]++;
        *plan = free_place;
    }
    return code == 0 && free_place == PLANS ? CUFFT_ALLOC_FAILED : code;
}

cufftResult cufftDestroy(cufftHandle plan) {
    cufftResult code = begin(AT_cufftDestroy, plan);
    if (plan >= 0 && plan < PLANS && plans[plan].here) {
        plans[plan].here = false;
        fake.live[FAKE_PLAN]--;
    }
    return code;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    cufftResult code = begin(AT_cufftSetStream, plan);
    if (code == 0) {
        plans[plan].stream = stream;
    }
    return code;
}

/* Where no layout is given the strides do not count. */
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *in_embed,
                                long long in_stride, long long in_distance, long long *out_embed,
                                long long out_stride, long long out_distance, cufftType type,
                                long long batch, size_t *work_bytes) {
    cufftResult code = begin(AT_cufftMakePlanMany64, plan);
    (void)in_stride, (void)in_distance, (void)out_stride, (void)out_distance;
    if (code != 0) {
        return code;
    }
    if (plans[plan].made || rank < 1 || rank > 2 || n[0] < 1 || n[rank - 1] < 1 || batch < 1 ||
        in_embed || out_embed || (type != CUFFT_C2C && type != CUFFT_R2C) || !work_bytes) {
        return fake_misuse(CUFFT_INVALID_VALUE, "cufftMakePlanMany64 of %lld x %lld points", batch,
                           n[0]);
    }
    plans[plan].made = true;
    plans[plan].real = type == CUFFT_R2C;
    plans[plan].rows = rank == 2 ? n[0] : 1;
    plans[plan].columns = n[rank - 1];
    plans[plan].batch = batch;
    *work_bytes = SCRATCH;
    return CUFFT_SUCCESS;
}

struct work {
    const float *in;
    cufftComplex *out;
    struct plan plan;
};

static long long width_of(const struct plan *plan) {
    return plan->real ? plan->columns / 2 + 1 : plan->columns;
}

/* Number (k, l) of the transform of one image. */
static cufftComplex sum_of(const struct plan *p, const float *in, long long k, long long l) {
    double real = 0;
    double imaginary = 0;
    for (long long i = 0; i < p->rows * p->columns; i++) {
        const double turns = (double)(i / p->columns * k % p->rows) / (double)p->rows +
                             (double)(i % p->columns * l % p->columns) / (double)p->columns;
        const double angle = -2 * acos(-1.0) * turns;
        const double x = (double)in[p->real ? i : 2 * i];
        const double y = p->real ? 0 : (double)in[2 * i + 1];
        real += x * cos(angle) - y * sin(angle);
        imaginary += x * sin(angle) + y * cos(angle);
    }
    return (cufftComplex){(float)real, (float)imaginary};
}

static void run(const void *context) {
    struct work w;
    memcpy(&w, context, sizeof w);
    const long long width = width_of(&w.plan);
    const long long image = w.plan.rows * width;
    const long long floats = w.plan.rows * w.plan.columns * (w.plan.real ? 1 : 2);
    for (long long i = 0; i < image * w.plan.batch; i++) {
        w.out[i] = sum_of(&w.plan, w.in + i / image * floats, i % image / width, i % image % width);
    }
}

static cufftResult execute(const char *call, const struct plan *p, bool real, const void *in,
                           cufftComplex *out) {
    const struct work w = {in, out, *p};
    const size_t lines = (size_t)(p->rows * p->batch);
    const size_t floats = lines * (size_t)p->columns * (real ? 1 : 2);
    if (!p->made || p->real != real || in == out || !driver_holds(in, floats * sizeof(float)) ||
        !driver_holds(out, lines * (size_t)width_of(p) * sizeof *out)) {
        return fake_misuse(CUFFT_INVALID_VALUE, "%s of %lld x %lld points", call, p->batch,
                           p->columns);
    }
    return driver_put(p->stream, run, &w, sizeof w)
               ? CUFFT_SUCCESS
               : fake_misuse(CUFFT_EXEC_FAILED, "%s without a stream", call);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
    cufftResult code = begin(AT_cufftExecC2C, plan);
    if (code == 0 && direction != CUFFT_FORWARD) {
        return fake_misuse(CUFFT_INVALID_VALUE, "cufftExecC2C in direction %d", direction);
    }
    return code == 0 ? execute("cufftExecC2C", &plans[plan], false, in, out) : code;
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) {
    cufftResult code = begin(AT_cufftExecR2C, plan);
    return code == 0 ? execute("cufftExecR2C", &plans[plan], true, in, out) : code;
}
