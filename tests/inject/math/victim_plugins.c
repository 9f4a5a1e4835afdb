/*
 * A program that has no BLAS, and loads libraries that have one each. The exit code is 0 if each is answered by its own.
 * "deepbind": they look for functions among themselves first, and not in what was loaded before the program.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "victim: line %d: %s\n", __LINE__, #condition);                        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static const char *self;
static int flags = RTLD_NOW | RTLD_LOCAL;

static void *open_plugin(const char *name) {
    char path[4096];
    const char *slash = strrchr(self, '/');
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - self), self, name);
    return dlopen(path, flags);
}

static int copy_of(void *plugin) {
    int (*copy)(void) = NULL;
    void *address = plugin ? dlsym(plugin, "plugin_copy") : NULL;
    memcpy(&copy, &address, sizeof copy);
    return copy ? copy() : 0;
}

/* Each plugin has a BLAS of its own, with the same names. */
static int plugins(void) {
    void *one = open_plugin("plugin_1.so"), *two = open_plugin("plugin_2.so");
    MUST(copy_of(one) == 1 && copy_of(two) == 2 && copy_of(one) == 1);
    MUST(!dlerror());
    void (*(*get)(void))(void) = NULL;
    void *address = dlsym(two, "plugin_function");
    memcpy(&get, &address, sizeof get);
    void (*function)(void) = get();
    const int32_t n = 2;
    const double a[4] = {0}, b[4] = {0};
    double c[4];
    const double alpha = 1, beta = 0;
    ((void (*)(const char *, const char *, const int32_t *, const int32_t *, const int32_t *,
               const double *, const double *, const int32_t *, const double *, const int32_t *,
               const double *, double *, const int32_t *, size_t, size_t))function)(
        "N", "N", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n, 1, 1);
    MUST(dlclose(one) == 0);
    one = NULL;
    for (int i = 0; i < 20; i++) {
        void *again = open_plugin(i % 2 ? "plugin_1.so" : "plugin_3.so");
        MUST(copy_of(again) == (i % 2 ? 1 : 3));
        MUST(dlclose(again) == 0);
    }
    return copy_of(two) != 2;
}

int main(int argc, char **argv) {
    self = argv[0];
    flags |= argc > 1 && strcmp(argv[1], "deepbind") == 0 ? RTLD_DEEPBIND : 0;
    return argc > 0 ? plugins() : 99;
}
