/* Batches: which images they have, and every bit of them, whatever the number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/loader.h"
#include "image_files.h"

static struct be_images *data_in(enum be_images_keep keep) {
    const struct be_images_options options = {
        .form = &be_images_mnist, .folder = folder, .keep = keep, .incomplete = true};
    struct be_error error = {0};
    struct be_images *data = NULL;
    if (be_images_open(&options, &data, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return data;
}

static struct be_loader *loader_of(const struct be_images *data, int workers, int prefetch,
                                   bool shuffle) {
    const struct be_loader_options options = {.data = data,
                                              .batch = 16,
                                              .workers = workers,
                                              .prefetch = prefetch,
                                              .shuffle = shuffle,
                                              .mean = {0.25F},
                                              .deviation = {0.5F}};
    struct be_error error = {0};
    struct be_loader *loader = NULL;
    if (be_loader_open(&options, &loader, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return loader;
}

static struct be_batch next_of(struct be_loader *loader) {
    struct be_error error = {0};
    struct be_batch batch;
    assert_int_equal(be_loader_next(loader, &batch, &error), BE_OK);
    return batch;
}

struct epoch {
    float image[IDX_TRAIN * IDX_BYTES];
    uint8_t label[IDX_TRAIN];
};

static void take_epoch(struct be_loader *loader, uint64_t number, struct epoch *epoch) {
    size_t images = 0;
    be_loader_begin(loader, 5, number, 0);
    for (struct be_batch batch = next_of(loader); batch.count; batch = next_of(loader)) {
        assert_int_equal(batch.count, batch.index == 4 ? IDX_TRAIN - 64 : 16);
        memcpy(epoch->image + images * IDX_BYTES, batch.images,
               batch.count * IDX_BYTES * sizeof(float));
        memcpy(epoch->label + images, batch.labels, batch.count);
        images += batch.count;
    }
    assert_int_equal(images, IDX_TRAIN);
}

static void batches_are_the_same_whatever_the_workers(void **state) {
    static const struct {
        int workers, prefetch;
        enum be_images_keep keep;
    } way[] = {{1, 1, BE_IMAGES_DISK},
               {3, 2, BE_IMAGES_DISK},
               {8, 9, BE_IMAGES_MEMORY},
               {2, 1, BE_IMAGES_MEMORY}};
    static struct epoch plain[2], other[2];
    (void)state;
    put_idx();
    struct be_images *data = data_in(BE_IMAGES_DISK);
    struct be_loader *loader = loader_of(data, 0, 1, true);
    take_epoch(loader, 0, &plain[0]);
    take_epoch(loader, 1, &plain[1]);
    assert_memory_not_equal(plain[0].label, plain[1].label, IDX_TRAIN);
    be_loader_close(loader);
    be_images_close(data);
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        data = data_in(way[i].keep);
        loader = loader_of(data, way[i].workers, way[i].prefetch, true);
        take_epoch(loader, 0, &other[0]);
        take_epoch(loader, 1, &other[1]);
        assert_memory_equal(plain, other, sizeof plain);
        be_loader_close(loader);
        be_images_close(data);
    }
}

static void values_are_normalised_levels(void **state) {
    (void)state;
    put_idx();
    struct be_images *data = data_in(BE_IMAGES_DISK);
    struct be_loader *loader = loader_of(data, 1, 1, false);
    be_loader_begin(loader, 5, 0, 0);
    const struct be_batch batch = next_of(loader);
    for (size_t i = 0; i < batch.count * IDX_BYTES; i++) {
        const float level = (float)pixel_of(i / IDX_BYTES, i % IDX_BYTES) / 255.0F;
        assert_true(batch.images[i] == (level - 0.25F) / 0.5F);
        assert_int_equal(batch.labels[i / IDX_BYTES], label_of(i / IDX_BYTES));
    }
    be_loader_close(loader);
    be_images_close(data);
}

/* Each image once an epoch, also where an epoch begins before another is over, or in its middle. */
static void epochs_have_each_image_once(void **state) {
    static struct epoch whole, again;
    (void)state;
    put_idx();
    struct be_images *data = data_in(BE_IMAGES_DISK);
    struct be_loader *loader = loader_of(data, 3, 2, true);
    assert_int_equal(be_loader_batches(loader), 5);
    assert_int_equal(next_of(loader).count, 0); /* none has begun */
    take_epoch(loader, 4, &whole);
    int seen[IDX_TRAIN] = {0};
    for (size_t i = 0; i < IDX_TRAIN;
         i++) { /* the first pixel, -0.5 .. 1.5, tells all images apart */
        for (size_t k = 0; k < IDX_TRAIN; k++) {
            seen[k] +=
                whole.image[i * IDX_BYTES] == ((float)pixel_of(k, 0) / 255.0F - 0.25F) / 0.5F;
        }
    }
    for (size_t k = 0; k < IDX_TRAIN; k++) {
        assert_int_equal(seen[k], 1);
    }
    be_loader_begin(loader, 5, 9, 0);
    (void)next_of(loader);
    take_epoch(loader, 4, &again);
    assert_memory_equal(&whole, &again, sizeof whole);
    be_loader_begin(loader, 5, 4, 3);
    const struct be_batch batch = next_of(loader);
    assert_int_equal(batch.index, 3);
    assert_memory_equal(batch.images, whole.image + 48 * IDX_BYTES, 16 * IDX_BYTES * sizeof(float));
    be_loader_close(loader);
    be_images_close(data);
}

