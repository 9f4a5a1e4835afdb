/*
 * Places where code runs, behind one table of functions: cpu, cuda, opencl, null.
 *
 * A device has memory (buffers), three in-order queues, events in those queues, and kernels built
 * from a program. Nothing here waits unless its name says so. It knows nothing of workloads,
 * placements or statistics.
 */
#ifndef BE_DEVICE_DEVICE_H
#define BE_DEVICE_DEVICE_H

#include "breakeven.h"

struct be_program; /* kernels/host.h */
struct be_team;
struct be_dnn_ops;

/* Copies in, computing, copies out: three queues let all three overlap. */
enum be_queue { BE_QUEUE_IN, BE_QUEUE_WORK, BE_QUEUE_OUT, BE_QUEUES };

/* All handles start as zeroes; releasing a zeroed one does nothing. */
struct be_buffer {
    uintptr_t handle; /* device memory */
    size_t bytes;
};
struct be_pinned {
    void *host; /* page-locked host memory that the device reads and writes directly */
    uintptr_t handle;
    size_t bytes;
};
/* A buffer from a byte on. */
struct be_part {
    const struct be_buffer *buffer;
    size_t offset; /* a multiple of an element's size */
};
/* Column after column, as BLAS has it: element (i, j) is the one at offset + (i + j stride). */
struct be_matrix {
    const struct be_buffer *buffer;
    size_t offset;  /* bytes, a multiple of an element's size */
    int64_t stride; /* elements, the rows or more: the leading dimension */
};
struct be_event {
    uintptr_t handle; /* a moment in a queue */
};
struct be_module {
    uintptr_t handle; /* a built program */
    double build_s;   /* what building took */
};
struct be_kernel {
    uintptr_t handle;
};
struct be_graph {
    uintptr_t handle; /* launches kept, to be put into a queue again as one */
    int nodes;
};
/* Memory that host and device address alike; pages move to whoever touches them. */
struct be_unified {
    void *host;
    struct be_buffer buffer;
};
struct be_blas {
    uintptr_t handle; /* the vendor's matrix library, opened on a device */
    char name[BE_NAME];
    double open_s; /* what opening took */
};

struct be_solver {
    uintptr_t handle; /* the vendor's solvers of dense systems, opened on a device */
    char name[BE_NAME];
    double open_s;
};
/* Fourier transforms that lie one behind the other: of `columns` numbers each, or of images with more rows than one. */
struct be_fft_form {
    int64_t rows, columns, batch;
    bool real; /* of float numbers into columns / 2 + 1 complex ones a row; else of complex ones */
};
struct be_fft {
    uintptr_t handle; /* a Fourier transform made ready on a device */
    char name[BE_NAME];
    double open_s;        /* what opening took: the library and the plan */
    size_t scratch_bytes; /* of device memory that the plan holds */
};
struct be_sparse {
    uintptr_t handle; /* a sparse matrix and its vectors made ready on a device */
    char name[BE_NAME];
    double open_s;        /* what opening took: the library, looking at the matrix */
    size_t scratch_bytes; /* of device memory held for it */
};
struct be_reduce {
    uintptr_t handle; /* sums across devices made ready */
    char name[BE_NAME];
    double open_s;
};

/* The type in which the numbers of a matrix product are stored. tf32: float32, multiplied at 10
 * bits. */
enum be_precision { BE_FLOAT64, BE_FLOAT32, BE_TF32, BE_FLOAT16, BE_BFLOAT16, BE_PRECISIONS };

/* C = alpha op(A) op(B) + beta C, where op(A) is m x k, op(B) k x n, C m x n. With beta 0 C is not
 * read. */
struct be_gemm {
    enum be_precision precision;
    bool transpose_a, transpose_b; /* op: the transpose */
    int64_t m, n, k;
    double alpha, beta;
    struct be_matrix a, b, c;
    int64_t batch;                  /* 0 and 1: one; else so many, */
    int64_t a_step, b_step, c_step; /* whose matrices lie so many elements apart */
};

