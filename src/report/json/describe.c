#include "report/json/describe.h"

#include "base/error.h"

static const char *const kinds[] = {
    [BE_FIELD_TEXT] = "text",  [BE_FIELD_NOTE] = "note",   [BE_FIELD_REAL] = "real",
    [BE_FIELD_INT] = "int",    [BE_FIELD_GIVEN] = "given", [BE_FIELD_WHOLE] = "whole",
    [BE_FIELD_WORD] = "word",  [BE_FIELD_TRUTH] = "truth", [BE_FIELD_FLAG] = "truth",
    [BE_FIELD_PART] = "part",  [BE_FIELD_FIXED] = "list",  [BE_FIELD_OWNED] = "list",
    [BE_FIELD_CITED] = "text", [BE_FIELD_REALS] = "reals",
};

static void add_words(const struct be_names *names, struct be_text *out) {
    be_text_add(out, ",\"words\":[");
    for (int i = 0; i < names->count; i++) {
        const char *word = be_names_word(names, i);
        be_text_add(out, "%s%s%s%s", i ? "," : "", word ? "\"" : "", word ? word : "null",
                    word ? "\"" : "");
    }
    be_text_add(out, "]");
}

static void add_fields(const struct be_fields *fields, int depth, struct be_text *out) {
    enum { DEEPEST = 8 }; /* tables hold tables, not themselves */
    be_text_add(out, "[");
    for (size_t i = 0; i < fields->count && depth < DEEPEST; i++) {
        const struct be_field *field = &fields->field[i];
        be_text_add(out, "%s{\"name\":\"%s\",\"kind\":\"%s\"", i ? ",\n" : "", field->name,
                    kinds[field->kind]);
        if (field->names) {
            add_words(field->names, out);
        }
        if (field->of) {
            be_text_add(out, ",\"of\":");
            add_fields(field->of, depth + 1, out);
        }
        be_text_add(out, "}");
    }
    be_text_add(out, "]");
}

void be_json_describe(const struct be_fields *fields, struct be_text *out) {
    add_fields(fields, 0, out);
    be_text_add(out, "\n");
}
