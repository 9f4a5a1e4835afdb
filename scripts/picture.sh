#!/usr/bin/env bash
# A text table as an SVG picture.
# usage: scripts/picture.sh <table.txt >docs/table.svg
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -eq 0 ] || wrong_use
awk '
{
    gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;")
    line[NR] = $0
    if (length($0) > widest) widest = length($0)
}
END {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", \
        widest * 8.43 + 40, NR * 18 + 32
    print "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" " \
        "role=\"img\" aria-labelledby=\"t d\">"
    printf "<title id=\"t\">%s</title>\n<desc id=\"d\">A table as breakeven prints it, %d lines of text.</desc>\n", \
        line[1], NR
    print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#14181f\"/>"
    print "<g fill=\"#d8dee9\" xml:space=\"preserve\">"
    for (i = 1; i <= NR; i++) {
        colour = line[i] ~ /impossible/ ? " fill=\"#f0a0a0\"" : \
                 line[i] ~ /(from|always|never|between|repay)/ ? " fill=\"#a3d9a5\"" : ""
        printf "<text x=\"20\" y=\"%d\"%s xml:space=\"preserve\">%s</text>\n", i * 18 + 12, colour, line[i]
    }
    print "</g>\n</svg>"
}'
