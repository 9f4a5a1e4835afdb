/* Data sets as their makers publish them: read whole, and refused where a file is damaged, short or another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "data/images.h"
#include "image_files.h"

static struct be_images_options options_of(const struct be_images_form *form,
                                           enum be_images_keep keep) {
    return (struct be_images_options){
        .form = form, .folder = folder, .keep = keep, .incomplete = true};
}

static struct be_images *opened(const struct be_images_options *options) {
    struct be_error error = {0};
    struct be_images *data = NULL;
    if (be_images_open(options, &data, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return data;
}

static void assert_refused(const struct be_images_options *options, enum be_status status,
                           const char *file, const char *reason) {
    struct be_error error = {0};
    struct be_images *data = NULL;
    assert_int_equal(be_images_open(options, &data, &error), status);
    assert_null(data);
    if (!strstr(error.text, file) || !strstr(error.text, reason)) {
        fail_msg("'%s' says not '%s' and '%s'", error.text, file, reason);
    }
}

/* Image `image` of the part is number `number` of those that were written. */
static void assert_image(const struct be_images *data, enum be_images_part part, size_t image,
                         size_t number) {
    uint8_t room[3072];
    const uint8_t *bytes = NULL;
    struct be_error error = {0};
    assert_int_equal(be_images_read(data, part, image, room, &bytes, &error), BE_OK);
    for (size_t i = 0; i < be_images_bytes(be_images_form_of(data)); i++) {
        assert_int_equal(bytes[i], pixel_of(number, i));
    }
    assert_int_equal(be_images_label(data, part, image), label_of(number));
}

static void assert_idx(enum be_images_keep keep) {
    const struct be_images_options options = options_of(&be_images_mnist, keep);
    struct be_images *data = opened(&options);
    assert_int_equal(be_images_count(data, BE_IMAGES_TRAIN), IDX_TRAIN);
    assert_int_equal(be_images_count(data, BE_IMAGES_TEST), IDX_TEST);
    assert_image(data, BE_IMAGES_TRAIN, 0, 0);
    assert_image(data, BE_IMAGES_TRAIN, IDX_TRAIN - 1, IDX_TRAIN - 1);
    assert_image(data, BE_IMAGES_TEST, IDX_TEST - 1, IDX_TRAIN + IDX_TEST - 1);
    be_images_close(data);
}

static void images_of_idx_files_are_those_that_were_written(void **state) {
    (void)state;
    put_idx();
    assert_idx(BE_IMAGES_DISK);
    assert_idx(BE_IMAGES_MEMORY);
}

static void packed_files_say_the_same(void **state) {
    (void)state;
    put_packed("train-images-idx3-ubyte.gz", idx_images(0, IDX_TRAIN));
    put_packed("train-labels-idx1-ubyte.gz", idx_labels(0, IDX_TRAIN));
    put_packed("t10k-images-idx3-ubyte.gz", idx_images(IDX_TRAIN, IDX_TEST));
    put("t10k-labels.idx1-ubyte", idx_labels(IDX_TRAIN, IDX_TEST)); /* as one archiver spells it */
    assert_idx(BE_IMAGES_DISK);
    assert_idx(BE_IMAGES_MEMORY);
}

static void assert_cifar(enum be_images_keep keep) {
    const struct be_images_options options = options_of(&be_images_cifar10, keep);
    struct be_images *data = opened(&options);
    assert_int_equal(be_images_count(data, BE_IMAGES_TRAIN), 2 * CIFAR_BATCH);
    assert_int_equal(be_images_count(data, BE_IMAGES_TEST), 3);
    for (size_t i = 0; i < (size_t)2 * CIFAR_BATCH; i++) {
        assert_image(data, BE_IMAGES_TRAIN, i, i);
    }
    assert_image(data, BE_IMAGES_TEST, 2, 2 * CIFAR_BATCH + 2);
    be_images_close(data);
}

static void batches_of_cifar_are_one_set(void **state) {
    (void)state;
    put_cifar();
    assert_cifar(BE_IMAGES_DISK);
    assert_cifar(BE_IMAGES_MEMORY);
    struct be_images_options options = options_of(&be_images_cifar10, BE_IMAGES_DISK);
    options.images[BE_IMAGES_TRAIN] = CIFAR_BATCH + 1;
    struct be_images *data = opened(&options);
    assert_int_equal(be_images_count(data, BE_IMAGES_TRAIN), CIFAR_BATCH + 1);
    assert_image(data, BE_IMAGES_TRAIN, CIFAR_BATCH, CIFAR_BATCH);
    be_images_close(data);
}

