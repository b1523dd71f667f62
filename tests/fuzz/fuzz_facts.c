/* Texts of objectives: what their #defines tell. */
#include "target.h"

#include "objective/code.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct shoal_error error = {0};
    struct text_facts facts;
    enum shoal_status status = text_read_facts(NULL, text, "fuzz.cl", &facts, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    if (status == SHOAL_OK) {
        REQUIRE(facts.shape >= SHOAL_PER_DIMENSION && facts.shape <= SHOAL_OPAQUE);
        REQUIRE(facts.min_dim >= 1 && facts.min_dim <= facts.max_dim);
        REQUIRE(!(facts.lower >= facts.upper));
        REQUIRE(!isinf(facts.lower) && !isinf(facts.upper) && !isinf(facts.minimum));
    } else {
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    free(text);
    return 0;
}
