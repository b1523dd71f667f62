#include "portfolio/model/parts.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status portfolio_append_part(struct checkpoint *own, struct text *all, struct shoal_error *error)
{
    void *bytes = NULL;
    size_t size = 0;
    const enum shoal_status status = checkpoint_to_memory(own, &bytes, &size, error);
    if (!status) {
        const uint64_t length = size;
        text_append(all, (const char *)&length, sizeof length);
        text_append(all, bytes, size);
    }
    free(bytes);
    checkpoint_clear(own);
    return status;
}

bool portfolio_next_part(const char **next, size_t *left, const char **part, size_t *size)
{
    uint64_t length = 0;
    if (*left >= sizeof length)
        memcpy(&length, *next, sizeof length);
    if (*left < sizeof length || length > *left - sizeof length)
        return false;
    *part = *next + sizeof length;
    *size = (size_t)length;
    *next = *part + *size;
    *left -= sizeof length + *size;
    return true;
}
