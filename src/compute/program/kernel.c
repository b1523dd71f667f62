#include "base/integer.h"
#include "base/params.h"
#include "compute/backend.h"
#include "compute/queue.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
    [SHOAL_TYPE_INT] = "int",     [SHOAL_TYPE_UINT] = "uint",     [SHOAL_TYPE_LONG] = "long",
    [SHOAL_TYPE_ULONG] = "ulong", [SHOAL_TYPE_FLOAT] = "float",   [SHOAL_TYPE_DOUBLE] = "double",
    [SHOAL_TYPE_REAL] = "real",   [SHOAL_TYPE_STRUCT] = "struct", [SHOAL_TYPE_BUFFER] = "buffer",
};

static const char *type_name(enum shoal_type type)
{
    return (size_t)type < COUNT(type_names) ? type_names[type] : "unknown type";
}

static enum shoal_type resolve(enum shoal_type type, bool real64)
{
    if (type != SHOAL_TYPE_REAL)
        return type;
    return real64 ? SHOAL_TYPE_DOUBLE : SHOAL_TYPE_FLOAT;
}

/* The type of an argument as backends get it: float or double in place of SHOAL_TYPE_REAL, and
 * SHOAL_TYPE_BUFFER for any pointer. */
static enum shoal_type arg_desc_type(const struct shoal_arg_desc *desc, bool real64)
{
    if (desc->access != SHOAL_VALUE)
        return SHOAL_TYPE_BUFFER;
    for (enum shoal_type type = 0; type < SHOAL_TYPE_STRUCT; type++)
        if (desc->type && strcmp(desc->type, type_names[type]) == 0)
            return resolve(type, real64);
    return SHOAL_TYPE_STRUCT;
}

uint32_t arg_desc_bytes(const struct shoal_arg_desc *desc, bool real64)
{
    switch (arg_desc_type(desc, real64)) {
    case SHOAL_TYPE_INT:
    case SHOAL_TYPE_UINT:
    case SHOAL_TYPE_FLOAT:
        return 4;
    case SHOAL_TYPE_STRUCT:
        return desc->bytes;
    default:
        return 8;
    }
}

static uint32_t rounded(uint32_t bytes)
{
    return (bytes + 15u) & ~15u;
}

/* Allocates the values of all arguments in one block, each aligned to 16 bytes. */
static enum shoal_status allocate_args(struct shoal_kernel *kernel, struct shoal_error *error)
{
    const struct shoal_entry_desc *entry = kernel->entry;
    size_t total = 0;
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        struct kernel_arg *arg = &kernel->args[i];
        arg->type = arg_desc_type(&entry->args[i], kernel->program->real64);
        arg->bytes = arg_desc_bytes(&entry->args[i], kernel->program->real64);
        if (arg->bytes == 0)
            return fail(error, SHOAL_INVALID,
                        "%s: argument %u (%s) is neither a number nor a struct whose size is given: \"%s\"",
                        entry->name, i, entry->args[i].name, entry->args[i].type ? entry->args[i].type : "");
        total += rounded(arg->bytes);
    }
    kernel->arg_data = calloc(1, total ? total : 1);
    if (!kernel->arg_data)
        return fail_host_memory(error);
    char *place = kernel->arg_data;
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        kernel->args[i].data = place;
        place += rounded(kernel->args[i].bytes);
    }
    return SHOAL_OK;
}

enum shoal_status shoal_kernel_create(struct shoal_program *program, const char *entry,
                                      struct shoal_kernel **out, struct shoal_error *error)
{
    if (!NEED(error, program, entry, out))
        return SHOAL_INVALID;
    *out = NULL;
    const struct shoal_program_desc *desc = program->desc;
    const struct shoal_entry_desc *found = NULL;
    for (uint32_t i = 0; i < desc->entry_count; i++)
        if (strcmp(desc->entries[i].name, entry) == 0)
            found = &desc->entries[i];
    if (!found)
        return fail(error, SHOAL_INVALID, "%s has no entry \"%.80s\"", desc->name, entry);
    if (found->arg_count > MAX_ARGS)
        return fail(error, SHOAL_INVALID, "%s: entry %s has %u arguments, at most %d are supported",
                    desc->name, entry, found->arg_count, MAX_ARGS);
    enum shoal_status status = device_ready(program->device, error);
    if (status)
        return status;
    struct shoal_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return fail_host_memory(error);
    kernel->program = program;
    kernel->entry = found;
    kernel->work_group = (uint32_t)shoal_program_define(program, found->work_group);
    kernel->resident = SHOAL_RESIDENT_UNKNOWN;
    status = allocate_args(kernel, error);
    if (!status)
        status = program->device->backend->kernel_create(kernel, error);
    if (status) {
        free(kernel->arg_data);
        free(kernel);
        return status;
    }
    if (program->device->backend->kernel_resident)
        status = program->device->backend->kernel_resident(kernel, &kernel->resident, error);
    if (status)
        shoal_kernel_destroy(&kernel);
    *out = kernel;
    return status;
}

