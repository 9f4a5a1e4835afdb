/* An answer of `breakeven ask` once more, for other machines: nothing is run. */
#ifndef BE_CLI_ASK_AGAIN_H
#define BE_CLI_ASK_AGAIN_H

#include "ask/gpu_library.h"
#include "ask/scale.h"
#include "breakeven.h"

/* `file`: as --json=FILE wrote it. To `path`; NULL: to standard output. Calls that were recorded are not in such a file:
 * products are judged by ratios. */
enum be_status be_ask_again(const char *file, const struct be_ask_scale *scale, int scales,
                            const struct be_gpu_library *with, enum be_format format,
                            const char *path, struct be_error *error);

#endif
