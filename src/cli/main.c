#include "cli/cli.h"

int main(int argc, char **argv) {
    return be_cli_run(argc, argv);
}
