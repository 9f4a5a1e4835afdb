/* The guests who are let in to the live page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "live/gate.h"

static const struct be_gate local = {.token = "0123456789abcdef",
                                     .capacity = "/live-77/",
                                     .name = "worker3",
                                     .address = "127.0.0.1",
                                     .loopback = true};

static struct be_request good(const char *path) {
    return (struct be_request){.method = "GET",
                               .path = path,
                               .host = "127.0.0.1:4780",
                               .cookie_token = "0123456789abcdef"};
}

static void test_routes(void **state) {
    (void)state;
    static const struct {
        const char *path;
        enum be_route route;
    } wanted[] = {
        {"/", BE_ROUTE_ENTRY},
        {"/live-77/", BE_ROUTE_PAGE},
        {"/live-77/page.js", BE_ROUTE_SCRIPT},
        {"/live-77/page.css", BE_ROUTE_STYLE},
        {"/live-77/events", BE_ROUTE_EVENTS},
        {"/live-77/metrics", BE_ROUTE_METRICS},
        {"/metrics", BE_ROUTE_METRICS},
        {"/live-77", BE_ROUTE_NOWHERE},
        {"/live-77/../etc/passwd", BE_ROUTE_NOWHERE},
        {"/live-78/", BE_ROUTE_NOWHERE},
        {"", BE_ROUTE_NOWHERE},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct be_request request = good(wanted[i].path);
        assert_int_equal(be_gate_route(&local, &request), wanted[i].route);
        request.cookie_token = NULL; /* who has no token does not learn what there is */
        assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_TOKEN);
    }
}

static void test_tokens(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "0",
                                        "0123456789abcde",
                                        "0123456789abcdeF",
                                        "0123456789abcdef0",
                                        "0123456789abcdef0123456789abcdef"};
    struct be_request request = good("/metrics");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        request.cookie_token = request.query_token = request.authorization = wrong[i];
        assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_TOKEN);
    }
    request = good("/metrics");
    request.cookie_token = NULL;
    request.authorization = "Bearer 0123456789abcdef";
    assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_METRICS);
    request.authorization = "Basic 0123456789abcdef";
    assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_TOKEN);
    request.query_token = "0123456789abcdef";
    assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_METRICS);
    assert_false(be_token_equal("a", ""));
    assert_false(be_token_equal("", "a"));
}

static void test_hosts(void **state) {
    (void)state;
    static const struct {
        const char *host;
        bool local, open;
    } hosts[] = {
        {"127.0.0.1:4780", true, true},
        {"127.0.0.1:9", true, true}, /* a tunnel may begin at any port */
        {"localhost:4780", true, true},
        {"LOCALHOST", true, true},
        {"[::1]:4780", true, true},
        {"127.9.9.9", true, true},
        {"10.1.2.3:4780", false, true},
        {"[fe80::1]:4780", false, true},
        {"worker3:4780", false, true},
        {"worker3.evil.example", false, false},
        {"evil.example:4780", false, false},
        {"127.0.0.1.evil.example", false, false},
        {"localhost.evil.example", false, false},
        {"127.0.0.1:4780:1", false, false},
        {"127.0.0.1:99999", false, false},
        {"[::1", false, false},
        {"[]", false, false},
        {"", false, false},
        {NULL, false, false},
    };
    struct be_gate open = local;
    open.loopback = false;
    open.address = "0.0.0.0";
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        struct be_request request = good("/metrics");
        request.host = hosts[i].host;
        assert_int_equal(be_gate_route(&local, &request),
                         hosts[i].local ? BE_ROUTE_METRICS : BE_ROUTE_HOST);
        assert_int_equal(be_gate_route(&open, &request),
                         hosts[i].open ? BE_ROUTE_METRICS : BE_ROUTE_HOST);
    }
}

static void test_origins(void **state) {
    (void)state;
    static const struct {
        const char *origin, *site;
        bool in;
    } wanted[] = {
        {NULL, NULL, true},
        {"http://127.0.0.1:4780", NULL, true},
        {"http://127.0.0.1:4780", "same-origin", true},
        {NULL, "none", true},
        {"http://127.0.0.1:4781", NULL, false},
        {"https://127.0.0.1:4780", NULL, false},
        {"http://evil.example", NULL, false},
        {"null", NULL, false},
        {"", NULL, false},
        {NULL, "cross-site", false},
        {NULL, "same-site", false},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct be_request request = good("/metrics");
        request.origin = wanted[i].origin;
        request.site = wanted[i].site;
        assert_int_equal(be_gate_route(&local, &request),
                         wanted[i].in ? BE_ROUTE_METRICS : BE_ROUTE_ORIGIN);
    }
}

static void test_methods(void **state) {
    (void)state;
    static const char *const other[] = {"POST", "PUT",  "DELETE", "OPTIONS", "get",
                                        "head", "GETX", "HEADX",  ""};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        struct be_request request = good("/live-77/");
        request.method = other[i];
        assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_METHOD);
    }
    struct be_request request = good("/live-77/");
    request.method = "HEAD";
    assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_PAGE);
    request.cookie_token = NULL;
    assert_int_equal(be_gate_route(&local, &request), BE_ROUTE_TOKEN);
}

