/* breakeven train NET [OPTION...] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/trace_files.h"
#include "cli/common/values.h"
#include "cli/train/lacking.h"
#include "cli/train/shown.h"
#include "device/device.h"
#include "machine/describe.h"
#include "nn/net.h"
#include "report/train/compare.h"
#include "report/train/crossing.h"
#include "report/train/scaling.h"
#include "report/train/train.h"

enum key {
    DATA = 256,
    SYNTHETIC,
    INCOMPLETE,
    IMAGES,
    TEST_IMAGES,
    EPOCHS,
    BATCH,
    WORKERS,
    PREFETCH,
    KEEP,
    THREADS,
    DEVICE,
    SEED,
    RATE,
    DECODE,
    NO_TEST,
    TOTAL,
    SAVE,
    RESUME,
    WEIGHTS,
    COMPARE,
    CROSSING,
    MATH,
    SCALING,
    JSON,
    CSV,
};

static const struct argp_option option[] = {
    {NULL, 0, NULL, 0, "Images", 1},
    {"data", DATA, "DIR", 0, "Folder of the data set; without it, the program says where it is", 1},
    {"synthetic", SYNTHETIC, NULL, 0, "Make images of the same shapes from the seed", 1},
    {"incomplete", INCOMPLETE, NULL, 0, "Take what there is of a set with missing or shorter files",
     1},
    {"images", IMAGES, "N", 0, "Train on the first N images only", 1},
    {"test-images", TEST_IMAGES, "N", 0, "Test on the first N test images only", 1},
    {NULL, 0, NULL, 0, "Training", 2},
    {"epochs", EPOCHS, "N", 0, "Epochs (default: the net's own)", 2},
    {"batch", BATCH, "N", 0, "Images of a step (default: the net's own)", 2},
    {"threads", THREADS, "N", 0, "Threads of the net (default: all cores)", 2},
    {"device", DEVICE, "ID", 0,
     "Train there: cuda:0, opencl:0 (default: on the CPU); on several, which share each batch: "
     "cuda:0,cuda:1, or cuda for all of them",
     2},
    {"seed", SEED, "N", 0, "Seed of weights, order and dropout (default: 1)", 2},
    {"math", MATH, "float32|tf32", 0,
     "Multiply as float32, or with 10 bits on the matrix units of a GPU (default: float32)", 2},
    {"rate", RATE, "R", 0, "Learning rate (default: the net's own)", 2},
    {"no-test", NO_TEST, NULL, 0, "Leave out the test images after each epoch", 2},
    {"total", TOTAL, "SECONDS", 0, "End after so long; --compare: all of it (default: 60)", 2},
    {"save", SAVE, "FILE", 0, "Write a checkpoint after each epoch, and when it is interrupted", 2},
    {"resume", RESUME, "FILE", 0, "Go on from a checkpoint, or begin with saved weights", 2},
    {"weights", WEIGHTS, "FILE", 0,
     "Write the weights at the end, as PyTorch's load_state_dict takes them (safetensors)", 2},
    {"compare", COMPARE, NULL, 0,
     "Short runs in turn: one thread and all cores, images on disk and in memory, 0 to 4 workers",
     2},
    {"crossing", CROSSING, NULL, 0,
     "Time one step over the batch, on the CPU and on --device: from which batch the device pays",
     2},
    {"scaling", SCALING, NULL, 0,
     "Time one step on the first of --device, on two, four ... and on all, images there: how much "
     "faster it becomes, and which part of it keeps it from more",
     2},
    {NULL, 0, NULL, 0, "The loader", 3},
    {"workers", WORKERS, "N", 0,
     "Threads that load images; 0: the net's own thread does (default: 1)", 3},
    {"prefetch", PREFETCH, "N", 0, "Batches that they load ahead (default: 2)", 3},
    {"keep", KEEP, "disk|ram|device", 0,
     "Read each image from its file, or keep all in memory, or as bytes on the device, where "
     "batches are gathered (default: disk; with --synthetic: ram)",
     3},
    {"decode", DECODE, "SECONDS", 0,
     "Spend at least so long on each image, as a photograph or an augmentation would", 3},
    {NULL, 0, NULL, 0, "Results", 4},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the text)", 4},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL, "Write a row an epoch as CSV, likewise", 4},
    {"quiet", 'q', NULL, 0, "Show no progress", 4},
    {0},
};

struct asked {
    struct be_cli_train_shown shown;
    const char *net, *data, *save, *resume, *weights, *device_id;
    struct be_device *device[BE_NET_DEVICES];
    int devices;
    char device_title[BE_NOTE];
    struct be_cli_outputs outputs;
    uint64_t images, test_images, epochs, batch, threads, seed, workers, prefetch;
    double decode_s, total_s, rate;
    bool synthetic, incomplete, no_test, quiet, compare, crossing, scaling;
    int math;   /* enum be_net_math */
    bool keeps; /* --keep was given: */
    int keep;   /* 1: in memory; 2: on the device */
    struct be_error error;
};

