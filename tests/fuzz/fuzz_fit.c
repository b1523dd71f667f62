/* Ranges of parameters: parser. */
#include "target.h"

#include "objective/model/model.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct model_list list;
    struct shoal_error error = {0};
    const enum shoal_status status = model_list_read(text, &list, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE((list.count > 0) == (status == SHOAL_OK));
    REQUIRE(status == SHOAL_OK || (error.message[0] && !strpbrk(error.message, "\r\n")));
    for (size_t p = 0; p < list.count; p++) {
        REQUIRE(list.parameters[p].name[0] && !strpbrk(list.parameters[p].name, "\r\n"));
        REQUIRE(isfinite(list.parameters[p].lower) && isfinite(list.parameters[p].upper));
    }
    model_list_free(&list);
    free(text);
    return 0;
}