static const char *const hosts_of_proxy[] = {"ondemand.example.org", "hub.example.org", NULL};

/* A proxy hands on the name that it was asked by, or ours; it may encrypt. Names beside those stay refused. */
static void test_names_of_a_proxy(void **state) {
    (void)state;
    static const struct {
        const char *host, *origin, *site;
        enum be_route with, without;
    } wanted[] = {
        {"ondemand.example.org", NULL, NULL, BE_ROUTE_METRICS, BE_ROUTE_HOST},
        {"OnDemand.example.org:443", NULL, "none", BE_ROUTE_METRICS, BE_ROUTE_HOST},
        {"hub.example.org", "https://hub.example.org", "same-origin", BE_ROUTE_METRICS,
         BE_ROUTE_HOST},
        {"127.0.0.1:4780", "https://hub.example.org", NULL, BE_ROUTE_METRICS, BE_ROUTE_ORIGIN},
        {"127.0.0.1:4780", "https://hub.example.org:8443", NULL, BE_ROUTE_METRICS, BE_ROUTE_ORIGIN},
        {"127.0.0.1:4780", "https://hub.example.org", "cross-site", BE_ROUTE_ORIGIN,
         BE_ROUTE_ORIGIN},
        {"hub.example.org", "https://evil.example", NULL, BE_ROUTE_ORIGIN, BE_ROUTE_HOST},
        {"hub.example.org", "https://hub.example.org.evil.example", NULL, BE_ROUTE_ORIGIN,
         BE_ROUTE_HOST},
        {"hub.example.org", "ftp://hub.example.org", NULL, BE_ROUTE_ORIGIN, BE_ROUTE_HOST},
        {"example.org", NULL, NULL, BE_ROUTE_HOST, BE_ROUTE_HOST},
        {"evil.hub.example.org", NULL, NULL, BE_ROUTE_HOST, BE_ROUTE_HOST},
    };
    struct be_gate gate = local;
    gate.hosts = hosts_of_proxy;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct be_request request = good("/metrics");
        request.host = wanted[i].host;
        request.origin = wanted[i].origin;
        request.site = wanted[i].site;
        assert_int_equal(be_gate_route(&gate, &request), wanted[i].with);
        assert_int_equal(be_gate_route(&local, &request), wanted[i].without);
    }
}

/* A proxy leaves its prefix in paths, or takes it away. */
static void test_prefix(void **state) {
    (void)state;
    static const struct {
        const char *path;
        enum be_route route;
    } wanted[] = {
        {"/", BE_ROUTE_ENTRY},
        {"/live-77/events", BE_ROUTE_EVENTS},
        {"/proxy/4780", BE_ROUTE_ENTRY},
        {"/proxy/4780/", BE_ROUTE_ENTRY},
        {"/proxy/4780/metrics", BE_ROUTE_METRICS},
        {"/proxy/4780/live-77/", BE_ROUTE_PAGE},
        {"/proxy/4780/live-77/page.js", BE_ROUTE_SCRIPT},
        {"/proxy/47801/metrics", BE_ROUTE_NOWHERE},
        {"/proxy/4780/proxy/4780/metrics", BE_ROUTE_NOWHERE},
    };
    struct be_gate gate = local;
    gate.prefix = "/proxy/4780";
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct be_request request = good(wanted[i].path);
        assert_int_equal(be_gate_route(&gate, &request), wanted[i].route);
    }
    assert_true(be_gate_takes_prefix("/node/n1.example.org/4780"));
    static const char *const wrong[] = {"",      "/",   "a",    "/a/",    "//a",       "/a//b",
                                        "/../a", "a/b", "/a b", "/a;b=c", "/a\r\nX: y"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(be_gate_takes_prefix(wrong[i]));
    }
    assert_true(be_gate_takes_host("ondemand.example.org"));
    assert_false(be_gate_takes_host("https://ondemand.example.org"));
    assert_false(be_gate_takes_host("ondemand.example.org:443"));
    assert_false(be_gate_takes_host("*"));
    assert_false(be_gate_takes_host(""));
}

static void test_addresses(void **state) {
    (void)state;
    static const struct {
        const char *text, *host;
        int port;
    } right[] = {
        {"127.0.0.1:8080", "127.0.0.1", 8080},
        {"8080", "", 8080},
        {":0", "", 0},
        {"[::1]:80", "::1", 80},
        {"[::1]", "::1", -1},
        {"::1", "::1", -1},
        {"worker3", "worker3", -1},
        {"10.0.0.1", "10.0.0.1", -1},
    };
    static const char *const wrong[] = {"a:b",    "a:",     "a:-1", "a:65536",
                                        "[::1]x", "[::1]:", "[",    "a:+1"};
    char host[64];
    int port;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(be_address_split(right[i].text, host, sizeof host, &port));
        assert_string_equal(host, right[i].host);
        assert_int_equal(port, right[i].port);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(be_address_split(wrong[i], host, sizeof host, &port));
    }
    char tiny[4];
    assert_false(be_address_split("127.0.0.1", tiny, sizeof tiny, &port));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes),  cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_hosts),   cmocka_unit_test(test_origins),
        cmocka_unit_test(test_methods), cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_prefix),  cmocka_unit_test(test_names_of_a_proxy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