/* C = A B, n x n each, side by side. */
static inline struct be_gemm be_gemm_square(enum be_precision precision, int64_t n,
                                            const struct be_buffer *a, const struct be_buffer *b,
                                            const struct be_buffer *c) {
    return (struct be_gemm){.precision = precision,
                            .m = n,
                            .n = n,
                            .k = n,
                            .alpha = 1,
                            .a = {a, 0, n},
                            .b = {b, 0, n},
                            .c = {c, 0, n}};
}

/* Many small systems A x = b of one order, side by side. */
struct be_lu_batch {
    enum be_precision precision; /* BE_FLOAT64, BE_FLOAT32 */
    int order, count;
    struct be_part a; /* count x order x order, each column-major; its factors L and U after */
    struct be_part b; /* count x order; x after */
    struct be_part scratch; /* what lu_scratch_bytes says, on a multiple of 8 */
    struct be_part info;    /* count x int32: 0, or the first i, from 1, where U(i, i) is zero */
};

struct be_argument {
    enum {
        BE_ARGUMENT_BUFFER, /* a pointer: buffer, from offset on */
        BE_ARGUMENT_LONG,   /* integer: 64 bits */
        BE_ARGUMENT_INT,    /* integer: its lower 32 bits */
        BE_ARGUMENT_FLOAT,  /* real */
        BE_ARGUMENT_DOUBLE  /* real64 */
    } kind;
    const struct be_buffer *buffer;
    /* Bytes, within the buffer. OpenCL: a multiple of the device's base address alignment, BE_USAGE
     * if not; 4096 is one of every device known. */
    size_t offset;
    int64_t integer;
    float real;
    double real64;
};

/* One dense system A X = B, on the device. */
struct be_dense {
    enum be_precision precision; /* BE_FLOAT64, BE_FLOAT32 */
    int64_t order, right_sides;
    struct be_matrix a;     /* order x order; factor puts its L and U there */
    struct be_matrix b;     /* order x right_sides; solve puts X there */
    struct be_part pivots;  /* order x 8 bytes, of factor for solve */
    struct be_part scratch; /* what scratch_bytes says, on a multiple of 256; of factor alone */
    struct be_part info;    /* 2 x int32, of factor and of solve: the first is 0, or the first i,
                               from 1, where U(i, i) is zero; the second is 0 */
};

/* Symmetric matrices of one order, side by side: all values, ascending, and all vectors. */
struct be_eigen_batch {
    enum be_precision precision; /* BE_FLOAT64, BE_FLOAT32 */
    int64_t order, count;
    struct be_part a; /* count x order x order; vectors after, one after the other, of length 1 */
    struct be_part values; /* count x order */
    struct be_part
        scratch; /* what eigen_scratch_bytes says for as many or more, on a multiple of 256 */
    struct be_part info; /* count x int32: 0, or else the matrix has no answer */
};

/* Square matrices of one order, side by side, column after column: A = U diag(s) V', values descending. */
struct be_svd_batch {
    enum be_precision precision; /* BE_FLOAT64, BE_FLOAT32 */
    int64_t order, count;
    struct be_part a;      /* count x order x order; spoilt after */
    struct be_part values; /* count x order */
    struct be_part u, v;   /* count x order x order each */
    struct be_part
        scratch;         /* what svd_scratch_bytes says for as many or more, on a multiple of 256 */
    struct be_part info; /* count x int32: 0, or else the matrix has no answer */
};

/* A sparse matrix A in compressed rows, and x and y of y = A x, on the device: row i has the numbers
 * [offsets[i], offsets[i + 1]). */
struct be_csr {
    enum be_precision precision; /* BE_FLOAT64, BE_FLOAT32 */
    int64_t rows, columns, nonzeros;
    struct be_part offsets; /* (rows + 1) x int32 */
    struct be_part indices; /* nonzeros x int32: their columns, from 0 */
    struct be_part values;  /* nonzeros */
    struct be_part x, y;    /* columns; rows */
};

