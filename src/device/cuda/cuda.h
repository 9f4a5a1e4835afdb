/* Declarations that the CUDA backend's files share. Not for others. */
#ifndef BE_DEVICE_CUDA_CUDA_H
#define BE_DEVICE_CUDA_CUDA_H

#include "device/device.h"
#include "dyn/nvidia/cuda.h"

/* A device whose memory this one may reach. The moment it was opened tells it apart from a later
 * opening, whose context may lie at the same address. */
struct be_cuda_peer {
    CUcontext context;
    double opened_s;
};

struct be_cuda_device {
    struct be_device base; /* first, so that the two pointers are one */
    struct be_cuda cuda;
    struct be_nvrtc nvrtc; /* handle NULL: not here; build then says so */
    struct be_nvml nvml;   /* handle NULL: not here; state then is not measured */
    struct be_error nvrtc_error;
    nvmlDevice_t nvml_device;
    CUdevice device;
    CUcontext context;
    CUstream stream[BE_QUEUES];
    int major, minor;  /* compute capability */
    char pci[BE_NAME]; /* address on the bus, in lower case; empty: not known */
    double opened_s;   /* the host's clock when it was opened */
    struct be_cuda_peer peer[BE_DEVICES_MAX];
    int peers;
};

/* device/cuda/context.c */

/* The device as what it is, its context made current. */
struct be_cuda_device *be_cuda_enter(struct be_device *device);

/* BE_OK, or BE_DRIVER / BE_NOMEM with "cuCall of 131 MB: out of memory" in error. */
enum be_status be_cuda_check(const struct be_cuda *cuda, CUresult result, const char *call,
                             struct be_error *error);

/* device/cuda/library.c: what the results of NVIDIA's libraries mean. 0 is success in all of them;
 * one that is not listed is BE_DRIVER. */
struct be_cuda_meaning {
    int code;
    enum be_status status;
    const char *text; /* NULL: the library says it */
};
struct be_cuda_results {
    const char *library;
    const struct be_cuda_meaning *meaning;
    size_t meanings;
};

/* BE_OK, or a status with "call: text (cuFFT error 2)" in error. said: the library's own text, which
 * comes first; NULL: it has none. */
enum be_status be_cuda_result(const struct be_cuda_results *results, int result, const char *said,
                              const char *call, struct be_error *error);

/* device/cuda/build.c */
enum be_status be_cuda_build(struct be_device *device, const struct be_program *program,
                             struct be_module *module, struct be_error *error);
void be_cuda_drop(struct be_device *device, struct be_module *module);
enum be_status be_cuda_kernel(struct be_device *device, const struct be_module *module,
                              const char *name, struct be_kernel *kernel, struct be_error *error);

/* device/cuda/probe.c */
enum be_status be_cuda_probe(struct be_device_info *found, int capacity, int *count,
                             struct be_error *error);
void be_cuda_state(struct be_device *device, struct be_device_state *state);
/* "GPU-8a3c..." or, of a part of a GPU, "MIG-..."; false: the driver does not say. */
bool be_cuda_uuid(const struct be_cuda *cuda, CUdevice device, const char *name, char *text,
                  size_t capacity);

/* device/cuda/facts.c */
void be_cuda_facts(struct be_device *device,
                   void (*tell)(void *context, const char *name, const char *text, double number),
                   void *context);

/* device/cuda/graph.c */
enum be_status be_cuda_capture(struct be_device *device, enum be_queue queue,
                               struct be_error *error);
enum be_status be_cuda_captured(struct be_device *device, enum be_queue queue,
                                struct be_graph *graph, struct be_error *error);
enum be_status be_cuda_replay(struct be_device *device, enum be_queue queue,
                              const struct be_graph *graph, struct be_error *error);
void be_cuda_forget_graph(struct be_device *device, struct be_graph *graph);

/* device/cuda/unified.c */
enum be_status be_cuda_unify(struct be_device *device, size_t bytes, struct be_unified *unified,
                             struct be_error *error);
void be_cuda_release_unified(struct be_device *device, struct be_unified *unified);

/* device/cuda/lock.c */
enum be_status be_cuda_lock(struct be_device *device, void *memory, size_t bytes,
                            struct be_error *error);
void be_cuda_unlock(struct be_device *device, void *memory);

/* device/cuda/peer.c */
enum be_status be_cuda_copy_peer(struct be_device *device, enum be_queue queue,
                                 const struct be_buffer *to, struct be_device *other,
                                 const struct be_buffer *from, size_t bytes,
                                 struct be_error *error);

/* device/cuda/together.c */
int be_cuda_neighbours(const struct be_device *device);
enum be_status be_cuda_launch_together(struct be_device *device, enum be_queue queue,
                                       const struct be_kernel *kernel, size_t groups, size_t lanes,
                                       size_t shared_bytes, const struct be_argument *arguments,
                                       int count, struct be_error *error);

/* device/cuda/blas.c */
extern const struct be_blas_ops be_cuda_blas;

/* device/cuda/solver.c */
extern const struct be_solver_ops be_cuda_solver;

/* device/cuda/fft.c */
extern const struct be_fft_ops be_cuda_fft;

/* device/cuda/reduce.c */
extern const struct be_reduce_ops be_cuda_reduce;

/* device/cuda/sparse.c */
extern const struct be_sparse_ops be_cuda_sparse;

/* device/cuda/dnn.c */
extern const struct be_dnn_ops be_cuda_dnn;

#endif
