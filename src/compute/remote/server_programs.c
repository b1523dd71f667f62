/* Requests about programs and kernels. */
#include "compute/remote/server.h"

#include <stdlib.h>
#include <string.h>

static enum shoal_status new_program(const struct server *server, struct reader *in,
                                     struct served_program **out, struct shoal_error *error)
{
    struct served_program *program = calloc(1, sizeof *program);
    if (!program)
        return fail_host_memory(error);
    program->name = strdup(get_string(in));
    program->file = strdup(get_string(in));
    program->native = strdup(get_string(in));
    program->desc =
        (struct shoal_program_desc){.name = program->name, .file = program->file, .native = program->native};
    program->face =
        (struct shoal_program){.device = server->device, .desc = &program->desc, .native_text = get_u32(in)};
    if (!program->name || !program->file || !program->native) {
        object_destroy(A_PROGRAM, program);
        return fail_host_memory(error);
    }
    *out = program;
    return SHOAL_OK;
}

static enum shoal_status build_text(struct served_program *program, struct reader *in,
                                    struct shoal_error *error)
{
    struct build_input input = {.name = get_string(in)};
    input.text = get_string(in);
    input.strict_fp = get_u32(in);
    input.without_contraction = get_u32(in);
    input.flush_subnormals = get_u32(in);
    input.native = get_u32(in);
    input.define_count = (size_t)get_u64(in);
    if (in->failed || input.define_count > (size_t)(in->end - in->at))
        return fail_short(error);
    const char **defines = calloc(input.define_count + 1, sizeof *defines);
    if (!defines)
        return fail_host_memory(error);
    for (size_t i = 0; i < input.define_count; i++)
        defines[i] = get_string(in);
    input.defines = defines;
    const enum shoal_status status =
        in->failed ? fail_short(error)
                   : program->face.device->backend->program_build(&program->face, &input, error);
    free((void *)defines);
    return status;
}

static enum shoal_status load_binary(struct served_program *program, struct reader *in,
                                     struct shoal_error *error)
{
    size_t size;
    const void *binary = get_bytes(in, &size);
    return in->failed ? fail_short(error)
                      : program->face.device->backend->program_load(&program->face, binary, size, error);
}

static enum shoal_status create_program(struct server *server, struct reader *in,
                                        enum shoal_status (*make)(struct served_program *program,
                                                                  struct reader *in,
                                                                  struct shoal_error *error),
                                        struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct served_program *program = NULL;
    enum shoal_status status = new_program(server, in, &program, error);
    if (status)
        return status;
    status = make(program, in, error);
    if (status) {
        program->face.native = NULL;
        object_destroy(A_PROGRAM, program);
        return status;
    }
    return server_keep(server, number, A_PROGRAM, program, error);
}

enum shoal_status serve_build(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    (void)out;
    return create_program(server, in, build_text, error);
}

enum shoal_status serve_load(struct server *server, struct reader *in, struct text *out,
                             struct shoal_error *error)
{
    (void)out;
    return create_program(server, in, load_binary, error);
}

enum shoal_status serve_give_binary(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct served_program *program = server_find(server, in, A_PROGRAM);
    void *binary = NULL;
    size_t bytes = 0;
    enum shoal_status status = server_check(server, in, error);
    if (!status)
        status = server->device->backend->program_binary(&program->face, &binary, &bytes, error);
    if (!status)
        put_bytes(out, binary, bytes);
    free(binary);
    return status;
}

