/*
 * The types and constants of the CUDA driver, NVRTC and NVML that the lists use, so that no
 * vendor header is needed to build. Written from the vendor's documented interface; tests/abi
 * holds them against the real headers where those are installed.
 */
#ifndef BE_DYN_CUDA_TYPES_H
#define BE_DYN_CUDA_TYPES_H

#include <stddef.h>

typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

typedef int nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

typedef int nvmlReturn_t;
typedef int nvmlClockType_t;
typedef int nvmlTemperatureSensors_t;
typedef struct nvmlDevice_st *nvmlDevice_t;

#endif