/* float32 numbers that each of several devices has, and their sums that each gets in their place. */
struct be_sum {
    const struct be_buffer *const *buffer; /* one a device, in the order of open */
    size_t numbers;
};

/* The state that the device reports beside a sample; NAN and 0 where it does not. */
struct be_device_state {
    double clock_hz, clock_max_hz, temperature_c;
    uint64_t throttle; /* NVML's clock-event reason bits */
};

struct be_device {
    const struct be_device_ops *ops;
    struct be_device_info info;
    double open_s; /* what opening took: context, queues */
};

/*
 * A backend is a table of tables. A required entry is never NULL; be_device_fits says which one is.
 * Optional ones stand in groups: all of a group are there or none, and who calls them asks first.
 */
enum { BE_DEVICE_OPS_VERSION = 2 }; /* one more whenever one of these tables changes */

struct be_device_ops {
    int version;      /* BE_DEVICE_OPS_VERSION of the header that the backend was compiled with */
    const char *name; /* required, as all up to extras are */
    /* At most `room` devices. BE_ABSENT with the reason when there is none. */
    enum be_status (*probe)(struct be_device_info *found, int capacity, int *count,
                            struct be_error *error);
    /* `team` runs host kernels (cpu); others ignore it. */
    enum be_status (*open)(const struct be_device_info *info, struct be_team *team,
                           struct be_device **device, struct be_error *error);
    void (*close)(struct be_device *device);

    const struct be_memory_ops *memory;
    const struct be_queue_ops *queue;
    const struct be_program_ops *program;
    const struct be_extra_ops *extras; /* required: the table; its entries are not */

    /* The vendor's libraries, each optional. */
    const struct be_blas_ops *blas;
    const struct be_solver_ops *solver;
    const struct be_fft_ops *fft;
    const struct be_sparse_ops *sparse;
    const struct be_dnn_ops *dnn; /* dnn.h */
    const struct be_reduce_ops *reduce;
};

/* The part of the table that names the tables of a backend's file, where these are their names. */
#define BE_DEVICE_TABLES_HERE                                                                      \
    .version = BE_DEVICE_OPS_VERSION, .memory = &memory_ops, .queue = &queue_ops,                  \
    .program = &program_ops

/* Memory of the device, and of the host for copies. */
struct be_memory_ops {
    enum be_status (*alloc)(struct be_device *device, size_t bytes, struct be_buffer *buffer,
                            struct be_error *error);                     /* required */
    void (*release)(struct be_device *device, struct be_buffer *buffer); /* required */
    enum be_status (*pin)(struct be_device *device, size_t bytes, struct be_pinned *pinned,
                          struct be_error *error);                     /* required */
    void (*unpin)(struct be_device *device, struct be_pinned *pinned); /* required */
    /* Required: how much the device has, and has left. */
    enum be_status (*capacity)(struct be_device *device, double *free_bytes, double *total_bytes,
                               struct be_error *error);
};

/* The operations that are put into queues, asynchronously, and the events between. */
struct be_queue_ops {
    /* Required. The host side of write and read is page-locked memory from pin. */
    enum be_status (*write)(struct be_device *device, enum be_queue queue,
                            const struct be_buffer *to, size_t offset, const void *from,
                            size_t bytes, struct be_error *error);
    enum be_status (*read)(struct be_device *device, enum be_queue queue, void *to,
                           const struct be_buffer *from, size_t offset, size_t bytes,
                           struct be_error *error); /* required */
    enum be_status (*fill)(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, size_t offset, uint8_t byte, size_t bytes,
                           struct be_error *error); /* required */
    /* Required. Device to device, same device. */
    enum be_status (*copy)(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, const struct be_buffer *from, size_t bytes,
                           struct be_error *error);

