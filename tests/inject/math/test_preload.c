/* Programs that the dynamic linker loads a library of ours into, and those that it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "observe/calls/preload.h"

static char folder[] = "/tmp/breakeven-preload-XXXXXX";

/* A file of that name with those bytes, which may be executed. */
static const char *make(const char *name, const void *bytes, size_t count) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
    chmod(path, 0700);
    return path;
}

static enum be_preload reaches(const char *command, const char *reason) {
    char why[128];
    enum be_preload reach = be_preload_reaches(command, why, sizeof why);
    if (reason) {
        assert_non_null(strstr(why, reason));
    } else {
        assert_string_equal(why, "");
    }
    return reach;
}

/* A program with an interpreter, or without one; it needs that library. */
static const char *make_program(bool interpreter, const char *library) {
    static struct {
        Elf64_Ehdr head;
        Elf64_Phdr part[3];
        Elf64_Dyn dynamic[3];
        char names[64];
    } file;
    memset(&file, 0, sizeof file);
    memcpy(file.head.e_ident, ELFMAG, SELFMAG);
    file.head.e_ident[EI_CLASS] = ELFCLASS64;
    file.head.e_phoff = offsetof(__typeof__(file), part);
    file.head.e_phentsize = sizeof(Elf64_Phdr);
    file.head.e_phnum = 3;
    file.part[0] = (Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = 0x1000, .p_filesz = sizeof file};
    file.part[1] = (Elf64_Phdr){.p_type = PT_DYNAMIC,
                                .p_offset = offsetof(__typeof__(file), dynamic),
                                .p_filesz = sizeof file.dynamic};
    file.part[2] = (Elf64_Phdr){.p_type = interpreter ? PT_INTERP : PT_NULL};
    file.dynamic[0] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un = {.d_val = 1}};
    file.dynamic[1] = (Elf64_Dyn){.d_tag = DT_STRTAB,
                                  .d_un = {.d_ptr = 0x1000 + offsetof(__typeof__(file), names)}};
    snprintf(file.names + 1, sizeof file.names - 1, "%s", library);
    return make("program", &file, sizeof file);
}

static void test_programs(void **state) {
    (void)state;
    assert_int_equal(reaches("sh", NULL), BE_PRELOAD_YES);
    assert_int_equal(reaches(make_program(true, "libc.so.6"), NULL), BE_PRELOAD_YES);
    assert_int_equal(reaches(make_program(false, "libc.so.6"), "statically"), BE_PRELOAD_CHILDREN);
    assert_int_equal(reaches(make_program(true, "libasan.so.8"), "sanitizer"), BE_PRELOAD_NEVER);
    assert_int_equal(reaches(make_program(true, "libtsan.so.2"), "sanitizer"), BE_PRELOAD_NEVER);
    const char small[64] = {0x7f, 'E', 'L', 'F', ELFCLASS32};
    assert_int_equal(reaches(make("small", small, sizeof small), "32-bit"), BE_PRELOAD_NEVER);
}

/* A script is as good as its interpreter, which may be a script, too. */
static void test_scripts(void **state) {
    char text[300];
    (void)state;
    const char shell[] = "#!/bin/sh -e\nexit 3\n";
    assert_int_equal(reaches(make("script", shell, sizeof shell), NULL), BE_PRELOAD_YES);
    snprintf(text, sizeof text, "#! %s\n", make_program(false, "libc.so.6"));
    assert_int_equal(reaches(make("script", text, strlen(text)), "statically"),
                     BE_PRELOAD_CHILDREN);
    snprintf(text, sizeof text, "#!%s/script\n", folder); /* of itself */
    assert_int_equal(reaches(make("script", text, strlen(text)), NULL), BE_PRELOAD_YES);
}

/* Starting it will say what is wrong. */
static void test_what_is_no_program(void **state) {
    (void)state;
    assert_int_equal(reaches("/nowhere/command", NULL), BE_PRELOAD_YES);
    assert_int_equal(reaches("no-such-command-here", NULL), BE_PRELOAD_YES);
    assert_int_equal(reaches("", NULL), BE_PRELOAD_YES);
    assert_int_equal(reaches(make("empty", "", 0), NULL), BE_PRELOAD_YES);
    assert_int_equal(reaches(make("short", "\177ELF\2", 5), NULL), BE_PRELOAD_YES);
}

/* Along PATH, as execvp does. */
static void test_the_path(void **state) {
    (void)state;
    char *before = strdup(getenv("PATH"));
    make_program(false, "libc.so.6");
    setenv("PATH", folder, 1);
    assert_int_equal(reaches("program", "statically"), BE_PRELOAD_CHILDREN);
    setenv("PATH", before, 1);
    free(before);
}

static int begin(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state) {
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_what_is_no_program),
        cmocka_unit_test(test_the_path),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
