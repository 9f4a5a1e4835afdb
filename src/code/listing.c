#include "code/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/error.h"

enum { LINE = 512, ROOM = 256 };

struct listed {
    struct be_instruction *list;
    size_t instructions, capacity;
    bool other; /* it is code for another kind of processor */
};

static enum be_status take(void *context, struct be_slice line, struct be_error *error) {
    struct listed *listed = context;
    char text[LINE];
    struct be_instruction one;
    snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
    listed->other |= strstr(text, "file format") && !strstr(text, "x86-64");
    if (!be_instruction_read(text, &one)) {
        return BE_OK;
    }
    if (listed->instructions == listed->capacity) {
        const size_t capacity = listed->capacity ? 2 * listed->capacity : ROOM;
        struct be_instruction *grown = realloc(listed->list, capacity * sizeof *grown);
        if (!grown) {
            return be_fail(error, BE_NOMEM, "no host memory for %zu instructions", capacity);
        }
        listed->list = grown;
        listed->capacity = capacity;
    }
    listed->list[listed->instructions++] = one;
    return BE_OK;
}

enum be_status be_code_list(const char *path, uint64_t from, uint64_t to,
                            struct be_instruction **list, size_t *instructions,
                            struct be_error *error) {
    char first[40], last[40];
    struct listed listed = {0};
    snprintf(first, sizeof first, "--start-address=0x%llx", (unsigned long long)from);
    snprintf(last, sizeof last, "--stop-address=0x%llx", (unsigned long long)to);
    const char *const word[] = {
        "objdump", "--disassemble", "--no-show-raw-insn", "-M", "att", first, last, "--", path,
        NULL};
    enum be_status status = be_command_each(word, take, &listed, error);
    if (status == BE_ABSENT) {
        be_fail(error, BE_ABSENT, "objdump is not here (it comes with binutils)");
    } else if (!status && (listed.other || !listed.instructions)) {
        status = be_fail(error, BE_ABSENT, "%s: not x86-64 code", path);
    }
    if (status) {
        free(listed.list);
        listed = (struct listed){0};
    }
    *list = listed.list;
    *instructions = listed.instructions;
    return status;
}