static void a_file_that_was_cut_meanwhile_is_named(void **state) {
    (void)state;
    put_idx();
    struct be_images *data = data_in(BE_IMAGES_DISK);
    struct be_loader *loader = loader_of(data, 2, 2, false);
    char name[512];
    place_of("train-images-idx3-ubyte", name);
    assert_int_equal(truncate(name, 16 + 20 * IDX_BYTES), 0);
    be_loader_begin(loader, 5, 0, 0);
    struct be_error error = {0};
    struct be_batch batch;
    assert_int_equal(be_loader_next(loader, &batch, &error), BE_OK);
    assert_int_equal(be_loader_next(loader, &batch, &error), BE_IO);
    assert_non_null(strstr(error.text, "train-images-idx3-ubyte"));
    assert_non_null(strstr(error.text, "it ends there"));
    be_loader_close(loader);
    be_images_close(data);
}

static void times_count_all_images(void **state) {
    (void)state;
    put_idx();
    struct be_images *data = data_in(BE_IMAGES_DISK);
    struct be_loader *loader = loader_of(data, 2, 1, true);
    static struct epoch epoch;
    take_epoch(loader, 0, &epoch);
    struct be_loader_times times;
    be_loader_times(loader, &times);
    assert_int_equal(times.images, IDX_TRAIN);
    assert_true(times.read_s > 0 && times.decode_cpu_s > 0 && times.wait_s > 0);
    be_loader_close(loader);
    be_images_close(data);
}

static void senseless_numbers_are_refused(void **state) {
    (void)state;
    put_idx();
    struct be_images *data = data_in(BE_IMAGES_DISK);
    static const struct {
        size_t batch;
        int workers, prefetch;
        const char *said;
    } wrong[] = {{0, 1, 1, "--batch"},
                 {1, -1, 1, "--workers -1"},
                 {1, 2000, 1, "--workers 2000"},
                 {1, 1, 0, "--prefetch 0"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct be_loader_options options = {.data = data,
                                                  .batch = wrong[i].batch,
                                                  .workers = wrong[i].workers,
                                                  .prefetch = wrong[i].prefetch};
        struct be_error error = {0};
        struct be_loader *loader = NULL;
        assert_int_equal(be_loader_open(&options, &loader, &error), BE_USAGE);
        assert_non_null(strstr(error.text, wrong[i].said));
    }
    be_images_close(data);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(batches_are_the_same_whatever_the_workers),
        IN_A_FOLDER(values_are_normalised_levels),
        IN_A_FOLDER(epochs_have_each_image_once),
        IN_A_FOLDER(a_file_that_was_cut_meanwhile_is_named),
        IN_A_FOLDER(times_count_all_images),
        IN_A_FOLDER(senseless_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
