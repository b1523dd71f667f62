#include "lib/common.h"

#include <string.h>

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
        return fail(error, SHOAL_INVALID, "%s: n is %zu, the object was made for at most %zu", call, n,
                    max_n);
    return SHOAL_OK;
}

struct shoal_define choose_define(struct shoal_device *device, const char *program, const char *name,
                                  int64_t value)
{
    shoal_tuning_get(device, program, name, &value);
    return (struct shoal_define){name, value};
}

struct tuning_question define_question(const struct shoal_program_desc *desc, const char *name,
                                       const char *sizes, int64_t value, const int64_t *tries,
                                       size_t try_count)
{
    struct tuning_question question = {desc->name, name, sizes, value, 0, -1, tries, try_count};
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0) {
            question.min = desc->defines[i].min;
            question.max = desc->defines[i].max;
        }
    return question;
}

struct shoal_define choose_define_for(struct shoal_device *device, const struct shoal_program_desc *desc,
                                      const char *name, const char *sizes, int64_t value,
                                      const int64_t *tries, size_t try_count)
{
    const struct tuning_question question = define_question(desc, name, sizes, value, tries, try_count);
    return (struct shoal_define){name, tuning_ask(device, &question)};
}
