// clang-format off
/* The CUDA run-time compiler (libnvrtc): FN(must|may, type, name, (arguments)). */
FN(must, nvrtcResult, nvrtcVersion, (int *major, int *minor))
FN(must, const char *, nvrtcGetErrorString, (nvrtcResult result))
FN(must, nvrtcResult, nvrtcCreateProgram, (nvrtcProgram * program, const char *source, const char *name, int headers, const char *const *header_text, const char *const *header_name))
FN(must, nvrtcResult, nvrtcDestroyProgram, (nvrtcProgram * program))
FN(must, nvrtcResult, nvrtcCompileProgram, (nvrtcProgram program, int options, const char *const *option))
FN(must, nvrtcResult, nvrtcGetProgramLogSize, (nvrtcProgram program, size_t *bytes))
FN(must, nvrtcResult, nvrtcGetProgramLog, (nvrtcProgram program, char *log))
FN(must, nvrtcResult, nvrtcGetPTXSize, (nvrtcProgram program, size_t *bytes))
FN(must, nvrtcResult, nvrtcGetPTX, (nvrtcProgram program, char *ptx))
FN(may, nvrtcResult, nvrtcGetCUBINSize, (nvrtcProgram program, size_t *bytes))
FN(may, nvrtcResult, nvrtcGetCUBIN, (nvrtcProgram program, char *cubin))