static enum be_status set_keep(void *asked, char *text, struct be_error *error) {
    static const char *const word[] = {"disk", "ram", "device", NULL};
    struct asked *a = asked;
    a->keeps = true;
    return be_cli_choice("keep", text, word, &a->keep, error);
}

static enum be_status set_math(void *asked, char *text, struct be_error *error) {
    static const char *const word[] = {
        [BE_NET_FLOAT32] = "float32", [BE_NET_TF32] = "tf32", [BE_NET_TF32 + 1] = NULL};
    return be_cli_choice("math", text, word, &((struct asked *)asked)->math, error);
}

static enum be_status set_rate(void *asked, char *text, struct be_error *error) {
    double *rate = &((struct asked *)asked)->rate;
    char *end = NULL;
    *rate = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*rate) && *rate > 0
               ? BE_OK
               : be_fail(error, BE_USAGE, "--rate %s: a number above 0, as 0.001", text);
}

static enum be_status set_net(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    if (a->net) {
        return be_fail(error, BE_USAGE, "%.60s: one net at a time, and that is %.60s", text,
                       a->net);
    }
    a->net = text;
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_OWN(ARGP_KEY_ARG, set_net),
    BE_TEXT(DATA, data),
    BE_FLAG(SYNTHETIC, synthetic),
    BE_FLAG(INCOMPLETE, incomplete),
    BE_WHOLE(IMAGES, images, "--images", 1),
    BE_WHOLE(TEST_IMAGES, test_images, "--test-images", 1),
    BE_WHOLE(EPOCHS, epochs, "--epochs", 1),
    BE_WHOLE(BATCH, batch, "--batch", 1),
    BE_WHOLE(THREADS, threads, "--threads", 1),
    BE_TEXT(DEVICE, device_id),
    BE_WHOLE(SEED, seed, "--seed", 0),
    BE_OWN(RATE, set_rate),
    BE_OWN(MATH, set_math),
    BE_FLAG(NO_TEST, no_test),
    BE_SECONDS(TOTAL, total_s, "--total"),
    BE_TEXT(SAVE, save),
    BE_TEXT(RESUME, resume),
    BE_TEXT(WEIGHTS, weights),
    BE_FLAG(COMPARE, compare),
    BE_FLAG(CROSSING, crossing),
    BE_FLAG(SCALING, scaling),
    BE_WHOLE(WORKERS, workers, "--workers", 0),
    BE_WHOLE(PREFETCH, prefetch, "--prefetch", 1),
    BE_OWN(KEEP, set_keep),
    BE_SECONDS(DECODE, decode_s, "--decode"),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(CSV, outputs.csv),
    BE_FLAG('q', quiet),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    struct be_error later = {0};
    struct be_error *error =
        asked->error.status == BE_OK ? &asked->error : &later; /* the first is said */
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, error) == ARGP_ERR_UNKNOWN
               ? ARGP_ERR_UNKNOWN
               : 0;
}

static bool takes_more_than_steps(const struct asked *asked) {
    return asked->compare || asked->data || asked->synthetic || asked->epochs || asked->threads ||
           asked->keeps || asked->workers != UINT64_MAX || asked->save || asked->resume ||
           asked->weights;
}

static enum be_status check_together(const struct asked *asked, struct be_error *error) {
    const uint64_t max = INT32_MAX;
    const struct {
        bool wrong;
        const char *text;
    } pair[] = {
        {asked->data && asked->synthetic,
         "--data and --synthetic: both say which images; leave one out"},
        {asked->synthetic && asked->incomplete, "--incomplete: belongs to --data=DIR"},
        {asked->compare && (asked->save || asked->resume || asked->weights),
         "--compare: trains for seconds; leave out --save, --resume and --weights"},
        {asked->compare &&
             (asked->epochs || asked->threads || asked->keeps || asked->workers != UINT64_MAX),
         "--compare: tries threads, --keep and --workers itself, and no whole epoch; leave them "
         "out"},
        {asked->compare && asked->device_id,
         "--compare: is of the CPU; leave out --device, and run both by themselves"},
        {asked->crossing && (!asked->device_id || strcmp(asked->device_id, "cpu") == 0),
         "--crossing: name the device to hold against the CPU, as --device=cuda:0"},
        {asked->crossing && takes_more_than_steps(asked),
         "--crossing: makes its own images and steps; leave out all but --batch (the largest), "
         "--device, --seed and --total"},
        {asked->math == BE_NET_TF32 && (!asked->device_id || strcmp(asked->device_id, "cpu") == 0),
         "--math=tf32: is arithmetic of GPUs' matrix units: name one, as --device=cuda:0"},
        {asked->math == BE_NET_TF32 && (asked->crossing || asked->scaling),
         "--crossing, --scaling: hold gradients against float32; leave out --math"},
        {asked->scaling && !asked->device_id,
         "--scaling: name the devices, as --device=cuda:0,cuda:1, or --device=cuda for all GPUs"},
        {asked->scaling && (asked->crossing || takes_more_than_steps(asked)),
         "--scaling: makes its own images and steps; leave out all but --batch, --device, --seed "
         "and "
         "--total"},
        {asked->keep == 2 && (!asked->device_id || strcmp(asked->device_id, "cpu") == 0),
         "--keep=device: belongs to a net on a device: --device=cuda:0; on the CPU take "
         "--keep=ram"},
        {asked->keep == 2 && (asked->workers != UINT64_MAX || asked->decode_s > 0),
         "--keep=device: nothing is loaded in a step; leave out --workers and --decode"},
        {asked->epochs > max || (asked->workers > max && asked->workers != UINT64_MAX) ||
             asked->prefetch > max || asked->threads > max,
         "--epochs, --workers, --prefetch, --threads: too many"},
    };
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        if (pair[i].wrong) {
            return be_fail(error, BE_USAGE, "%s", pair[i].text);
        }
    }
    return BE_OK;
}

