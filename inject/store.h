/*
 * The file that a process's record goes to. It is opened anew for each write, and only if it is still
 * the same file: a program may close descriptors that it did not open, and reuse their numbers.
 */
#ifndef INJECT_STORE_H
#define INJECT_STORE_H

#include <stdbool.h>
#include <sys/types.h>

#include "observe/gpu_record.h"

struct store {
    char path[1024];
    dev_t device;
    ino_t file;
};

/* Makes the file in a folder that belongs to this user alone. False: no such folder, no room. */
bool store_make(struct store *store, const char *folder);
/* Sets sequence and sum, and writes to the slot whose turn it is. A record that cannot be written is lost. */
void store_write(const struct store *store, struct be_gpu_record *record);

#endif