static void half_a_set_is_refused_and_taken_where_that_is_asked(void **state) {
    (void)state;
    put_cifar();
    struct be_images_options options = options_of(&be_images_cifar10, BE_IMAGES_DISK);
    options.incomplete = false;
    assert_refused(&options, BE_USAGE, "data_batch_3.bin is missing", "--incomplete");
    char name[512];
    place_of("test_batch.bin", name);
    unlink(name);
    options.incomplete = true;
    assert_refused(&options, BE_USAGE, "test_batch.bin is missing", be_images_cifar10.site);
    put_idx();
    options = options_of(&be_images_mnist, BE_IMAGES_DISK);
    options.incomplete = false;
    assert_refused(&options, BE_IO, "train-images-idx3-ubyte", "70 records, and MNIST has 60000");
    place_of("t10k-labels-idx1-ubyte", name);
    unlink(name);
    assert_refused(&options, BE_USAGE, "t10k-labels-idx1-ubyte (or .gz) is missing", "yann.lecun");
}

static void a_folder_without_the_set_says_where_it_is(void **state) {
    (void)state;
    struct be_images_options options = options_of(&be_images_cifar10, BE_IMAGES_DISK);
    assert_refused(&options, BE_USAGE, folder, "https://www.cs.toronto.edu/~kriz/cifar.html");
    write_bytes("cifar-10-binary.tar.gz", (const uint8_t *)"x", 1);
    assert_refused(&options, BE_USAGE, "cifar-10-binary.tar.gz", "tar -xzf");
    options.folder = "/tmp/breakeven_no_such_folder";
    assert_refused(&options, BE_IO, options.folder, "No such file");
}

static void the_python_version_is_named(void **state) {
    (void)state;
    const struct be_images_options options = options_of(&be_images_cifar10, BE_IMAGES_DISK);
    write_bytes("data_batch_1", (const uint8_t *)"x", 1);
    assert_refused(&options, BE_USAGE, "data_batch_1", "Python version");
}

/* A label out of range, in each of the two forms: the record is named. */
static void a_wrong_label_is_named_with_its_record(void **state) {
    (void)state;
    put_idx();
    struct be_text labels = idx_labels(0, IDX_TRAIN);
    labels.data[8 + 13] = 10;
    put("train-labels-idx1-ubyte", labels);
    const struct be_images_options idx = options_of(&be_images_mnist, BE_IMAGES_DISK);
    assert_refused(&idx, BE_IO, "train-labels-idx1-ubyte", "record 13 has label 10");
    put_cifar();
    struct be_text batch = cifar_batch(CIFAR_BATCH, CIFAR_BATCH);
    batch.data[4 * CIFAR_RECORD] = (char)200;
    put("data_batch_2.bin", batch);
    const struct be_images_options cifar = options_of(&be_images_cifar10, BE_IMAGES_MEMORY);
    assert_refused(&cifar, BE_IO, "data_batch_2.bin", "record 4 has label 200");
}

static void short_files_are_named_with_their_last_record(void **state) {
    (void)state;
    put_idx();
    struct be_text images = idx_images(0, IDX_TRAIN);
    images.length -= IDX_BYTES + 5;
    put("train-images-idx3-ubyte", images);
    const struct be_images_options idx = options_of(&be_images_mnist, BE_IMAGES_DISK);
    assert_refused(&idx, BE_IO, "train-images-idx3-ubyte", "ends in record 68 of the 70");
    images = idx_images(0, 0);
    images.length = 11;
    put("train-images-idx3-ubyte", images);
    assert_refused(&idx, BE_IO, "train-images-idx3-ubyte", "within its head");
    put_cifar();
    struct be_text batch = cifar_batch(0, CIFAR_BATCH);
    batch.length -= 7;
    put("data_batch_1.bin", batch);
    const struct be_images_options cifar = options_of(&be_images_cifar10, BE_IMAGES_DISK);
    assert_refused(&cifar, BE_IO, "data_batch_1.bin", "in the middle of record 10");
}

static void a_file_that_is_another_is_named(void **state) {
    (void)state;
    const struct be_images_options idx = options_of(&be_images_mnist, BE_IMAGES_DISK);
    put_idx();
    put("train-images-idx3-ubyte", idx_labels(0, IDX_TRAIN));
    assert_refused(&idx, BE_IO, "train-images-idx3-ubyte", "holds labels, not images");
    put("train-images-idx3-ubyte", cifar_batch(0, 1));
    assert_refused(&idx, BE_IO, "train-images-idx3-ubyte", "no idx file");
    put("train-images-idx3-ubyte", idx_images(0, IDX_TRAIN - 1));
    assert_refused(&idx, BE_IO, "train-labels-idx1-ubyte", "70 labels");
    struct be_text images = idx_images(0, IDX_TRAIN);
    images.data[11] = 29;
    put("train-images-idx3-ubyte", images);
    assert_refused(&idx, BE_IO, "train-images-idx3-ubyte", "29 x 28 pixels");
    const struct be_images_options cifar = options_of(&be_images_cifar10, BE_IMAGES_DISK);
    put_cifar();
    struct be_text hundred = {0};
    be_text_add(&hundred, "%*s", 2 * (CIFAR_RECORD + 1), "");
    put("data_batch_1.bin", hundred);
    assert_refused(&cifar, BE_IO, "data_batch_1.bin", "CIFAR-100");
}

