/*
 * The types and constants of the CUDA driver, NVRTC, NVML and the CUDA libraries that the lists use, so
 * that no vendor header is needed to build. Written from the vendor's documented interface; tests/abi
 * holds them against the real headers where those are installed.
 */
#ifndef BE_DYN_NVIDIA_CUDA_TYPES_H
#define BE_DYN_NVIDIA_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef int CUstreamCaptureMode;
typedef int CUfunction_attribute;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;

typedef int nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

typedef int nvmlReturn_t;
typedef int nvmlClockType_t;
typedef int nvmlTemperatureSensors_t;
typedef int nvmlTemperatureThresholds_t;
typedef int nvmlEnableState_t;
typedef int nvmlMemoryErrorType_t;
typedef int nvmlEccCounterType_t;
typedef int nvmlPageRetirementCause_t;
typedef struct nvmlProcessInfo_st {
    unsigned int pid;
    unsigned long long used_bytes;
    unsigned int gpu_instance, compute_instance;
} nvmlProcessInfo_t;
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef int nvmlPcieUtilCounter_t;
typedef struct nvmlUtilization_st {
    unsigned int gpu, memory; /* percent */
} nvmlUtilization_t;
typedef struct nvmlMemory_st {
    unsigned long long total, free, used; /* bytes; used has what the driver keeps for itself */
} nvmlMemory_t;
typedef struct nvmlMemory_v2_st {
    unsigned int version; /* in: the structure's length, and 2 in the highest byte */
    unsigned long long total, reserved, free, used;
} nvmlMemory_v2_t;
typedef struct nvmlPciInfo_st {
    char legacy_address[16];
    unsigned int domain, bus, device, ids, subsystem;
    char address[32];
} nvmlPciInfo_t;
typedef struct nvmlGpmSample_st *nvmlGpmSample_t;
typedef struct nvmlGpmSupport_st {
    unsigned int version, supported;
} nvmlGpmSupport_t;
typedef struct nvmlGpmMetric_st {
    unsigned int id;
    nvmlReturn_t result; /* of this metric alone */
    double value;
    char *short_name, *long_name, *unit;
} nvmlGpmMetric_t;
/* Headers of drivers 12 to 13.5 end at 210, 333 and 477 metrics, under one version: a library only
 * touches those asked for, and one that clears the whole must find room for it. */
enum { BE_GPM_METRICS_MAX = 1024 };
typedef struct nvmlGpmMetricsGet_st {
    unsigned int version, metrics;
    nvmlGpmSample_t before, after;
    nvmlGpmMetric_t metric[BE_GPM_METRICS_MAX];
} nvmlGpmMetricsGet_t;

typedef int cublasStatus_t;
typedef int cublasOperation_t;
typedef int cublasMath_t;
typedef int cudaDataType;
typedef int cublasComputeType_t;
typedef int cublasGemmAlgo_t;
typedef CUstream cudaStream_t;
typedef struct cublasContext *cublasHandle_t;

typedef int cusolverStatus_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef int cusolverEigMode_t;
typedef int cublasFillMode_t;

typedef int cufftResult;
typedef int cufftType;
typedef int cufftHandle; /* a number */
typedef float cufftReal;
typedef struct float2 {
    float x, y; /* real, imaginary */
} cufftComplex;

typedef int ncclResult_t;
typedef int ncclDataType_t;
typedef int ncclRedOp_t;
typedef struct ncclComm *ncclComm_t;

typedef int cusparseStatus_t;
typedef int cusparseOperation_t;
typedef int cusparseIndexType_t;
typedef int cusparseIndexBase_t;
typedef int cusparseSpMVAlg_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;

typedef int cudnnStatus_t;
typedef int cudnnDataType_t;
typedef int cudnnTensorFormat_t;
typedef int cudnnConvolutionMode_t;
typedef int cudnnMathType_t;
typedef int cudnnConvolutionFwdAlgo_t;
typedef int cudnnConvolutionBwdDataAlgo_t;
typedef int cudnnConvolutionBwdFilterAlgo_t;
typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;
typedef struct {
    int algo; /* of whichever way */
    cudnnStatus_t status;
    float time; /* ms */
    size_t memory;
    int determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionFwdAlgoPerf_t;
typedef cudnnConvolutionFwdAlgoPerf_t cudnnConvolutionBwdDataAlgoPerf_t;
typedef cudnnConvolutionFwdAlgoPerf_t cudnnConvolutionBwdFilterAlgoPerf_t;

#endif
