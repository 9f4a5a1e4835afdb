/* Constants of nccl.h: CONST(name, value). tests/abi checks each. */
CONST(ncclSuccess, 0)
CONST(ncclUnhandledCudaError, 1)
CONST(ncclSystemError, 2)
CONST(ncclInternalError, 3)
CONST(ncclInvalidArgument, 4)
CONST(ncclInvalidUsage, 5)
CONST(ncclSum, 0)
CONST(ncclFloat32, 7)
