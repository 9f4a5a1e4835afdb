#!/bin/sh
# A process for each of many names; with an argument one for a hundred names.
length_s=${FAULT_SECONDS:-4}
length_s=${length_s%.*}
end=$(($(date +%s) + length_s))
done=0
names=$(seq 100 | sed 's,^,/a/b/name-,')
while [ "$(date +%s)" -lt "$end" ]; do
    if [ "$1" ]; then
        echo "$names" | xargs -n 100 basename -a >/dev/null
    else
        for name in $names; do
            basename "$name" >/dev/null
        done
    fi
    done=$((done + 100))
done
echo "$((done / length_s)) pieces of work a second"
