#include "observe/injected.h"

#include <limits.h>
#include <unistd.h>

#include "base/error.h"
#include "base/program.h"
#include "base/text.h"
#include "build_info.h"

enum be_status be_injected_find(const char *file, const char *without, char *path, size_t capacity,
                                struct be_error *error) {
    /* From the folder of the program; then where it was to be installed when it was built. */
    static const char *const places[] = {"", "/../lib/breakeven", "/../lib64/breakeven",
                                         "/../" BE_BUILD_LIBRARIES, NULL};
    char program[PATH_MAX];
    bool known = be_program_folder(program, sizeof program);
    for (const char *const *place = places; known && *place; place++) {
        struct be_text found = {0};
        be_text_add(&found, "%s%s/%s", program, *place, file);
        const bool usable =
            !found.failed && found.length < capacity && access(found.data, R_OK) == 0;
        be_copy_text(path, capacity, usable ? found.data : "");
        be_text_free(&found);
        if (usable) {
            return BE_OK;
        }
    }
    return be_fail(error, BE_ABSENT,
                   "%s is neither beside the program nor where `make install` puts it: %s", file,
                   without);
}
