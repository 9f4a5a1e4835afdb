/* Declarations that the pretend GPU's files share. Not for others. */
#ifndef BE_DEVICE_NULL_NULL_H
#define BE_DEVICE_NULL_NULL_H

#include "base/clock.h"
#include "device/device.h"
#include "device/cpu/cpu.h"

/* One thing to do later. */
struct be_null_command {
    struct be_null_command *next;
    enum {
        BE_NULL_COPY,
        BE_NULL_FILL,
        BE_NULL_LAUNCH,
        BE_NULL_PRODUCT,
        BE_NULL_RECORD,
        BE_NULL_FOLLOW
    } what;
    char *to;
    const char *from, *by; /* by: the second factor of a matrix product */
    size_t bytes;
    int byte;
    struct be_gemm gemm; /* of a matrix product; its buffers may be gone, to, from and by count */
    const struct be_host_kernel *kernel;
    size_t groups, lanes;
    struct be_argument argument[BE_HOST_ARGUMENTS];
    struct be_buffer buffer[BE_HOST_ARGUMENTS]; /* what the arguments point to, by value */
    int arguments;
    struct be_null_event *event;
    unsigned long turn; /* RECORD: becomes the event's done; FOLLOW: what it waits for */
};

/* In the order in which they were put. */
struct be_null_list {
    struct be_null_command *head, *tail;
    int count;
};

struct be_null_event {
    unsigned long asked, done; /* recordings put into a queue, and executed */
    enum be_queue queue;       /* of the last recording */
    double when_s;
};

struct be_null_device {
    struct be_device base;
    struct be_clock clock;
    struct be_null_list queue[BE_QUEUES];
    struct be_null_list *capture[BE_QUEUES]; /* where launches go instead; NULL: nowhere */
};

/* ---- device/null/queue.c ------------------------------------------------------------------- */

/* A new command at the end of a queue, or of the graph that it is captured into; NULL, with the
 * reason, when there is no memory. */
struct be_null_command *be_null_put(struct be_device *device, enum be_queue queue,
                                    struct be_error *error);
/* The first command, taken out; NULL: none is left. */
struct be_null_command *be_null_take(struct be_null_list *list);

/* ---- device/null/extras.c ------------------------------------------------------------------- */

void be_null_facts(struct be_device *device,
                   void (*tell)(void *context, const char *name, const char *text, double number),
                   void *context);
enum be_status be_null_capture(struct be_device *device, enum be_queue queue,
                               struct be_error *error);
enum be_status be_null_captured(struct be_device *device, enum be_queue queue,
                                struct be_graph *graph, struct be_error *error);
enum be_status be_null_replay(struct be_device *device, enum be_queue queue,
                              const struct be_graph *graph, struct be_error *error);
void be_null_forget_graph(struct be_device *device, struct be_graph *graph);
enum be_status be_null_unify(struct be_device *device, size_t bytes, struct be_unified *unified,
                             struct be_error *error);
void be_null_release_unified(struct be_device *device, struct be_unified *unified);
enum be_status be_null_lock(struct be_device *device, void *memory, size_t bytes,
                            struct be_error *error);
void be_null_unlock(struct be_device *device, void *memory);

/* ---- device/null/blas.c --------------------------------------------------------------------- */

extern const struct be_blas_ops be_null_blas;
void be_null_product(const struct be_null_command *command); /* runs one */

#endif
