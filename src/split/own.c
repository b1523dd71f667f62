/* Parameters of single devices of a run, for options that may differ between devices because they change how,
 * not what, a device computes. */
#include "split/split.h"

#include "base/error.h"
#include "base/text.h"
#include "workload/checkpoint/saved_options.h"

#include <stdlib.h>
#include <string.h>

static bool are_same(const struct shoal_option *option, const void *one, const void *other)
{
    const void *a = (const char *)one + option->offset, *b = (const char *)other + option->offset;
    if (option->type != SHOAL_OPTION_TEXT)
        return memcmp(a, b, option_size(option)) == 0;
    const char *text, *other_text;
    memcpy(&text, a, sizeof text);
    memcpy(&other_text, b, sizeof other_text);
    return text && other_text ? strcmp(text, other_text) == 0 : text == other_text;
}

static enum shoal_status fail_common(const struct shoal_workload *workload, size_t index, const char *name,
                                     struct shoal_error *error)
{
    struct text names = {0};
    for (size_t i = 0; i < workload->option_count; i++)
        if (workload->options[i].flags & SHOAL_OPTION_OF_DEVICE)
            text_printf(&names, "%s--%s", names.length ? ", " : "", workload->options[i].name);
    const enum shoal_status status = fail(
        error, SHOAL_INVALID,
        "split.device_params[%zu]: --%s is the same on all devices of a run; options that may differ: %s",
        index, name, names.data ? names.data : "none");
    text_free(&names);
    return status;
}

enum shoal_status own_params_check(const char *function, const struct shoal_workload *workload,
                                   const void *params, const struct shoal_split_params *split,
                                   struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; split->device_params && k < split->count && !status; k++) {
        void *own = NULL;
        if (!split->device_params[k])
            continue;
        status = workload_params_take(function, workload, split->device_params[k], &own, error);
        for (size_t i = 0; i < workload->option_count && !status; i++) {
            const struct shoal_option *option = &workload->options[i];
            if (!(option->flags & SHOAL_OPTION_OF_DEVICE) && !are_same(option, own, params))
                status = fail_common(workload, k, option->name, error);
        }
        if (!status)
            status = workload_params_check(workload, own, error);
        free(own);
    }
    return status;
}

enum shoal_status own_params_take(struct part *part, const struct shoal_workload *workload, const void *given,
                                  struct shoal_error *error)
{
    return given ? workload_params_take("shoal_run_split", workload, given, &part->own_params, error)
                 : SHOAL_OK;
}

void own_params_set(const struct part *part, const struct shoal_workload *workload, void *params)
{
    for (size_t i = 0; part->own_params && i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        if (option->flags & SHOAL_OPTION_OF_DEVICE)
            memcpy((char *)params + option->offset, (const char *)part->own_params + option->offset,
                   option_size(option));
    }
}