/* ---- training ------------------------------------------------------------------------------- */

static struct be_train_plan plan_of(struct asked *asked, const struct be_net_kind *kind) {
    asked->batch = asked->batch || !kind ? asked->batch : kind->batch;
    asked->shown.live = asked->outputs.json.out != stdout && asked->outputs.csv.out != stdout;
    asked->shown.quiet = asked->quiet;
    asked->shown.batch = asked->batch;
    return (struct be_train_plan){
        .net = asked->net,
        .folder = asked->data,
        .memory = asked->keeps ? asked->keep == 1 : asked->synthetic,
        .there = asked->keep == 2,
        .incomplete = asked->incomplete,
        .images = asked->images,
        .test_images = asked->test_images,
        .epochs = (int)asked->epochs,
        .batch = asked->batch,
        .workers = asked->workers == UINT64_MAX ? 1 : (int)asked->workers,
        .prefetch = (int)asked->prefetch,
        .threads = (int)asked->threads,
        .device = asked->device[0],
        .more = asked->device + 1,
        .mores = asked->devices > 1 ? asked->devices - 1 : 0,
        .device_name = asked->device_title,
        .math = (enum be_net_math)asked->math,
        .seed = asked->seed,
        .rate = asked->rate,
        .decode_s = asked->decode_s,
        .total_s = asked->total_s,
        .no_test = asked->no_test,
        .save = asked->save,
        .resume = asked->resume,
        .weights = asked->weights,
        .remark = be_cli_train_remark,
        .begin = be_cli_train_begin,
        .epoch = be_cli_train_epoch,
        .progress = asked->quiet ? NULL : be_cli_train_progress,
        .cancelled = be_cli_interrupted,
        .context = &asked->shown,
    };
}

/* Said before anything is trained. */
static enum be_status check_files(const struct asked *asked, struct be_error *error) {
    enum be_status status = asked->save ? be_trace_file_try(asked->save, error) : BE_OK;
    return !status && asked->weights ? be_trace_file_try(asked->weights, error) : status;
}

