/* One thread works, the other cores have nothing to do. */
#include "burn.h"

int main(void) {
    burn(seconds());
    return 0;
}
