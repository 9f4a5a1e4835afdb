// The sum of each row of a matrix, in CUDA C: a block of 128 threads a row.
// breakeven: kernel row_sums
// breakeven: size rows = 1e3..1e6
// breakeven: parameter columns = 64
// breakeven: read float a[rows*columns]
// breakeven: write float sum[rows]
// breakeven: value int rows
// breakeven: value int columns
// breakeven: value float scale = 0.5
// breakeven: operations rows*columns
// breakeven: lanes 128
// breakeven: groups rows
extern "C" __global__ void row_sums(const float *a, float *sum, int rows, int columns, float scale) {
    __shared__ float part[128];
    const int row = blockIdx.x, lane = threadIdx.x;
    float total = 0;
    for (int j = lane; j < columns; j += 128)
        total += a[row * columns + j];
    part[lane] = total;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (lane < step)
            part[lane] += part[lane + step];
        __syncthreads();
    }
    if (lane == 0)
        sum[row] = scale * part[0];
}
