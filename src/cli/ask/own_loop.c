#include "cli/ask/own_loop.h"

#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "base/error.h"
#include "code/listing.h"

enum { SPOTS = 4096, BEFORE = 4096, BEHIND = 1024, LONGEST = 1 << 20 };

/* The longest place of such code; NULL: none has enough of the time. */
static const struct be_sample_place *longest_own(const struct be_samples_taken *taken,
                                                 const struct be_kinds *kinds, double whole_s) {
    static const double enough = 0.1;
    const struct be_sample_place *longest = NULL;
    for (size_t i = 0; i < taken->places; i++) {
        const struct be_sample_place *place = &taken->place[i];
        if (be_ask_kind_of(taken, kinds, place) == BE_WORK_OWN &&
            (!longest || place->wall_s > longest->wall_s)) {
            longest = place;
        }
    }
    return longest && longest->wall_s >= enough * whole_s ? longest : NULL;
}

/* Code is read from some way before the first sample, so that the instructions are found where they begin. */
static enum be_status read_loop(const char *path, const struct be_sample_spot *spot, size_t spots,
                                struct be_code_loop *loop, struct be_error *error) {
    struct be_instruction *list = NULL;
    size_t instructions = 0;
    if (path[0] != '/') {
        return be_fail(error, BE_ABSENT, "its code was made at run time");
    }
    if (!spots || spot[spots - 1].address - spot[0].address > LONGEST) {
        return be_fail(error, BE_ABSENT, "its functions have no names");
    }
    const uint64_t first = spot[0].address;
    enum be_status status =
        be_code_list(path, first > BEFORE ? first - BEFORE : 0, spot[spots - 1].address + BEHIND,
                     &list, &instructions, error);
    if (!status) {
        status = be_code_loop_find(list, instructions, spot, spots, loop, error);
    }
    free(list);
    return status;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void be_own_loop_find(const struct be_sampling *sampling, const struct be_samples_taken *taken,
                      double whole_s, struct be_ask_own *own) {
    struct be_kinds kinds = {0};
    struct be_error error = {0};
    *own = (struct be_ask_own){0};
    struct be_sample_spot *spot = calloc(SPOTS, sizeof *spot);
    const bool ready = spot && be_kinds_load(&kinds, &error) == BE_OK;
    const struct be_sample_place *place = ready ? longest_own(taken, &kinds, whole_s) : NULL;
    if (place) {
        const char *path = taken->file[place->file].path;
        const size_t spots = be_sampling_spots(sampling, place, spot, SPOTS);
        be_copy_text(own->library, sizeof own->library, base_name(path));
        be_copy_text(own->function, sizeof own->function, place->symbol);
        own->cpu_s = place->cpu_s;
        own->wall_s = place->wall_s;
        own->later_s = place->later_s;
        if (read_loop(path, spot, spots, &own->loop, &error) != BE_OK) {
            be_copy_text(own->why, sizeof own->why, error.text);
        }
    }
    be_kinds_free(&kinds);
    free(spot);
}
