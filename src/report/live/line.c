#include "report/live/line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/common/lines.h"

struct be_live_line *be_live_line_new(struct be_live_frame *frame,
                                      const struct be_live_view *view) {
    int max = view->height < BE_LIVE_HEIGHT_MAX ? view->height : BE_LIVE_HEIGHT_MAX;
    int at = frame->lines < max ? frame->lines++ : BE_LIVE_HEIGHT_MAX - 1;
    struct be_live_line *line = &frame->line[at];
    line->bytes = line->columns = line->spans = 0;
    line->text[0] = '\0';
    return line;
}

static void begin_span(struct be_live_line *line, enum be_live_style style) {
    if (line->spans && line->span[line->spans - 1].style == style) {
        return;
    }
    if (line->spans < BE_LIVE_SPANS) {
        line->span[line->spans++] = (struct be_live_span){line->bytes, style};
    }
}

static void add_text(struct be_live_line *line, const struct be_live_view *view,
                     enum be_live_style style, const char *text) {
    int width = view->width < BE_LIVE_WIDTH_MAX ? view->width : BE_LIVE_WIDTH_MAX;
    if (*text && line->columns < width) {
        begin_span(line, style);
    }
    while (*text && line->columns < width) {
        size_t length = be_utf8_length(text);
        if (length == 0 || length > 3) { /* none of ours is */
            return;
        }
        memcpy(line->text + line->bytes, text, length);
        line->bytes += (int)length;
        line->columns++;
        text += length;
    }
    line->text[line->bytes] = '\0';
}

void be_live_line_add(struct be_live_line *line, const struct be_live_view *view,
                      enum be_live_style style, const char *format, ...) {
    char text[3 * BE_LIVE_WIDTH_MAX + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(line, view, style, text);
}

void be_live_line_add_foreign(struct be_live_line *line, const struct be_live_view *view,
                              enum be_live_style style, const char *text) {
    struct be_text ascii = {0};
    be_lines_ascii(&ascii, text);
    if (ascii.data && !ascii.failed) {
        add_text(line, view, style, ascii.data);
    }
    be_text_free(&ascii);
}

void be_live_line_to(struct be_live_line *line, const struct be_live_view *view,
                     enum be_live_style style, int column) {
    if (column > line->columns) {
        be_live_line_add(line, view, style, "%*s", column - line->columns, "");
    }
}

void be_live_line_cut(struct be_live_line *line, int column) {
    if (line->columns > column) {
        line->columns = line->bytes = column;
        line->text[column] = '\0';
    }
    while (line->spans && line->span[line->spans - 1].from >= line->bytes) {
        line->spans--;
    }
}
