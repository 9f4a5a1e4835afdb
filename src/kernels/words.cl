/*
 * The words of dialect.h alone: what stands before a user's own device code (own/own.c).
 */
#include "kernels/dialect.h"
