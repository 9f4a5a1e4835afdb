/* Names of functions in this program's own file, in parts of it and in damaged ones. */
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "sample/elf.h"

/* Not static, so that it has a symbol whatever is stripped of local ones. */
int named_in_this_test(int x);
__attribute__((noinline)) int named_in_this_test(int x) {
    return 3 * x + 1;
}

struct found {
    uintptr_t address;
    uint64_t offset;
};

/* The program itself is the first that is listed. */
static int find_offset(struct dl_phdr_info *info, size_t size, void *context) {
    struct found *found = context;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && found->address >= from &&
            found->address < from + part->p_memsz) {
            found->offset = found->address - from + part->p_offset;
        }
    }
    return 1;
}

static uint64_t offset_of(uintptr_t address) {
    struct found found = {.address = address};
    dl_iterate_phdr(find_offset, &found);
    assert_true(found.offset > 0);
    return found.offset;
}

static uintptr_t address_of(void) {
    uintptr_t address;
    int (*function)(int) = named_in_this_test;
    memcpy(&address, &function, sizeof address);
    return address;
}

static void test_functions_are_named(void **state) {
    (void)state;
    const uint64_t offset = offset_of(address_of());
    struct be_elf_ask ask[] = {{.offset = offset + 1}, {.offset = offset}, {.offset = 1}};
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    be_elf_name(file, ask, 3);
    assert_true(ask[0].offset == 1); /* in order */
    assert_string_equal(ask[0].symbol, "");
    assert_string_equal(ask[1].symbol, "named_in_this_test");
    assert_string_equal(ask[2].symbol, "named_in_this_test");
    close(file);
}

static int file_of(const char *bytes, size_t size) {
    const int file = memfd_create("elf", MFD_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    return file;
}

static char *read_self(size_t *size) {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const off_t length = lseek(file, 0, SEEK_END);
    char *bytes = malloc((size_t)length);
    assert_non_null(bytes);
    assert_int_equal(pread(file, bytes, (size_t)length, 0), length);
    close(file);
    *size = (size_t)length;
    return bytes;
}

static void name_in(const char *bytes, size_t size) {
    struct be_elf_ask ask[] = {{.offset = offset_of(address_of())}, {.offset = UINT64_MAX}};
    const int file = file_of(bytes, size);
    be_elf_name(file, ask, 2);
    assert_non_null(memchr(ask[0].symbol, '\0', sizeof ask[0].symbol));
    close(file);
}

static void test_parts_of_files_name_nothing_and_harm_nothing(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_self(&size);
    const size_t part[] = {0, 1, 15, 63, 64, 100, 4096, size / 2, size - 100, size - 1};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        name_in(bytes, part[i]);
    }
    free(bytes);
}

/* The tables at both ends of a file say where everything else is. */
static void test_damaged_tables_harm_nothing(void **state) {
    (void)state;
    enum { ROUNDS = 400, HEAD = 1200, TAIL = 4096 };
    size_t size;
    char *bytes = read_self(&size);
    uint64_t random = 1;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const size_t at = (size_t)(random >> 33);
        const size_t place = i % 2 ? 16 + at % HEAD : size - 1 - at % TAIL;
        const char before = bytes[place];
        bytes[place] = (char)(random >> 25);
        name_in(bytes, size);
        bytes[place] = before;
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_named),
        cmocka_unit_test(test_parts_of_files_name_nothing_and_harm_nothing),
        cmocka_unit_test(test_damaged_tables_harm_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
