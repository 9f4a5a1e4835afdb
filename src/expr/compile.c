/* The CPU's code of a formula by the system's compiler, as a library that is loaded at once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/error.h"
#include "dyn/dyn.h"
#include "expr/tree.h"

enum { PATH = 1024 };

struct loops {
    be_expr_loop *float32, *float64;
};

static enum be_status write_source(const struct be_expr *expr, const char *path,
                                   struct be_error *error) {
    struct be_text source = {0};
    be_expr_emit_host(expr, &source);
    FILE *file = fopen(path, "we");
    bool written =
        file && !source.failed && fwrite(source.data, 1, source.length, file) == source.length;
    written = file && fclose(file) == 0 && written;
    be_text_free(&source);
    return written ? BE_OK
                   : be_fail(error, BE_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* __FAST_MATH__ alone declares glibc's vector functions (at most 4 units in the last place off), and changes no
 * arithmetic as -ffast-math would. The second way is for compilers that know less. */
static enum be_status call_compiler(const char *from, const char *to, struct be_error *error) {
    const char *named = getenv("CC");
    const char *const cc = named && *named && !strchr(named, ' ') ? named : "cc";
    const char *const best[] = {cc,
                                "-std=gnu11",
                                "-O3",
                                "-march=native",
                                "-D__FAST_MATH__=1",
                                "-fopenmp-simd",
                                "-fno-math-errno",
                                "-fno-trapping-math",
                                "-w",
                                "-shared",
                                "-fPIC",
                                "-o",
                                to,
                                from,
                                "-lm",
                                NULL};
    const char *const plain[] = {cc,   "-std=gnu11", "-O2", "-w",  "-shared", "-fPIC",
                                 "-o", to,           from,  "-lm", NULL};
    char said[BE_NOTE] = "";
    struct be_error unused;
    enum be_status status = be_command_text(best, said, sizeof said, error);
    /* One that knows less says so; one that was ended says nothing. */
    if (status != BE_OK && status != BE_ABSENT && *said &&
        be_command_text(plain, said, sizeof said, &unused) == BE_OK) {
        status = BE_OK;
    }
    if (status == BE_ABSENT) {
        return be_fail(error, BE_ABSENT, "%.200s: there is no such compiler here", cc);
    }
    return status == BE_OK ? BE_OK
                           : be_fail(error, BE_IO, "%.200s failed: %.250s", cc,
                                     *said ? said : "it said nothing");
}

static enum be_status load(struct be_expr *expr, const char *path, struct be_error *error) {
    const char *const file[] = {path, NULL};
    static const struct be_symbol symbol[] = {
        {"be_expr_float32", offsetof(struct loops, float32), BE_NEED_must},
        {"be_expr_float64", offsetof(struct loops, float64), BE_NEED_must}};
    const struct be_library library = {
        .what = "formula", .file = file, .symbol = symbol, .symbols = BE_COUNT(symbol)};
    struct loops loops = {0};
    enum be_status status = be_dyn_look(&library, &loops, &expr->library, error);
    if (status == BE_OK) {
        expr->loop[0] = loops.float32;
        expr->loop[1] = loops.float64;
    }
    return status;
}

static enum be_status compile(struct be_expr *expr, struct be_error *error) {
    const char *const where = getenv("TMPDIR");
    char folder[PATH], source[PATH + 16], library[PATH + 16];
    snprintf(folder, sizeof folder, "%s/breakeven-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        return be_fail(error, BE_IO, "%s: no folder can be made there: %s: set TMPDIR", folder,
                       strerror(errno));
    }
    snprintf(source, sizeof source, "%s/expr.c", folder);
    snprintf(library, sizeof library, "%s/expr.so", folder);
    enum be_status status = write_source(expr, source, error);
    status = status ? status : call_compiler(source, library, error);
    status = status ? status : load(expr, library, error);
    unlink(source); /* what is loaded stays where it is in memory */
    unlink(library);
    rmdir(folder);
    return status;
}

enum be_status be_expr_compile(struct be_expr *expr, struct be_error *error) {
    const enum be_status status = compile(expr, error);
    if (status != BE_OK) {
        be_expr_label(expr, " (interpreted on the CPU)");
    }
    return status;
}
