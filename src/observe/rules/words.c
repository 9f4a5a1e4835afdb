/* The table of words. */
#include "observe/rules/words.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define OPENMP                                                                                     \
    "schedule(dynamic) where parts of a parallel loop take unlike long, and parallel loops for "   \
    "what still runs on one thread, which perf record COMMAND finds"

#define MEET                                                                                       \
    "fewer and larger parallel loops: one parallel region around several of them, nowait where "   \
    "the next loop does not need all; OMP_NUM_THREADS=1, to compare"

/* The first row whose library the trace names; the last of each is for all (BE_LIBS). A # is the number. The words are
 * those of each project's own manual. */
/* clang-format off */
static const struct {
    enum be_words what;
    enum be_mapped library;
    const char *text;
} table[] = {
    {BE_SAY_SEES_GPU, BE_LIB_TORCH, "python -c 'import torch; print(torch.cuda.is_available())' says whether PyTorch sees it"},
    {BE_SAY_SEES_GPU, BE_LIB_JAX, "python -c 'import jax; print(jax.devices())' says whether JAX sees it"},
    {BE_SAY_SEES_GPU, BE_LIB_TENSORFLOW, "python -c 'import tensorflow as tf; print(tf.config.list_physical_devices())' says whether TensorFlow sees it"},
    {BE_SAY_SEES_GPU, BE_LIB_CUPY, "python -c 'import cupy; cupy.show_config()' says whether CuPy sees it"},
    {BE_SAY_SEES_GPU, BE_LIB_JULIA, "CUDA.functional() says whether Julia sees it, and CuArray(x) moves an array there"},
    {BE_SAY_SEES_GPU, BE_LIB_MATLAB, "gpuDeviceTable says whether MATLAB sees it, and gpuArray(x) moves an array there"},
    {BE_SAY_SEES_GPU, BE_LIB_NUMPY, "NumPy computes on the CPU alone: is there another library in it that should use a GPU?"},
    {BE_SAY_SEES_GPU, BE_LIBS, "is it built for GPUs, and told to use one? nvidia-smi lists them"},

    {BE_SAY_ALL_GPUS, BE_LIB_TORCH, "torchrun --nproc-per-node=#"},
    {BE_SAY_ALL_GPUS, BE_LIB_JAX, "arrays spread over all of jax.devices() (jax.sharding)"},
    {BE_SAY_ALL_GPUS, BE_LIB_TENSORFLOW, "tf.distribute.MirroredStrategy()"},
    {BE_SAY_ALL_GPUS, BE_LIBS, "one process for each of the #"},

    {BE_SAY_EVEN, BE_LIB_TORCH, "torch.utils.data.DistributedSampler, batches of one size"},
    {BE_SAY_EVEN, BE_LIBS, "parts that take as long"},

    {BE_SAY_WARPS, BE_LIB_TORCH, "torch.compile(model) makes one kernel of several; those of your own: smaller blocks, fewer registers a thread"},
    {BE_SAY_WARPS, BE_LIB_CUDA, "smaller blocks, fewer registers: __launch_bounds__(256, 4)"},
    {BE_SAY_WARPS, BE_LIBS, "kernels with smaller blocks, or fewer registers a thread: a kernel's profile says which of both"},

    {BE_SAY_TENSOR, BE_LIB_TORCH, "torch.set_float32_matmul_precision('high')"},
    {BE_SAY_TENSOR, BE_LIB_JAX, "jax.config.update('jax_default_matmul_precision', 'tensorfloat32'), or arrays in jnp.bfloat16"},
    {BE_SAY_TENSOR, BE_LIB_TENSORFLOW, "tf.keras.mixed_precision.set_global_policy('mixed_bfloat16')"},
    {BE_SAY_TENSOR, BE_LIB_CUPY, "export CUPY_TF32=1, or arrays in cupy.float16"},
    {BE_SAY_TENSOR, BE_LIB_JULIA, "CUDA.math_mode!(CUDA.FAST_MATH), or arrays in Float16"},
    {BE_SAY_TENSOR, BE_LIB_CUDA, "cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH)"},
    {BE_SAY_TENSOR, BE_LIBS, "TF32, or half precision, for products of matrices: what computes them has a setting for it"},

    {BE_SAY_SINGLE, BE_LIB_TORCH, "x = x.to(torch.float32), and no arrays in double precision made into tensors"},
    {BE_SAY_SINGLE, BE_LIB_JAX, "jax_enable_x64 off"},
    {BE_SAY_SINGLE, BE_LIB_TENSORFLOW, "tf.keras.backend.set_floatx('float32'), tf.cast(x, tf.float32)"},
    {BE_SAY_SINGLE, BE_LIB_CUPY, "x = x.astype(cupy.float32)"},
    {BE_SAY_SINGLE, BE_LIB_JULIA, "Float32.(x), and numbers like 0.5f0"},
    {BE_SAY_SINGLE, BE_LIB_MATLAB, "x = single(x)"},
    {BE_SAY_SINGLE, BE_LIBS, "float instead of double, or mixed; which arrays and numbers are double?"},

    {BE_SAY_PINNED, BE_LIB_TORCH, "DataLoader(..., pin_memory=True), x.to('cuda', non_blocking=True)"},
    {BE_SAY_PINNED, BE_LIB_TENSORFLOW, "tf.data.experimental.prefetch_to_device('/GPU:0') as the last step of the data set"},
    {BE_SAY_PINNED, BE_LIB_CUPY, "cupyx.empty_pinned(shape, dtype) for what is copied"},
    {BE_SAY_PINNED, BE_LIB_JULIA, "CUDA.pin(x) for what is copied"},
    {BE_SAY_PINNED, BE_LIB_JAX, "keep it on the GPU: jax.device_put(x) once, before the loop"},
    {BE_SAY_PINNED, BE_LIB_CUDA, "cudaMallocHost, or cudaHostRegister, for what is copied"},
    {BE_SAY_PINNED, BE_LIB_HIP, "hipHostMalloc, or hipHostRegister, for what is copied"},
    {BE_SAY_PINNED, BE_LIBS, "pinned (page-locked) memory for what is copied"},

    {BE_SAY_LAUNCHES, BE_LIB_TORCH, "torch.compile(model, mode='reduce-overhead'), or a larger batch"},
    {BE_SAY_LAUNCHES, BE_LIB_JAX, "jax.jit around the whole step, and jax.lax.scan instead of a loop in Python"},
    {BE_SAY_LAUNCHES, BE_LIB_TENSORFLOW, "@tf.function(jit_compile=True) around the whole step, or a larger batch"},
    {BE_SAY_LAUNCHES, BE_LIB_CUPY, "whole arrays instead of elements, and @cupy.fuse() around elementwise steps"},
    {BE_SAY_LAUNCHES, BE_LIB_JULIA, "one broadcast for several steps (@. y = a*x + b), whole arrays instead of elements"},
    {BE_SAY_LAUNCHES, BE_LIB_MATLAB, "arrayfun on gpuArrays makes one kernel of several steps"},
    {BE_SAY_LAUNCHES, BE_LIB_CUDA, "more work a kernel, or launches recorded once: cudaGraphLaunch"},
    {BE_SAY_LAUNCHES, BE_LIB_HIP, "more work a kernel, or launches recorded once: hipGraphLaunch"},
    {BE_SAY_LAUNCHES, BE_LIBS, "more work a kernel: a larger batch, several steps in one, or launches recorded once as a graph"},

    {BE_SAY_WORKERS, BE_LIB_TORCH, "DataLoader(..., num_workers=#)"},
    {BE_SAY_WORKERS, BE_LIB_TENSORFLOW, "dataset.map(..., num_parallel_calls=#)"},
    {BE_SAY_WORKERS, BE_LIBS, "# processes that prepare data"},

    {BE_SAY_PREPARE, BE_LIB_TORCH, "does it prepare data? DataLoader(..., num_workers=#). py-spy top --pid PID shows where it is"},
    {BE_SAY_PREPARE, BE_LIB_TENSORFLOW, "does it prepare data? dataset.map(..., num_parallel_calls=#).prefetch(2). py-spy top --pid PID shows where it is"},
    {BE_SAY_PREPARE, BE_LIB_PYTHON, "does it prepare data? in # processes of their own, while the GPU computes. py-spy top --pid PID shows where it is"},
    {BE_SAY_PREPARE, BE_LIBS, "does it prepare data? on # threads, while the GPU computes. perf top -p PID shows where it is"},

    {BE_SAY_FETCH, BE_LIB_TORCH, "no .item(), .cpu() or print(loss) in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_JAX, "no float(x), print(x) or x.block_until_ready() in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_TENSORFLOW, "no x.numpy(), float(x) or print(x) in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_CUPY, "no x.get(), float(x) or print(x) in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_JULIA, "no Array(x), x[1] or CUDA.synchronize() in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_MATLAB, "no gather(x) in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_CUDA, "no cudaDeviceSynchronize, and no result copied back, in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIB_HIP, "no hipDeviceSynchronize, and no result copied back, in every step: every hundredth is enough"},
    {BE_SAY_FETCH, BE_LIBS, "no waiting for the GPU, and no result copied back, in every step: every hundredth is enough"},

    {BE_SAY_COMPILE, BE_LIB_JAX, "jax.jit once, before the loop, and arguments of one shape: JAX_EXPLAIN_CACHE_MISSES=1 says what is compiled anew, and why"},
    {BE_SAY_COMPILE, BE_LIB_TORCH, "inputs of one shape, or torch.compile(model, dynamic=True): TORCH_LOGS=recompiles says what is compiled anew, and why"},
    {BE_SAY_COMPILE, BE_LIB_TENSORFLOW, "@tf.function(input_signature=[...]), or inputs of one shape: each new one is compiled anew"},
    {BE_SAY_COMPILE, BE_LIB_CUPY, "kernels made once, before the loop, with what changes as an argument and not in their text"},
    {BE_SAY_COMPILE, BE_LIBS, "compile once, before the loop: what changes as an argument, inputs of one shape"},

    {BE_SAY_EXCHANGE, BE_LIB_TORCH, "a larger batch a GPU, or gradients in bfloat16 (torch.distributed.algorithms.ddp_comm_hooks)"},
    {BE_SAY_EXCHANGE, BE_LIBS, "more work a GPU between two exchanges, or fewer bytes in each"},

    {BE_SAY_GPU_MEMORY, BE_LIB_TORCH, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or a smaller batch"},
    {BE_SAY_GPU_MEMORY, BE_LIBS, "smaller pieces of the data, one after the other"},

    {BE_SAY_PARALLEL, BE_LIB_JULIA, "julia --threads=#, with Threads.@threads before its loops"},
    {BE_SAY_PARALLEL, BE_LIB_MATLAB, "parfor for its loops, with parpool(#)"},
    {BE_SAY_PARALLEL, BE_LIB_OCTAVE, "whole arrays instead of loops, or parcellfun(#, ...) of its package parallel"},
    {BE_SAY_PARALLEL, BE_LIB_R, "parallel::mclapply(..., f, mc.cores = #) for its loops, and before them f <- compiler::cmpfun(f): its processes compile nothing"},
    {BE_SAY_PARALLEL, BE_LIB_NUMBA, "@numba.njit(parallel=True), with numba.prange for its loops"},
    {BE_SAY_PARALLEL, BE_LIB_SKLEARN, "n_jobs=# where scikit-learn has it (forests, searches, neighbours)"},
    {BE_SAY_PARALLEL, BE_LIB_JAX, "jax.jit around the whole step, and jax.lax.scan instead of a loop in Python. JAX_EXPLAIN_CACHE_MISSES=1 says what is compiled anew: one shape for all ends that"},
    {BE_SAY_PARALLEL, BE_LIB_TORCH, "more data in each operation (a batch): PyTorch gives one on little data one core"},
    {BE_SAY_PARALLEL, BE_LIB_PANDAS, "pandas takes one core: each part read and computed in a process of its own (multiprocessing.Pool(#)), not sent there"},
    {BE_SAY_PARALLEL, BE_LIB_NUMPY, "parts of the arrays at once, in concurrent.futures.ThreadPoolExecutor(#): only products and solvers in NumPy have threads of their own"},
    {BE_SAY_PARALLEL, BE_LIB_PYTHON, "multiprocessing.Pool(#), where its parts do not need each other"},
    {BE_SAY_PARALLEL, BE_LIB_GZIP, "pigz -p #, which writes the same format"},
    {BE_SAY_PARALLEL, BE_LIB_BZIP2, "pbzip2 -p#, which writes the same format"},
    {BE_SAY_PARALLEL, BE_LIB_XZ, "xz -T#"},
    {BE_SAY_PARALLEL, BE_LIB_ZSTD, "zstd -T#"},
    {BE_SAY_PARALLEL, BE_LIB_GOMP, OPENMP},
    {BE_SAY_PARALLEL, BE_LIB_IOMP, OPENMP},
    {BE_SAY_PARALLEL, BE_LIB_OMP, OPENMP},
    {BE_SAY_PARALLEL, BE_LIBS, "threads for what takes its time, which perf record COMMAND finds"},

    {BE_SAY_AGAIN, BE_LIB_NUMPY, "use arrays again instead of making new ones (np.add(a, b, out=c), a *= 2)"},
    {BE_SAY_AGAIN, BE_LIB_TORCH, "use arrays again instead of making new ones (torch.add(a, b, out=c), a.mul_(2))"},
    {BE_SAY_AGAIN, BE_LIBS, "use arrays again instead of making new ones"},

    {BE_SAY_TURNS, BE_LIB_PYTHON, "processes instead of threads: multiprocessing.Pool(#)"},
    {BE_SAY_TURNS, BE_LIBS, "do less under the lock, have a lock for each part of the data, or processes instead of threads"},

    {BE_SAY_MEET, BE_LIB_GOMP, MEET},
    {BE_SAY_MEET, BE_LIB_IOMP, MEET},
    {BE_SAY_MEET, BE_LIB_OMP, MEET},
    {BE_SAY_MEET, BE_LIBS, "more work between two barriers; one thread, to compare"},

    {BE_SAY_FEWER_PROCESSES, BE_LIB_SKLEARN, "# processes (n_jobs=#)"},
    {BE_SAY_FEWER_PROCESSES, BE_LIB_PYTHON, "# processes (multiprocessing.Pool(#), n_jobs=#)"},
    {BE_SAY_FEWER_PROCESSES, BE_LIBS, "# processes at a time"},

    {BE_SAY_BARRIERS, BE_LIB_NUMBA, "parts that take as long (numba.set_parallel_chunksize), more work in each parallel function; or NUMBA_NUM_THREADS smaller than #"},
    {BE_SAY_BARRIERS, BE_LIB_MPI, "parts that take as long on every rank, and fewer, larger messages"},
    {BE_SAY_BARRIERS, BE_LIB_GOMP, "schedule(dynamic) where parts of a loop take unlike long, more work in each parallel loop, nowait where the next needs no result of it; or OMP_NUM_THREADS smaller than #"},
    {BE_SAY_BARRIERS, BE_LIB_IOMP, "schedule(dynamic) where parts of a loop take unlike long, more work in each parallel loop, nowait where the next needs no result of it; or OMP_NUM_THREADS smaller than #"},
    {BE_SAY_BARRIERS, BE_LIB_OMP, "schedule(dynamic) where parts of a loop take unlike long, more work in each parallel loop, nowait where the next needs no result of it; or OMP_NUM_THREADS smaller than #"},
    {BE_SAY_BARRIERS, BE_LIBS, "parts that take as long, and more work in each"},

    {BE_SAY_SHARE, BE_LIB_PYTHON, "arrays that processes share, and only their names sent: multiprocessing.shared_memory, numpy.memmap; or threads, where NumPy and its like do the work"},
    {BE_SAY_SHARE, BE_LIBS, "memory that the processes share (mmap, shm_open), and only its addresses sent; or threads"},

    {BE_SAY_BUILD, BE_LIBS, "several files compiled at a time: make -j#, cmake --build . -j #, or export MAKEFLAGS=-j#"},
};
/* clang-format on */

/* The trace names it; what is a package of Python there speaks Python only where that is there too. */
static bool speaks(const struct be_trace *trace, enum be_mapped library) {
    const bool package = library >= BE_LIB_TORCH && library <= BE_LIB_NUMPY;
    return be_look_uses(trace, library) && (!package || be_look_uses(trace, BE_LIB_PYTHON));
}

/* Nobody knows which of two libraries that compute on a GPU does. */
static bool ambiguous(const struct be_trace *trace, enum be_mapped library) {
    static const enum be_mapped compute[] = {BE_LIB_TORCH, BE_LIB_JAX, BE_LIB_TENSORFLOW,
                                             BE_LIB_CUPY};
    int found = 0;
    bool one = false;
    for (size_t i = 0; i < BE_COUNT(compute); i++) {
        found += speaks(trace, compute[i]);
        one |= compute[i] == library;
    }
    return one && found > 1;
}

static const char *find(const struct be_trace *trace, enum be_words what) {
    const bool loads = what == BE_SAY_WORKERS || what == BE_SAY_PREPARE || what == BE_SAY_PINNED;
    for (size_t i = 0; i < BE_COUNT(table); i++) {
        const enum be_mapped library = table[i].library;
        bool fits =
            library == BE_LIBS || (speaks(trace, library) && (loads || !ambiguous(trace, library)));
        if (table[i].what == what && fits) {
            return table[i].text;
        }
    }
    return "";
}

const char *be_words(const struct be_trace *trace, enum be_words what, int number,
                     char to[BE_NOTE]) {
    size_t length = 0;
    to[0] = '\0';
    for (const char *at = find(trace, what); *at && length < BE_NOTE - 1; at++) {
        int part = *at == '#' ? snprintf(to + length, BE_NOTE - length, "%d", number)
                              : snprintf(to + length, BE_NOTE - length, "%c", *at);
        length += part > 0 ? (size_t)part : 0;
    }
    return to;
}
