#include "cli/run/gpu_tracing.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/injected.h"
#include "observe/sources/gpu_trace.h"

static bool make_in(struct be_gpu_tracing *tracing, const char *place) {
    int length = snprintf(tracing->folder, sizeof tracing->folder, "%s/breakeven-XXXXXX", place);
    bool made = length > 0 && (size_t)length < sizeof tracing->folder && mkdtemp(tracing->folder);
    tracing->folder[0] = made ? tracing->folder[0] : '\0';
    return made;
}

/* A TMPDIR that is not there, as on some nodes of a batch system, is no reason not to run. */
static enum be_status make_folder(struct be_gpu_tracing *tracing, struct be_error *error) {
    const char *place = getenv("TMPDIR");
    if ((place && place[0] == '/' && make_in(tracing, place)) || make_in(tracing, "/tmp")) {
        return BE_OK;
    }
    return be_fail(error, BE_IO, "--trace: a folder in /tmp: %s (TMPDIR=DIR names another place)",
                   strerror(errno));
}

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
        status = make_folder(tracing, error);
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

/* A process that still runs writes no more once its file is gone. */
void be_gpu_tracing_end(struct be_gpu_tracing *tracing) {
    DIR *folder = tracing->folder[0] ? opendir(tracing->folder) : NULL;
    const struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder))) {
        char path[768];
        snprintf(path, sizeof path, "%s/%s", tracing->folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
        rmdir(tracing->folder);
    }
}
