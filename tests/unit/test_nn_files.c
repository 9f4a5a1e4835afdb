/* Files of nets: a continuation is the same to the last bit; weights alone; what PyTorch writes; files of other nets,
 * damaged and cut short, which change nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "host/team.h"
#include "nn/net.h"
#include "temp_file.h"

enum { BATCH = 2, PIXELS = 3 * 32 * 32, WEIGHTS = 1199882, LARGEST = 600000 };

static float images[BATCH * PIXELS];
static float before[WEIGHTS], after[WEIGHTS];
static unsigned char bytes[LARGEST], damaged[LARGEST];
static const uint8_t labels[BATCH] = {3, 9};

static struct be_net *opened(const char *name, uint64_t seed, double momentum) {
    const struct be_net_plan plan = {.name = name,
                                     .batch = BATCH,
                                     .threads = 1,
                                     .seed = seed,
                                     .rate = NAN,
                                     .momentum = momentum,
                                     .decay = NAN};
    struct be_net *net;
    assert_int_equal(be_net_open(&plan, &net, NULL), BE_OK);
    for (size_t i = 0; i < BE_COUNT(images); i++) {
        images[i] = 2 * be_random_float(5, i) - 1;
    }
    return net;
}

static double stepped(struct be_net *net, int steps) {
    struct be_net_step step = {0};
    for (int i = 0; i < steps; i++) {
        assert_int_equal(be_net_step(net, images, labels, BATCH, &step, NULL), BE_OK);
    }
    return step.loss;
}

static size_t weights_of(struct be_net *net, float *to) {
    struct be_net_tensor tensor;
    size_t count = 0;
    for (size_t i = 0; be_net_tensor(net, i, &tensor); i++) {
        memcpy(to + count, tensor.weight, tensor.count * sizeof *to);
        count += tensor.count;
    }
    return count * sizeof *to;
}

/* Each optimiser, dropout's random numbers and the schedule with them. */
static void test_continuation(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double momentum;
    } nets[] = {{"lenet", 0.5}, {"mnist", NAN}, {"tfcnn", NAN}};
    for (size_t i = 0; i < BE_COUNT(nets); i++) {
        char note[BE_NOTE];
        bool resumed = false;
        struct be_net *net = opened(nets[i].name, 11, nets[i].momentum);
        stepped(net, 2);
        be_net_epoch_end(net);
        assert_int_equal(be_net_save(net, path, BE_NET_CHECKPOINT, "batch 7", NULL), BE_OK);
        const double loss = stepped(net, 2);
        const size_t size = weights_of(net, before);
        const double rate = be_net_rate(net);
        be_net_close(net);

        net = opened(nets[i].name, 12, NAN); /* the file's seed and momentum count */
        assert_int_equal(be_net_load(net, path, &resumed, note, NULL), BE_OK);
        assert_true(resumed);
        assert_string_equal(note, "batch 7");
        assert_int_equal(be_net_steps(net), 2);
        assert_int_equal(be_net_epochs(net), 1);
        assert_int_equal(be_net_seed(net), 11);
        assert_true(be_net_rate(net) == rate);
        assert_true(stepped(net, 2) == loss);
        assert_int_equal(weights_of(net, after), size);
        assert_memory_equal(before, after, size);
        be_net_close(net);
    }
}

static void test_weights_alone(void **state) {
    (void)state;
    char note[BE_NOTE];
    bool resumed = true;
    struct be_net *net = opened("lenet", 11, NAN);
    stepped(net, 1);
    const size_t size = weights_of(net, before);
    assert_int_equal(be_net_save(net, path, BE_NET_WEIGHTS, NULL, NULL), BE_OK);
    be_net_close(net);
    net = opened("lenet", 12, NAN);
    assert_int_equal(be_net_load(net, path, &resumed, note, NULL), BE_OK);
    assert_false(resumed);
    assert_string_equal(note, "");
    assert_int_equal(be_net_steps(net), 0);
    weights_of(net, after);
    assert_memory_equal(before, after, size);
    be_net_close(net);
}

static void put(const unsigned char *from, size_t count) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(from, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

static size_t get(void) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    const size_t count = fread(bytes, 1, sizeof bytes, in);
    assert_int_equal(fclose(in), 0);
    assert_in_range(count, 1, sizeof bytes - 1);
    return count;
}