    enum be_status (*make_event)(struct be_device *device, struct be_event *event,
                                 struct be_error *error);                   /* required */
    void (*forget_event)(struct be_device *device, struct be_event *event); /* required */
    /* Required. Puts the event at the end of a queue. */
    enum be_status (*record)(struct be_device *device, enum be_queue queue, struct be_event *event,
                             struct be_error *error);
    /* Required. Makes a queue wait for an event, on the device. */
    enum be_status (*follow)(struct be_device *device, enum be_queue queue,
                             const struct be_event *event, struct be_error *error);
    /* Required. Makes the host wait for an event. */
    enum be_status (*wait)(struct be_device *device, const struct be_event *event,
                           struct be_error *error);
    /* Required. Device seconds from one recorded event to another. */
    enum be_status (*elapsed)(struct be_device *device, const struct be_event *from,
                              const struct be_event *to, double *seconds, struct be_error *error);
    /* Required. The host waits until everything in a queue is done. */
    enum be_status (*drain)(struct be_device *device, enum be_queue queue, struct be_error *error);
};

/* The table of a backend whose file has its functions under these names. */
#define BE_QUEUE_OPS_HERE                                                                          \
    {                                                                                              \
        .write = write_buffer, .read = read_buffer, .fill = fill, .copy = copy,                    \
        .make_event = make_event, .forget_event = forget_event, .record = record,                  \
        .follow = follow, .wait = wait_event, .elapsed = elapsed, .drain = drain,                  \
    }

/* Kernels: built, found, launched. */
struct be_program_ops {
    enum be_status (*build)(struct be_device *device, const struct be_program *program,
                            struct be_module *module, struct be_error *error); /* required */
    void (*drop)(struct be_device *device, struct be_module *module);          /* required */
    enum be_status (*kernel)(struct be_device *device, const struct be_module *module,
                             const char *name, struct be_kernel *kernel,
                             struct be_error *error); /* required */
    /* Required. groups x lanes lanes in one dimension. */
    enum be_status (*launch)(struct be_device *device, enum be_queue queue,
                             const struct be_kernel *kernel, size_t groups, size_t lanes,
                             const struct be_argument *arguments, int count,
                             struct be_error *error);
    void (*forget)(struct be_device *device, struct be_kernel *kernel); /* required */
};

/* Operations that some backends have and others lack: every entry is optional. */
struct be_extra_ops {
    /* Optional. */
    void (*state)(struct be_device *device, struct be_device_state *state);
    /* Optional. Says what the device is and how it is set, for a profile: calls tell once a fact,
     * with number NAN where the text is none. Names: docs/json.md. */
    void (*facts)(struct be_device *device,
                  void (*tell)(void *context, const char *name, const char *text, double number),
                  void *context);
    /* Optional, these four together. Launches put into the queue from capture on are not run but
     * kept in a graph by captured; replay puts them in again as one. */
    enum be_status (*capture)(struct be_device *device, enum be_queue queue,
                              struct be_error *error);
    enum be_status (*captured)(struct be_device *device, enum be_queue queue,
                               struct be_graph *graph, struct be_error *error);
    enum be_status (*replay)(struct be_device *device, enum be_queue queue,
                             const struct be_graph *graph, struct be_error *error);
    void (*forget_graph)(struct be_device *device, struct be_graph *graph);
    /* Optional, both together. BE_ABSENT where touching from both sides is not safe at any time. */
    enum be_status (*unify)(struct be_device *device, size_t bytes, struct be_unified *unified,
                            struct be_error *error);
    void (*release_unified)(struct be_device *device, struct be_unified *unified);
    /* Optional, both together. Page-locks memory of the caller's, whole pages of it, so that write
     * and read may have it as if it came from pin; lets it go again, before the caller gives it
     * back. */
    enum be_status (*lock)(struct be_device *device, void *memory, size_t bytes,
                           struct be_error *error);
    void (*unlock)(struct be_device *device, void *memory);
    /* Optional. From a buffer of another open device of this backend into one of this device,
     * directly where the hardware can; BE_ABSENT where it cannot. */
    enum be_status (*copy_peer)(struct be_device *device, enum be_queue queue,
                                const struct be_buffer *to, struct be_device *other,
                                const struct be_buffer *from, size_t bytes, struct be_error *error);
    /* Optional. As launch, and all groups run at the same time, so that they may wait for each
     * other; each has shared_bytes more than the kernel declares. One group a unit (info.units) fits
     * if it fits at all; an error where they do not. BE_ABSENT where the driver is too old. */
    enum be_status (*launch_together)(struct be_device *device, enum be_queue queue,
                                      const struct be_kernel *kernel, size_t groups, size_t lanes,
                                      size_t shared_bytes, const struct be_argument *arguments,
                                      int count, struct be_error *error);
    /* Optional. How many groups of a launch can be asked to run side by side and reach each other's
     * shared memory, as the kernel's source says it (CUDA: a cluster). NULL or 1: none. */
    int (*neighbours)(const struct be_device *device);
};

