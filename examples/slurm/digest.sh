#!/bin/sh
# A mail a week to each user whose jobs left much unused: their ten worst. For cron, as one who may see all jobs:
#   0 7 * * 1  digest.sh 100
# MAILER sends (default: mail), BREAKEVEN asks (default: breakeven).
# usage: digest.sh HOURS    (HOURS: billed hours unused in a week, from which on a mail is sent)
case ${1-} in
'' | *[!0-9]*)
    sed -n '2,5s/^# //p' "$0"
    [ "${1-}" = -h ] && exit 0
    exit 2
    ;;
esac
breakeven=${BREAKEVEN:-breakeven}
users=$("$breakeven" summary --all-users --last=1w --by=user --csv) || exit
printf '%s\n' "$users" | awk -F, -v least="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["user"] != "" && $at["unused_s"] >= 3600 * least { print $at["user"] }' |
    while read -r user; do
        "$breakeven" summary --user="$user" --last=1w --top=10 |
            "${MAILER:-mail}" -s "Your jobs of this week: what they left unused" "$user"
    done
