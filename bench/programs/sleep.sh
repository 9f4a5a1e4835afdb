#!/bin/sh
# Waits for so long.
sleep "${FAULT_SECONDS:-4}"
