#include "base/counted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct counted counted(uint64_t count, const char *noun)
{
    struct counted text;
    const size_t length = strlen(noun);
    const int changes =
        count != 1 && length > 1 && noun[length - 1] == 'y' && !strchr("aeiou", noun[length - 2]);
    snprintf(text.s, sizeof text.s, "%" PRIu64 " %.*s%s", count, (int)length - changes, noun,
             count == 1                          ? ""
             : changes                           ? "ies"
             : length && noun[length - 1] == 's' ? "es"
                                                 : "s");
    return text;
}
