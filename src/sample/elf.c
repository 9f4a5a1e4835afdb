#include "sample/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SYMBOLS_AT_A_TIME = 4096,
    SECTIONS_MAX = 65536,
    NOTES_MAX = 4096,
    ID_MAX = 64 /* bytes of a build id */
};

struct elf {
    int file;
    Elf64_Ehdr head;
    Elf64_Phdr *part;
    Elf64_Shdr *section;
};

static bool read_at(int file, void *to, size_t size, uint64_t offset) {
    return offset < INT64_MAX && pread(file, to, size, (off_t)offset) == (ssize_t)size;
}

static void close_elf(struct elf *elf) {
    free(elf->part);
    free(elf->section);
}

/* False: it is no 64-bit little-endian ELF file, or a damaged one. */
static bool open_elf(int file, struct elf *elf) {
    *elf = (struct elf){.file = file};
    Elf64_Ehdr *head = &elf->head;
    if (!read_at(file, head, sizeof *head, 0) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
        head->e_phentsize != sizeof *elf->part ||
        (head->e_shnum && head->e_shentsize != sizeof *elf->section)) {
        return false;
    }
    elf->part = calloc(head->e_phnum + 1u, sizeof *elf->part);
    elf->section = calloc(head->e_shnum + 1u, sizeof *elf->section);
    const bool whole =
        elf->part && elf->section &&
        read_at(file, elf->part, head->e_phnum * sizeof *elf->part, head->e_phoff) &&
        (!head->e_shnum ||
         read_at(file, elf->section, head->e_shnum * sizeof *elf->section, head->e_shoff));
    if (!whole) {
        close_elf(elf);
    }
    return whole;
}

/* ---- names ---------------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b) {
    const uint64_t first = ((const struct be_elf_ask *)a)->offset;
    const uint64_t second = ((const struct be_elf_ask *)b)->offset;
    return (first > second) - (first < second);
}

static int by_address(const void *a, const void *b) {
    const uint64_t first = ((const struct be_elf_ask *)a)->address;
    const uint64_t second = ((const struct be_elf_ask *)b)->address;
    return (first > second) - (first < second);
}

static void set_addresses(const struct elf *elf, struct be_elf_ask *ask, size_t asks) {
    for (size_t i = 0; i < asks; i++) {
        ask[i].address = UINT64_MAX;
        for (int p = 0; p < elf->head.e_phnum; p++) {
            const Elf64_Phdr *part = &elf->part[p];
            if (part->p_type == PT_LOAD && ask[i].offset >= part->p_offset &&
                ask[i].offset - part->p_offset < part->p_filesz) {
                ask[i].address = ask[i].offset - part->p_offset + part->p_vaddr;
            }
        }
    }
    qsort(ask, asks, sizeof *ask, by_address);
}

/* The first ask at `address` or behind it. */
static size_t place_of(const struct be_elf_ask *ask, size_t asks, uint64_t address) {
    size_t lo = 0, hi = asks;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (ask[middle].address < address) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static void give_name(const struct elf *elf, const Elf64_Shdr *strings, uint32_t at,
                      struct be_elf_ask *ask) {
    if (at >= strings->sh_size) {
        return;
    }
    const uint64_t left = strings->sh_size - at;
    const size_t size = left < sizeof ask->symbol - 1 ? (size_t)left : sizeof ask->symbol - 1;
    if (!read_at(elf->file, ask->symbol, size, strings->sh_offset + at)) {
        ask->symbol[0] = '\0';
    }
    ask->symbol[size] = '\0';
}

static void take_symbol(const struct elf *elf, const Elf64_Shdr *strings, const Elf64_Sym *symbol,
                        struct be_elf_ask *ask, size_t asks) {
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_size || !symbol->st_value) {
        return;
    }
    for (size_t i = place_of(ask, asks, symbol->st_value);
         i < asks && ask[i].address - symbol->st_value < symbol->st_size; i++) {
        if (!ask[i].symbol[0]) {
            give_name(elf, strings, symbol->st_name, &ask[i]);
        }
    }
}

