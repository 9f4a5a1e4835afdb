/* The parts that the files of the fake CUDA driver share: its objects, and running what is in its
 * queues. */
#ifndef TESTS_FAKE_OBJECTS_H
#define TESTS_FAKE_OBJECTS_H

#include "calls.h"
#include "kernels/host.h"

/* The driver's own numbers, as cuda.h has them. */
enum {
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    CAPTURE_UNSUPPORTED = 900,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600
};

enum { ARGUMENTS = 16, ARGUMENT_BYTES = 8 };

/* One thing to do later. */
struct command {
    struct command *next;
    enum { COPY, FILL, LAUNCH, CALL, RECORD, FOLLOW } what;
    char *to;
    const char *from;
    size_t bytes;
    int byte;
    const struct be_host_kernel *kernel;
    long groups, lanes;
    char argument[ARGUMENTS][ARGUMENT_BYTES];
    void (*run)(const void *context); /* CALL: another library's */
    char context[192];
    struct object *event;
    unsigned long turn; /* RECORD: becomes the event's done; FOLLOW: what it waits for */
};

struct object {
    struct object *next;
    enum be_fake_kind kind;
    bool dead;    /* destroyed while a queue still held it */
    char *memory; /* memory, pinned, and the text of a module */
    size_t bytes;
    struct command *head, *tail; /* stream, graph */
    size_t commands;             /* graph */
    struct object *capture;      /* stream: the graph that takes what is put into it */
    int device;                  /* context, memory */
    struct object *stream;       /* event: of its last recording */
    unsigned long asked, done;   /* event: recordings put into queues, and executed */
    double when_s;               /* event: of the last one executed */
};

struct object *object_make(enum be_fake_kind kind);
struct object *object_find(enum be_fake_kind kind, const void *handle); /* NULL: no such one */
struct object *object_holding(enum be_fake_kind kind, const char *memory, size_t bytes);
void object_drop(struct object *object);
size_t object_bytes(enum be_fake_kind kind);

/* A call that needs a context: told to fail, or made without one. */
CUresult begin(int at);

struct object *make_memory(enum be_fake_kind kind, size_t bytes); /* NULL: there is none */
struct object *current_context(void);
void forget_peers(int device); /* its context is gone */

/* At the end of a stream, or of the graph that it is captured into. */
struct command *put(int at, CUstream handle, CUresult *code);
void append(struct object *list, struct command *command);
void free_commands(struct object *list);

/* Executes everything in all queues, as a free of memory does. */
void finish_all(void);

/* The table entry of a kernel that the module's text names; NULL: no such one. */
const struct be_host_kernel *module_kernel(const struct object *module, const char *name);

#endif
