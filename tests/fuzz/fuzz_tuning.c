/* The file of tuned values. */
#include "target.h"

#include "compute/tune.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct tuning tuning = {0}, again = {0};
    size_t bad = 0, lines = 1;
    REQUIRE(tuning_parse(&tuning, text, &bad));
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    REQUIRE(bad + tuning.count <= lines);
    /* What was read can be written and read again. */
    struct text out = {0};
    text_add(&out, "# comment\n");
    tuning_print(&tuning, &out);
    REQUIRE(!out.failed && tuning_parse(&again, out.data, &bad));
    REQUIRE(bad == 0 && again.count == tuning.count);
    for (size_t i = 0; i < again.count; i++)
        REQUIRE(strcmp(again.rows[i].key, tuning.rows[i].key) == 0 &&
                again.rows[i].value == tuning.rows[i].value && !again.rows[i].name == !tuning.rows[i].name &&
                (!again.rows[i].name || strcmp(again.rows[i].name, tuning.rows[i].name) == 0));
    text_free(&out);
    tuning_free(&again);
    tuning_free(&tuning);
    free(text);
    return 0;
}
