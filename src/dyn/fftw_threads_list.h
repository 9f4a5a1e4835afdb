// clang-format off
/* FFTW's threads in single precision (libfftw3f_threads, _omp): FN(must|may, type, name, (arguments)). */
FN(must, int, fftwf_init_threads, (void))
FN(must, void, fftwf_plan_with_nthreads, (int threads))
