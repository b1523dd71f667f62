#include "test.h"

#include <stdio.h>
#include <stdlib.h>

struct test_share test_read_share(const char *variable)
{
    struct test_share share = {1, 1};
    const char *text = getenv(variable);
    if (text && (sscanf(text, "%u/%u", &share.number, &share.of) != 2 || share.number < 1 ||
                 share.number > share.of)) {
        fprintf(stderr, "%s is \"%s\": it must be like 2/3\n", variable, text);
        exit(1);
    }
    return share;
}

bool test_is_of(struct test_share share, unsigned number)
{
    return number % share.of + 1 == share.number;
}

bool test_is_of_mixed(struct test_share share, unsigned number)
{
    /* Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4. */
    return test_is_of(share, (number * 2654435769u) >> 16);
}
