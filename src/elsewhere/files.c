#include "elsewhere/files.h"

#include "base/error.h"
#include "base/input.h"
#include "base/part_file.h"
#include "report/common/shelves.h"

enum be_status be_results_open(const char *path, struct be_results *results,
                               struct be_error *error) {
    FILE *file;
    enum be_status status = be_input_open(path, &file, error);
    if (status == BE_OK) {
        status = be_results_read(file, path, results, error);
        be_input_close(file);
    }
    return status;
}

enum be_status be_results_save(const struct be_results *results, const char *path,
                               struct be_error *error) {
    FILE *file;
    char *beside = NULL;
    enum be_status status = be_shelves_make(path, error);
    status = status == BE_OK ? be_part_open(path, 0666, &file, &beside, error) : status;
    if (status == BE_OK) {
        status = be_results_write(results, file, error);
        status = be_part_close(path, file, beside, status, error);
    }
    return status;
}
