#include "cli/common/remarks.h"

#include <stdio.h>

#include "base/text.h"
#include "cluster/catalogue.h"
#include "report/common/lines.h"

void be_cli_catalogue_remarks(const struct be_catalogue_file *file) {
    for (size_t i = 0; i < file->clusters.remarks; i++) {
        struct be_text text = {0};
        be_lines_wrap(&text, "note: ", file->clusters.remark[i], 2);
        fprintf(stderr, "%s", text.data ? text.data : "");
        be_text_free(&text);
    }
}