void shoal_kernel_destroy(struct shoal_kernel **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_kernel *kernel = *pointer;
    *pointer = NULL;
    kernel->program->device->backend->kernel_destroy(kernel);
    free(kernel->arg_data);
    free(kernel);
}

uint32_t shoal_kernel_work_group(const struct shoal_kernel *kernel)
{
    return kernel ? kernel->work_group : 0;
}

size_t shoal_kernel_resident(const struct shoal_kernel *kernel)
{
    return kernel ? kernel->resident : SHOAL_RESIDENT_UNKNOWN;
}

size_t shoal_kernel_groups(const struct shoal_kernel *kernel, size_t items)
{
    if (!kernel || items == 0)
        return 1;
    return (items - 1) / kernel->work_group + 1;
}

struct shoal_arg shoal_arg_buffer(struct shoal_buffer *buffer)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_BUFFER, .buffer = buffer};
}

struct shoal_arg shoal_arg_int(int32_t value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_INT, .value.i32 = value};
}

struct shoal_arg shoal_arg_uint(uint32_t value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_UINT, .value.u32 = value};
}

struct shoal_arg shoal_arg_long(int64_t value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_LONG, .value.i64 = value};
}

struct shoal_arg shoal_arg_ulong(uint64_t value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_ULONG, .value.u64 = value};
}

struct shoal_arg shoal_arg_float(float value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_FLOAT, .value.f32 = value};
}

struct shoal_arg shoal_arg_double(double value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_DOUBLE, .value.f64 = value};
}

struct shoal_arg shoal_arg_real(double value)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_REAL, .value.f64 = value};
}

struct shoal_arg shoal_arg_struct(const void *value, uint32_t bytes)
{
    return (struct shoal_arg){.type = SHOAL_TYPE_STRUCT, .bytes = bytes, .value.pointer = value};
}

static enum shoal_status fail_arg(const struct shoal_kernel *kernel, uint32_t index,
                                  struct shoal_error *error, const char *given)
{
    const struct shoal_arg_desc *desc = &kernel->entry->args[index];
    return fail(error, SHOAL_INVALID, "%s: argument %u (%s) is a %s%s, not a %s", kernel->entry->name, index,
                desc->name, desc->access == SHOAL_VALUE ? "" : "buffer of ", desc->type, given);
}

static enum shoal_status set_buffer(struct shoal_kernel *kernel, uint32_t index, const struct shoal_arg *arg,
                                    struct shoal_error *error)
{
    struct kernel_arg *kept = &kernel->args[index];
    struct shoal_buffer *buffer = arg->buffer;
    if (arg->type != SHOAL_TYPE_BUFFER)
        return fail_arg(kernel, index, error, type_name(arg->type));
    if (buffer && buffer->device != kernel->program->device && !kernel->reads_peers)
        return fail(error, SHOAL_INVALID, "%s: argument %u (%s) belongs to %s, the kernel to %s",
                    kernel->entry->name, index, kernel->entry->args[index].name, buffer->device->info.id,
                    kernel->program->device->info.id);
    uint64_t serial = buffer ? buffer->serial : 0;
    kept->changed = !kernel->launched || kept->serial != serial;
    kept->serial = serial;
    kept->buffer = buffer;
    return SHOAL_OK;
}

