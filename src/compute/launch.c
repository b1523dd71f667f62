#include "compute/launch.h"
#include "base/error.h"
#include "compute/backend.h"

#include <string.h>

/* Whether the argument names of a contract equal `names`. shoal_launch checks number and types of the
 * arguments. */
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

/* Sets an argument from a member of the struct of arguments. Inline, since most of the host's time for a
 * launch is spent here. */
static inline void set_arg(struct shoal_arg *arg, enum shoal_type type, uint32_t struct_bytes,
                           const void *member)
{
    arg->type = type;
    switch (type) {
    case SHOAL_TYPE_BUFFER:
        arg->buffer = *(struct shoal_buffer *const *)member;
        break;
    case SHOAL_TYPE_INT:
    case SHOAL_TYPE_UINT:
    case SHOAL_TYPE_FLOAT:
        memcpy(&arg->value, member, sizeof arg->value.u32);
        break;
    case SHOAL_TYPE_STRUCT:
        arg->bytes = struct_bytes;
        memcpy(&arg->value, member, sizeof arg->value.pointer);
        break;
    default:
        memcpy(&arg->value, member, sizeof arg->value.u64);
    }
}

void kernel_omit_times(struct shoal_kernel *kernel)
{
    kernel->is_untimed = true;
}

enum shoal_status launch_with(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                              const struct launch_args *args, const void *values, struct shoal_event **event,
                              struct shoal_error *error)
{
    struct shoal_arg list[MAX_ARGS];
    if (!kernel)
        return shoal_launch(queue, kernel, groups, NULL, 0, event, error);
    /* names are compared at the first launch of a kernel, and again when another source file launches it */
    if (kernel->named_by != args && !has_names(kernel->entry, args->names))
        return fail(error, SHOAL_INVALID, "%s does not take the arguments of %s", kernel->entry->name,
                    args->entry);
    kernel->named_by = args;
    for (uint32_t i = 0; i < args->count; i++) {
        const struct launch_member *member = &args->members[i];
        set_arg(&list[i], member->type, kernel->args[i].bytes, (const char *)values + member->place);
        if (member->type == SHOAL_TYPE_BUFFER && !list[i].buffer && !member->or_null)
            return fail(error, SHOAL_INVALID, "%s: argument %u (%s) is NULL", args->entry, i,
                        kernel->entry->args[i].name);
    }
    return shoal_launch(queue, kernel, groups, list, args->count, event, error);
}