/* The vendor's matrix library. BE_ABSENT when it is not here. Required but for the last three. */
struct be_blas_ops {
    enum be_status (*open)(struct be_device *device, struct be_blas *blas, struct be_error *error);
    void (*close)(struct be_device *device, struct be_blas *blas); /* accepts a zeroed one */
    /* Puts a product, or a batch of them, into BE_QUEUE_WORK; sums in at least float32. BE_ABSENT: not on this
     * device. */
    enum be_status (*gemm)(struct be_device *device, const struct be_blas *blas,
                           const struct be_gemm *gemm, struct be_error *error);

    /* Optional, all three together: batches of small systems. lu_prepare writes into scratch where each
     * system lies, and waits; it is called once for given buffers. lu_batched then puts solving
     * the systems [first, first + count) into BE_QUEUE_WORK, as often as wanted. */
    size_t (*lu_scratch_bytes)(int order, int count);
    enum be_status (*lu_prepare)(struct be_device *device, const struct be_blas *blas,
                                 const struct be_lu_batch *batch, struct be_error *error);
    enum be_status (*lu_batched)(struct be_device *device, const struct be_blas *blas,
                                 const struct be_lu_batch *batch, int first, int count,
                                 struct be_error *error);
};

/* The vendor's solvers of dense systems. BE_ABSENT when they are not here. All required. */
struct be_solver_ops {
    enum be_status (*open)(struct be_device *device, struct be_solver *solver,
                           struct be_error *error);
    void (*close)(struct be_device *device, struct be_solver *solver); /* accepts a zeroed one */
    /* The scratch that factor and lu_solve need for systems of this order; asked before them, since
     * the library may also need memory on the host. May wait. */
    enum be_status (*scratch_bytes)(struct be_device *device, const struct be_solver *solver,
                                    enum be_precision precision, int64_t order, size_t *bytes,
                                    struct be_error *error);
    /* Put into BE_QUEUE_WORK: factor overwrites A with L and U, with partial pivoting; solve uses
     * what factor left, as often as wanted; lu_solve is both. */
    enum be_status (*factor)(struct be_device *device, const struct be_solver *solver,
                             const struct be_dense *dense, struct be_error *error);
    enum be_status (*solve)(struct be_device *device, const struct be_solver *solver,
                            const struct be_dense *dense, struct be_error *error);
    enum be_status (*lu_solve)(struct be_device *device, const struct be_solver *solver,
                               const struct be_dense *dense, struct be_error *error);
    /* Likewise for batches of symmetric matrices: the scratch for so many, then a batch into BE_QUEUE_WORK. */
    enum be_status (*eigen_scratch_bytes)(struct be_device *device, const struct be_solver *solver,
                                          enum be_precision precision, int64_t order, int64_t count,
                                          size_t *bytes, struct be_error *error);
    enum be_status (*eigen_batched)(struct be_device *device, const struct be_solver *solver,
                                    const struct be_eigen_batch *batch, struct be_error *error);
    /* Likewise for singular values and vectors. BE_ABSENT: the library has none of such an order. */
    enum be_status (*svd_scratch_bytes)(struct be_device *device, const struct be_solver *solver,
                                        enum be_precision precision, int64_t order, int64_t count,
                                        size_t *bytes, struct be_error *error);
    enum be_status (*svd_batched)(struct be_device *device, const struct be_solver *solver,
                                  const struct be_svd_batch *batch, struct be_error *error);
};

