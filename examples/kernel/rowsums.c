/* The same for the CPU: the kernel's arguments, and the rows that a thread does: first to end. */
void row_sums(const float *a, float *sum, int rows, int columns, float scale, long first, long end) {
    (void)rows;
    for (long row = first; row < end; row++) {
        float total = 0;
#pragma omp simd reduction(+ : total)
        for (int j = 0; j < columns; j++)
            total += a[row * columns + j];
        sum[row] = scale * total;
    }
}
