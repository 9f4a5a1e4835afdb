#!/bin/sh
# Twelve short sleepers at a time; its argument: so many.
length_s=${FAULT_SECONDS:-4}
length_s=${length_s%.*}
end=$(($(date +%s) + length_s))
done=0
while [ "$(date +%s)" -lt "$end" ]; do
    for i in $(seq "${1:-12}"); do
        sleep 0.5 &
    done
    wait
    done=$((done + ${1:-12}))
done
echo "$((done / length_s)) pieces of work a second"