/* A run that failed on its way has measured something: that is shown, and the failure after it. */
static enum be_status train(struct asked *asked, const struct be_net_kind *kind,
                            struct be_error *error) {
    struct be_train_result result;
    const struct be_train_plan plan = plan_of(asked, kind);
    enum be_status status = be_train(&plan, &result, error);
    be_cli_progress_clear();
    if (!status || result.steps > 0) {
        struct be_error unwritten = {0};
        const enum be_status wrote = be_cli_outputs_write(&asked->outputs, be_cli_train_end,
                                                          &result, status ? &unwritten : error);
        status = status ? status : wrote;
    }
    if (!status && result.unsaved.status) {
        status = be_fail(error, result.unsaved.status, "%s: has no newer checkpoint than %s",
                         asked->save,
                         result.saved_steps ? "that of an epoch before" : "before this run");
    }
    be_train_free(&result);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static enum be_status write_comparison(const void *results, enum be_format format, FILE *out,
                                       struct be_error *error) {
    return be_train_compare_write(results, format, out, error);
}

static enum be_status compare(struct asked *asked, const struct be_net_kind *kind,
                              struct be_error *error) {
    const double usual_s = 60;
    struct be_train_plan plan = plan_of(asked, kind);
    struct be_train_comparison *comparison = malloc(sizeof *comparison);
    if (!comparison) {
        return be_fail(error, BE_NOMEM, "train: no host memory");
    }
    plan.total_s = plan.total_s > 0 ? plan.total_s : usual_s;
    enum be_status status = be_train_compare(&plan, be_cli_train_way, comparison, error);
    be_cli_progress_clear();
    status = status ? status
                    : be_cli_outputs_write(&asked->outputs, write_comparison, comparison, error);
    free(comparison);
    return status;
}

static enum be_status write_crossing(const void *results, enum be_format format, FILE *out,
                                     struct be_error *error) {
    return be_train_crossing_write(results, format, out, error);
}

static enum be_status cross(struct asked *asked, const struct be_net_kind *kind,
                            struct be_error *error) {
    struct be_train_plan plan = plan_of(asked, NULL);
    struct be_train_crossing *crossing = malloc(sizeof *crossing);
    (void)kind;
    if (!crossing) {
        return be_fail(error, BE_NOMEM, "train: no host memory");
    }
    enum be_status status = be_train_cross(&plan, be_cli_train_batch, crossing, error);
    be_cli_progress_clear();
    status =
        status ? status : be_cli_outputs_write(&asked->outputs, write_crossing, crossing, error);
    free(crossing);
    return status;
}

static enum be_status open_devices(struct asked *asked, struct be_error *error) {
    if (!asked->device_id || strcmp(asked->device_id, "cpu") == 0) {
        return BE_OK;
    }
    const enum be_status status =
        be_machine_open_devices(asked->device_id, asked->device, BE_NET_DEVICES, &asked->devices,
                                asked->device_title, error);
    for (int i = 0; !status && i < asked->devices; i++) {
        if (strcmp(asked->device[i]->info.backend, "cpu") == 0) {
            return be_fail(error, BE_USAGE,
                           "--device=%.60s: the CPU shares no batch with other devices: leave it "
                           "out; --device=cpu alone has all its cores share each batch",
                           asked->device_id);
        }
    }
    if (!status && asked->crossing && asked->devices > 1) {
        return be_fail(error, BE_USAGE,
                       "--crossing: holds one device against the CPU; name one: --device=%s",
                       asked->device[0]->info.id);
    }
    return !status && asked->scaling && asked->devices < 2
               ? be_fail(error, BE_USAGE,
                         "--scaling: %.60s is one device; name several: --device=cuda:0,cuda:1",
                         asked->device_id)
               : status;
}

static enum be_status write_scaling(const void *results, enum be_format format, FILE *out,
                                    struct be_error *error) {
    return be_train_scaling_write(results, format, out, error);
}

static enum be_status scale_out(struct asked *asked, const struct be_net_kind *kind,
                                struct be_error *error) {
    struct be_train_plan plan = plan_of(asked, NULL);
    struct be_train_scaling scaling;
    (void)kind;
    enum be_status status = be_train_scale_out(&plan, be_cli_train_round, &scaling, error);
    be_cli_progress_clear();
    return status ? status : be_cli_outputs_write(&asked->outputs, write_scaling, &scaling, error);
}

int be_cli_train(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "NET",
        "This command trains a small network on real images and says where the time went: loss and "
        "accuracy of each epoch, seconds of each part of a step, how long the net waited for its "
        "images, and the number of workers that would change that.\vExamples:\n  breakeven train "
        "mnist --data=DIR --epochs=3\n  breakeven train lenet --synthetic --batch=512 "
        "--workers=2\n  breakeven train lenet --data=DIR --compare\n  breakeven train lenet "
        "--crossing "
        "--device=cuda:0",
        NULL,
        NULL,
        NULL};
    struct asked asked = {.seed = 1, .workers = UINT64_MAX, .prefetch = 2};
    struct be_error error = {0};
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    if (asked.error.status != BE_OK || check_together(&asked, &asked.error) != BE_OK) {
        return be_cli_fail(&asked.error);
    }
    if (!asked.net) {
        return be_cli_train_list();
    }
    const struct be_net_kind *kind = be_net_kind_find(asked.net);
    if (kind && !asked.data && !asked.synthetic && !asked.crossing && !asked.scaling) {
        return be_cli_train_images(kind);
    }
    be_cli_catch_interrupt();
    enum be_status status = check_files(&asked, &error);
    status = status ? status : open_devices(&asked, &error);
    status = status ? status : be_cli_outputs_open(&asked.outputs, &error);
    status = status ? status
                    : (asked.scaling    ? scale_out
                       : asked.crossing ? cross
                       : asked.compare  ? compare
                                        : train)(&asked, kind, &error);
    be_cli_outputs_close(&asked.outputs);
    be_machine_close_devices(asked.device, asked.devices);
    return status                     ? be_cli_fail(&error)
           : be_cli_interrupted(NULL) ? BE_EXIT_INTERRUPTED
                                      : BE_EXIT_OK;
}
