/*
 * A fake NCCL for the GPUs of one process: what is put between ncclGroupStart and ncclGroupEnd is done at that end, all
 * queues of the fake driver first. A call outside of a group would wait for the others for ever, and is a misuse.
 */
#include <stdlib.h>

#include "calls.h"
#include "driver.h"
#include "dyn/nvidia/nccl/nccl.h"

enum { RANKS = 16, WAITING = 64 };

struct ncclComm {
    int rank, ranks;
};

static struct put {
    const struct ncclComm *comm;
    const float *from;
    float *to;
    size_t count;
} waiting[WAITING];
static int here, depth;
static ncclResult_t failed; /* of a call in this group: nothing of it is done */

ncclResult_t ncclGetVersion(int *version) {
    ncclResult_t code = fake_call(AT_ncclGetVersion);
    *version = code == 0 ? 22703 : 0;
    return code;
}

const char *ncclGetErrorString(ncclResult_t result) {
    fake_call(AT_ncclGetErrorString);
    return result == ncclSystemError ? "unhandled system error" : "told to fail";
}

const char *ncclGetLastError(ncclComm_t comm) {
    (void)comm;
    fake_call(AT_ncclGetLastError);
    return "";
}

ncclResult_t ncclCommInitAll(ncclComm_t *comm, int count, const int *device) {
    ncclResult_t code = fake_call(AT_ncclCommInitAll);
    for (int i = 0; code == 0 && i < count; i++) {
        for (int k = 0; k < i; k++) {
            if (device[i] == device[k]) {
                return fake_misuse(ncclInvalidUsage, "ncclCommInitAll with GPU %d twice",
                                   device[i]);
            }
        }
    }
    if (code != 0 || count < 1 || count > RANKS) {
        return code != 0 ? code : fake_misuse(ncclInvalidArgument, "%d ranks", count);
    }
    for (int i = 0; i < count; i++) {
        comm[i] = malloc(sizeof **comm);
        if (!comm[i]) {
            abort();
        }
        *comm[i] = (struct ncclComm){i, count};
        fake.live[FAKE_COMM]++;
    }
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    ncclResult_t code = fake_call(AT_ncclCommDestroy);
    fake.live[FAKE_COMM]--;
    free(comm);
    return code;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    ncclResult_t code = fake_call(AT_ncclCommAbort);
    fake.live[FAKE_COMM]--;
    free(comm);
    return code;
}

ncclResult_t ncclGroupStart(void) {
    ncclResult_t code = fake_call(AT_ncclGroupStart);
    depth += code == 0;
    return code;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
    ncclResult_t code = fake_call(AT_ncclAllReduce);
    const size_t bytes = count * sizeof(float);
    if (code != 0) {
        failed = code;
        return code;
    }
    if (depth != 1 || here == WAITING || type != ncclFloat32 || operation != ncclSum || !stream ||
        !driver_holds(from, bytes) || !driver_holds(to, bytes)) {
        return fake_misuse(ncclInvalidArgument, "ncclAllReduce of %zu numbers", count);
    }
    waiting[here++] = (struct put){comm, from, to, count};
    return ncclSuccess;
}

/* The call of a rank that meets the `turn`th of another; NULL: that rank has made no such call. */
static const struct put *find(int rank, int turn) {
    for (int i = 0; i < here; i++) {
        if (waiting[i].comm->rank == rank && turn-- == 0) {
            return &waiting[i];
        }
    }
    return NULL;
}

static int meet(int ranks, int turn) {
    const struct put *first = find(0, turn);
    float *sum = first ? calloc(first->count, sizeof *sum) : NULL;
    int wrong = !sum;
    for (int rank = 0; !wrong && rank < ranks; rank++) {
        const struct put *put = find(rank, turn);
        wrong = !put || put->count != first->count;
        for (size_t i = 0; !wrong && i < put->count; i++) {
            sum[i] += put->from[i];
        }
    }
    for (int rank = 0; !wrong && rank < ranks; rank++) {
        const struct put *put = find(rank, turn);
        for (size_t i = 0; i < put->count; i++) {
            put->to[i] = sum[i];
        }
    }
    free(sum);
    return wrong;
}

ncclResult_t ncclGroupEnd(void) {
    const ncclResult_t own = fake_call(AT_ncclGroupEnd);
    const ncclResult_t code = own != 0 ? own : failed;
    const int ranks = here ? waiting[0].comm->ranks : 1;
    int wrong = depth != 1 || here % ranks != 0;
    depth = 0;
    failed = 0;
    for (int turn = 0; code == 0 && !wrong && driver_finish() && turn < here / ranks; turn++) {
        wrong = meet(ranks, turn);
    }
    here = 0;
    return code == 0 && wrong ? fake_misuse(ncclInvalidUsage, "a group that does not meet") : code;
}
