/* Waits for something that never comes. */
#include "burn.h"

int main(void) {
    rest(seconds());
    return 0;
}
