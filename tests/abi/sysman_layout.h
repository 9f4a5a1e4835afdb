/* The names and numbers that the vendor's header and src/dyn/intel/sysman.h must agree on. AT(type, field, offset) is
 * defined by who includes this; fields that have another name in each are checked there. */
AT(zes_device_properties_t, core, 16)
AT(zes_device_properties_t, core.uuid, 112)
AT(zes_device_properties_t, core.name, 128)
AT(zes_mem_state_t, size, 32)
_Static_assert(sizeof(zes_device_properties_t) == 776 && sizeof(zes_pci_properties_t) == 56 &&
                   sizeof(zes_pci_stats_t) == 56 && sizeof(zes_engine_properties_t) == 32 &&
                   sizeof(zes_engine_stats_t) == 16 && sizeof(zes_mem_state_t) == 40 &&
                   sizeof(zes_mem_bandwidth_t) == 32 && sizeof(zes_power_energy_counter_t) == 16 &&
                   sizeof(zes_freq_properties_t) == 48 && sizeof(zes_freq_state_t) == 64 &&
                   sizeof(zes_process_state_t) == 48,
               "sizes");