static enum shoal_status set_value(struct shoal_kernel *kernel, uint32_t index, const struct shoal_arg *arg,
                                   struct shoal_error *error)
{
    const struct shoal_arg_desc *desc = &kernel->entry->args[index];
    struct kernel_arg *kept = &kernel->args[index];
    bool real64 = kernel->program->real64;
    if (resolve(arg->type, real64) != kept->type)
        return fail_arg(kernel, index, error, type_name(arg->type));
    const void *data = &arg->value;
    float narrowed;
    if (arg->type == SHOAL_TYPE_STRUCT) {
        data = arg->value.pointer;
        if (!data || arg->bytes != kept->bytes)
            return fail(error, SHOAL_INVALID, "%s: argument %u (%s) is a struct of %u bytes, %u were given",
                        kernel->entry->name, index, desc->name, kept->bytes, data ? arg->bytes : 0);
    } else if (arg->type == SHOAL_TYPE_REAL && !real64) {
        narrowed = (float)arg->value.f64;
        data = &narrowed;
    }
    kept->changed = !kernel->launched || memcmp(kept->data, data, kept->bytes) != 0;
    if (kept->changed)
        memcpy(kept->data, data, kept->bytes);
    return SHOAL_OK;
}

static enum shoal_status set_args(struct shoal_kernel *kernel, const struct shoal_arg *args, size_t count,
                                  struct shoal_error *error)
{
    const struct shoal_entry_desc *entry = kernel->entry;
    if (count != entry->arg_count || (count && !args))
        return fail(error, SHOAL_INVALID, "%s takes %u arguments, %zu were given", entry->name,
                    entry->arg_count, args ? count : 0);
    for (uint32_t i = 0; i < count; i++) {
        enum shoal_status status = kernel->args[i].type == SHOAL_TYPE_BUFFER
                                       ? set_buffer(kernel, i, &args[i], error)
                                       : set_value(kernel, i, &args[i], error);
        if (status) {
            /* The driver has none of the arguments that changed, so the next launch passes all of them. */
            kernel->launched = false;
            return status;
        }
    }
    return SHOAL_OK;
}

enum shoal_status shoal_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                               const struct shoal_arg *args, size_t arg_count, struct shoal_event **out,
                               struct shoal_error *error)
{
    if (out)
        *out = NULL;
    enum shoal_status status = queue_usable(queue, "shoal_launch", error);
    if (status)
        return status;
    if (!NEED(error, kernel) || (arg_count && !NEED(error, args)))
        return SHOAL_INVALID;
    if (kernel->program->device != queue->device)
        return fail(error, SHOAL_INVALID, "shoal_launch: %s was built for %s, the queue belongs to %s",
                    kernel->entry->name, kernel->program->device->info.id, queue->device->info.id);
    if (groups == 0 || groups > INT32_MAX)
        return fail(error, SHOAL_INVALID, "%s: %zu work-groups; a launch takes 1 to %d", kernel->entry->name,
                    groups, INT32_MAX);
    status = set_args(kernel, args, arg_count, error);
    if (status)
        return status;
    const bool is_timed = queue->times_first_launches && !kernel->launched;
    struct shoal_event *event = NULL;
    struct first_launch first;
    if (out || is_timed) {
        event = calloc(1, sizeof *event);
        if (!event) {
            kernel->launched = false;
            return fail_host_memory(error);
        }
        event->queue = queue;
        event->is_untimed = kernel->is_untimed && !is_timed;
    }
    const struct backend *backend = queue->device->backend;
    if (is_timed)
        status = queue_begin_first_launch(queue, &first, error);
    if (!status)
        status = queue_blame(queue, backend->launch(queue, kernel, groups, event, error), error);
    kernel->launched = status == SHOAL_OK;
    if (kernel->launched)
        queue->launches[queue->launch_count++ % LAUNCH_HISTORY] = kernel->entry->name;
    if (kernel->launched && is_timed)
        status = queue_end_first_launch(queue, &first, event, error);
    if (!kernel->launched) {
        free(event);
        return status;
    }
    if (!is_timed && queue->device->shoal->sync)
        status = queue_settle(queue, backend->queue_finish(queue, error), error);
    if (event && (status || !out)) {
        backend->event_destroy(event);
        free(event);
        event = NULL;
    }
    if (out)
        *out = event;
    return status;
}
