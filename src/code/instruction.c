#include "code/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { WORD = 32, OPERANDS = 160 };

/* The text of an instruction in parts: "vmulpd", "(%rax,%rcx,8),%ymm0,%ymm1". */
struct parts {
    char name[WORD];
    char operand[OPERANDS];
};

/* ---- its text ------------------------------------------------------------------------------- */

static bool is_prefix(const char *word) {
    static const char *const prefix[] = {"rep", "repz",    "repnz",  "lock",
                                         "bnd", "notrack", "data16", "cs"};
    for (size_t i = 0; i < BE_COUNT(prefix); i++) {
        if (strcmp(word, prefix[i]) == 0) {
            return true;
        }
    }
    return false;
}

static const char *take_word(const char *at, char *word) {
    size_t length = 0;
    at += strspn(at, " \t");
    for (; *at && !isspace((unsigned char)*at); at++) {
        if (length + 1 < WORD) {
            word[length++] = *at;
        }
    }
    word[length] = '\0';
    return at + strspn(at, " \t");
}

/* The operands end where a comment begins ("# 2010 <x>"). */
static bool split(const char *at, struct parts *parts) {
    do {
        at = take_word(at, parts->name);
    } while (is_prefix(parts->name));
    const size_t length = strcspn(at, "#\n");
    be_copy_text(parts->operand, sizeof parts->operand, at);
    if (length < sizeof parts->operand) {
        parts->operand[length] = '\0';
    }
    return isalpha((unsigned char)parts->name[0]);
}

/* ---- registers and memory ------------------------------------------------------------------- */

/* Bytes of the widest vector register that is named. */
static int vector_bytes(const char *operand) {
    return strstr(operand, "%zmm") ? 64 : strstr(operand, "%ymm") ? 32 : 16;
}

static int bytes_of_letter(char letter) {
    return letter == 'q' ? 8 : letter == 'w' ? 2 : letter == 'b' ? 1 : 4;
}

/* "%rax" 8, "%eax" and "%r9d" 4, "%ax" 2, "%al" and "%r9b" 1. */
static int register_bytes(const char *name) {
    const size_t length = strcspn(name, ",( ");
    const char last = name[length - 1];
    if (name[1] == 'r') {
        return isdigit((unsigned char)name[2]) && !isdigit((unsigned char)last)
                   ? (last == 'd' ? 4 : bytes_of_letter(last))
                   : 8;
    }
    return name[1] == 'e' ? 4 : last == 'l' || last == 'h' ? 1 : 2;
}

/* Bytes in memory of an instruction on integers: those of the register beside it, or of the letter at its end. */
static int general_bytes(const struct parts *parts) {
    static const char extends[] = "movz";
    const char *name = parts->name, *at = parts->operand;
    if ((strncmp(name, extends, 4) == 0 || strncmp(name, "movs", 4) == 0) && name[4]) {
        return bytes_of_letter(name[4]);
    }
    for (int within = 0; *at; at++) {
        within += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (*at == '%' && !within) {
            return register_bytes(at);
        }
    }
    return bytes_of_letter(name[strlen(name) - 1]);
}

/* The operand in memory, or NULL; a place on the stack is none. */
static const char *memory_of(const char *operand) {
    const char *open = strchr(operand, '(');
    if (!open) {
        return NULL;
    }
    const bool indexed = strchr(open, ',') && strchr(open, ',') < strchr(open, ')');
    const bool stack = strncmp(open, "(%rsp", 5) == 0 || strncmp(open, "(%rbp", 5) == 0;
    return stack && !indexed ? NULL : open;
}

