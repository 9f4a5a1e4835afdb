/*
 * The folder whose disk is measured (probe --folder): is there room, on what does it lie.
 */
#ifndef BE_MACHINE_PROBE_CPU_FOLDER_H
#define BE_MACHINE_PROBE_CPU_FOLDER_H

#include <stddef.h>

#include "base/error.h"

enum { BE_PROBE_PIECE = 4 << 20, BE_PROBE_MIN = 16 << 20 }; /* bytes written at once; of a file */

/* A file there that has no name any more: it goes when it is closed, whatever happens. bytes: how large it
 * may become, in whole pieces: a tenth of what is free, BE_PROBE_MIN at least. BE_IO or BE_USAGE: is it no
 * folder, may nothing be written, is there no room? */
enum be_status be_probe_folder_open(const char *folder, int *file, double *bytes,
                                    struct be_error *error);
/* Would it open? To be asked before anything is measured. */
enum be_status be_probe_folder_try(const char *folder, struct be_error *error);
/* "ext4", "lustre": the type of its mount; "" where the system does not say. */
void be_probe_folder_type(const char *folder, char *type, size_t capacity);

#endif
