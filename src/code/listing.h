/*
 * The instructions of a stretch of a compiled file, by the machine's own objdump. It does not know what they mean to anybody.
 */
#ifndef BE_CODE_LISTING_H
#define BE_CODE_LISTING_H

#include <stddef.h>

#include "code/instruction.h"

/* Those from one address to another, as the file's symbols have them; the caller frees the list. BE_ABSENT: there is no
 * objdump here, or this is no x86-64 code. */
enum be_status be_code_list(const char *path, uint64_t from, uint64_t to,
                            struct be_instruction **list, size_t *instructions,
                            struct be_error *error);

#endif
