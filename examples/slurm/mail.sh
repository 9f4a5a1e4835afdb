#!/bin/sh
# A MailProg for slurm.conf: mails about ended jobs say how well they used what they had.
#   MailProg=/usr/local/sbin/breakeven-mail
# Slurm calls it with -s SUBJECT USER. MAILER sends (default: mail), BREAKEVEN asks (default: breakeven).
# usage: mail.sh -s SUBJECT USER
if [ "${1-}" != -s ] || [ $# -lt 3 ]; then
    sed -n '2,5s/^# //p' "$0"
    [ "${1-}" = -h ] && exit 0
    exit 2
fi
job=$(printf '%s\n' "$2" | sed -n 's/.*Job_id=\([0-9][0-9_+]*\).*/\1/p')
case $2 in
*Ended* | *Failed* | *COMPLETED* | *TIMEOUT* | *OUT_OF_MEMORY*)
    sleep "${WAIT:-10}" # the last step comes to accounting a little later
    case $job in
    *_) set -- "$@" -j "${job%_}" --by=job --top=10 ;; # an array: Job_id=5_*
    ?*) set -- "$@" "$job" --trace-file=none ;;
    esac
    ;;
esac
subject=$2
user=$3
shift 3
{ [ $# -eq 0 ] || "${BREAKEVEN:-breakeven}" summary "$@" 2>&1; } | "${MAILER:-mail}" -s "$subject" "$user"
