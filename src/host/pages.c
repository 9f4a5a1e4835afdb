#include "host/pages.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "host/cores.h"
#include "base/error.h"

enum { PAGE = 4096, HUGE = 2 << 20 };

enum be_status be_pages_get(size_t bytes, struct be_pages *pages, struct be_error *error) {
    *pages = (struct be_pages){0};
    double have = be_memory_available();
    if (!isnan(have) && (double)bytes > have) {
        return be_fail(error, BE_NOMEM, "%.0f MB of host memory are needed, %.0f MB are free",
                       (double)bytes / 1e6, have / 1e6);
    }
    size_t align = bytes >= 2 * (size_t)HUGE ? HUGE : PAGE;
    size_t whole = (bytes / align + 1) * align;
    pages->memory = aligned_alloc(align, whole);
    if (!pages->memory) {
        return be_fail(error, BE_NOMEM, "%.0f MB of host memory: refused", (double)bytes / 1e6);
    }
    pages->bytes = bytes;
    if (align == HUGE) {
        (void)madvise(pages->memory, whole, MADV_HUGEPAGE); /* a wish: ignored is fine */
    }
    return BE_OK;
}

void be_pages_give_back(struct be_pages *pages) {
    free(pages->memory);
    *pages = (struct be_pages){0};
}
