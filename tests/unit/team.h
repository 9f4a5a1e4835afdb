/* A team for a test, on the cores that are here. */
#ifndef TESTS_UNIT_TEAM_H
#define TESTS_UNIT_TEAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/team.h"

static struct be_team *open_team(int threads) {
    struct be_cores cores;
    struct be_error error = {0};
    struct be_team *team = NULL;
    if (be_cores_find(&cores, &error) != BE_OK ||
        be_team_open(&cores, threads, &team, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(be_team_size(team), threads);
    return team;
}

#endif
