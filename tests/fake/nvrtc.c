/*
 * A fake NVRTC: its machine code is the list of the kernels that the source names, which the fake
 * driver then finds compiled as host C. It knows one error: the use of no_such_variable.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum { INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6, TEXT = 1024 };

struct _nvrtcProgram {
    char *source, *name;
    char log[TEXT], image[TEXT];
};

static nvrtcResult begin(int at, nvrtcProgram program) {
    nvrtcResult code = fake_call(at);
    return code == 0 && !program ? fake_misuse(INVALID_PROGRAM, "NVRTC without a program") : code;
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
    nvrtcResult code = fake_call(AT_nvrtcVersion);
    if (code == 0) {
        *major = 13;
        *minor = 0;
    }
    return code;
}

/* The real one knows a text for every number. */
const char *nvrtcGetErrorString(nvrtcResult result) {
    (void)fake_call(AT_nvrtcGetErrorString);
    return result == COMPILATION      ? "NVRTC_ERROR_COMPILATION"
           : result == INVALID_OPTION ? "NVRTC_ERROR_INVALID_OPTION"
                                      : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int headers, const char *const *header_text,
                               const char *const *header_name) {
    nvrtcResult code = fake_call(AT_nvrtcCreateProgram);
    if (code != 0 || headers != 0 || header_text || header_name) {
        return code ? code : fake_misuse(3, "nvrtcCreateProgram with headers");
    }
    nvrtcProgram made = calloc(1, sizeof *made);
    if (!made) {
        abort();
    }
    made->source = strdup(source);
    made->name = strdup(name);
    fake.live[FAKE_PROGRAM]++;
    *program = made;
    return 0;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    nvrtcResult code = begin(AT_nvrtcDestroyProgram, *program);
    if (*program) {
        free((*program)->source);
        free((*program)->name);
        free(*program);
        *program = NULL;
        fake.live[FAKE_PROGRAM]--;
    }
    return code;
}

static void append(char *text, const char *from, size_t length) {
    size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%.*s\n", (int)length, from);
}

static void list_kernels(nvrtcProgram program) {
    const char word[] = "\nKERNEL ";
    if (strstr(program->source, "#define BE_REAL64 1\n")) {
        append(program->image, "BE_REAL64", strlen("BE_REAL64"));
    }
    for (const char *at = program->source; (at = strstr(at, word)) != NULL;) {
        const char bounds[] = "LANES_MOST";
        at += strlen(word);
        if (strncmp(at, bounds, strlen(bounds)) == 0) {
            at += strcspn(at, ")") + 1;
            at += strspn(at, " \n");
        }
        append(program->image, at, strcspn(at, "("));
    }
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int options, const char *const *option) {
    const char architecture[] = "--gpu-architecture=";
    nvrtcResult code = begin(AT_nvrtcCompileProgram, program);
    for (int i = 0; program && i < options; i++) {
        if (strncmp(option[i], architecture, strlen(architecture)) == 0) {
            snprintf(program->image, TEXT, "fake %s\n", option[i] + strlen(architecture));
        }
    }
    if (code == 0 && !strstr(program->image, "_90\n")) {
        snprintf(program->log, TEXT, "nvrtc: error: invalid value for --gpu-architecture");
        return INVALID_OPTION;
    }
    if (code == 0 && strstr(program->source, "no_such_variable")) {
        snprintf(program->log, TEXT,
                 "%s(2): error: identifier \"no_such_variable\" is undefined\n\n"
                 "1 error detected in the compilation of \"%s\".\n",
                 program->name, program->name);
        return COMPILATION;
    }
    if (code == 0) {
        list_kernels(program);
    }
    if (code != 0 && program) {
        snprintf(program->log, TEXT, "%s(7): error: told to fail\n", program->name);
    }
    return code;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
    nvrtcResult code = begin(AT_nvrtcGetProgramLogSize, program);
    if (code == 0) {
        *bytes = strlen(program->log) + 1;
    }
    return code;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    nvrtcResult code = begin(AT_nvrtcGetProgramLog, program);
    if (code == 0) {
        memcpy(log, program->log, strlen(program->log) + 1);
    }
    return code;
}

static nvrtcResult image_size(int at, nvrtcProgram program, size_t *bytes) {
    nvrtcResult code = begin(at, program);
    if (code == 0) {
        *bytes = strlen(program->image) + 1;
    }
    return code;
}

static nvrtcResult image(int at, nvrtcProgram program, char *to, const char *architecture) {
    nvrtcResult code = begin(at, program);
    if (code == 0 && !strstr(program->image, architecture)) {
        code = fake_misuse(INVALID_PROGRAM, "an image that was not compiled");
    }
    if (code == 0) {
        memcpy(to, program->image, strlen(program->image) + 1);
    }
    return code;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
    return image_size(AT_nvrtcGetPTXSize, program, bytes);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) {
    return image(AT_nvrtcGetPTX, program, ptx, " compute_");
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    return image_size(AT_nvrtcGetCUBINSize, program, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) {
    return image(AT_nvrtcGetCUBIN, program, cubin, " sm_");
}
