/* The sum of each row of a matrix, in OpenCL C: a lane a row.
 * breakeven: kernel row_sums
 * breakeven: size rows = 1e3..1e6
 * breakeven: parameter columns = 64
 * breakeven: read float a[rows*columns]
 * breakeven: write float sum[rows]
 * breakeven: value int rows
 * breakeven: value int columns
 * breakeven: value float scale = 0.5
 * breakeven: operations rows*columns
 */
__kernel void row_sums(__global const float *a, __global float *sum, int rows, int columns,
                       float scale) {
    const int row = get_global_id(0);
    if (row < rows) {
        float total = 0;
        for (int j = 0; j < columns; j++)
            total += a[row * columns + j];
        sum[row] = scale * total;
    }
}
