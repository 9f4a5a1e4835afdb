// clang-format off
/* FFTW's threads in single precision (libfftw3f_threads, _omp): FN(must|may, type, name, (arguments)). */
FN(must, int, fftwf_init_threads, (void))
FN(must, void, fftwf_plan_with_nthreads, (int threads))
FN(may, void, fftwf_threads_set_callback, (void (*parallel_loop)(void *(*work)(char *), char *jobs, size_t job_bytes, int count, void *data), void *data))
