/*
 * Figures that jobstats (Princeton University) leaves of a job in its AdminComment when it ends: "JS1:" and the base64 of
 * a gzip file of JSON. For each node it has used_memory, total_time, and, by the number of a GPU there,
 * gpu_utilization in per cent, gpu_used_memory and gpu_total_memory in bytes.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#include "accounting/account.h"
#include "base/error.h"
#include "base/text.h"

static int value_of(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* False: not base64 throughout. */
static bool decode(struct be_slice text, struct be_text *bytes) {
    unsigned bits = 0;
    int count = 0;
    for (uint32_t i = 0; i < text.length && text.text[i] != '='; i++) {
        const int value = value_of(text.text[i]);
        if (value < 0) {
            return false;
        }
        bits = bits << 6 | (unsigned)value;
        if (++count % 4 != 1) {
            const char byte = (char)(bits >> (4 - count % 4) * 2 % 8 & 0xff);
            be_text_add_bytes(bytes, &byte, 1);
        }
    }
    return !bytes->failed && bytes->length > 0;
}

/* The file's text; NULL: it is damaged, or larger than any of its kind. */
static cJSON *unpack(const struct be_text *bytes) {
    const size_t most = 8u << 20;
    struct be_lines *lines = NULL;
    struct be_text text = {0};
    struct be_slice chunk;
    bool more = true;
    cJSON *json = NULL;
    enum be_status status = be_lines_text(bytes->data, bytes->length, &lines, NULL);
    while (status == BE_OK && more && text.length < most) {
        status = be_lines_chunk(lines, &chunk, &more, NULL);
        if (status == BE_OK) {
            be_text_add_bytes(&text, chunk.text, chunk.length);
        }
    }
    if (status == BE_OK && !more && !text.failed && text.data) {
        json = cJSON_Parse(text.data);
    }
    be_lines_close(lines);
    be_text_free(&text);
    return json;
}

/* NAN: not there, or no number that a job has. */
static double number_in(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e18
               ? item->valuedouble
               : NAN;
}

static void add_to(double *sum, double value) {
    *sum = isnan(value) ? *sum : isnan(*sum) ? value : *sum + value;
}

/* The GPUs of a node, by whichever of the three lists names them. */
static void take_gpus(const cJSON *node, struct be_account *account) {
    static const char *const list[] = {"gpu_utilization", "gpu_used_memory", "gpu_total_memory"};
    const cJSON *kept[BE_COUNT(list)], *gpu = NULL;
    size_t naming = BE_COUNT(list);
    for (size_t i = BE_COUNT(list); i-- > 0;) {
        kept[i] = cJSON_GetObjectItemCaseSensitive(node, list[i]);
        naming = cJSON_IsObject(kept[i]) ? i : naming;
    }
    if (naming == BE_COUNT(list)) {
        return;
    }
    cJSON_ArrayForEach(gpu, kept[naming]) {
        if (account->jobstats_gpus == BE_ACCOUNT_GPUS_MAX) {
            return;
        }
        struct be_account_gpu *to = &account->jobstats_gpu[account->jobstats_gpus++];
        snprintf(to->name, sizeof to->name, "%.40s:%.8s", node->string ? node->string : "",
                 gpu->string ? gpu->string : "");
        const double busy = gpu->string ? number_in(kept[0], gpu->string) / 100 : NAN;
        to->busy = busy <= 1 ? busy : NAN;
        to->memory_bytes = gpu->string ? number_in(kept[1], gpu->string) : NAN;
        to->of_bytes = gpu->string ? number_in(kept[2], gpu->string) : NAN;
    }
}

static void take_nodes(const cJSON *nodes, struct be_account *account) {
    double memory = NAN, cpu_s = NAN, busy = NAN, gpu_memory = NAN, known = 0, filled = 0;
    const cJSON *node = NULL;
    cJSON_ArrayForEach(node, nodes) {
        add_to(&memory, number_in(node, "used_memory"));
        add_to(&cpu_s, number_in(node, "total_time"));
        take_gpus(node, account);
    }
    for (int i = 0; i < account->jobstats_gpus; i++) {
        const struct be_account_gpu *gpu = &account->jobstats_gpu[i];
        add_to(&busy, gpu->busy);
        add_to(&gpu_memory, gpu->memory_bytes);
        known += !isnan(gpu->busy);
        filled += !isnan(gpu->memory_bytes);
    }
    /* Slurm's own figures stay: efficiency is to be as seff has it. */
    account->memory_bytes = isnan(account->memory_bytes) ? memory : account->memory_bytes;
    account->cpu_s = isnan(account->cpu_s) ? cpu_s : account->cpu_s;
    account->gpu_busy = known > 0 ? busy / known : account->gpu_busy;
    account->gpu_memory = filled > 0 ? gpu_memory / filled : account->gpu_memory;
}

bool be_account_take_jobstats(struct be_slice comment, struct be_account *account) {
    static const char mark[] = "JS1:";
    const uint32_t length = sizeof mark - 1;
    struct be_text bytes = {0};
    cJSON *json = NULL;
    if (comment.length > length && memcmp(comment.text, mark, length) == 0 &&
        decode((struct be_slice){comment.text + length, comment.length - length}, &bytes)) {
        json = unpack(&bytes); /* "JS1:Short" and "JS1:None" are none */
    }
    const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(json, "nodes");
    const bool found = cJSON_IsObject(nodes);
    if (found) {
        take_nodes(nodes, account);
    }
    cJSON_Delete(json);
    be_text_free(&bytes);
    return found;
}
