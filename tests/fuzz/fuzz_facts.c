/* Texts of objectives: what is taken, and what their #defines tell. */
#include "target.h"

#include "objective/code.h"

#include <math.h>

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct shoal_error error = {0};
    struct text_facts facts;
    char *checked = NULL;
    enum shoal_status status = text_read(NULL, text, "fuzz.cl", &checked, &facts, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    if (status == SHOAL_OK) {
        REQUIRE(facts.shape >= SHOAL_PER_DIMENSION && facts.shape <= SHOAL_OPAQUE);
        REQUIRE(facts.min_dim >= 1 && facts.min_dim <= facts.max_dim);
        REQUIRE(!(facts.lower >= facts.upper));
        REQUIRE(!isinf(facts.lower) && !isinf(facts.upper) && !isinf(facts.minimum));
        /* What is compiled has nothing left to take out, and its lines are those of the text. */
        char *again = NULL;
        REQUIRE(text_read(NULL, checked, "fuzz.cl", &again, &facts, &error) == SHOAL_OK);
        REQUIRE(strcmp(again, checked) == 0);
        REQUIRE(count_lines(checked) == count_lines(text));
        free(again);
    } else {
        REQUIRE(!checked);
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    free(checked);
    free(text);
    return 0;
}