static void read_table(const struct elf *elf, const Elf64_Shdr *table, struct be_elf_ask *ask,
                       size_t asks) {
    if (table->sh_link >= elf->head.e_shnum || table->sh_entsize != sizeof(Elf64_Sym)) {
        return;
    }
    const Elf64_Shdr *strings = &elf->section[table->sh_link];
    const uint64_t symbols = table->sh_size / sizeof(Elf64_Sym);
    Elf64_Sym *symbol = malloc(SYMBOLS_AT_A_TIME * sizeof *symbol);
    for (uint64_t from = 0; symbol && from < symbols; from += SYMBOLS_AT_A_TIME) {
        const uint64_t left = symbols - from;
        const size_t count = left < SYMBOLS_AT_A_TIME ? (size_t)left : SYMBOLS_AT_A_TIME;
        if (!read_at(elf->file, symbol, count * sizeof *symbol,
                     table->sh_offset + from * sizeof *symbol)) {
            break;
        }
        for (size_t i = 0; i < count; i++) {
            take_symbol(elf, strings, &symbol[i], ask, asks);
        }
    }
    free(symbol);
}

static void read_tables(const struct elf *elf, struct be_elf_ask *ask, size_t asks) {
    static const uint32_t kinds[] = {SHT_SYMTAB, SHT_DYNSYM}; /* the first has more */
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (int i = 0; i < elf->head.e_shnum; i++) {
            if (elf->section[i].sh_type == kinds[k]) {
                read_table(elf, &elf->section[i], ask, asks);
            }
        }
    }
}

/* ---- debugging symbols ---------------------------------------------------------------------- */

/* The note of a build id (ELF's gABI: name size, size, type, name, bytes, each in fours). */
static size_t build_id(const char *notes, size_t size, unsigned char id[ID_MAX]) {
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
        Elf64_Nhdr note;
        memcpy(&note, notes + at, sizeof note);
        const size_t name = at + sizeof note, bytes = name + ((note.n_namesz + 3u) & ~3u);
        if (note.n_namesz > size || note.n_descsz > size || bytes + note.n_descsz > size) {
            return 0;
        }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + name, "GNU", 4) == 0 && note.n_descsz >= 2 && note.n_descsz <= ID_MAX) {
            memcpy(id, notes + bytes, note.n_descsz);
            return note.n_descsz;
        }
        at = bytes + ((note.n_descsz + 3u) & ~3u);
    }
    return 0;
}

/* -1: there is none. */
static int open_debug_file(const struct elf *elf) {
    unsigned char id[ID_MAX];
    size_t length = 0;
    for (int p = 0; p < elf->head.e_phnum && !length; p++) {
        char notes[NOTES_MAX];
        const Elf64_Phdr *part = &elf->part[p];
        if (part->p_type == PT_NOTE && part->p_filesz <= sizeof notes &&
            read_at(elf->file, notes, part->p_filesz, part->p_offset)) {
            length = build_id(notes, part->p_filesz, id);
        }
    }
    char path[64 + 2 * ID_MAX];
    if (!length) {
        return -1;
    }
    int end = snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%02x/", id[0]);
    for (size_t i = 1; i < length; i++) {
        end += snprintf(path + end, sizeof path - (size_t)end, "%02x", id[i]);
    }
    snprintf(path + end, sizeof path - (size_t)end, ".debug");
    return open(path, O_RDONLY | O_CLOEXEC);
}

static bool all_named(const struct be_elf_ask *ask, size_t asks) {
    for (size_t i = 0; i < asks; i++) {
        if (!ask[i].symbol[0]) {
            return false;
        }
    }
    return true;
}

void be_elf_name(int file, struct be_elf_ask *ask, size_t asks) {
    struct elf elf, debug;
    if (!open_elf(file, &elf)) {
        return;
    }
    set_addresses(&elf, ask, asks);
    read_tables(&elf, ask, asks);
    const int other = all_named(ask, asks) ? -1 : open_debug_file(&elf);
    if (other >= 0) {
        if (open_elf(other, &debug)) {
            read_tables(&debug, ask, asks);
            close_elf(&debug);
        }
        close(other);
    }
    close_elf(&elf);
    qsort(ask, asks, sizeof *ask, by_offset);
}
