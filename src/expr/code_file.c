#include "expr/code_file_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read_all.h"
#include "expr/compile.h"

/* ---- numbers -------------------------------------------------------------------------------- */

/* Rounded up to a whole number; NAN of one that was not given. */
static double number_of(const struct be_code_number *number, const uint64_t *value) {
    double of[BE_OWN_ARRAYS_MAX] = {0}, out = NAN;
    void *array[BE_OWN_ARRAYS_MAX];
    if (!number->expr) {
        return NAN;
    }
    const struct be_computation *c = be_expr_computation(number->expr);
    for (int k = 0; k < c->arrays; k++) {
        const bool read = c->array[k].role == BE_OWN_READ;
        of[k] = read ? (double)value[number->parameter[k]] : 0;
        array[k] = read ? &of[k] : &out;
    }
    const struct be_call call = {
        .self = c->self, .value = value, .array = array, .count = 1, .threads = 1, .float64 = true};
    c->reference(&call);
    return ceil(out);
}

/* More than memory holds, where a formula gives no size. */
static uint64_t whole(const struct be_code_number *number, const uint64_t *value) {
    const double out = number_of(number, value);
    return out >= 0 && out < 1e15 ? (uint64_t)out : (uint64_t)1 << 50;
}

#define COUNT(k)                                                                                   \
    static uint64_t count_##k(const void *self, const uint64_t *value) {                           \
        return whole(&((const struct be_code_file *)self)->count[k], value);                       \
    }
COUNT(0)
COUNT(1)
COUNT(2)
COUNT(3)
COUNT(4)
COUNT(5)
COUNT(6)
COUNT(7)

static uint64_t items(const void *self, const uint64_t *value) {
    return whole(&((const struct be_code_file *)self)->items, value);
}

static uint64_t groups(const void *self, const uint64_t *value) {
    return whole(&((const struct be_code_file *)self)->groups, value);
}

static double operations(const void *self, const uint64_t *value) {
    const double out = number_of(&((const struct be_code_file *)self)->operations, value);
    return out > 0 && isfinite(out) ? out : 0; /* 0: not known */
}

/* ---- what it is ------------------------------------------------------------------------------- */

static void describe(struct be_code_file *file, enum be_own_language language) {
    static uint64_t (*const counts[])(const void *, const uint64_t *) = {
        count_0, count_1, count_2, count_3, count_4, count_5, count_6, count_7};
    struct be_computation *c = &file->computation;
    bool wide = false, narrow = false;
    for (int k = 0; k < c->arrays; k++) {
        file->array[k].count = counts[k];
        wide |= file->array[k].element == BE_OWN_FLOAT64;
        narrow |= file->array[k].element == BE_OWN_FLOAT32;
    }
    snprintf(file->title, sizeof file->title, "%s of %s", file->kernel, file->name);
    c->name = "kernel";
    c->remark =
        "results are held against those of the CPU's code on one thread: a mistake that both "
        "have is not seen";
    c->title = file->title;
    c->self = file;
    c->parameter = file->parameter;
    c->array = file->array;
    c->float64 = wide && !narrow; /* what is exact to a float alone is held against that */
    c->float32 = !c->float64;
    c->items = file->items.expr ? items : NULL;
    c->operations = file->operations.expr ? operations : NULL;
    c->device.source = file->source.data;
    c->device.kernel = file->kernel;
    c->device.file = file->name;
    c->device.language = language;
    c->device.argument = file->argument;
    c->device.groups = file->groups.expr ? groups : NULL;
}

static const char *file_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum be_status read_file(const char *path, struct be_text *text, struct be_error *error) {
    FILE *in = fopen(path, "re");
    enum be_status status =
        in ? be_whole_read(in, path, 1, "not a source file", text, error)
           : be_fail(error, BE_IO, "%.200s: cannot be read: is there such a file?", path);
    if (in) {
        fclose(in);
    }
    return status;
}