static void refused(struct be_net *net, enum be_status status, const char *says) {
    struct be_error error = {0};
    char note[BE_NOTE];
    bool resumed;
    weights_of(net, before);
    assert_int_equal(be_net_load(net, path, &resumed, note, &error), status);
    if (!strstr(error.text, says)) {
        fail_msg("'%s' does not say '%s'", error.text, says);
    }
    const size_t size = weights_of(net, after);
    assert_memory_equal(before, after, size);
}

static void replace(size_t count, const char *from, const char *to) {
    memcpy(damaged, bytes, count);
    for (size_t i = 0; i + strlen(from) < count; i++) {
        if (memcmp(damaged + i, from, strlen(from)) == 0) {
            memcpy(damaged + i, to, strlen(to));
            put(damaged, count);
            return;
        }
    }
    fail_msg("no %s in the file", from);
}

static void test_other_files(void **state) {
    (void)state;
    struct be_net *net = opened("lenet", 11, NAN);
    struct be_net *other = opened("tfcnn", 11, NAN);
    assert_int_equal(be_net_save(net, path, BE_NET_CHECKPOINT, NULL, NULL), BE_OK);
    refused(other, BE_USAGE, "is of net lenet, not tfcnn");
    const size_t count = get();
    replace(count, "net/1", "net/9");
    refused(net, BE_USAGE, "of another version (net/9");
    replace(count, "sgd", "sgm");
    refused(net, BE_USAGE, "a checkpoint of optimizer sgm, not sgd");
    replace(count, "\"breakeven\"", "\"breakfast\""); /* as PyTorch writes it */
    refused(other, BE_USAGE, "conv1.weight is 6 x 3 x 5 x 5 there, 32 x 3 x 3 x 3 in net tfcnn");
    replace(count, "F32", "F16");
    refused(net, BE_USAGE, "conv1.weight is of type F16; save it in float32");
    replace(count, "conv2.bias", "conv2.bios");
    refused(net, BE_USAGE, "has no tensor conv2.bias");
    replace(count, "\"seed\":\"11\"", "\"seed\":\"-1\"");
    refused(net, BE_IO, "damaged");
    put(bytes, count - 1);
    refused(net, BE_IO, "cut short");
    put(bytes, 5);
    refused(net, BE_IO, "cut short");
    put((const unsigned char *)"\377\377\377\377\377\377\377\377{}", 10);
    refused(net, BE_IO, "is no safetensors file");
    put((const unsigned char *)"", 0);
    refused(net, BE_IO, "is no safetensors file");
    be_net_close(other);
    be_net_close(net);
}

/* A byte of the header that is another one: loaded or refused, never a fault. */
static void test_damaged(void **state) {
    (void)state;
    struct be_net *net = opened("lenet", 11, NAN);
    char note[BE_NOTE];
    bool resumed;
    assert_int_equal(be_net_save(net, path, BE_NET_CHECKPOINT, NULL, NULL), BE_OK);
    const size_t count = get();
    const size_t header = bytes[0] + 256U * bytes[1];
    for (size_t i = 0; i < header + 8; i += 13) {
        struct be_error error = {0};
        memcpy(damaged, bytes, count);
        damaged[i] = (unsigned char)(damaged[i] ^ 1U << (i % 7));
        put(damaged, count);
        const enum be_status status = be_net_load(net, path, &resumed, note, &error);
        assert_true(status == BE_OK || status == BE_USAGE || status == BE_IO);
        assert_true((status == BE_OK) == (error.text[0] == '\0'));
    }
    be_net_close(net);
}

/* A folder that is not there. */
static void test_unwritable(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_net *net = opened("lenet", 11, NAN);
    char note[BE_NOTE];
    bool resumed;
    assert_int_equal(be_net_save(net, "/nonexistent/net", BE_NET_WEIGHTS, NULL, &error), BE_IO);
    assert_non_null(strstr(error.text, "/nonexistent/net: cannot be written"));
    assert_int_equal(be_net_load(net, "/nonexistent/net", &resumed, note, &error), BE_IO);
    be_net_close(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continuation), cmocka_unit_test(test_weights_alone),
        cmocka_unit_test(test_other_files),  cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
