#include "cli/run/gpu_tracing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/injected.h"
#include "observe/sources/gpu_trace.h"

enum be_status be_gpu_tracing_begin(struct be_gpu_tracing *tracing, struct be_error *error) {
    char library[1024];
    const char *other = getenv(BE_GPU_TRACE_INJECTION);
    memset(tracing, 0, sizeof *tracing);
    if (other && other[0]) {
        return be_fail(error, BE_USAGE,
                       "--trace: %s is set (%s): CUDA loads one such tool only; unset it, or leave "
                       "--trace out",
                       BE_GPU_TRACE_INJECTION, other);
    }
    enum be_status status = be_injected_find(BE_GPU_TRACE_LIBRARY, BE_GPU_TRACE_WITHOUT, library,
                                             sizeof library, error);
    if (status == BE_OK) {
        status = be_run_folder_make("--trace", tracing->folder, error);
    }
    if (status != BE_OK) {
        return status;
    }
    snprintf(tracing->variable[0], sizeof tracing->variable[0], "%s=%s", BE_GPU_TRACE_INJECTION,
             library);
    snprintf(tracing->variable[1], sizeof tracing->variable[1], "%s=%s", BE_GPU_RECORD_FOLDER,
             tracing->folder);
    tracing->environment[0] = tracing->variable[0];
    tracing->environment[1] = tracing->variable[1];
    return BE_OK;
}

void be_gpu_tracing_end(const struct be_gpu_tracing *tracing) {
    be_run_folder_remove(tracing->folder);
}
