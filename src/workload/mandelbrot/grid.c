/* The points that an image is made of. */
#include "workload/mandelbrot/mandelbrot.h"

struct be_mandelbrot_grid be_mandelbrot_grid(const struct be_problem *problem) {
    /* Those of the benchmark that published code measures; both ends are pixels. */
    static const struct {
        double x_from, x_to, y_from, y_to;
    } window[] = {
        {-2.5, 1.0, -1.25, 1.25},
        {-1.3446792194689707, -1.0150741223441364, 0.1775187165066605, 0.46057104543586647},
        {-1.2534391871589308, -1.2512153909288082, 0.01796846645854344, 0.019707454031862012},
        {-1.4079032810654515, -1.4079032800351596, 0.13699919633473986, 0.13699919742245767}};
    const size_t at = (size_t)problem->value[BE_MANDELBROT_WINDOW];
    const double between = (double)(problem->value[BE_MANDELBROT_WIDTH] - 1);
    return (struct be_mandelbrot_grid){.x = window[at].x_from,
                                       .y = window[at].y_from,
                                       .step_x = (window[at].x_to - window[at].x_from) / between,
                                       .step_y = (window[at].y_to - window[at].y_from) / between,
                                       .width = (int)problem->value[BE_MANDELBROT_WIDTH],
                                       .steps = (int)problem->value[BE_MANDELBROT_STEPS]};
}
