#include "cli/train/lacking.h"

#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/common/fail.h"
#include "data/images.h"
#include "report/common/lines.h"

int be_cli_train_list(void) {
    struct be_error error = {0};
    const struct be_net_kind *kind;
    (void)be_fail(&error, BE_USAGE,
                  "which net? name one, as in `breakeven train mnist --data DIR`");
    const int code = be_cli_fail(&error);
    fputc('\n', stderr);
    for (size_t i = 0; (kind = be_net_kind_at(i)); i++) {
        struct be_text line = {0};
        char head[BE_NAME];
        snprintf(head, sizeof head, "  %-9s ", kind->name);
        be_lines_wrap(&line, head, kind->about, 12);
        fputs(line.data ? line.data : "", stderr);
        be_text_free(&line);
    }
    return code;
}

int be_cli_train_images(const struct be_net_kind *kind) {
    const struct be_images_form *form = be_images_form_find(kind->images);
    struct be_error error = {0};
    struct be_text files = {0};
    (void)be_fail(
        &error, BE_USAGE,
        "which images? %s needs %s in a folder of your own: --data=DIR; --synthetic makes "
        "images of the same shapes",
        kind->name, form->title);
    const int code = be_cli_fail(&error);
    be_images_form_files(form, &files);
    fprintf(stderr, "\n%s", files.data ? files.data : "");
    be_text_free(&files);
    return code;
}
