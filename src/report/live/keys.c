/* The effect of keys. */
#include "base/error.h"
#include "report/live/frame.h"

static void sort_by(struct be_live_view *view, enum be_live_sort sort) {
    view->sort = sort;
    view->inverted = false;
    view->first = 0;
}

static bool press_sort(struct be_live_view *view, int key) {
    static const struct {
        int key;
        enum be_live_sort sort;
    } sorts[] = {
        {'P', BE_LIVE_BY_CPU},  {'M', BE_LIVE_BY_MEMORY},  {'T', BE_LIVE_BY_TIME},
        {'R', BE_LIVE_BY_READ}, {'W', BE_LIVE_BY_WRITTEN}, {'N', BE_LIVE_BY_PID},
        {'A', BE_LIVE_BY_NAME},
    };
    for (size_t i = 0; i < BE_COUNT(sorts); i++) {
        if (key == sorts[i].key) {
            sort_by(view, sorts[i].sort);
            return true;
        }
    }
    int step = key == '>' || key == BE_KEY_F1 + 5 ? 1 : key == '<' ? BE_LIVE_SORTS - 1 : 0;
    if (step) {
        sort_by(view, (enum be_live_sort)(((int)view->sort + step) % BE_LIVE_SORTS));
    } else if (key == 'I') {
        view->inverted = !view->inverted;
    }
    return step || key == 'I';
}

static int step_of(const struct be_live_view *view, int key) {
    int page = view->height > 8 ? view->height - 6 : 2;
    static const int far = 1 << 20;
    switch (key) {
    case BE_KEY_UP:
    case 'k':
        return -1;
    case BE_KEY_DOWN:
    case 'j':
        return 1;
    case BE_KEY_PAGE_UP:
        return -page;
    case BE_KEY_PAGE_DOWN:
    case ' ':
        return page;
    case BE_KEY_HOME:
        return -far;
    case BE_KEY_END:
        return far;
    default:
        return 0;
    }
}

static void select_by(struct be_live_view *view, const struct be_live_scene *scene, int step) {
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    int count = be_live_processes(scene->trace, view->sort, view->inverted, list);
    int at = step < 0 ? view->first + 1 : view->first - 1;
    for (int i = 0; i < count; i++) {
        at = list[i].pid == view->selected ? i : at;
    }
    at += step;
    at = at >= count ? count - 1 : at;
    at = at < 0 ? 0 : at;
    view->selected = count ? list[at].pid : 0;
}

static void go_to(struct be_live_view *view, enum be_live_capacity capacity) {
    view->capacity = view->capacity == capacity ? BE_LIVE_MAIN : capacity;
    view->first = 0;
}

static void zoom(struct be_live_view *view, int step) {
    int to = view->zoom + step;
    view->zoom = to < 0 || to >= BE_LIVE_ZOOMS ? view->zoom : to;
}

bool be_live_press(struct be_live_view *view, const struct be_live_scene *scene, int key) {
    if (key == 'q' || key == 'Q' || key == BE_KEY_F10) {
        return false;
    }
    if (view->capacity == BE_LIVE_HELP) {
        go_to(view, BE_LIVE_MAIN);
        return true;
    }
    int step = step_of(view, key);
    if (key == 'h' || key == '?' || key == BE_KEY_F1) {
        go_to(view, BE_LIVE_HELP);
    } else if (key == 'f' || key == BE_KEY_F1 + 1) {
        go_to(view, BE_LIVE_FOUND);
    } else if (key == BE_KEY_ESCAPE) {
        view->capacity = BE_LIVE_MAIN;
        view->selected = view->first = 0;
    } else if (key == '+' || key == '=') {
        zoom(view, 1);
    } else if (key == '-' || key == '_') {
        zoom(view, -1);
    } else if (key == 'c') {
        view->commands = !view->commands;
    } else if (step && view->capacity == BE_LIVE_FOUND) {
        view->first += step;
    } else if (step) {
        select_by(view, scene, step);
    } else {
        press_sort(view, key);
    }
    return true;
}