/* The vendor's Fourier transforms of float32 numbers, complex ones as real and imaginary part. BE_ABSENT when they
 * are not here. All required. */
struct be_fft_ops {
    /* Makes transforms of this form ready. */
    enum be_status (*open)(struct be_device *device, const struct be_fft_form *form,
                           struct be_fft *fft, struct be_error *error);
    void (*close)(struct be_device *device, struct be_fft *fft); /* accepts a zeroed one */
    /* Puts to[k] = sum over j of from[j] exp(-2 pi i j k / columns) of each row, and of images then likewise of each
     * column, into BE_QUEUE_WORK, from one buffer into another; `from` stays as it is. */
    enum be_status (*forward)(struct be_device *device, const struct be_fft *fft,
                              const struct be_part *from, const struct be_part *to,
                              struct be_error *error);
};

/* The vendor's sparse matrices. BE_ABSENT when they are not here. All required. */
struct be_sparse_ops {
    /* Makes y = A x ready for these buffers: offsets and indices are there already and stay; values
     * and x may change between products. Waits. */
    enum be_status (*open)(struct be_device *device, const struct be_csr *csr,
                           struct be_sparse *sparse, struct be_error *error);
    void (*close)(struct be_device *device, struct be_sparse *sparse); /* accepts a zeroed one */
    /* Puts y = A x into BE_QUEUE_WORK. */
    enum be_status (*multiply)(struct be_device *device, const struct be_sparse *sparse,
                               struct be_error *error);
};

/* The vendor's sums across devices. BE_ABSENT when they are not here. All required. */
struct be_reduce_ops {
    /* Makes sums ready across open devices of this backend, each of which is there once. They outlive it. Waits. */
    enum be_status (*open)(struct be_device *const *device, int count, struct be_reduce *reduce,
                           struct be_error *error);
    void (*close)(struct be_reduce *reduce); /* accepts a zeroed one */
    /* Puts these sums into BE_QUEUE_WORK of each device, where it waits for the others to come as far. Every device
     * gets the same bits. */
    enum be_status (*sum)(const struct be_reduce *reduce, const struct be_sum *sum, int sums,
                          struct be_error *error);
};

extern const struct be_device_ops be_cpu_ops, be_cuda_ops, be_opencl_ops, be_null_ops;

/* Every backend, NULL-terminated, in the order they are shown. */
extern const struct be_device_ops *const be_device_backends[];

const struct be_device_ops *be_device_backend(const char *name); /* NULL: no such backend */

/* BE_OK when the table is of this version and has all that is required; else BE_USAGE, which says
 * what it lacks. */
enum be_status be_device_fits(const struct be_device_ops *ops, struct be_error *error);

/* Opens a device through the backend that info names, if that fits. */
enum be_status be_device_open(const struct be_device_info *info, struct be_team *team,
                              struct be_device **device, struct be_error *error);

/* All devices of all backends, without "null" unless BREAKEVEN_NULL is set in the environment;
 * same_as is filled where two backends show the same hardware. */
void be_device_probe_all(struct be_machine *machine);

/* "cuda" names all devices of a backend, "cuda:1" one of them. */
bool be_device_named(const struct be_device_info *info, const char *name);
/* BE_OK when `name` names a device here; BE_ABSENT or BE_USAGE with what there is. */
enum be_status be_device_known(const struct be_machine *machine, const char *name,
                               struct be_error *error);

#endif
