/*
 * Where BLAS libraries are looked for: a table, one line a kind. It opens none of them.
 */
#ifndef BE_DYN_HOST_BLAS_PLACES_H
#define BE_DYN_HOST_BLAS_PLACES_H

#include <stdbool.h>

#include "dyn/dyn.h"

struct be_blas_place {
    const char *word; /* by which a user asks for it */
    struct be_library library;
    const char *const *
        pattern; /* of files, as glob(3) has them, instead of the library's; may begin with a variable */
    bool by_processor; /* its code follows from the processor's model: an OpenBLAS */
    bool last;         /* counts only where no other is here */
};

extern const struct be_blas_place be_blas_place[];
extern const size_t be_blas_places;

/* Memory for the file that a pattern found. */
struct be_blas_room {
    char path[1024];
    const char *file[2];
};

/* The place with the file that its pattern finds here, if it has a pattern. */
struct be_blas_place be_blas_place_here(const struct be_blas_place *place,
                                        struct be_blas_room *room);

/* The place of a file that was named by hand: a NULL-terminated list of one. */
struct be_blas_place be_blas_place_of(const char *const *file);

#endif
