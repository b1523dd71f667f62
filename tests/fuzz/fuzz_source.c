/* Kernel text of a caller and its name: the first line of the input is the name, the rest the text. */
#include "target.h"

#include "compute/program/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = input_string(data, size);
    char *text = strchr(name, '\n');
    if (text)
        *text++ = '\0';
    else
        text = name;
    struct shoal_error error = {0};
    char *flat = NULL;
    const struct shoal_program_params params = {.size = sizeof params, .text = text, .text_name = name};
    enum shoal_status status = source_flatten(NULL, "fuzz.cl", &params, &flat, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE((flat != NULL) == (status == SHOAL_OK));
    if (flat) {
        /* The name cannot break out of its marker. */
        REQUIRE(strncmp(flat, "#line 1 \"", 9) == 0);
        size_t end = strcspn(flat + 9, "\"\n");
        REQUIRE(flat[9 + end] == '"' && flat[10 + end] == '\n');
        /* The result is self-contained: flattening it again changes nothing but the first marker. */
        char *again = NULL;
        const struct shoal_program_params flattened = {.size = sizeof flattened, .text = flat};
        REQUIRE(source_flatten(NULL, "fuzz.cl", &flattened, &again, &error) == SHOAL_OK);
        REQUIRE(strcmp(strchr(again, '\n') + 1, flat) == 0);
        free(again);
    } else {
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    free(flat);
    free(name);
    return 0;
}
