/* Libraries of the host that CPU code calls: opened before any thread of ours is pinned, and named. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "bench/session.h"

/* Names the libraries that the CPU was measured with, and what a user should know of them. */
static void name_libraries(struct be_session *session) {
    char *names = session->run.environment.libraries;
    size_t length = 0;
    names[0] = '\0';
    for (int i = 0; i < session->run.libraries; i++) {
        const struct be_host_blas *blas = &session->run.library[i].blas;
        char name[BE_NAME];
        char note[BE_NOTE];
        if (!blas->handle) {
            continue;
        }
        be_host_blas_name(blas, name, sizeof name);
        length +=
            (size_t)snprintf(names + length, BE_NOTE - length, "%s%.63s", length ? ", " : "", name);
        if (be_host_blas_note(blas, note, sizeof note)) {
            be_session_remark(session, "%s", note);
        }
    }
    if (session->run.library[0].fftw.handle && length < BE_NOTE / 2) {
        length += (size_t)snprintf(names + length, BE_NOTE - length, "%s", length ? ", " : "");
        be_fftw_name(&session->run.library[0].fftw, names + length, BE_NOTE - length);
    }
}

static void open_blas(struct be_session *session) {
    struct be_host_libraries *library = session->run.library;
    struct be_host_blas found[BE_BLAS_MAX];
    int count = 0;
    if (be_host_blas_find(session->plan.options->blas, found, &count, &library->blas_error) !=
        BE_OK) {
        be_session_remark(session, "%.300s", library->blas_error.text);
    }
    for (int i = 0; i < count; i++) {
        library[i].blas = found[i];
    }
    session->run.libraries = count > 1 ? count : 1;
}

/* Asked for by name it must be here: measuring with another one would be another answer. */
enum be_status be_session_open_libraries(struct be_session *session, const struct be_plan *plan,
                                         int plans, struct be_error *error) {
    struct be_host_libraries *library = session->run.library;
    bool blas = false;
    bool fftw = false;
    for (int i = 0; i < plans; i++) {
        blas |= plan[i].problem.workload->wants_blas;
        fftw |= plan[i].problem.workload->wants_fftw;
    }
    session->run.libraries = 1;
    if (blas) {
        open_blas(session);
    }
    if (blas && session->plan.options->blas && !library->blas.handle) {
        return be_fail(error, BE_ABSENT, "%.400s", library->blas_error.text);
    }
    if (fftw && be_fftw_open(&library->fftw, &library->fftw_error) != BE_OK) {
        be_session_remark(session, "%.300s", library->fftw_error.text);
    }
    for (int i = 1; i < session->run.libraries; i++) {
        library[i].fftw = library->fftw;
        library[i].fftw_error = library->fftw_error;
    }
    name_libraries(session);
    return BE_OK;
}

/* After measuring: which of several was the fastest, and how often. */
void be_session_tell_libraries(struct be_session *session) {
    char text[BE_NOTE] = "";
    size_t length = 0;
    for (int i = 0; i < session->run.libraries && session->run.libraries > 1; i++) {
        char name[BE_NAME];
        size_t cases = 0;
        be_host_blas_name(&session->run.library[i].blas, name, sizeof name);
        for (size_t k = 0; k < session->record.items; k++) {
            cases += strcmp(session->record.item[k].result.library, name) == 0;
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.63s in %zu",
                                   i ? ", " : "", name, cases);
        length = length < sizeof text ? length : sizeof text - 1;
    }
    if (*text) {
        be_session_remark(session,
                          "several libraries are here; each case that calls one took the fastest: "
                          "%.360s",
                          text);
    }
}

void be_session_close_libraries(struct be_session *session) {
    for (int i = 0; i < session->run.libraries; i++) {
        be_dyn_close(session->run.library[i].blas.handle);
    }
    be_fftw_close(&session->run.library[0].fftw);
}
