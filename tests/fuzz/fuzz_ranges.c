/* Lists of ranges: what is read are numbers within the limits, each once, which read back from their list. */
#include "target.h"

#include "base/input/ranges.h"

enum { LEAST = 2, MOST = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size), printed[4 * MOST] = "";
    uint64_t *numbers, *again, twice = 0;
    size_t count, count_again, at = 0;
    const enum ranges_result result = ranges_read(text, LEAST, MOST, &numbers, &count, &twice);
    REQUIRE((result == RANGES_OK) == (numbers != NULL) && (count > 0) == (numbers != NULL));
    REQUIRE(result != RANGES_TWICE || (twice >= LEAST && twice <= MOST));
    for (size_t i = 0; i < count; i++) {
        REQUIRE(numbers[i] >= LEAST && numbers[i] <= MOST);
        at += (size_t)snprintf(printed + at, sizeof printed - at, "%s%d", i ? "," : "", (int)numbers[i]);
    }
    if (numbers) {
        REQUIRE(ranges_read(printed, LEAST, MOST, &again, &count_again, &twice) == RANGES_OK);
        REQUIRE(count_again == count && memcmp(again, numbers, count * sizeof *numbers) == 0);
        free(again);
    }
    free(numbers);
    free(text);
    return 0;
}
