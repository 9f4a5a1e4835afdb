/*
 * Words of a net's file that its writer and its reader share. The format is safetensors: eight bytes with the length
 * of a header in JSON, the header, then the numbers, as https://github.com/huggingface/safetensors has it.
 */
#ifndef BE_NN_FILE_H
#define BE_NN_FILE_H

#include <cjson/cJSON.h>

#define BE_NN_FACTS "__metadata__"
#define BE_NN_SCHEMA "breakeven"
#define BE_NN_SCHEMA_HERE "net/1"

#endif
