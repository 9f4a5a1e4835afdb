/* Inside a fake library: the fake driver beside it, if that is loaded. */
#ifndef TESTS_FAKE_DRIVER_H
#define TESTS_FAKE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* Puts run(a copy of the context) into the driver's stream; false: there is no such stream. */
bool driver_put(void *stream, void (*run)(const void *context), const void *context, size_t bytes);

/* Is all of that memory of a device, and not of the host? */
bool driver_holds(const void *memory, size_t bytes);

/* Executes what is in all queues; false: there is no driver. */
bool driver_finish(void);

#endif
