/* What the fake CUPTI does beside CUPTI's own functions: lets "the GPU" work. */
#ifndef TESTS_INJECT_CUPTI_H
#define TESTS_INJECT_CUPTI_H

/*
 * `turns` times: a kernel of 2 us (its name one of three, every 100th pointing nowhere), begun 10 us
 * after the one before, with a launch of 3 us before it; every 10th is followed by a wait for the stream
 * that began with it and ends 1 us after it; every 20th by a copy of 4096 bytes from pageable memory
 * that takes 1 us, at once after the kernel. Records fill buffers; full ones are handed in.
 */
typedef void be_fake_gpu_function(int turns);
__attribute__((visibility("default"))) be_fake_gpu_function be_fake_gpu_work;

/* Are launches being recorded? */
typedef int be_fake_gpu_question(void);
__attribute__((visibility("default"))) be_fake_gpu_question be_fake_gpu_launches;
/* How often kernels began to be recorded. */
__attribute__((visibility("default"))) be_fake_gpu_question be_fake_gpu_windows;

#endif
