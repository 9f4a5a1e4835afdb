/*
 * Steps of a net on images that are made up, as bench/peers/nets.py asks for them.
 *
 * usage: bench_nets NET BATCH THREADS [DEVICE,... [tf32]]   several devices share each batch
 *
 * Lines of standard input, and what each one is answered with in one line:
 *   steps N                       seconds of N steps, then those of forward, loss, backward and update; on a device
 *                                 the images are there already
 *   launches N                    on one device: a table of the launches of a step, and an empty line. The least seconds
 *                                 of N steps that run launch by launch, with events between
 *   pass WEIGHTS IMAGES GRADIENTS loss and correct images of one step with the weights of a safetensors file, on
 *                                 BATCH images (float32) and then their labels (a byte each); its gradients are
 *                                 written tensor after tensor (float32)
 *   load FILE                     "loaded": the weights of a safetensors file; the optimiser begins anew
 *   learn IMAGES COUNT            mean loss and correct images of steps over COUNT images and then their labels, in
 *                                 the file's order, each before its update
 *   see IMAGES COUNT              likewise without updates and dropout
 *   save FILE                     "saved": the weights as a safetensors file
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "device/device.h"
#include "machine/describe.h"
#include "nn/device/on_device.h"
#include "nn/state.h"

enum { LINE = 4096, SEED = 7 };

struct bench {
    struct be_net *net;
    struct be_device *device[BE_NET_DEVICES];
    int devices; /* 0: on the CPU */
    int warm;    /* the images are on the device */
    size_t batch, pixels;
    float *images;
    uint8_t *labels;
};

static int failed(const struct be_error *error) {
    fprintf(stderr, "bench_nets: %s\n", error->text);
    return 1;
}

static void make_images(struct bench *bench) {
    for (size_t i = 0; i < bench->batch * bench->pixels; i++) {
        bench->images[i] = 2 * be_random_float(1, i) - 1;
    }
    for (size_t i = 0; i < bench->batch; i++) {
        bench->labels[i] = (uint8_t)(be_random_bits(2, i) % BE_NET_CLASSES);
    }
}

static int steps(struct bench *bench, long count) {
    const struct be_clock clock = be_clock_host();
    struct be_net_step all = {0};
    struct be_error error = {0};
    const double before = be_now(&clock);
    for (long i = 0; i < count; i++) {
        struct be_net_step step;
        const int there = bench->devices > 0 && bench->warm;
        if (be_net_step(bench->net, there ? NULL : bench->images, there ? NULL : bench->labels,
                        bench->batch, &step, &error)) {
            return failed(&error);
        }
        bench->warm = 1;
        all.forward_s += step.forward_s;
        all.loss_s += step.loss_s;
        all.backward_s += step.backward_s;
        all.update_s += step.update_s;
    }
    printf("%.9f %.9f %.9f %.9f %.9f\n", be_now(&clock) - before, all.forward_s, all.loss_s,
           all.backward_s, all.update_s);
    return 0;
}

/* The rate counts products and sums as if no number were zero. */
static void show_launches(const struct bench *bench, const struct be_nn_launch *launch, int count) {
    const double images = (double)bench->batch;
    double all = 0;
    printf("%-26s %9s %9s %9s\n", "launch", "us", "ns/image", "TFLOP/s");
    for (int i = 0; i < count; i++) {
        const struct be_nn_launch *l = &launch[i];
        all += l->seconds;
        printf("%-24s %d %9.1f %9.1f ", l->what, l->stage + 1, 1e6 * l->seconds,
               1e9 * l->seconds / images);
        if (l->operations > 0) {
            printf("%9.1f", 1e-12 * l->operations / l->seconds);
        }
        puts("");
    }
    printf("%-26s %9.1f %9.1f\n\n", "all", 1e6 * all, 1e9 * all / images);
}

static int launches(struct bench *bench, long count) {
    struct be_net *net = bench->net;
    struct be_net_step step;
    const struct be_nn_pass all = {.shape = &net->shape,
                                   .count = bench->batch,
                                   .training = true,
                                   .seed = net->seed,
                                   .step = (uint32_t)net->steps,
                                   .clock = &net->clock,
                                   .result = &step};
    const struct be_nn_update update = {.rule = &net->rule, .rate = net->rate, .step = 1};
    struct be_nn_launch least[BE_NN_LAUNCHES];
    struct be_nn_launch seen[BE_NN_LAUNCHES];
    struct be_error error = {0};
    int launched = 0;
    if (bench->devices != 1 || !bench->warm) {
        fprintf(stderr, "bench_nets: launches: on one device, after steps\n");
        return 1;
    }
    for (long i = 0; i < count; i++) {
        if (be_nn_on_device_launches(net->there, &all, &update, seen, &launched, &error)) {
            return failed(&error);
        }
        for (int k = 0; k < launched; k++) {
            least[k] = i == 0 || seen[k].seconds < least[k].seconds ? seen[k] : least[k];
        }
    }
    show_launches(bench, least, launched);
    return 0;
}

static int read_images(struct bench *bench, const char *path) {
    const size_t numbers = bench->batch * bench->pixels;
    FILE *in = fopen(path, "rb");
    const int fine = in && fread(bench->images, sizeof(float), numbers, in) == numbers &&
                     fread(bench->labels, 1, bench->batch, in) == bench->batch;
    if (in) {
        fclose(in);
    }
    return fine;
}

static int write_gradients(struct bench *bench, const char *path) {
    struct be_net_tensor tensor;
    FILE *out = fopen(path, "wb");
    int fine = out != NULL;
    for (size_t i = 0; fine && be_net_tensor(bench->net, i, &tensor); i++) {
        fine = !tensor.gradient ||
               fwrite(tensor.gradient, sizeof(float), tensor.count, out) == tensor.count;
    }
    if (out) {
        fine = fclose(out) == 0 && fine;
    }
    return fine;
}

