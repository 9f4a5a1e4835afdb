/*
 * The level of x86-64 that code may be compiled for and run here, by the processor and the operating
 * system. Knows nothing of what is compiled for it.
 */
#ifndef BE_HOST_CPU_LEVEL_H
#define BE_HOST_CPU_LEVEL_H

/* 4 (AVX-512), 3 (AVX2, FMA), or 1: neither, or no x86-64. As the x86-64 psABI numbers them. */
int be_cpu_level(void);

#endif
