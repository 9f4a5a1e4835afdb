/* Over before anything can be said. */
#include "burn.h"

int main(void) {
    burn(0.2);
    return 0;
}
