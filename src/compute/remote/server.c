#include "compute/remote/server.h"

#include "compute/remote/objects.h"

#include <stdlib.h>
#include <string.h>

struct server {
    const struct channel *channel;
    struct shoal_device *device;
    struct objects objects;
    struct text in, out;
    unsigned char *piece; /* [WIRE_PIECE] */
    /* What failed first among the requests since the last answer. */
    struct shoal_error failure;
    bool has_failed;
    bool is_missing; /* the request names an object that does not exist, since its creation has failed */
    enum shoal_status transport; /* status of the transport: after a failure nothing more is served */
    struct shoal_error transport_error;
};

/* A request; `out` is the answer, behind its status. */
typedef enum shoal_status (*handler)(struct server *server, struct reader *in, struct text *out,
                                     struct shoal_error *error);

static void *find(struct server *server, struct reader *in, enum object_kind kind)
{
    void *object = objects_find(&server->objects, get_u64(in), kind);
    server->is_missing = server->is_missing || !object;
    return object;
}

static enum shoal_status fail_short(struct shoal_error *error)
{
    return fail(error, SHOAL_FAILED, "a request of rank 0 is too short");
}

/* Is the request, which has been read to its end, one that can be served? */
static enum shoal_status check(const struct server *server, const struct reader *in,
                               struct shoal_error *error)
{
    if (in->failed)
        return fail_short(error);
    if (server->is_missing)
        return fail(error, SHOAL_FAILED, "a request of rank 0 names an object that does not exist");
    return SHOAL_OK;
}

/* Devices and queues ----------------------------------------------------------------------------------- */

static enum shoal_status open_device(struct server *server, struct reader *in, struct text *out,
                                     struct shoal_error *error)
{
    (void)in;
    (void)out;
    return device_ready(server->device, error);
}

static enum shoal_status keep(struct server *server, uint64_t number, enum object_kind kind, void *pointer,
                              struct shoal_error *error)
{
    const enum shoal_status status = objects_add(&server->objects, number, kind, pointer, error);
    if (status)
        object_destroy(kind, pointer);
    return status;
}

static enum shoal_status create_queue(struct server *server, struct reader *in, struct text *out,
                                      struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct shoal_queue *queue;
    (void)out;
    const enum shoal_status status = shoal_queue_create(server->device, get_u32(in), &queue, error);
    return status ? status : keep(server, number, A_QUEUE, queue, error);
}

static enum shoal_status flush(struct server *server, struct reader *in, struct text *out,
                               struct shoal_error *error)
{
    struct shoal_queue *queue = find(server, in, A_QUEUE);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status : shoal_queue_flush(queue, error);
}

static enum shoal_status finish(struct server *server, struct reader *in, struct text *out,
                                struct shoal_error *error)
{
    struct shoal_queue *queue = find(server, in, A_QUEUE);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status : shoal_queue_finish(queue, error);
}

static enum shoal_status wait_for(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error)
{
    struct shoal_queue *queue = find(server, in, A_QUEUE);
    struct shoal_event *event = find(server, in, AN_EVENT);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status : shoal_queue_wait(queue, event, error);
}

static enum shoal_status begin_span(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct shoal_queue *queue = find(server, in, A_QUEUE);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status : shoal_span_begin(queue, error);
}

static enum shoal_status end_span(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error)
{
    struct shoal_queue *queue = find(server, in, A_QUEUE);
    double seconds = 0;
    enum shoal_status status = check(server, in, error);
    if (!status)
        status = shoal_span_end(queue, &seconds, error);
    put_f64(out, seconds);
    return status;
}

/* Buffers ---------------------------------------------------------------------------------------------- */

static enum shoal_status create_buffer(struct server *server, struct reader *in, struct text *out,
                                       struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct shoal_buffer *buffer;
    (void)out;
    const enum shoal_status status = shoal_buffer_create(server->device, (size_t)get_u64(in), &buffer, error);
    return status ? status : keep(server, number, A_BUFFER, buffer, error);
}

struct range {
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    size_t offset, bytes;
};

static struct range get_range(struct server *server, struct reader *in)
{
    struct range range = {.queue = find(server, in, A_QUEUE)};
    range.buffer = find(server, in, A_BUFFER);
    range.offset = (size_t)get_u64(in);
    range.bytes = (size_t)get_u64(in);
    return range;
}

static size_t piece_at(const struct range *range, size_t at)
{
    return range->bytes - at < WIRE_PIECE ? range->bytes - at : WIRE_PIECE;
}

