#include "lib/common.h"

enum shoal_status check_range(const char *call, const char *what, const struct shoal_buffer *buffer,
                              size_t offset, size_t n, size_t bytes, struct shoal_error *error)
{
    if (!buffer)
        return fail(error, SHOAL_INVALID, "%s: the %s buffer is NULL", call, what);
    size_t held = shoal_buffer_size(buffer) / bytes;
    if (offset > held || n > held - offset)
        return fail(error, SHOAL_INVALID,
                    "%s: the %s buffer holds %zu elements, %zu from %zu on are asked for", call, what, held,
                    n, offset);
    return SHOAL_OK;
}

enum shoal_status check_max_n(const char *call, size_t max_n, struct shoal_error *error)
{
    if (max_n == 0 || max_n > SHOAL_PRIMITIVE_MAX)
        return fail(error, SHOAL_INVALID, "%s: max_n is %zu; it must be 1 to %u", call, max_n,
                    SHOAL_PRIMITIVE_MAX);
    return SHOAL_OK;
}

enum shoal_status check_n(const char *call, size_t n, size_t max_n, struct shoal_error *error)
{
    if (n > max_n)
        return fail(error, SHOAL_INVALID, "%s: n is %zu, the object is for at most %zu", call, n, max_n);
    return SHOAL_OK;
}
