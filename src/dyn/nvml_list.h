// clang-format off
/* The NVIDIA management library (libnvidia-ml): FN(must|may, type, name, (arguments)). */
FN(must, nvmlReturn_t, nvmlInit_v2, (void))
FN(must, nvmlReturn_t, nvmlShutdown, (void))
FN(must, nvmlReturn_t, nvmlDeviceGetHandleByPciBusId_v2, (const char *address, nvmlDevice_t *device))
FN(may, nvmlReturn_t, nvmlSystemGetDriverVersion, (char *version, unsigned int room))
FN(may, nvmlReturn_t, nvmlDeviceGetClockInfo, (nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz))
FN(may, nvmlReturn_t, nvmlDeviceGetMaxClockInfo, (nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz))
FN(may, nvmlReturn_t, nvmlDeviceGetTemperature, (nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned int *celsius))
FN(may, nvmlReturn_t, nvmlDeviceGetCurrentClocksThrottleReasons, (nvmlDevice_t device, unsigned long long *reasons))
FN(may, nvmlReturn_t, nvmlDeviceGetTotalEnergyConsumption, (nvmlDevice_t device, unsigned long long *millijoules))