/* The last operand is where the result goes. */
static bool writes_memory(const char *open) {
    const char *close = strchr(open, ')');
    return close && strchr(close, ',') == NULL;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static void read_memory(const struct parts *parts, int bytes, struct be_instruction *one) {
    const char *name = parts->name, *open = memory_of(parts->operand);
    if (!open || begins(name, "lea") || begins(name, "nop") || begins(name, "prefetch") ||
        one->call || one->target) {
        return;
    }
    const bool moves = begins(name, "mov") || begins(name, "vmov") || begins(name, "set") ||
                       begins(name, "vextract") || begins(name, "vpscatter") ||
                       begins(name, "vscatter");
    const bool only_reads = begins(name, "cmp") || begins(name, "test") || begins(name, "push");
    const bool writes = writes_memory(open) && !only_reads;
    one->write_bytes = writes ? bytes : 0;
    one->read_bytes = writes && moves ? 0 : bytes;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

struct arithmetic {
    const char *stem; /* of "vmulpd", without v and pd */
    int flops;        /* a value */
    bool slow;
};
static const struct arithmetic arithmetics[] = {
    {"add", 1, false},    {"sub", 1, false},    {"mul", 1, false},      {"div", 1, true},
    {"sqrt", 1, true},    {"max", 1, false},    {"min", 1, false},      {"addsub", 1, false},
    {"hadd", 1, false},   {"hsub", 1, false},   {"fmadd", 2, false},    {"fmsub", 2, false},
    {"fnmadd", 2, false}, {"fnmsub", 2, false}, {"fmaddsub", 2, false}, {"fmsubadd", 2, false},
    {"rcp", 1, false},    {"rsqrt", 1, false},  {"rcp14", 1, false},    {"rsqrt14", 1, false},
};

/* "fmadd231" is fmadd: the digits say which operands are multiplied. */
static bool is_stem(const char *text, size_t length, const char *stem) {
    const size_t known = strlen(stem);
    if (length == known + 3 && stem[0] == 'f' && text[0] == 'f') {
        length = known;
    }
    return length == known && strncmp(text, stem, known) == 0;
}

static const struct arithmetic *arithmetic_of(const char *name, size_t length) {
    const char *text = name + (name[0] == 'v');
    length -= name[0] == 'v';
    for (size_t i = 0; i < BE_COUNT(arithmetics); i++) {
        if (is_stem(text, length, arithmetics[i].stem)) {
            return &arithmetics[i];
        }
    }
    return NULL;
}

/* ss, sd, ps, pd: one value or all of a register, of 32 bits or of 64. */
static int value_bytes(const char *suffix) {
    const bool known =
        (suffix[0] == 's' || suffix[0] == 'p') && (suffix[1] == 's' || suffix[1] == 'd');
    return !known ? 0 : suffix[1] == 'd' ? 8 : 4;
}

/* Bytes of one operand in memory. */
static int operand_bytes(const struct parts *parts) {
    const char *name = parts->name;
    const size_t length = strlen(name);
    const int value = length > 3 ? value_bytes(name + length - 2) : 0;
    if (strstr(parts->operand, "{1to") || begins(name, "vbroadcasts")) {
        return value ? value : 4;
    }
    if (value && (name[length - 2] == 's' || strstr(name, "movh") || strstr(name, "movl"))) {
        return name[length - 2] == 's' ? value : 8;
    }
    if (strstr(parts->operand, "mm")) {
        return strcmp(name, "movd") == 0 || strcmp(name, "vmovd") == 0   ? 4
               : strcmp(name, "movq") == 0 || strcmp(name, "vmovq") == 0 ? 8
               : begins(name, "cvtsi2") || begins(name, "vcvtsi2")       ? 4
                                                                   : vector_bytes(parts->operand);
    }
    return general_bytes(parts);
}

static void read_arithmetic(const struct parts *parts, struct be_instruction *one) {
    const size_t length = strlen(parts->name);
    const int value = length > 3 ? value_bytes(parts->name + length - 2) : 0;
    const struct arithmetic *found = value ? arithmetic_of(parts->name, length - 2) : NULL;
    if (found) {
        one->lanes = parts->name[length - 2] == 's' ? 1 : vector_bytes(parts->operand) / value;
        one->flops = found->flops * one->lanes;
        one->slow = found->slow;
        one->float64 = value == 8;
    }
}

/* ---- vector registers ----------------------------------------------------------------------- */

/* The operands that are vector registers, in their order; -1 of any other. Returns how many operands there are. */
static int vector_operands(const char *operand, int *number, int most) {
    int operands = 0;
    for (const char *at = operand; *at && operands < most; operands++) {
        int within = 0;
        const bool vector = at[0] == '%' && at[1] && at[2] == 'm' && at[3] == 'm';
        number[operands] = vector ? atoi(at + 4) % BE_VECTOR_REGISTERS : -1;
        for (; *at && (*at != ',' || within); at++) {
            within += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        }
        at += *at == ',';
    }
    return operands;
}

static bool has(const char *name, const char *const *part, size_t parts) {
    for (size_t i = 0; i < parts; i++) {
        if (strstr(name, part[i])) {
            return true;
        }
    }
    return false;
}

/* Operand `i` of `operands`, the last of which is written. In "fmadd213" the digits say which two are multiplied: 1 is the
 * written one, 3 the first. */
static enum be_flow flow_of(const char *name, int i, int operands) {
    static const char *const sums[] = {"add", "sub", "max", "min"};
    static const char *const copies[] = {"mova", "movu", "movs", "movdq", "vmov"};
    if (strstr(name, "fm") || strstr(name, "fnm")) {
        const int number = operands - i; /* as the digits count */
        const char *digits = name + strcspn(name, "123");
        return digits[0] && digits[0] - '0' != number && digits[1] - '0' != number ? BE_FLOW_ADDED
                                                                                   : BE_FLOW_OTHER;
    }
    return has(name, sums, BE_COUNT(sums))       ? BE_FLOW_ADDED
           : has(name, copies, BE_COUNT(copies)) ? BE_FLOW_COPY
                                                 : BE_FLOW_OTHER;
}

/* Whether the old value of the written register is a source: in two-operand forms and fused ones, but for moves and conversions. */
static bool keeps_old(const char *name, int operands) {
    const bool fused = strstr(name, "fm") || strstr(name, "fnm");
    const bool replaces = strstr(name, "mov") || strstr(name, "cvt") || begins(name, "sqrt") ||
                          begins(name, "pshuf") || begins(name, "rsqrt") || begins(name, "rcp");
    return fused || (name[0] != 'v' && operands == 2 && !replaces);
}

static void read_flow(const struct parts *parts, struct be_instruction *one) {
    enum { MOST = 4 };
    static const char *const nothing[] = {"comis", "test"}; /* they only set flags */
    int number[MOST] = {-1, -1, -1, -1};
    const int operands = vector_operands(parts->operand, number, MOST);
    const char *name = parts->name;
    for (int i = 0; i < BE_FLOW_SOURCES; i++) {
        one->source[i] = -1;
    }
    one->target_register = operands > 0 ? number[operands - 1] : -1;
    if (operands < 2 || one->target_register < 0 || has(name, nothing, BE_COUNT(nothing))) {
        one->target_register = -1;
        return;
    }
    const bool zero = strstr(name, "xor") && number[0] == number[1]; /* the usual way to write it */
    for (int i = 0, to = 0; !zero && i < operands && to < BE_FLOW_SOURCES; i++) {
        if ((i < operands - 1 || keeps_old(name, operands)) && number[i] >= 0) {
            one->source[to] = number[i];
            one->flow[to++] = flow_of(name, i, operands);
        }
    }
}

/* ---- where it goes on ----------------------------------------------------------------------- */

/* "401136 <main+0x26>", or "1030 <exp@plt>" of a call. */
static void read_way(const struct parts *parts, struct be_instruction *one) {
    one->call = begins(parts->name, "call");
    if (one->call) {
        const char *from = strchr(parts->operand, '<');
        be_copy_text(one->callee, sizeof one->callee, from ? from + 1 : "");
        one->callee[strcspn(one->callee, "@+>")] = '\0';
    } else if (parts->name[0] == 'j' && isxdigit((unsigned char)parts->operand[0])) {
        one->target = strtoull(parts->operand, NULL, 16);
    }
}

bool be_instruction_read(const char *line, struct be_instruction *one) {
    struct parts parts;
    char *end = NULL;
    line += strspn(line, " \t");
    const uint64_t address = strtoull(line, &end, 16);
    if (end == line || *end != ':' || !split(end + 1, &parts)) {
        return false;
    }
    *one = (struct be_instruction){.address = address};
    read_way(&parts, one);
    read_arithmetic(&parts, one);
    read_memory(&parts, operand_bytes(&parts), one);
    read_flow(&parts, one);
    return true;
}
