/* The first program that a user of the installed library writes. */
#include <breakeven.h>
#include <breakeven_profile.h>
#include <breakeven_queue.h>
#include <stdio.h>

int main(void) {
    static struct be_machine machine; /* large: not for the stack */
    struct be_error error;
    if (be_machine_describe(&machine, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("%s: %d of %d cores\n", machine.cpu, machine.cores_allowed, machine.cores);
    struct be_profile profile = {0};
    if (be_profile_load("datasheet-a100-80", &profile, &error) != BE_OK) { /* installed beside it */
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    be_profile_free(&profile);
    struct be_wait_table waits = {0};
    be_wait_table_free(&waits);
    for (int i = 0; i < machine.devices; i++)
        printf("%s: %s\n", machine.device[i].id, machine.device[i].name);
    return 0;
}
