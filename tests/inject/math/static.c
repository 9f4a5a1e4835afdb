/* A program that needs no dynamic linker. */
int main(void) {
    return 5;
}
