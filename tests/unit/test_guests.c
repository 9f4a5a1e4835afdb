/* The guests who have to go where too many are connected to the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/guests.h"

enum { MAX = 3, ALL = 8 };

static int theirs[ALL], ours[ALL];
static struct be_guest *guest[ALL];
static struct be_guests guests;

static int connect_all(void **state) {
    (void)state;
    guests = (struct be_guests){.max = MAX};
    for (int i = 0; i < ALL; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
            return 1;
        }
        theirs[i] = ends[0];
        ours[i] = ends[1];
        guest[i] = NULL;
    }
    return 0;
}

static int close_all(void **state) {
    (void)state;
    for (int i = 0; i < ALL; i++) {
        be_guests_remove(&guests, guest[i]);
        close(theirs[i]);
        close(ours[i]);
    }
    return guests.oldest ? 1 : 0;
}

static void come(int i) {
    guest[i] = be_guests_add(&guests, ours[i]);
    assert_non_null(guest[i]);
}

/* "..x": of the first so many, who has been shut out (x). */
static void expect(const char *which) {
    for (int i = 0; which[i]; i++) {
        struct pollfd end = {.fd = theirs[i], .events = POLLIN};
        bool shut = poll(&end, 1, 0) == 1 && (end.revents & POLLHUP);
        if (shut != (which[i] == 'x')) {
            fail_msg("%d of \"%s\" is%s shut out", i, which, shut ? "" : " not");
        }
    }
}

static void the_oldest_goes(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        come(i);
    }
    expect("...");
    come(3);
    expect("x...");
    come(4);
    expect("xx...");
    /* Those who were told to go and have not gone yet take nobody's place. */
    be_guests_remove(&guests, guest[0]);
    guest[0] = NULL;
    expect("xx...");
    be_guests_remove(&guests, guest[3]);
    guest[3] = NULL;
    come(5);
    expect("xx....");
}

static void who_listens_stays(void **state) {
    (void)state;
    come(0);
    guest[0]->listens = true;
    for (int i = 1; i < 5; i++) {
        come(i);
    }
    expect(".xx..");
    guest[3]->listens = guest[4]->listens = true;
    come(5);
    expect(".xx..x"); /* there is room for those only who listen */
    guest[0]->listens = false;
    come(6);
    expect("xxx..x.");
}

static void nobody_is_known(void **state) {
    (void)state;
    struct be_guest stranger = {.file = -1};
    be_guests_remove(&guests, NULL);
    be_guests_remove(&guests, &stranger);
    come(0);
    be_guests_remove(&guests, &stranger);
    expect(".");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_oldest_goes, connect_all, close_all),
        cmocka_unit_test_setup_teardown(who_listens_stays, connect_all, close_all),
        cmocka_unit_test_setup_teardown(nobody_is_known, connect_all, close_all),
    };
    return cmocka_run_group_tests_name("guests", tests, NULL, NULL);
}