enum be_status be_code_file_text(const char *name, const char *text, size_t length,
                                 struct be_code_file **opened, struct be_error *error) {
    const char *dot = strrchr(name, '.');
    const bool opencl = dot && strcmp(dot, ".cl") == 0;
    *opened = NULL;
    if (!opencl && !(dot && strcmp(dot, ".cu") == 0)) {
        return be_fail(error, BE_USAGE,
                       "%.200s: a kernel of OpenCL C is in a file *.cl, one of CUDA C in *.cu",
                       name);
    }
    struct be_code_file *file = calloc(1, sizeof *file);
    if (!file) {
        return be_fail(error, BE_NOMEM, "no host memory for a kernel");
    }
    be_copy_text(file->name, sizeof file->name, file_part(name));
    be_text_add_bytes(&file->source, text, length);
    enum be_status status = file->source.failed
                                ? be_fail(error, BE_NOMEM, "no host memory for a kernel")
                                : be_code_file_read(file, error);
    if (status != BE_OK) {
        be_code_file_close(file);
        return status;
    }
    describe(file, opencl ? BE_OWN_OPENCL : BE_OWN_CUDA);
    *opened = file;
    return BE_OK;
}

enum be_status be_code_file_open(const char *path, struct be_code_file **opened,
                                 struct be_error *error) {
    struct be_text text = {0};
    *opened = NULL;
    enum be_status status = read_file(path, &text, error);
    if (status == BE_OK) {
        status = be_code_file_text(path, text.data ? text.data : "", text.length, opened, error);
    }
    be_text_free(&text);
    return status;
}

const struct be_computation *be_code_file_computation(const struct be_code_file *file) {
    return &file->computation;
}

void be_code_file_unchecked(struct be_code_file *file) {
    file->computation.unchecked = true;
}

void be_code_file_close(struct be_code_file *file) {
    if (file) {
        for (int k = 0; k < BE_OWN_ARRAYS_MAX; k++) {
            be_expr_close(file->count[k].expr);
        }
        be_expr_close(file->items.expr);
        be_expr_close(file->groups.expr);
        be_expr_close(file->operations.expr);
        be_dyn_close(file->library);
        be_dyn_close(file->users);
        be_text_free(&file->source);
        free(file);
    }
}

/* ---- the CPU -------------------------------------------------------------------------------- */

static void compute(const struct be_call *call) {
    const struct be_code_file *file = call->self;
    file->adapter(file->function, call->array, call->value, call->first, call->first + call->count);
}

/* The arguments as the kernel has them; behind them, of a function that does a part, from where to where. */
static void emit_arguments(const struct be_code_file *file, bool types, struct be_text *out) {
    static const char *const type[] = {[BE_OWN_FLOAT32] = "float",
                                       [BE_OWN_FLOAT64] = "double",
                                       [BE_OWN_INT32] = "int",
                                       [BE_OWN_INT64] = "long",
                                       [BE_OWN_BYTE] = "unsigned char"};
    const struct be_computation *c = &file->computation;
    for (int i = 0; i < c->device.arguments; i++) {
        const struct be_own_argument *a = &file->argument[i];
        const bool array = a->kind == BE_OWN_ARRAY;
        const char *of = type[array ? file->array[a->index].element : a->element];
        be_text_add(out, "%s", i ? ", " : "");
        if (array) {
            be_text_add(out, types ? "%s%s *" : "(%s%s *)",
                        file->array[a->index].role == BE_OWN_READ ? "const " : "", of);
            if (!types) {
                be_text_add(out, "array[%d]", a->index);
            }
        } else if (types) {
            be_text_add(out, "%s", of);
        } else if (a->kind == BE_OWN_PARAMETER) {
            be_text_add(out, "(%s)value[%d]", of, a->index);
        } else {
            be_text_add(out, "(%s)%.17g", of, a->number);
        }
    }
    if (!c->one_thread) {
        be_text_add(out, types ? ", long, long" : ", (long)first, (long)end");
    }
}