/* Reads the types of the arguments, and allocates memory for those that are values. */
static enum shoal_status set_args(struct served_kernel *kernel, struct reader *in, struct shoal_error *error)
{
    enum { ALIGNMENT = 16 };
    size_t bytes = 0;
    kernel->entry.arg_count = get_u32(in);
    if (in->failed || kernel->entry.arg_count > MAX_ARGS)
        return fail_short(error);
    for (uint32_t i = 0; i < kernel->entry.arg_count; i++) {
        struct kernel_arg *arg = &kernel->face.args[i];
        arg->type = (enum shoal_type)get_u32(in);
        arg->bytes = get_u32(in);
        bytes += (arg->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    char *data = kernel->face.arg_data = calloc(1, bytes + 1);
    if (!data)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < kernel->entry.arg_count; i++) {
        kernel->face.args[i].data = data;
        data += (kernel->face.args[i].bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return in->failed ? fail_short(error) : SHOAL_OK;
}

enum shoal_status serve_create_kernel(struct server *server, struct reader *in, struct text *out,
                                      struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct served_program *program = server_find(server, in, A_PROGRAM);
    struct served_kernel *kernel = calloc(1, sizeof *kernel);
    (void)out;
    if (!kernel || !program) {
        free(kernel);
        return program ? fail_host_memory(error) : server_check(server, in, error);
    }
    kernel->name = strdup(get_string(in));
    kernel->entry.name = kernel->name;
    kernel->face.program = &program->face;
    kernel->face.entry = &kernel->entry;
    kernel->face.work_group = get_u32(in);
    enum shoal_status status = kernel->name ? set_args(kernel, in, error) : fail_host_memory(error);
    if (!status) {
        status = server->device->backend->kernel_create(&kernel->face, error);
        if (status)
            kernel->face.native = NULL;
    }
    if (status) {
        object_destroy(A_KERNEL, kernel);
        return status;
    }
    return server_keep(server, number, A_KERNEL, kernel, error);
}

enum shoal_status serve_give_limit(struct server *server, struct reader *in, struct text *out,
                                   struct shoal_error *error)
{
    struct served_kernel *kernel = server_find(server, in, A_KERNEL);
    uint32_t limit = 0;
    enum shoal_status status = server_check(server, in, error);
    if (!status)
        status = server->device->backend->kernel_limit(&kernel->face, &limit, error);
    put_u64(out, limit);
    return status;
}

enum shoal_status serve_give_resident(struct server *server, struct reader *in, struct text *out,
                                      struct shoal_error *error)
{
    struct served_kernel *kernel = server_find(server, in, A_KERNEL);
    size_t groups = SHOAL_RESIDENT_UNKNOWN;
    enum shoal_status status = server_check(server, in, error);
    if (!status && server->device->backend->kernel_resident)
        status = server->device->backend->kernel_resident(&kernel->face, &groups, error);
    put_u64(out, groups);
    return status;
}

/* Reads the arguments in the request of a launch. Arguments that no launch has passed to the driver so far
 * stay marked as changed. */
static void take_args(struct server *server, struct served_kernel *kernel, struct reader *in)
{
    for (uint32_t i = 0; i < kernel->entry.arg_count && !in->failed; i++) {
        struct kernel_arg *arg = &kernel->face.args[i];
        if (!get_u32(in))
            continue;
        arg->changed = true;
        if (arg->type == SHOAL_TYPE_BUFFER) {
            arg->buffer = objects_find(&server->objects, get_u64(in), A_BUFFER);
            arg->serial = arg->buffer ? arg->buffer->serial : 0;
        } else if (arg->bytes <= (size_t)(in->end - in->at)) {
            memcpy(arg->data, in->at, arg->bytes);
            in->at += arg->bytes;
        } else {
            in->failed = true;
        }
    }
}

static enum shoal_status enqueue(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                 struct shoal_event *event, struct shoal_error *error)
{
    const enum shoal_status status = queue->device->backend->launch(queue, kernel, groups, event, error);
    kernel->launched = !status;
    for (uint32_t i = 0; i < kernel->entry->arg_count; i++)
        /* a launch that fails may have set only some of the arguments */
        kernel->args[i].changed = status != SHOAL_OK;
    return status;
}

enum shoal_status serve_launch(struct server *server, struct reader *in, struct text *out,
                               struct shoal_error *error)
{
    struct shoal_queue *queue = server_find(server, in, A_QUEUE);
    struct served_kernel *kernel = server_find(server, in, A_KERNEL);
    const size_t groups = (size_t)get_u64(in);
    const uint64_t number = get_u64(in);
    (void)out;
    if (kernel)
        take_args(server, kernel, in);
    in->failed = in->failed || !kernel; /* the arguments of an unknown kernel cannot be read */
    enum shoal_status status = server_check(server, in, error);
    if (status || server->has_failed)
        return status;
    if (!number)
        return enqueue(queue, &kernel->face, groups, NULL, error);
    struct shoal_event *event = calloc(1, sizeof *event);
    if (!event)
        return fail_host_memory(error);
    event->queue = queue;
    status = enqueue(queue, &kernel->face, groups, event, error);
    if (status)
        free(event);
    return status ? status : server_keep(server, number, AN_EVENT, event, error);
}
