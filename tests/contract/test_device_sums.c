/* Sums across devices by the vendor's library: with one device alone, and across all of its backend that are here. Many
 * numbers and two, in one call and twice, behind what is in the queues and before what comes. */
#include "devices.h"

enum { MANY = 100003, FEW = 2, SUMS = 2 };

static const size_t numbers[SUMS] = {MANY, FEW};

/* Number n of device i in a round: sums of 16 such are exact in float32. */
static float planted(int round, int i, size_t n) {
    return (float)(n % 1000) + 1000 * (float)i + (float)round;
}

struct member {
    struct be_device *device;
    struct be_buffer buffer[SUMS];
    struct be_pinned pinned;
};

static void open_member(struct member *m) {
    CHECK(m->device->ops->memory->pin(m->device, MANY * sizeof(float), &m->pinned, &error));
    for (int k = 0; k < SUMS; k++) {
        CHECK(m->device->ops->memory->alloc(m->device, numbers[k] * sizeof(float), &m->buffer[k],
                                            &error));
    }
}

static void close_member(struct member *m) {
    for (int k = 0; k < SUMS; k++) {
        m->device->ops->memory->release(m->device, &m->buffer[k]);
    }
    m->device->ops->memory->unpin(m->device, &m->pinned);
}

/* The larger sum's numbers go into the queue of work, and nobody waits for them. */
static void fill(struct member *m, int round, int i) {
    const struct be_queue_ops *queue = m->device->ops->queue;
    const float few[FEW] = {planted(round, i, 0), planted(round, i, 1)};
    float *many = m->pinned.host;
    put(m->device, &m->buffer[1], 0, few, sizeof few);
    for (size_t n = 0; n < MANY; n++) {
        many[n] = planted(round, i, n);
    }
    CHECK(queue->write(m->device, BE_QUEUE_WORK, &m->buffer[0], 0, many, MANY * sizeof(float),
                       &error));
}

static void expect(struct member *m, int devices, int round, int k) {
    const struct be_queue_ops *queue = m->device->ops->queue;
    const float *got = m->pinned.host;
    CHECK(queue->read(m->device, BE_QUEUE_WORK, m->pinned.host, &m->buffer[k], 0,
                      numbers[k] * sizeof(float), &error));
    CHECK(queue->drain(m->device, BE_QUEUE_WORK, &error));
    for (size_t n = 0; n < numbers[k]; n++) {
        float sum = 0;
        for (int i = 0; i < devices; i++) {
            sum += planted(round, i, n);
        }
        assert_true(got[n] >= sum && got[n] <= sum);
    }
}

static void add_across(struct member *m, int devices) {
    const struct be_reduce_ops *ops = m[0].device->ops->reduce;
    struct be_device *device[BE_DEVICES_MAX] = {NULL};
    const struct be_buffer *buffer[SUMS][BE_DEVICES_MAX];
    struct be_reduce reduce;
    for (int i = 0; i < devices; i++) {
        open_member(&m[i]);
        device[i] = m[i].device;
        buffer[0][i] = &m[i].buffer[0];
        buffer[1][i] = &m[i].buffer[1];
    }
    const struct be_sum sum[SUMS] = {{buffer[0], MANY}, {buffer[1], FEW}};
    const enum be_status opened = ops->open(device, devices, &reduce, &error);
    if (opened == BE_OK) {
        print_message("%s, %d devices\n", reduce.name, devices);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < devices; i++) {
                fill(&m[i], round, i);
            }
            CHECK(ops->sum(&reduce, sum, SUMS, &error));
            for (int i = 0; i < devices * SUMS; i++) {
                expect(&m[i / SUMS], devices, round, i % SUMS);
            }
        }
        ops->close(&reduce);
    }
    for (int i = 0; i < devices; i++) {
        close_member(&m[i]);
    }
    need(device[0], opened == BE_OK, "sums across devices", error.text);
}

static void adds_alone(struct be_device *device) {
    struct member alone = {.device = device};
    need(device, device->ops->reduce, "sums across devices", NULL);
    add_across(&alone, 1);
}

/* The device of the test is one of them. */
static void adds_across_all(struct be_device *device) {
    static struct member all[BE_DEVICES_MAX];
    struct be_device *opened[BE_DEVICES_MAX];
    int count = 0;
    int others = 0;
    need(device, device->ops->reduce, "sums across devices", NULL);
    all[count++] = (struct member){.device = device};
    for (int i = 0; i < machine.devices; i++) {
        const struct be_device_info *info = &machine.device[i];
        if (strcmp(info->backend, device->info.backend) == 0 &&
            strcmp(info->id, device->info.id) != 0) {
            CHECK(be_device_open(info, NULL, &opened[others], &error));
            all[count++] = (struct member){.device = opened[others++]};
        }
    }
    need(device, count > 1, "second device beside it", NULL);
    add_across(all, count);
    while (others > 0) {
        others--;
        opened[others]->ops->close(opened[others]);
    }
}

int main(void) {
    static const struct contract contracts[] = {
        {"adds numbers on one device", adds_alone},
        {"adds numbers across all devices", adds_across_all},
    };
    return run_contracts("sums across devices", contracts, BE_COUNT(contracts));
}
