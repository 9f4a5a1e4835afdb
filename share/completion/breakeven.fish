# Completion of breakeven for fish. The program itself lists its commands and options.

function __breakeven_words
    commandline -opc
end

function __breakeven_has_command
    test (count (__breakeven_words)) -ge 2
end

function __breakeven_own_command
    contains -- -- (__breakeven_words)
end

function __breakeven_takes_workload
    set -l words (__breakeven_words)
    test (count $words) -ge 2; and contains -- $words[2] compare predict
end

complete -c breakeven -n 'not __breakeven_has_command' -f -a '(breakeven --list-commands 2>/dev/null)'
complete -c breakeven -n '__breakeven_has_command; and not __breakeven_own_command' \
    -a '(breakeven (__breakeven_words)[2] --list-options 2>/dev/null)'
complete -c breakeven -n '__breakeven_takes_workload; and not __breakeven_own_command' \
    -a '(breakeven --list-workloads 2>/dev/null)'
