/* The result of a call of one of NVIDIA's libraries. */
#include "base/error.h"
#include "device/cuda/cuda.h"

enum be_status be_cuda_result(const struct be_cuda_results *results, int result, const char *said,
                              const char *call, struct be_error *error) {
    if (result == 0) {
        return BE_OK;
    }
    enum be_status status = BE_DRIVER;
    const char *text = said;
    for (size_t i = 0; i < results->meanings; i++) {
        if (results->meaning[i].code == result) {
            status = results->meaning[i].status;
            text = said ? said : results->meaning[i].text;
        }
    }
    return be_fail(error, status, "%s: %s (%s error %d)", call, text ? text : "failed",
                   results->library, result);
}
