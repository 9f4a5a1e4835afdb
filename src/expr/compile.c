#include "expr/compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/error.h"

enum { PATH = 1024 };

static enum be_status write_source(const struct be_text *source, const char *path,
                                   struct be_error *error) {
    FILE *file = fopen(path, "we");
    bool written =
        file && !source->failed && fwrite(source->data, 1, source->length, file) == source->length;
    written = file && fclose(file) == 0 && written;
    return written ? BE_OK
                   : be_fail(error, BE_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* __FAST_MATH__ alone declares glibc's vector functions (at most 4 units in the last place off), and changes no
 * arithmetic as -ffast-math would. The second way is for compilers that know less. */
static enum be_status call_compiler(const char *from, const char *to, bool vector_math,
                                    struct be_error *error) {
    const char *named = getenv("CC");
    const char *const cc = named && *named && !strchr(named, ' ') ? named : "cc";
    /* A user's function of another name, or of other arguments, is said before it is called. */
    const char *const strict[] = {vector_math ? "-w" : "-Werror=implicit-function-declaration",
                                  vector_math ? "-w" : "-Werror=incompatible-pointer-types"};
    const char *const best[] = {cc,
                                "-std=gnu11",
                                "-O3",
                                "-march=native",
                                vector_math ? "-D__FAST_MATH__=1" : "-DNDEBUG",
                                "-fopenmp-simd",
                                "-fno-math-errno",
                                "-fno-trapping-math",
                                strict[0],
                                strict[1],
                                "-shared",
                                "-fPIC",
                                "-o",
                                to,
                                from,
                                "-lm",
                                NULL};
    const char *const plain[] = {cc,      "-std=gnu11", "-O2", strict[0], strict[1], "-shared",
                                 "-fPIC", "-o",         to,    from,      "-lm",     NULL};
    char said[BE_NOTE] = "";
    struct be_error unused;
    enum be_status status = be_command_text(best, said, sizeof said, error);
    /* One that knows less says so; one that was ended says nothing. */
    if (status != BE_OK && status != BE_ABSENT && *said &&
        be_command_text(plain, said, sizeof said, &unused) == BE_OK) {
        status = BE_OK;
    }
    if (status == BE_ABSENT) {
        return be_fail(
            error, BE_ABSENT,
            "%.200s: there is no such compiler here: install a C compiler, or name one in CC", cc);
    }
    return status == BE_OK ? BE_OK
                           : be_fail(error, BE_IO, "%.200s failed: %.250s", cc,
                                     *said ? said : "it said nothing");
}

enum be_status be_compile(const struct be_text *code, bool vector_math, const struct be_library *as,
                          void *table, void **handle, struct be_error *error) {
    const char *const where = getenv("TMPDIR");
    char folder[PATH], source[PATH + 16], library[PATH + 16];
    snprintf(folder, sizeof folder, "%s/breakeven-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        return be_fail(error, BE_IO, "%s: no folder can be made there: %s: set TMPDIR", folder,
                       strerror(errno));
    }
    snprintf(source, sizeof source, "%s/code.c", folder);
    snprintf(library, sizeof library, "%s/code.so", folder);
    enum be_status status = write_source(code, source, error);
    status = status ? status : call_compiler(source, library, vector_math, error);
    if (status == BE_OK) {
        const char *const file[] = {library, NULL};
        struct be_library made = *as;
        made.file = file;
        status = be_dyn_look(&made, table, handle, error);
    }
    unlink(source); /* what is loaded stays where it is in memory */
    unlink(library);
    rmdir(folder);
    return status;
}
