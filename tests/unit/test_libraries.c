/* Mapped files and environments -> which libraries a program uses, and what its threads are told. */
#include "fake_machine.h"

#include "base/error.h"
#include "observe/libraries.h"
#include "observe/process/tree.h"

static void files_of_libraries(void **state) {
    (void)state;
    static const struct {
        const char *path, *word;
    } cases[] = {
        {"/usr/bin/python3.11", "python"},
        {"/usr/bin/python3.11 (deleted)", "python"},
        {"/opt/conda/lib/libpython3.12.so.1.0", "python"},
        {"/home/u/pythonista", NULL},
        {"/home/u/python.data", NULL},
        {"/home/u/raytracer", NULL},
        {"/home/u/pt_render", NULL},
        {"/v/site-packages/torch/lib/libtorch_cpu.so", "torch"},
        {"/v/site-packages/torch/lib/libtorch.so", "torch"},
        {"/home/u/libtorchless.so", NULL},
        {"/v/site-packages/jaxlib/libjax_common.so", "jax"},
        {"/v/site-packages/jaxlib/xla_extension.so", "jax"},
        {"/v/site-packages/tensorflow/libtensorflow_framework.so.2", "tensorflow"},
        {"/v/site-packages/tensorflow/python/_pywrap_tensorflow_internal.so", "tensorflow"},
        {"/v/site-packages/cupy/_core/core.cpython-311-x86_64-linux-gnu.so", "cupy"},
        {"/v/other/_core/core.cpython-311-x86_64-linux-gnu.so", NULL},
        {"/v/numba/_dispatcher.cpython-311-x86_64-linux-gnu.so", "numba"},
        {"/v/sklearn/utils/_openmp_helpers.cpython-311-x86_64-linux-gnu.so", "sklearn"},
        {"/v/sklearn/datasets/data/digits.csv.gz", NULL},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "numpy"},
        {"/v/numpy.libs/libscipy_openblas64_-56d6093b.so", "openblas"},
        {"/v/scipy.libs/libscipy_openblas-c128ec02.so", "openblas"},
        {"/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", "openblas"},
        {"/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3", "openblas"},
        {"/usr/lib/x86_64-linux-gnu/blis-openmp/libblas.so.3", "blis"},
        {"/usr/lib/x86_64-linux-gnu/atlas/libblas.so.3.10.3", NULL},
        {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", "refblas"},
        {"/usr/lib64/libblas.so.3.12.0", "refblas"},
        {"/usr/lib/libblaster.so", NULL},
        {"/opt/intel/mkl/lib/libmkl_rt.so.2", "mkl"},
        {"/usr/lib/libblis-mt.so.4", "blis"},
        {"/v/scikit_learn.libs/libgomp-a34b3233.so.1.0.0", "gomp"},
        {"/usr/lib/libiomp5.so", "iomp"},
        {"/usr/lib/libomp.so.5", "omp"},
        {"/usr/lib/libompi_cr.so", NULL},
        {"/usr/lib/libtbb.so.12", "tbb"},
        {"/usr/lib/libtbbmalloc.so.2", NULL},
        {"/usr/lib/libmpi.so.40", "mpi"},
        {"/opt/cray/lib/libmpi_cray.so.12", "mpi"},
        {"/usr/lib/libmpir.so.3", NULL},
        {"/usr/lib/libcuda.so.550.54.15", "cuda"},
        {"/usr/local/cuda/lib64/libcudart.so.12", NULL},
        {"/opt/rocm/lib/libamdhip64.so.6", "hip"},
        {"/opt/julia/lib/libjulia.so.1.10", "julia"},
        {"/opt/matlab/bin/glnxa64/libmwmcr.so", "matlab"},
        {"/usr/lib/R/lib/libR.so", "r"},
        {"/usr/lib/R/lib/libRblas.so", NULL},
        {"/usr/lib/R/bin/exec/R", "r"},
        {"/home/u/R", NULL},
        {"/usr/lib/liboctinterp.so.10", "octave"},
        {"/usr/lib/jvm/lib/server/libjvm.so", "java"},
        {"/usr/bin/gzip", "gzip"},
        {"/usr/bin/xz", "xz"},
        {"/opt/zstd/bin/zstd", "zstd"},
        {"/usr/lib/x86_64-linux-gnu/libzstd.so.1", NULL},
        {"/home/u/xz", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        enum be_mapped library = be_library_of(cases[i].path);
        const char *word = library < BE_LIBS ? be_libraries[library].word : NULL;
        if (!word != !cases[i].word || (word && strcmp(word, cases[i].word) != 0)) {
            fail_msg("%s: %s", cases[i].path, word ? word : "none");
        }
    }
}

static void words(void **state) {
    (void)state;
    char text[BE_LIBRARIES_TEXT], settings[BE_NOTE];
    be_library_set all = BE_LIBS_KNOWN;
    for (int i = 0; i < BE_LIBS; i++) {
        assert_non_null(be_libraries[i].word);
        assert_non_null(be_libraries[i].title);
        all |= be_library_bit((enum be_mapped)i);
    }
    assert_true(be_libraries_read(be_libraries_write(all, text, sizeof text)) == all);
    assert_string_equal(be_libraries_write(0, text, sizeof text), "");
    assert_string_equal(be_libraries_write(BE_LIBS_KNOWN, text, sizeof text), "none");
    assert_true(be_libraries_read("none") == BE_LIBS_KNOWN);
    assert_true(be_libraries_read("") == 0);
    assert_true(be_libraries_read("later-than-this r") ==
                (BE_LIBS_KNOWN | be_library_bit(BE_LIB_R)));

    struct be_settings many = {0};
    assert_string_equal(be_settings_write(&many, settings, sizeof settings), "");
    for (int i = 0; i < BE_SETTINGS; i++) {
        assert_non_null(be_thread_settings[i]);
        many.threads[i] = 1000000 + i;
    }
    be_settings_write(&many, settings, sizeof settings);
    struct be_settings again = be_settings_read(settings);
    assert_memory_equal(&again, &many, sizeof many);
    again = be_settings_read("OMP_NUM_THREADS=4,2 JULIA_NUM_THREADS=auto MKL_NUM_THREADS=-1");
    assert_int_equal(again.threads[BE_SET_OMP], 4);
    assert_int_equal(again.threads[BE_SET_JULIA], 0);
    assert_int_equal(again.threads[BE_SET_MKL], 0);
}

#define LINE "7f00-7f01 r-xp 00000000 08:01 42   "

static void maps(int pid, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    fake_file(path, "%s", text);
}

static const char *used_at(struct be_tree *tree, double now_s, struct be_uses *uses,
                           char text[BE_LIBRARIES_TEXT]) {
    be_tree_look(tree, now_s, 1);
    be_tree_look_uses(tree, 1, uses);
    return be_libraries_write(be_uses_libraries(uses), text, BE_LIBRARIES_TEXT);
}

static void loaded_late_and_launched(void **state) {
    (void)state;
    char text[BE_LIBRARIES_TEXT];
    struct be_watched watched = run_of_50();
    struct be_uses uses = {0};
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .user = 10});
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_string_equal(used_at(tree, 0.1, &uses, text), ""); /* may not be read */
    maps(70, "7f00-7f01 rw-p 00000000 00:00 0 \n" LINE "[heap]\n" LINE "/usr/bin/python3.11\n");
    assert_string_equal(used_at(tree, 0.3, &uses, text), "python");
    assert_true(uses.code_made == 0);
    /* A module loaded later is seen soon, and so is code that no file has. */
    maps(70, "7f00-7f01 r-xp 00000000 00:00 0 \n7f02-7f03 rwxp 00000000 00:00 0 \n"
             "7f04-7f05 r--p 00000000 00:00 0 \n7f06-7f07 r-xp 00000000 00:00 0   [vdso]\n" LINE
             "/usr/bin/python3.11\n" LINE "/v/torch/lib/libtorch_cpu.so\n");
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .user = 50});
    assert_string_equal(used_at(tree, 1, &uses, text), "python torch");
    assert_true(uses.code_made == 2);
    /* It starts another that does nearly all of the work: then it is the launcher. */
    fake_process(&(struct fake_process){
        .pid = 71, .parent = 70, .start = 10100, .user = 9000, .name = "solver"});
    maps(71, LINE "/home/u/solver\n" LINE "/usr/lib/libgomp.so.1\n");
    fake_file("/proc/71/environ", "HOME=/%cOMP_NUM_THREADS=3%c", 0, 0);
    assert_string_equal(used_at(tree, 100, &uses, text), "gomp");
    assert_int_equal(uses.settings.threads[BE_SET_OMP], 3);
    /* The launcher becomes another program: what it had before is not that one's. */
    fake_process(&(struct fake_process){
        .pid = 70, .parent = 50, .start = 10000, .user = 5000, .name = "other"});
    maps(70, LINE "/home/u/other\n" LINE "/usr/lib/libtbb.so.12\n");
    assert_string_equal(used_at(tree, 100.1, &uses, text), "gomp tbb");
    be_tree_close(tree);
}

/* One that waits for its GPU takes no time of the CPU, and is what the advice is for. */
static void waits_for_its_gpu(void **state) {
    (void)state;
    char text[BE_LIBRARIES_TEXT];
    struct be_watched watched = run_of_50();
    struct be_uses uses = {0};
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .user = 1});
    fake_process(&(struct fake_process){.pid = 71, .parent = 50, .start = 10000, .user = 90000});
    maps(70, LINE "/v/torch/lib/libtorch_cpu.so\n" LINE "/usr/lib/libcuda.so.1\n");
    maps(71, LINE "/usr/bin/tar\n");
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_string_equal(used_at(tree, 1, &uses, text), "torch cuda");
    be_tree_close(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_libraries),
        cmocka_unit_test(words),
        cmocka_unit_test_setup_teardown(loaded_late_and_launched, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(waits_for_its_gpu, make_machine, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
