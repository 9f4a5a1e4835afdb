/*
 * Parts of the screen, inside (live.h has what others call).
 */
#ifndef BE_REPORT_LIVE_FRAME_H
#define BE_REPORT_LIVE_FRAME_H

#include "report/live/live.h"

/* The figures that are shown, and on how many lines. */
struct shown {
    struct be_live_figure figure[BE_LIVE_FIGURES_MAX];
    int figures;
    int graph_rows; /* of each graph */
    int found;      /* lines of findings */
    bool traffic, gpu_details, advice;
};

/* The table, on the lines that are left but the last. */
void be_live_draw_processes(const struct be_live_scene *scene, struct be_live_view *view,
                            struct be_live_frame *frame);
void be_live_draw_help(const struct be_live_scene *scene, struct be_live_view *view,
                       struct be_live_frame *frame);
void be_live_draw_found(const struct be_live_scene *scene, struct be_live_view *view,
                        struct be_live_frame *frame);
/* The last line. */
void be_live_draw_keys(const struct be_live_scene *scene, struct be_live_view *view,
                       struct be_live_frame *frame);

/* Lines that the findings take in full, at this width. */
int be_live_found_lines(const struct be_live_scene *scene, const struct be_live_view *view);

#endif
