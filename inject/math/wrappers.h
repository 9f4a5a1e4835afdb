/*
 * Parameters by their number: those that are no floating-point numbers have registers, and places on the stack, of
 * their own, and of 64 bits each, in the calling conventions of x86-64 and AArch64. So a wrapper takes and passes on all
 * of them as 64 bits, and two floating-point numbers, whatever their order in the function.
 */
#ifndef INJECT_MATH_WRAPPERS_H
#define INJECT_MATH_WRAPPERS_H

#define PARAMETERS_1 uint64_t a1
#define ARGUMENTS_1 a1
#define TYPES_1 uint64_t
#define PARAMETERS_2 PARAMETERS_1, uint64_t a2
#define ARGUMENTS_2 ARGUMENTS_1, a2
#define TYPES_2 TYPES_1, uint64_t
#define PARAMETERS_3 PARAMETERS_2, uint64_t a3
#define ARGUMENTS_3 ARGUMENTS_2, a3
#define TYPES_3 TYPES_2, uint64_t
#define PARAMETERS_4 PARAMETERS_3, uint64_t a4
#define ARGUMENTS_4 ARGUMENTS_3, a4
#define TYPES_4 TYPES_3, uint64_t
#define PARAMETERS_5 PARAMETERS_4, uint64_t a5
#define ARGUMENTS_5 ARGUMENTS_4, a5
#define TYPES_5 TYPES_4, uint64_t
#define PARAMETERS_6 PARAMETERS_5, uint64_t a6
#define ARGUMENTS_6 ARGUMENTS_5, a6
#define TYPES_6 TYPES_5, uint64_t
#define PARAMETERS_7 PARAMETERS_6, uint64_t a7
#define ARGUMENTS_7 ARGUMENTS_6, a7
#define TYPES_7 TYPES_6, uint64_t
#define PARAMETERS_8 PARAMETERS_7, uint64_t a8
#define ARGUMENTS_8 ARGUMENTS_7, a8
#define TYPES_8 TYPES_7, uint64_t
#define PARAMETERS_9 PARAMETERS_8, uint64_t a9
#define ARGUMENTS_9 ARGUMENTS_8, a9
#define TYPES_9 TYPES_8, uint64_t
#define PARAMETERS_10 PARAMETERS_9, uint64_t a10
#define ARGUMENTS_10 ARGUMENTS_9, a10
#define TYPES_10 TYPES_9, uint64_t
#define PARAMETERS_11 PARAMETERS_10, uint64_t a11
#define ARGUMENTS_11 ARGUMENTS_10, a11
#define TYPES_11 TYPES_10, uint64_t
#define PARAMETERS_12 PARAMETERS_11, uint64_t a12
#define ARGUMENTS_12 ARGUMENTS_11, a12
#define TYPES_12 TYPES_11, uint64_t
#define PARAMETERS_13 PARAMETERS_12, uint64_t a13
#define ARGUMENTS_13 ARGUMENTS_12, a13
#define TYPES_13 TYPES_12, uint64_t
#define PARAMETERS_14 PARAMETERS_13, uint64_t a14
#define ARGUMENTS_14 ARGUMENTS_13, a14
#define TYPES_14 TYPES_13, uint64_t
#define PARAMETERS_15 PARAMETERS_14, uint64_t a15
#define ARGUMENTS_15 ARGUMENTS_14, a15
#define TYPES_15 TYPES_14, uint64_t
#define PARAMETERS_16 PARAMETERS_15, uint64_t a16
#define ARGUMENTS_16 ARGUMENTS_15, a16
#define TYPES_16 TYPES_15, uint64_t
#define PARAMETERS_17 PARAMETERS_16, uint64_t a17
#define ARGUMENTS_17 ARGUMENTS_16, a17
#define TYPES_17 TYPES_16, uint64_t
#define PARAMETERS_18 PARAMETERS_17, uint64_t a18
#define ARGUMENTS_18 ARGUMENTS_17, a18
#define TYPES_18 TYPES_17, uint64_t
#define PARAMETERS_19 PARAMETERS_18, uint64_t a19
#define ARGUMENTS_19 ARGUMENTS_18, a19
#define TYPES_19 TYPES_18, uint64_t
#define PARAMETERS_20 PARAMETERS_19, uint64_t a20
#define ARGUMENTS_20 ARGUMENTS_19, a20
#define TYPES_20 TYPES_19, uint64_t
#define PARAMETERS_21 PARAMETERS_20, uint64_t a21
#define ARGUMENTS_21 ARGUMENTS_20, a21
#define TYPES_21 TYPES_20, uint64_t
#define PARAMETERS_22 PARAMETERS_21, uint64_t a22
#define ARGUMENTS_22 ARGUMENTS_21, a22
#define TYPES_22 TYPES_21, uint64_t
#define PARAMETERS_23 PARAMETERS_22, uint64_t a23
#define ARGUMENTS_23 ARGUMENTS_22, a23
#define TYPES_23 TYPES_22, uint64_t
#define PARAMETERS_24 PARAMETERS_23, uint64_t a24
#define ARGUMENTS_24 ARGUMENTS_23, a24
#define TYPES_24 TYPES_23, uint64_t
#define PARAMETERS_25 PARAMETERS_24, uint64_t a25
#define ARGUMENTS_25 ARGUMENTS_24, a25
#define TYPES_25 TYPES_24, uint64_t
#define PARAMETERS_26 PARAMETERS_25, uint64_t a26
#define ARGUMENTS_26 ARGUMENTS_25, a26
#define TYPES_26 TYPES_25, uint64_t

#endif
