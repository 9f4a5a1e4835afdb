/*
 * A program into which CUDA loads the library under test: victim LIBRARY HOW TURNS. It does what CUDA
 * does, lets the fake GPU work, and ends as HOW says. Its output and exit code are what they would be
 * alone.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cupti.h"

static void *in_cupti(const char *name) {
    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    return cupti ? dlsym(cupti, name) : NULL;
}

static void call_gpu(const char *name, int turns) {
    be_fake_gpu_function *gpu = NULL;
    void *symbol = in_cupti(name);
    memcpy(&gpu, &symbol, sizeof gpu);
    if (gpu) {
        gpu(turns);
    }
}

static void work(int turns) {
    call_gpu("be_fake_gpu_work", turns);
}

static void wait_s(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

static be_fake_gpu_question *question(const char *name) {
    be_fake_gpu_question *ask = NULL;
    void *symbol = in_cupti(name);
    memcpy(&ask, &symbol, sizeof ask);
    return ask;
}

static bool has_one_thread(void) {
    int entries = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks)) {
        entries++;
    }
    if (tasks) {
        closedir(tasks);
    }
    return entries <= 3; /* with . and .. */
}

/* Until what was done is in the library's file: a turn of its thread asks for the time, takes in what
 * there is, and writes it then or, where a window closed, in the next turn. Where nothing is traced nobody
 * has asked for the time, and the thread ends when it has written why. At most some minutes. */
static void wait_for_file(void) {
    be_fake_gpu_question *asked = question("be_fake_gpu_asked");
    const int before = asked ? asked() : 0;
    for (int i = 0; i < 20000; i++) {
        if (before > 0 ? asked() >= before + 3 : has_one_thread()) {
            return;
        }
        wait_s(0.01);
    }
}

/* STEPS times, each as if the library's thread had slept for as long: 4 s. The last one is short. */
static void work_in_steps(int turns) {
    enum { STEPS = 4, MANY = 20 };
    void (*end)(void) = NULL;
    void *symbol = in_cupti("be_fake_gpu_steps_end");
    memcpy(&end, &symbol, sizeof end);
    for (int i = 0; i < STEPS; i++) {
        call_gpu("be_fake_gpu_step", MANY * turns);
    }
    call_gpu("be_fake_gpu_step", turns);
    if (end) {
        end();
    }
}

/* Works until the third window has opened, at most some minutes. */
static void work_through_windows(int turns) {
    be_fake_gpu_question *opened = question("be_fake_gpu_windows");
    for (int i = 0; i < 20000 && opened && opened() < 3; i++) {
        work(turns / 10);
        wait_s(0.01);
    }
}

/* A child that forks and does not exec: it works and ends as any program does. */
static int in_child(int turns) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        work(turns);
        exit(5);
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

/* Closes all it did not open, and opens a file that takes over a number. */
static int close_all(void) {
    for (int file = 3; file < 64; file++) {
        close(file);
    }
    for (int i = 0; i < 8; i++) {
        if (open("/dev/null", O_RDWR) < 0) {
            return 1;
        }
    }
    return 0;
}

static int start(const char *library) {
    int (*begin)(void) = NULL;
    int (*init)(unsigned int flags) = NULL;
    const char *path = getenv("VICTIM_CUDA"); /* a set-user-id program heeds no LD_LIBRARY_PATH */
    void *driver = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
    void *handle = dlopen(library, RTLD_NOW);
    void *symbol = driver && handle ? dlsym(driver, "cuInit") : NULL;
    memcpy(&init, &symbol, sizeof init);
    if (!init || init(0) != 0) {
        return 1;
    }
    symbol = dlsym(handle, "InitializeInjection");
    memcpy(&begin, &symbol, sizeof begin);
    return !symbol || begin() != 1 || begin() != 1; /* CUDA may call it twice */
}

int main(int argc, char **argv) {
    const char *how = argc == 4 ? argv[2] : "";
    int turns = argc == 4 ? atoi(argv[3]) : 0;
    if (argc != 4 || start(argv[1]) != 0) {
        return 99;
    }
    if (strcmp(how, "small-files") == 0) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    }
    if (strcmp(how, "fork-first") == 0 && in_child(turns) != 5) {
        return 98;
    }
    if (strcmp(how, "close-all") == 0 && close_all() != 0) {
        return 97;
    }
    if (strcmp(how, "windows") == 0) {
        work_through_windows(turns);
    }
    if (strcmp(how, "long") == 0) {
        work_in_steps(turns);
    } else {
        work(turns);
    }
    if (strcmp(how, "kill") == 0 || strcmp(how, "_exit") == 0 || strcmp(how, "close-all") == 0) {
        wait_for_file();
    }
    if (strcmp(how, "kill") == 0) {
        raise(SIGKILL);
    }
    if (strcmp(how, "_exit") == 0) {
        _exit(7);
    }
    printf("done\n");
    return 7;
}