static int pass(struct bench *bench, const char *weights, const char *images,
                const char *gradients) {
    struct be_error error = {0};
    struct be_net_step step;
    char note[BE_NOTE];
    bool resumed;
    if (be_net_load(bench->net, weights, &resumed, note, &error)) {
        return failed(&error);
    }
    if (!read_images(bench, images)) {
        fprintf(stderr, "bench_nets: %s: cannot be read\n", images);
        return 1;
    }
    bench->warm = 0;
    if (be_net_step(bench->net, bench->images, bench->labels, bench->batch, &step, &error)) {
        return failed(&error);
    }
    if (!write_gradients(bench, gradients)) {
        fprintf(stderr, "bench_nets: %s: cannot be written\n", gradients);
        return 1;
    }
    printf("%.9g %zu\n", step.loss, step.correct);
    return 0;
}

static int load(struct bench *bench, const char *path) {
    struct be_error error = {0};
    char note[BE_NOTE];
    bool resumed;
    if (be_net_load(bench->net, path, &resumed, note, &error)) {
        return failed(&error);
    }
    puts("loaded");
    return 0;
}

/* Batch after batch of a file's images; the last one may be shorter. */
static int over_file(struct bench *bench, const char *path, size_t count, int learns) {
    FILE *images = fopen(path, "rb");
    FILE *labels = fopen(path, "rb");
    const size_t bytes = bench->pixels * sizeof(float);
    int fine = images && labels && fseek(labels, (long)(count * bytes), SEEK_SET) == 0;
    double loss = 0;
    size_t correct = 0;
    for (size_t at = 0; fine && at < count; at += bench->batch) {
        const size_t n = count - at < bench->batch ? count - at : bench->batch;
        struct be_net_step step = {0};
        struct be_error error = {0};
        fine =
            fread(bench->images, bytes, n, images) == n && fread(bench->labels, 1, n, labels) == n;
        if (fine && (learns ? be_net_step : be_net_evaluate)(bench->net, bench->images,
                                                             bench->labels, n, &step, &error)) {
            fine = 0;
            failed(&error);
        }
        loss += step.loss * (double)n;
        correct += step.correct;
    }
    if (images) {
        fclose(images);
    }
    if (labels) {
        fclose(labels);
    }
    bench->warm = 0;
    printf("%.9g %zu\n", loss / (double)count, correct);
    return !fine;
}

static int save(struct bench *bench, const char *path) {
    struct be_error error = {0};
    if (be_net_save(bench->net, path, BE_NET_WEIGHTS, NULL, &error)) {
        return failed(&error);
    }
    puts("saved");
    return 0;
}

static int serve(struct bench *bench) {
    char line[LINE], word[3][LINE];
    long count;
    while (fgets(line, sizeof line, stdin)) {
        int wrong = 1;
        if (sscanf(line, "steps %ld", &count) == 1) {
            wrong = steps(bench, count);
        } else if (sscanf(line, "launches %ld", &count) == 1) {
            wrong = launches(bench, count);
        } else if (sscanf(line, "pass %s %s %s", word[0], word[1], word[2]) == 3) {
            wrong = pass(bench, word[0], word[1], word[2]);
        } else if (sscanf(line, "load %s", word[0]) == 1) {
            wrong = load(bench, word[0]);
        } else if (sscanf(line, "learn %s %ld", word[0], &count) == 2) {
            wrong = over_file(bench, word[0], (size_t)count, 1);
        } else if (sscanf(line, "see %s %ld", word[0], &count) == 2) {
            wrong = over_file(bench, word[0], (size_t)count, 0);
        } else if (sscanf(line, "save %s", word[0]) == 1) {
            wrong = save(bench, word[0]);
        }
        if (wrong) {
            return 1;
        }
        fflush(stdout);
    }
    return 0;
}

int main(int count, char **word) {
    struct be_error error = {0};
    struct bench bench = {0};
    char title[BE_NOTE];
    if (count < 4 || count > 6 || (count == 6 && strcmp(word[5], "tf32") != 0)) {
        fprintf(stderr, "usage: bench_nets NET BATCH THREADS [DEVICE,... [tf32]]\n");
        return 2;
    }
    if (count > 4 && be_machine_open_devices(word[4], bench.device, BE_NET_DEVICES, &bench.devices,
                                             title, &error)) {
        return failed(&error);
    }
    bench.batch = strtoul(word[2], NULL, 10);
    const struct be_net_plan plan = {.name = word[1],
                                     .batch = bench.batch,
                                     .threads = atoi(word[3]),
                                     .seed = SEED,
                                     .rate = NAN,
                                     .momentum = NAN,
                                     .decay = NAN,
                                     .math = count == 6 ? BE_NET_TF32 : BE_NET_FLOAT32,
                                     .device = bench.device[0],
                                     .more = bench.device + 1,
                                     .mores = bench.devices > 1 ? bench.devices - 1 : 0};
    if (be_net_open(&plan, &bench.net, &error)) {
        return failed(&error);
    }
    const struct be_net_kind *kind = be_net_kind_of(bench.net);
    bench.pixels = (size_t)(kind->channels * kind->height * kind->width);
    bench.images = malloc(bench.batch * bench.pixels * sizeof(float));
    bench.labels = malloc(bench.batch);
    int status = 1;
    if (bench.images && bench.labels) {
        make_images(&bench);
        status = serve(&bench);
    }
    free(bench.labels);
    free(bench.images);
    be_net_close(bench.net);
    be_machine_close_devices(bench.device, bench.devices);
    return status;
}
