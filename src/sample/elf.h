/*
 * Names of functions in an ELF file of this machine's kind, from its tables of symbols. It reads the file and maps
 * nothing, since a file may shrink.
 */
#ifndef BE_SAMPLE_ELF_H
#define BE_SAMPLE_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"

struct be_elf_ask {
    uint64_t offset;               /* of an instruction, in the file */
    uint64_t address;              /* the same as the symbols have it: set by be_elf_name */
    char symbol[BE_SAMPLE_SYMBOL]; /* the answer; stays empty where there is none */
};

/* Sorts the `asks` by their offsets and names those whose function has a symbol. Names that the file lacks are looked
 * for in its file of debugging symbols, where that is installed. A file that is no such ELF file names none. */
void be_elf_name(int file, struct be_elf_ask *ask, size_t asks);

#endif
