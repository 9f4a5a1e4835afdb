/* A GPU: a thread an item, data there; prints the median of seconds a sweep, and the sum of amounts. */
#include <algorithm>
#include <cstdio>
#include <vector>

#include LOOP

static __global__ void sweep(const real *in, real *out) {
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < ITEMS) {
        out[i] = item(i, in);
    }
}

int main() {
    const int threads = 128, rounds = 21;
    std::vector<real> in(INPUTS), out(ITEMS);
    for (long i = 0; i < INPUTS; i++) {
        in[i] = input_at(i);
    }
    real *there_in, *there_out;
    cudaMalloc(&there_in, INPUTS * sizeof(real));
    cudaMalloc(&there_out, ITEMS * sizeof(real));
    cudaMemcpy(there_in, in.data(), INPUTS * sizeof(real), cudaMemcpyHostToDevice);
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    std::vector<float> ms(rounds);
    for (int round = 0; round < rounds; round++) {
        cudaEventRecord(from);
        sweep<<<(ITEMS + threads - 1) / threads, threads>>>(there_in, there_out);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&ms[round], from, to);
    }
    cudaMemcpy(out.data(), there_out, ITEMS * sizeof(real), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) {
        return 1;
    }
    std::sort(ms.begin(), ms.end());
    double sum = 0;
    for (long i = 0; i < ITEMS; i++) {
        sum += fabs((double)out[i]);
    }
    printf("%.9g %.9g\n", 1e-3 * ms[rounds / 2], sum);
    return 0;
}