/* The bytes arrive in any case, also after a failure. */
static enum shoal_status write(struct server *server, struct reader *in, struct text *out,
                               struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    size_t size = 0;
    const void *data = range.bytes <= WIRE_INLINE ? get_bytes(in, &size) : NULL;
    enum shoal_status status = server->has_failed ? SHOAL_FAILED : check(server, in, error);
    (void)out;
    if (data)
        return status ? status
                      : shoal_buffer_write(range.queue, range.buffer, range.offset, data, size, error);
    for (size_t at = 0; at < range.bytes && !server->transport; at += WIRE_PIECE) {
        size = piece_at(&range, at);
        server->transport =
            channel_receive_bytes(server->channel, server->piece, size, &server->transport_error);
        if (!status && !server->transport)
            status =
                shoal_buffer_write(range.queue, range.buffer, range.offset + at, server->piece, size, error);
    }
    return status;
}

/* Sends an answer, and behind it the bytes, for each piece. The last answer has a failure, if any. */
static enum shoal_status read(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    enum shoal_status status = check(server, in, error);
    for (size_t at = 0; at < range.bytes && !status && !server->transport; at += WIRE_PIECE) {
        const size_t size = piece_at(&range, at);
        status = shoal_buffer_read(range.queue, range.buffer, range.offset + at, server->piece, size, error);
        if (status)
            break;
        put_status(out, SHOAL_OK, NULL);
        server->transport = channel_send(server->channel, out, &server->transport_error);
        if (!server->transport)
            server->transport =
                channel_send_bytes(server->channel, server->piece, size, &server->transport_error);
    }
    return status;
}

static enum shoal_status copy(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    struct shoal_buffer *target = find(server, in, A_BUFFER);
    const size_t offset = (size_t)get_u64(in);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status
                  : shoal_buffer_copy(range.queue, range.buffer, range.offset, target, offset, range.bytes,
                                      error);
}

static enum shoal_status fill(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    const uint32_t word = get_u32(in);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status
                  : shoal_buffer_fill(range.queue, range.buffer, range.offset, range.bytes, word, error);
}

/* Programs and kernels --------------------------------------------------------------------------------- */

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
    return keep(server, number, A_PROGRAM, program, error);
}

static enum shoal_status build(struct server *server, struct reader *in, struct text *out,
                               struct shoal_error *error)
{
    (void)out;
    return create_program(server, in, build_text, error);
}

static enum shoal_status load(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    (void)out;
    return create_program(server, in, load_binary, error);
}

static enum shoal_status give_binary(struct server *server, struct reader *in, struct text *out,
                                     struct shoal_error *error)
{
    struct served_program *program = find(server, in, A_PROGRAM);
    void *binary = NULL;
    size_t bytes = 0;
    enum shoal_status status = check(server, in, error);
    if (!status)
        status = server->device->backend->program_binary(&program->face, &binary, &bytes, error);
    if (!status)
        put_bytes(out, binary, bytes);
    free(binary);
    return status;
}

/* Reads the types of the arguments, and gives those that are values memory. */
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

static enum shoal_status create_kernel(struct server *server, struct reader *in, struct text *out,
                                       struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct served_program *program = find(server, in, A_PROGRAM);
    struct served_kernel *kernel = calloc(1, sizeof *kernel);
    (void)out;
    if (!kernel || !program) {
        free(kernel);
        return program ? fail_host_memory(error) : check(server, in, error);
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
    return keep(server, number, A_KERNEL, kernel, error);
}

static enum shoal_status give_limit(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct served_kernel *kernel = find(server, in, A_KERNEL);
    uint32_t limit = 0;
    enum shoal_status status = check(server, in, error);
    if (!status)
        status = server->device->backend->kernel_limit(&kernel->face, &limit, error);
    put_u64(out, limit);
    return status;
}

static enum shoal_status give_resident(struct server *server, struct reader *in, struct text *out,
                                       struct shoal_error *error)
{
    struct served_kernel *kernel = find(server, in, A_KERNEL);
    size_t groups = SHOAL_RESIDENT_UNKNOWN;
    enum shoal_status status = check(server, in, error);
    if (!status && server->device->backend->kernel_resident)
        status = server->device->backend->kernel_resident(&kernel->face, &groups, error);
    put_u64(out, groups);
    return status;
}

/* Takes the arguments that the request has; those that no launch has taken so far stay marked. */
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
        kernel->args[i].changed = status != SHOAL_OK; /* a launch that fails may have set only some */
    return status;
}

static enum shoal_status launch(struct server *server, struct reader *in, struct text *out,
                                struct shoal_error *error)
{
    struct shoal_queue *queue = find(server, in, A_QUEUE);
    struct served_kernel *kernel = find(server, in, A_KERNEL);
    const size_t groups = (size_t)get_u64(in);
    const uint64_t number = get_u64(in);
    (void)out;
    if (kernel)
        take_args(server, kernel, in);
    in->failed = in->failed || !kernel; /* its arguments cannot be read */
    enum shoal_status status = check(server, in, error);
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
    return status ? status : keep(server, number, AN_EVENT, event, error);
}

