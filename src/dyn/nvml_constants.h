/* Constants of nvml.h: CONST(name, value). tests/abi checks each where the header is installed. */
CONST(NVML_SUCCESS, 0)
CONST(NVML_CLOCK_SM, 1)
CONST(NVML_TEMPERATURE_GPU, 0)
