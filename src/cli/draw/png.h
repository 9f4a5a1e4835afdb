/* A drawing as PNG: rsvg-convert of librsvg makes it from SVG, where it is installed. */
#ifndef BE_CLI_DRAW_PNG_H
#define BE_CLI_DRAW_PNG_H

#include <stdio.h>

#include "breakeven.h"

/* Before anything is measured. BE_ABSENT: it is not here; the text says which package has it. */
enum be_status be_cli_png_check(struct be_error *error);

/* Turns the SVG that stands in `svg`, from its start, into a PNG in `png`. BE_IO: rsvg-convert failed. */
enum be_status be_cli_png_convert(FILE *svg, FILE *png, struct be_error *error);

#endif
