/* The fault in what compilers say, each in its own form. */
#include "base/integer.h"
#include "compute/program/build_log.h"
#include "unit.h"

#include <string.h>

static void faults_of_compilers(void **state)
{
    (void)state;
    static const struct {
        const char *log, *name, *described;
    } cases[] = {
        /* gcc, which begins with the function, and clang. */
        {"my.clh: In function 'f':\nmy.clh:4:19: error: 'y' undeclared\n    4 |     return y;\n", "my.clh",
         "my.clh:4: 'y' undeclared"},
        {"my.clh:4:19: error: use of undeclared identifier 'y'\r\n", NULL,
         "my.clh:4: use of undeclared identifier 'y'"},
        {"lib/a.clh:12: fatal error: too deep\n", NULL, "lib/a.clh:12: too deep"},
        {"error: my.clh:4:19: use of undeclared identifier 'y'\n", "my.clh",
         "my.clh:4: use of undeclared identifier 'y'"}, /* PoCL */
        /* NVRTC. */
        {"my.clh(4): warning #177-D: unused\n\nmy.clh(7): error: identifier \"y\" is undefined\n\n1 error\n",
         NULL, "my.clh:7: identifier \"y\" is undefined"},
        {"my.clh(7): error #20: identifier \"y\" is undefined\n", NULL,
         "my.clh:7: identifier \"y\" is undefined"},
        /* A fault in the text goes before one that shows behind it. */
        {"objective/host.h:86:1: error: expected declaration\nmy.clh:9:1: error: here\n", "my.clh",
         "my.clh:9: here"},
        {"objective/host.h:86:1: error: expected declaration\nmy.clh:9:1: error: here\n", NULL,
         "objective/host.h:86: expected declaration"},
        {"objective/host.h:86:1: error: expected declaration\n", "my.clh",
         "objective/host.h:86: expected declaration"},
        /* In no form that is known: the line that says most. */
        {"starting\nfatal: error in back end\n", NULL, "fatal: error in back end"},
        {"\n\nhere we stop\nbye\n", NULL, "here we stop"},
        {"a:b: error: c\n", NULL, "a:b: error: c"},
        {":4: error: c", NULL, ":4: error: c"},
        {"", NULL, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[200];
        build_log_describe(cases[i].log, cases[i].name, text, sizeof text);
        assert_string_equal(text, cases[i].described);
        build_log_describe(cases[i].log, cases[i].name, text, 5);
        assert_int_equal(strncmp(text, cases[i].described, 4), 0);
        assert_true(strlen(text) <= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(faults_of_compilers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
