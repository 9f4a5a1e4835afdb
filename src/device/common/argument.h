/* Arguments of kernels, for backends that pass it by its address. Not for others. */
#ifndef BE_DEVICE_COMMON_ARGUMENT_H
#define BE_DEVICE_COMMON_ARGUMENT_H

#include "device/device.h"

union be_argument_value {
    uintptr_t address;
    int64_t whole;
    int32_t narrow;
    float real;
    double real64;
};

/* Fills `value`; returns how many bytes of it count, from its start. A buffer's handle is taken for
 * an address. */
static inline size_t be_argument_value(const struct be_argument *argument,
                                       union be_argument_value *value) {
    switch (argument->kind) {
    case BE_ARGUMENT_BUFFER:
        value->address = argument->buffer->handle + argument->offset;
        return sizeof value->address;
    case BE_ARGUMENT_LONG:
        value->whole = argument->integer;
        return sizeof value->whole;
    case BE_ARGUMENT_INT:
        value->narrow = (int32_t)argument->integer;
        return sizeof value->narrow;
    case BE_ARGUMENT_FLOAT:
        value->real = argument->real;
        return sizeof value->real;
    case BE_ARGUMENT_DOUBLE:
        value->real64 = argument->real64;
        return sizeof value->real64;
    }
    return 0;
}

#endif
