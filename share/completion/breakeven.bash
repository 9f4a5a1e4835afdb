# Completion of breakeven for bash. The program itself lists its commands and options.

_breakeven() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} i
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --list-commands 2>/dev/null | cut -f1)" -- "$word")
        return
    fi
    # Behind `--` there is a command of the user's own.
    for ((i = 2; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" != -- ] || { compopt -o default -o bashdefault; return; }
    done
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --list-options 2>/dev/null | cut -f1)" -- "$word")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
        return
        ;;
    esac
    case $command in
    compare | predict)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --list-workloads 2>/dev/null | cut -f1)" -- "$word")
        ;;
    help)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --list-commands 2>/dev/null | cut -f1)" -- "$word")
        ;;
    esac
    [ "${#COMPREPLY[@]}" -gt 0 ] || compopt -o default -o bashdefault
}
complete -F _breakeven breakeven