/* The function is another one than the file describes: how it has to look. */
static enum be_status say_call(const struct be_code_file *file, const char *called,
                               struct be_error *error) {
    struct be_text types = {0};
    emit_arguments(file, true, &types);
    enum be_status status = be_context(
        error, "the call needs `void %.60s(%.140s)`%s%.60s%s", called, types.data ? types.data : "",
        file->computation.one_thread ? "" : ", the last two first and end; or `breakeven: cpu ",
        file->computation.one_thread ? "" : called,
        file->computation.one_thread ? "" : " whole` and neither of them");
    be_text_free(&types);
    return status;
}

static enum be_status build(struct be_code_file *file, const char *called, struct be_text *code,
                            struct be_error *error) {
    struct table {
        be_code_adapter *adapter;
    } table = {NULL};
    static const struct be_symbol symbol[] = {{"be_code_adapter", 0, BE_NEED_must}};
    static const struct be_library as = {
        .what = "the CPU's code", .symbol = symbol, .symbols = BE_COUNT(symbol)};
    be_text_add(code,
                "\n#line 1 \"call of %s\"\n"
                "void be_code_adapter(void *function, void *const *array, const unsigned long "
                "*value, unsigned long first, unsigned long end) {\n"
                "    (void)function, (void)array, (void)value, (void)first, (void)end;\n    ",
                called ? called : "the library's function");
    if (called) {
        be_text_add(code, "%s(", called);
    } else {
        be_text_add(code, "((void (*)(");
        emit_arguments(file, true, code);
        be_text_add(code, "))function)(");
    }
    emit_arguments(file, false, code);
    be_text_add(code, ");\n}\n");
    const enum be_status status = be_compile(code, false, &as, &table, &file->library, error);
    if (status == BE_OK) {
        file->adapter = table.adapter;
        file->computation.cpu = compute;
    }
    return called && status == BE_IO && strstr(error->text, "call of ")
               ? say_call(file, called, error)
               : status;
}

enum be_status be_code_file_cpu(struct be_code_file *file, const char *path,
                                struct be_error *error) {
    struct be_text users = {0}, code = {0};
    const char *called = *file->cpu ? file->cpu : file->kernel;
    enum be_status status = read_file(path, &users, error);
    if (status == BE_OK) {
        be_text_add(&code, "#line 1 \"%s\"\n", file_part(path));
        be_text_add_bytes(&code, users.data ? users.data : "", users.length);
        status = build(file, called, &code, error);
    }
    be_text_free(&users);
    be_text_free(&code);
    return status;
}

enum be_status be_code_file_library(struct be_code_file *file, const char *text,
                                    struct be_error *error) {
    struct table {
        void (*function)(void);
    } table = {NULL};
    const char *colon = strrchr(text, ':');
    if (!colon || colon == text || !colon[1]) {
        return be_fail(error, BE_USAGE, "--cpu-library %.200s: FILE.so:FUNCTION is expected", text);
    }
    char *path = strndup(text, (size_t)(colon - text));
    char *whole_path = path ? realpath(path, NULL) : NULL;
    const char *const files[] = {whole_path, NULL};
    const struct be_symbol symbol[] = {{colon + 1, 0, BE_NEED_must}};
    const struct be_library library = {
        .what = "the CPU's library", .file = files, .symbol = symbol, .symbols = 1};
    enum be_status status =
        whole_path ? be_dyn_look(&library, &table, &file->users, error)
                   : be_fail(error, BE_IO, "--cpu-library %.200s: there is no such file", text);
    free(path);
    free(whole_path);
    if (status == BE_OK) {
        struct be_text code = {0};
        memcpy(&file->function, &table.function, sizeof file->function);
        status = build(file, NULL, &code, error);
        be_text_free(&code);
    }
    return status;
}
