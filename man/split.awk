# The manual page of one command, cut from that of all. First come the lines of --list-commands and of the command's
# --list-options: awk -v command=COMMAND -f man/split.awk COMMANDS OPTIONS man/breakeven.1
# Its options are those that the program lists. An option is described by the command's own list, else by that of
# compare, whose words hold for all, else by the line of help.

function flush_item() {
    if (item == "") return
    n = split(item_names, names, " ")
    for (i = 1; i <= n; i++)
        if (!((list, names[i]) in described)) described[list, names[i]] = item
    item = item_names = ""
}

# The long options that a line of .It names.
function names_of(line,    words, count, k, found) {
    count = split(line, words, " ")
    for (k = 2; k < count; k++)
        if (words[k] == "Fl" && words[k + 1] ~ /^-[a-z]/) found = found " " substr(words[k + 1], 2)
    return found
}

# The line of .It and the words of an option that only help describes.
function from_help(name) {
    return ".It Fl -" name (value[name] ? " Ns = Ns Ar VALUE" : "") "\n" help[name] ".\n"
}

FNR == 1 { file++ }
file == 1 { if ($1 == command) { summary = $0; sub(/^[^\t]*\t/, "", summary) } next }
file == 2 {
    split($0, field, "\t")
    name = field[1]
    gsub(/^--|=$/, "", name)
    value[name] = field[1] ~ /=$/
    help[name] = field[2]
    option[++options] = name
    next
}
FNR == 1 { date = $0 }
/^\.Sh / { section = substr($0, 5); list = "compare"; depth = 0; part = "" }

section == "SYNOPSIS" && /^\.Nm/ { part = ""; next }
section == "SYNOPSIS" && /^\.Cm / { part = $2 }
section == "SYNOPSIS" && part == command && !/^\.Sh/ { synopsis = synopsis $0 "\n" }

section == "DESCRIPTION" && /^\.Bl -tag -width Ds/ { inside = 1; next }
section == "DESCRIPTION" && inside && /^\.It Cm / { part = $3; next }
section == "DESCRIPTION" && inside && /^\.El/ { inside = 0; part = "" }
section == "DESCRIPTION" && inside && part == command { about = about $0 "\n" }

section == "OPTIONS" && depth == 0 && /^Options of/ { heading = 1; list = ""; next }
section == "OPTIONS" && heading && /^\.Cm / && list == "" { list = $2; next }
section == "OPTIONS" && /^\.Bl/ { heading = 0; if (depth++ == 0) next }
section == "OPTIONS" && /^\.El/ { if (--depth == 0) { flush_item(); next } }
section == "OPTIONS" && depth == 1 && /^\.It / { flush_item(); item_names = names_of($0) }
section == "OPTIONS" && depth > 0 { item = item $0 "\n" }

section == "EXAMPLES" && /^\.(Sh|Pp)/ { next }
section == "EXAMPLES" && !/^\.Dl/ { if (shown) text = shown = ""; text = text $0 "\n" }
section == "EXAMPLES" && /^\.Dl/ {
    if (index($0, "breakeven " command)) examples = examples (shown ? "" : ".Pp\n" text ".Pp\n") $0 "\n"
    shown = 1
}

END {
    if (summary == "" || about == "" || synopsis == "" || !options) {
        print "split.awk: nothing is said of " command > "/dev/stderr"
        exit 1
    }
    sub(/^\.Pp\n/, "", examples)
    print date "\n.Dt BREAKEVEN-" toupper(command) " 1\n.Os\n.Sh NAME\n.Nm breakeven-" command "\n.Nd " summary
    printf ".Sh SYNOPSIS\n.Nm breakeven\n%s.Sh DESCRIPTION\n%s.Sh OPTIONS\n.Bl -tag -width Ds\n", synopsis, about
    for (i = 1; i <= options; i++) {
        name = option[i]
        text = (command, name) in described ? described[command, name] : \
               ("compare", name) in described ? described["compare", name] : from_help(name)
        if (!said[text]++) printf "%s", text
    }
    print ".El"
    if (examples) printf ".Sh EXAMPLES\n%s", examples
    print ".Sh SEE ALSO\n.Xr breakeven 1"
}