static void damaged_packed_files_are_refused(void **state) {
    (void)state;
    put_idx();
    char name[512];
    place_of("train-images-idx3-ubyte", name);
    unlink(name);
    put_packed("train-images-idx3-ubyte.gz", idx_images(0, IDX_TRAIN));
    place_of("train-images-idx3-ubyte.gz", name);
    assert_int_equal(truncate(name, 200), 0);
    struct be_images_options options = options_of(&be_images_mnist, BE_IMAGES_DISK);
    assert_refused(&options, BE_IO, "train-images-idx3-ubyte.gz", "ends early");
    options.keep = BE_IMAGES_MEMORY;
    assert_refused(&options, BE_IO, "train-images-idx3-ubyte.gz", "ends early");
    put_packed("train-images-idx3-ubyte.gz", idx_images(0, IDX_TRAIN));
    FILE *file = fopen(name, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, -8, SEEK_END), 0); /* its checksum */
    assert_int_equal(fputs("????", file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    assert_refused(&options, BE_IO, "train-images-idx3-ubyte.gz", "damaged");
}

/* Any bytes may stand anywhere: a set is taken or refused, with the file's name. */
static void damage_is_refused_or_harmless(void **state) {
    static const char *const name[] = {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte",
                                       "data_batch_1.bin"};
    (void)state;
    put_idx();
    put_cifar();
    char unpacked[512];
    place_of("train-images-idx3-ubyte", unpacked);
    unlink(unpacked);
    put_packed(name[0], idx_images(0, IDX_TRAIN));
    int refused = 0;
    for (uint64_t round = 0; round < 60; round++) {
        char path[512];
        place_of(name[round % 3], path);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        assert_int_equal(fseek(file, 0, SEEK_END), 0);
        const uint64_t length = (uint64_t)ftell(file);
        const bool head = round % 2;
        const long at = (long)(be_random_bits(1, round) % (head ? 20 : length));
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        const int before = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_true(fputc((int)(be_random_bits(2, round) & 0xff), file) >= 0);
        assert_int_equal(fclose(file), 0);
        const struct be_images_options options =
            options_of(round % 3 == 2 ? &be_images_cifar10 : &be_images_mnist,
                       head ? BE_IMAGES_DISK : BE_IMAGES_MEMORY);
        struct be_error error = {0};
        struct be_images *data = NULL;
        if (be_images_open(&options, &data, &error) != BE_OK) {
            assert_non_null(strstr(error.text, folder));
            refused++;
        }
        be_images_close(data);
        file = fopen(path, "r+");
        assert_non_null(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_true(fputc(before, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    assert_true(refused > 10);
}

static void made_images_follow_from_the_seed(void **state) {
    (void)state;
    struct be_images_options options = {
        .form = &be_images_mnist, .keep = BE_IMAGES_DISK, .images = {50, 20}, .seed = 7};
    struct be_images *disk = opened(&options);
    options.keep = BE_IMAGES_MEMORY;
    struct be_images *memory = opened(&options);
    options.seed = 8;
    struct be_images *other = opened(&options);
    uint8_t room[3][IDX_BYTES];
    const uint8_t *at[3];
    struct be_error error = {0};
    assert_int_equal(be_images_read(disk, BE_IMAGES_TEST, 19, room[0], &at[0], &error), BE_OK);
    assert_int_equal(be_images_read(memory, BE_IMAGES_TEST, 19, room[1], &at[1], &error), BE_OK);
    assert_int_equal(be_images_read(other, BE_IMAGES_TEST, 19, room[2], &at[2], &error), BE_OK);
    assert_memory_equal(at[0], at[1], IDX_BYTES);
    assert_memory_not_equal(at[0], at[2], IDX_BYTES);
    assert_int_equal(be_images_count(disk, BE_IMAGES_TRAIN), 50);
    be_images_close(disk);
    be_images_close(memory);
    be_images_close(other);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(images_of_idx_files_are_those_that_were_written),
        IN_A_FOLDER(packed_files_say_the_same),
        IN_A_FOLDER(batches_of_cifar_are_one_set),
        IN_A_FOLDER(half_a_set_is_refused_and_taken_where_that_is_asked),
        IN_A_FOLDER(a_folder_without_the_set_says_where_it_is),
        IN_A_FOLDER(the_python_version_is_named),
        IN_A_FOLDER(a_wrong_label_is_named_with_its_record),
        IN_A_FOLDER(short_files_are_named_with_their_last_record),
        IN_A_FOLDER(a_file_that_is_another_is_named),
        IN_A_FOLDER(damaged_packed_files_are_refused),
        IN_A_FOLDER(damage_is_refused_or_harmless),
        cmocka_unit_test(made_images_follow_from_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
