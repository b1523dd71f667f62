/* Lists of ranges of whole numbers. */
#include "base/input/ranges.h"

#include <stdbool.h>
#include <stdlib.h>

static bool read_number(const char **text, uint64_t most, uint64_t *number)
{
    if (**text < '0' || **text > '9')
        return false;
    for (*number = 0; **text >= '0' && **text <= '9' && *number <= most; (*text)++)
        *number = 10 * *number + (uint64_t)(**text - '0');
    return *number <= most;
}

static bool read_range(const char **text, uint64_t least, uint64_t most, uint64_t *first, uint64_t *last)
{
    if (!read_number(text, most, first))
        return false;
    *last = *first;
    if (**text == '-') {
        (*text)++;
        if (!read_number(text, most, last))
            return false;
    }
    return *first >= least && *last >= *first;
}

enum ranges_result ranges_read(const char *text, uint64_t least, uint64_t most, uint64_t **numbers,
                               size_t *count, uint64_t *twice)
{
    enum ranges_result result = RANGES_OK;
    unsigned char *seen = calloc((size_t)(most - least) + 1, sizeof *seen);
    *numbers = malloc(((size_t)(most - least) + 1) * sizeof **numbers);
    *count = 0;
    if (!seen || !*numbers)
        result = RANGES_NO_MEMORY;
    bool goes_on = !result;
    while (goes_on) {
        uint64_t first, last;
        if (!read_range(&text, least, most, &first, &last)) {
            result = RANGES_WRONG;
            break;
        }
        for (uint64_t number = first; number <= last && !result; number++) {
            if (seen[number - least]) {
                *twice = number;
                result = RANGES_TWICE;
            }
            seen[number - least] = 1;
            if (!result)
                (*numbers)[(*count)++] = number;
        }
        goes_on = !result && *text == ',';
        text += goes_on;
    }
    if (!result && *text)
        result = RANGES_WRONG;
    free(seen);
    if (result) {
        free(*numbers);
        *numbers = NULL;
        *count = 0;
    }
    return result;
}
