// clang-format off
/* FFTW's transforms in single precision (libfftw3f): FN(must|may, type, name, (arguments)). */
FN(must, fftwf_plan, fftwf_plan_many_dft, (int rank, const int *n, int batch, fftwf_complex *in, const int *in_embed, int in_stride, int in_distance, fftwf_complex *out, const int *out_embed, int out_stride, int out_distance, int sign, unsigned flags))
FN(must, fftwf_plan, fftwf_plan_many_dft_r2c, (int rank, const int *n, int batch, float *in, const int *in_embed, int in_stride, int in_distance, fftwf_complex *out, const int *out_embed, int out_stride, int out_distance, unsigned flags))
FN(must, void, fftwf_execute_dft, (const fftwf_plan plan, fftwf_complex *in, fftwf_complex *out))
FN(must, void, fftwf_execute_dft_r2c, (const fftwf_plan plan, float *in, fftwf_complex *out))
FN(must, void, fftwf_destroy_plan, (fftwf_plan plan))
FN(must, fftwf_complex *, fftwf_alloc_complex, (size_t count))
FN(must, void, fftwf_free, (void *memory))
FN(may, void, fftwf_set_timelimit, (double seconds))
