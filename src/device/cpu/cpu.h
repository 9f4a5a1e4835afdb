/* Code that the backends in host memory share (cpu, null): kernels as host C, run lane by lane. */
#ifndef BE_DEVICE_CPU_CPU_H
#define BE_DEVICE_CPU_CPU_H

#include "device/device.h"
#include "kernels/host.h"

enum { BE_HOST_ARGUMENTS = 16 };

/* Groups [first, first + count) of a launch with `lanes` lanes a group, in order. */
void be_host_run(const struct be_host_kernel *kernel, size_t first, size_t count, size_t lanes,
                 const struct be_argument *arguments, int arguments_count);

/* Operations of be_device_ops for devices whose memory is host memory. */
enum be_status be_host_alloc(struct be_device *device, size_t bytes, struct be_buffer *buffer,
                             struct be_error *error);
void be_host_release(struct be_device *device, struct be_buffer *buffer);
enum be_status be_host_pin(struct be_device *device, size_t bytes, struct be_pinned *pinned,
                           struct be_error *error);
void be_host_unpin(struct be_device *device, struct be_pinned *pinned);
enum be_status be_host_build(struct be_device *device, const struct be_program *program,
                             struct be_module *module, struct be_error *error);
void be_host_drop(struct be_device *device, struct be_module *module);
enum be_status be_host_kernel_find(struct be_device *device, const struct be_module *module,
                                   const char *name, struct be_kernel *kernel,
                                   struct be_error *error);
void be_host_forget(struct be_device *device, struct be_kernel *kernel);

#endif
