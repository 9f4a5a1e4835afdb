/* The functions of the fake CUPTI beside CUPTI's own: they let "the GPU" work. */
#ifndef TESTS_INJECT_CUPTI_H
#define TESTS_INJECT_CUPTI_H

/*
 * `turns` times: a kernel of 2 us (its name one of three, every 100th pointing nowhere), begun 10 us
 * after the one before, with a launch of 3 us before it; every 10th is followed by a wait for the stream
 * that began with it and ends 1 us after it; every 20th by a copy of 4096 bytes from pageable memory
 * that takes 1 us, at once after the kernel. Records fill buffers; full ones are handed in. Whoever calls
 * CUPTI meanwhile waits until all is done.
 */
typedef void be_fake_gpu_function(int turns);
__attribute__((visibility("default"))) be_fake_gpu_function be_fake_gpu_work;

/* The same in step with the thread that asks for the time: it works when that thread has come to ask,
 * which gets its answer then, and not the next one before more work, or until the steps are over. */
__attribute__((visibility("default"))) be_fake_gpu_function be_fake_gpu_step;
__attribute__((visibility("default"))) void be_fake_gpu_steps_end(void);

/* How often the time was asked for. */
typedef int be_fake_gpu_question(void);
__attribute__((visibility("default"))) be_fake_gpu_question be_fake_gpu_asked;
/* How often kernels began to be recorded. */
__attribute__((visibility("default"))) be_fake_gpu_question be_fake_gpu_windows;

#endif