/* Events and objects ----------------------------------------------------------------------------------- */

static enum shoal_status wait_event(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct shoal_event *event = find(server, in, AN_EVENT);
    (void)out;
    const enum shoal_status status = check(server, in, error);
    return status ? status : shoal_event_wait(event, error);
}

static enum shoal_status give_times(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct shoal_event *event = find(server, in, AN_EVENT);
    double start = 0, end = 0;
    enum shoal_status status = check(server, in, error);
    if (!status)
        status = shoal_event_times(event, &start, &end, error);
    put_f64(out, start);
    put_f64(out, end);
    return status;
}

static enum shoal_status destroy(struct server *server, struct reader *in, struct text *out,
                                 struct shoal_error *error)
{
    (void)out;
    (void)error;
    objects_remove(&server->objects, get_u64(in));
    return SHOAL_OK;
}

/* Service ---------------------------------------------------------------------------------------------- */

static const handler handlers[DEVICE_REQUESTS] = {[DEVICE_FLUSH] = flush,
                                                  [DEVICE_WAIT] = wait_for,
                                                  [DEVICE_SPAN_BEGIN] = begin_span,
                                                  [DEVICE_WRITE] = write,
                                                  [DEVICE_COPY] = copy,
                                                  [DEVICE_FILL] = fill,
                                                  [DEVICE_LAUNCH] = launch,
                                                  [DEVICE_DESTROY] = destroy,
                                                  [DEVICE_OPEN] = open_device,
                                                  [DEVICE_QUEUE] = create_queue,
                                                  [DEVICE_FINISH] = finish,
                                                  [DEVICE_SPAN_END] = end_span,
                                                  [DEVICE_BUFFER] = create_buffer,
                                                  [DEVICE_READ] = read,
                                                  [DEVICE_BUILD] = build,
                                                  [DEVICE_LOAD] = load,
                                                  [DEVICE_BINARY] = give_binary,
                                                  [DEVICE_KERNEL] = create_kernel,
                                                  [DEVICE_LIMIT] = give_limit,
                                                  [DEVICE_RESIDENT] = give_resident,
                                                  [DEVICE_EVENT_WAIT] = wait_event,
                                                  [DEVICE_EVENT_TIMES] = give_times};

/* Requests without an answer are read to their end also after a failure, since further requests follow. */
static void post(struct server *server, uint32_t request, struct reader *in)
{
    struct shoal_error error = {0};
    server->is_missing = false;
    const enum shoal_status status = handlers[request](server, in, &server->out, &error);
    if (!status || server->has_failed)
        return;
    server->has_failed = true;
    server->failure = error;
}

static void answer(struct server *server, uint32_t request, struct reader *in)
{
    struct shoal_error error = server->failure;
    struct text body = {0};
    enum shoal_status status = server->has_failed ? error.status : SHOAL_OK;
    server->has_failed = server->is_missing = false;
    if (!status)
        status = handlers[request](server, in, request == DEVICE_READ ? &server->out : &body, &error);
    /* A read has sent an answer for each of its pieces already. */
    if (!server->transport && (status || request != DEVICE_READ)) {
        put_status(&server->out, status, &error);
        if (!status && body.length)
            text_append(&server->out, body.data, body.length);
        server->out.failed = server->out.failed || body.failed;
        server->transport = channel_send(server->channel, &server->out, &server->transport_error);
    }
    text_free(&body);
}

/* Serves the requests of a message. Returns false where rank 0 has closed the device. A request with an
 * answer is the last of its message. */
static bool serve_message(struct server *server)
{
    struct reader in = read_message(&server->in);
    while (in.at < in.end && !server->transport) {
        const uint32_t request = get_u32(&in);
        if (request == DEVICE_CLOSE)
            return false;
        if (in.failed || request >= DEVICE_REQUESTS) {
            server->transport = fail(&server->transport_error, SHOAL_FAILED,
                                     "a request of rank 0 cannot be read: is it another version?");
        } else if (request < DEVICE_OPEN) {
            post(server, request, &in);
            if (in.failed)
                server->transport = fail_short(&server->transport_error);
        } else {
            answer(server, request, &in);
            break;
        }
    }
    return !server->transport;
}

enum shoal_status remote_serve(const struct channel *channel, struct shoal_device *device,
                               struct shoal_error *error)
{
    struct server server = {.channel = channel, .device = device, .piece = malloc(WIRE_PIECE)};
    server.transport = server.piece ? SHOAL_OK : fail_host_memory(&server.transport_error);
    do {
        if (!server.transport)
            server.transport = channel_receive(channel, &server.in, &server.transport_error);
    } while (!server.transport && serve_message(&server));
    objects_free(&server.objects);
    text_free(&server.in);
    text_free(&server.out);
    free(server.piece);
    if (server.transport && error)
        *error = server.transport_error;
    return server.transport;
}
