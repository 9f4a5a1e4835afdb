/* A fake cuFFT: the sum as it is defined, put into the fake driver's stream. Plans are numbers from
 * 0 on, and have no stream of their own until they are given one. */
#include <math.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "dyn/nvidia/cufft.h"

enum { PLANS = 16, SCRATCH = 512 };

static struct plan {
    bool here, made;
    long long points, batch;
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
    if (plans[plan].made || rank != 1 || n[0] < 1 || batch < 1 || in_embed || out_embed ||
        type != CUFFT_C2C || !work_bytes) {
        return fake_misuse(CUFFT_INVALID_VALUE, "cufftMakePlanMany64 of %lld x %lld points", batch,
                           n[0]);
    }
    plans[plan].made = true;
    plans[plan].points = n[0];
    plans[plan].batch = batch;
    *work_bytes = SCRATCH;
    return CUFFT_SUCCESS;
}

struct work {
    const cufftComplex *in;
    cufftComplex *out;
    long long points, batch;
};

static void run(const void *context) {
    struct work w;
    memcpy(&w, context, sizeof w);
    const double turn = -2 * acos(-1.0) / (double)w.points;
    for (long long i = 0; i < w.points * w.batch; i++) {
        const cufftComplex *from = w.in + i / w.points * w.points;
        double real = 0;
        double imaginary = 0;
        for (long long j = 0; j < w.points; j++) {
            double angle = turn * (double)(i % w.points * j % w.points);
            real += (double)from[j].x * cos(angle) - (double)from[j].y * sin(angle);
            imaginary += (double)from[j].x * sin(angle) + (double)from[j].y * cos(angle);
        }
        w.out[i] = (cufftComplex){(float)real, (float)imaginary};
    }
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
    cufftResult code = begin(AT_cufftExecC2C, plan);
    if (code != 0) {
        return code;
    }
    const struct plan *p = &plans[plan];
    const struct work w = {in, out, p->points, p->batch};
    size_t bytes = (size_t)(p->points * p->batch) * sizeof *in;
    if (!p->made || in == out || direction != CUFFT_FORWARD || !driver_holds(in, bytes) ||
        !driver_holds(out, bytes)) {
        return fake_misuse(CUFFT_INVALID_VALUE, "cufftExecC2C of %lld x %lld points", p->batch,
                           p->points);
    }
    return driver_put(p->stream, run, &w, sizeof w)
               ? CUFFT_SUCCESS
               : fake_misuse(CUFFT_EXEC_FAILED, "cufftExecC2C without a stream");
}
