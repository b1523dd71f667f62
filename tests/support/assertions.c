#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct shoal_error test_error;

static char label[256];

void test_label(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(label, sizeof label, format, list);
    va_end(list);
}

void test_fail(const char *file, int line)
{
    if (*label)
        print_error("  case: %s\n", label);
    _fail(file, line);
}

void test_status(enum shoal_status got, enum shoal_status wanted, const char *expression, const char *file,
                 int line)
{
    if (got != wanted) {
        print_error("%s\n  gave \"%s\", not \"%s\"\n  %s: %s\n%s", expression, shoal_status_name(got),
                    shoal_status_name(wanted), test_error.call, test_error.message, test_error.log);
        test_fail(file, line);
    }
    if (wanted == SHOAL_OK)
        return;
    if (test_error.status != got || !test_error.message[0] || strpbrk(test_error.message, "\r\n")) {
        print_error("%s\n  the record does not describe the failure: status %d, \"%s\"\n", expression,
                    test_error.status, test_error.message);
        test_fail(file, line);
    }
}

void test_contains(const char *text, const char *part, bool wanted, const char *file, int line)
{
    if ((strstr(text, part) != NULL) == wanted)
        return;
    print_error("\"%s\"\n  %s \"%s\"\n", text, wanted ? "lacks" : "contains", part);
    test_fail(file, line);
}

void test_near(double got, double wanted, double tolerance, const char *expression, const char *file,
               int line)
{
    if (got == wanted || (isfinite(got - wanted) && fabs(got - wanted) <= tolerance))
        return;
    print_error("%s: %.17g, should be %.17g +- %.2g\n", expression, got, wanted, tolerance);
    test_fail(file, line);
}

void test_close(double got, double wanted, double tolerance, const char *expression, const char *file,
                int line)
{
    test_near(got, wanted, tolerance * fmax(1, fabs(wanted)), expression, file, line);
}

void test_at_most(double got, double limit, const char *expression, const char *file, int line)
{
    if (got <= limit)
        return;
    print_error("%s: %.6g, should be at most %.6g\n", expression, got, limit);
    test_fail(file, line);
}

void test_words(const uint32_t *got, const uint32_t *wanted, size_t n, const char *file, int line)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != wanted[i]) {
            print_error("element %zu of %zu is 0x%08x, not 0x%08x\n", i, n, (unsigned)got[i],
                        (unsigned)wanted[i]);
            test_fail(file, line);
        }
}

struct shoal_device *test_host_device(const struct shoal *shoal)
{
    size_t i = 0;
    while (!shoal_device_get_info(shoal_device_at(shoal, i))->is_host)
        i++;
    return shoal_device_at(shoal, i);
}
