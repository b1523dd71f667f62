#include "compute/launch.h"
#include "base/params.h"
#include "compute/backend.h"

#include <string.h>

/* Types and numbers of arguments are checked by shoal_launch. */
static bool has_names(const struct shoal_entry_desc *entry, const char *names)
{
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        const size_t length = strlen(entry->args[i].name);
        if (strncmp(names, entry->args[i].name, length) != 0 || names[length] != ' ')
            return false;
        names += length + 1;
    }
    return *names == '\0';
}

static struct shoal_arg arg_of(const struct kernel_arg *arg, enum shoal_type type, const void *member)
{
    struct shoal_arg out = {.type = type, .bytes = arg->bytes};
    switch (type) {
    case SHOAL_TYPE_BUFFER:
        out.buffer = *(struct shoal_buffer *const *)member;
        break;
    case SHOAL_TYPE_INT:
    case SHOAL_TYPE_UINT:
    case SHOAL_TYPE_FLOAT:
        memcpy(&out.value, member, 4);
        break;
    default:
        memcpy(&out.value, member, 8);
    }
    return out;
}

enum shoal_status launch_with(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                              const struct launch_args *args, const void *values, struct shoal_event **event,
                              struct shoal_error *error)
{
    struct shoal_arg list[MAX_ARGS];
    if (!NEED(error, kernel))
        return SHOAL_INVALID;
    /* Compared once, and again where another file launches the kernel. */
    if (kernel->named_by != args && !has_names(kernel->entry, args->names))
        return fail(error, SHOAL_INVALID, "%s does not take the arguments of %s", kernel->entry->name,
                    args->entry);
    kernel->named_by = args;
    for (uint32_t i = 0; i < args->count; i++) {
        const struct launch_member *member = &args->members[i];
        list[i] = arg_of(&kernel->args[i], member->type, (const char *)values + member->place);
        if (member->type == SHOAL_TYPE_BUFFER && !list[i].buffer && !member->or_null)
            return fail(error, SHOAL_INVALID, "%s: argument %u (%s) is NULL", args->entry, i,
                        kernel->entry->args[i].name);
    }
    return shoal_launch(queue, kernel, groups, list, args->count, event, error);
}
