/* Streams, events and commands of the fake driver. */
#include "libcuda.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h> /* defines uint, ulong */

#include "lib/link/gather.clh"

enum kind { COPY, FILL, LAUNCH, RECORD, WAIT };

struct command {
    struct command *next;
    enum kind kind;
    void *target;
    const void *source;
    size_t bytes;
    unsigned word;
    cu_event event;   /* RECORD */
    cu_stream stream; /* WAIT: the stream that is waited for */
    uint64_t ticket;  /* RECORD, WAIT */
    cu_function function;
    unsigned items;
    _Alignas(16) unsigned char arguments[FAKE_MAX_PARAMETERS][FAKE_PARAMETER_BYTES];
};

struct CUstream_st {
    struct CUstream_st *next;
    struct command *first, **last;
    uint64_t reached; /* ticket of the last record that ran */
};

struct CUevent_st {
    cu_stream stream; /* NULL: never recorded */
    uint64_t ticket;
    double time;
    bool timed, done;
    int references; /* the owner and pending records */
};

static struct CUstream_st legacy = {.last = &legacy.first};
static struct CUstream_st *streams = &legacy;
static uint64_t tickets;
static double clock_ms;

static cu_stream real_stream(cu_stream stream)
{
    return stream ? stream : &legacy;
}

static bool known(cu_stream stream)
{
    for (cu_stream one = streams; one; one = one->next)
        if (one == stream)
            return true;
    return false;
}

static struct command *add(cu_stream stream, enum kind kind)
{
    struct command *command = calloc(1, sizeof *command);
    command->kind = kind;
    *stream->last = command;
    stream->last = &command->next;
    fake_counts.pending++;
    return command;
}

static void drop(cu_event event)
{
    if (--event->references == 0)
        free(event);
}

static void launch(struct command *command)
{
    void *arguments[FAKE_MAX_PARAMETERS];
    for (int i = 0; i < FAKE_MAX_PARAMETERS; i++)
        arguments[i] = command->arguments[i];
    cu_result code = fake_failure("kernel");
    if (code)
        fake_broken = code;
    for (unsigned i = 0; i < command->items && !fake_broken; i++)
        command->function->run(i, arguments);
}

/* Runs the oldest command. */
static void step(cu_stream stream)
{
    struct command *command = stream->first;
    stream->first = command->next;
    if (!stream->first)
        stream->last = &stream->first;
    fake_counts.pending--;
    if (command->kind == RECORD) {
        stream->reached = command->ticket;
        if (command->event->ticket == command->ticket) {
            command->event->done = true;
            command->event->time = clock_ms;
        }
        drop(command->event);
    } else if (command->kind == WAIT) {
        while (command->stream->reached < command->ticket && command->stream->first)
            step(command->stream);
    } else {
        clock_ms += 1;
        if (command->kind == LAUNCH)
            launch(command);
        else if (command->kind == COPY)
            memcpy(command->target, command->source, command->bytes);
        else
            for (size_t i = 0; i < command->bytes / 4; i++)
                ((unsigned *)command->target)[i] = command->word;
    }
    free(command);
}

void fake_run_all(void)
{
    for (cu_stream stream = streams; stream; stream = stream->next)
        while (stream->first)
            step(stream);
}

cu_result cuStreamCreate(cu_stream *stream, unsigned flags)
{
    CALL_IN_CONTEXT(cuStreamCreate);
    if (flags != STREAM_NON_BLOCKING)
        return 1;
    *stream = calloc(1, sizeof **stream);
    (*stream)->last = &(*stream)->first;
    (*stream)->next = streams->next;
    streams->next = *stream;
    fake_counts.streams++;
    return DRIVER_SUCCESS;
}

cu_result cuStreamDestroy_v2(cu_stream stream)
{
    CALL_THAT_RELEASES(cuStreamDestroy_v2, code);
    if (!known(stream) || stream == &legacy)
        return 400;
    fake_run_all();
    for (cu_stream one = streams; one; one = one->next)
        if (one->next == stream)
            one->next = stream->next;
    free(stream);
    fake_counts.streams--;
    return code;
}

cu_result cuStreamSynchronize(cu_stream stream)
{
    CALL_IN_CONTEXT(cuStreamSynchronize);
    stream = real_stream(stream);
    if (!known(stream))
        return 400;
    while (stream->first)
        step(stream);
    return fake_broken;
}

cu_result cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags)
{
    CALL_IN_CONTEXT(cuStreamWaitEvent);
    if (flags || !known(real_stream(stream)))
        return 1;
    if (!event->stream || event->done)
        return DRIVER_SUCCESS;
    struct command *command = add(real_stream(stream), WAIT);
    command->stream = event->stream;
    command->ticket = event->ticket;
    return DRIVER_SUCCESS;
}

cu_result cuEventCreate(cu_event *event, unsigned flags)
{
    CALL_IN_CONTEXT(cuEventCreate);
    *event = calloc(1, sizeof **event);
    (*event)->timed = !(flags & EVENT_DISABLE_TIMING);
    (*event)->references = 1;
    fake_counts.events++;
    return DRIVER_SUCCESS;
}

cu_result cuEventDestroy_v2(cu_event event)
{
    CALL_THAT_RELEASES(cuEventDestroy_v2, code);
    drop(event);
    fake_counts.events--;
    return code;
}

cu_result cuEventRecord(cu_event event, cu_stream stream)
{
    CALL_IN_CONTEXT(cuEventRecord);
    stream = real_stream(stream);
    if (!known(stream))
        return 400;
    struct command *command = add(stream, RECORD);
    command->event = event;
    command->ticket = event->ticket = ++tickets;
    event->stream = stream;
    event->done = false;
    event->references++;
    return DRIVER_SUCCESS;
}

cu_result cuEventSynchronize(cu_event event)
{
    CALL_IN_CONTEXT(cuEventSynchronize);
    while (event->stream && !event->done)
        step(event->stream);
    return fake_broken;
}

cu_result cuEventElapsedTime(float *milliseconds, cu_event start, cu_event end)
{
    CALL_IN_CONTEXT(cuEventElapsedTime);
    if (!start->timed || !end->timed || !start->stream || !end->stream)
        return 400;
    if (!start->done || !end->done)
        return 600; /* not ready */
    *milliseconds = (float)(end->time - start->time);
    return DRIVER_SUCCESS;
}

static cu_result add_copy(void *target, const void *source, size_t bytes, cu_stream stream)
{
    stream = real_stream(stream);
    if (!known(stream) || bytes == 0)
        return 1;
    struct command *command = add(stream, COPY);
    command->target = target;
    command->source = source;
    command->bytes = bytes;
    return DRIVER_SUCCESS;
}

cu_result cuMemcpyHtoDAsync_v2(cu_pointer target, const void *source, size_t bytes, cu_stream stream)
{
    CALL_IN_CONTEXT(cuMemcpyHtoDAsync_v2);
    return fake_inside(target, bytes, NULL) ? add_copy((void *)(uintptr_t)target, source, bytes, stream) : 1;
}

cu_result cuMemcpyDtoHAsync_v2(void *target, cu_pointer source, size_t bytes, cu_stream stream)
{
    CALL_IN_CONTEXT(cuMemcpyDtoHAsync_v2);
    return fake_inside(source, bytes, NULL) ? add_copy(target, (void *)(uintptr_t)source, bytes, stream) : 1;
}

cu_result cuMemcpyDtoDAsync_v2(cu_pointer target, cu_pointer source, size_t bytes, cu_stream stream)
{
    CALL_IN_CONTEXT(cuMemcpyDtoDAsync_v2);
    return fake_inside(target, bytes, NULL) && fake_inside(source, bytes, NULL)
               ? add_copy((void *)(uintptr_t)target, (void *)(uintptr_t)source, bytes, stream)
               : 1;
}

/* Stricter than the driver, which takes a detour where access was not given. */
cu_result cuMemcpyPeerAsync(cu_pointer target, cu_context target_context, cu_pointer source,
                            cu_context source_context, size_t bytes, cu_stream stream)
{
    CALL_IN_CONTEXT(cuMemcpyPeerAsync);
    return fake_may_access(target_context, source_context) && fake_inside(target, bytes, target_context) &&
                   fake_inside(source, bytes, source_context)
               ? add_copy((void *)(uintptr_t)target, (void *)(uintptr_t)source, bytes, stream)
               : 1;
}

/* Only used for a module's variables, which are in no allocation. */
cu_result cuMemcpyDtoH_v2(void *target, cu_pointer source, size_t bytes)
{
    CALL_IN_CONTEXT(cuMemcpyDtoH_v2);
    memcpy(target, (void *)(uintptr_t)source, bytes);
    return DRIVER_SUCCESS;
}

cu_result cuMemsetD32Async(cu_pointer target, unsigned word, size_t words, cu_stream stream)
{
    CALL_IN_CONTEXT(cuMemsetD32Async);
    stream = real_stream(stream);
    if (!known(stream) || target % 4 || !fake_inside(target, 4 * words, NULL))
        return 1;
    struct command *command = add(stream, FILL);
    command->target = (void *)(uintptr_t)target;
    command->bytes = 4 * words;
    command->word = word;
    return DRIVER_SUCCESS;
}

static cu_result add_launch(cu_function function, const struct cu_launch_config *config, void **params)
{
    cu_stream stream = real_stream(config->stream);
    if (!known(stream) || config->grid_y != 1 || config->grid_z != 1 || config->block_y != 1 ||
        config->block_z != 1 || !config->grid_x || !config->block_x ||
        config->shared_bytes > (function->max_dynamic ? function->max_dynamic : 49152))
        return 1;
    if (function->cluster_width &&
        (config->grid_x % (unsigned)function->cluster_width != 0 ||
         (function->cluster_width > FAKE_PORTABLE_CLUSTER && !function->may_be_wide)))
        return FAKE_INVALID_CLUSTER_SIZE;
    struct command *command = add(stream, LAUNCH);
    command->function = function;
    command->items = config->grid_x * config->block_x;
    for (size_t i = 0; i < function->count; i++)
        memcpy(command->arguments[i], params[i], function->bytes[i]);
    return DRIVER_SUCCESS;
}

cu_result cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                         cu_stream stream, void **params, void **extra)
{
    CALL_IN_CONTEXT(cuLaunchKernel);
    const struct cu_launch_config config = {grid_x,  grid_y,       grid_z, block_x, block_y,
                                            block_z, shared_bytes, stream, NULL,    0};
    return extra ? 1 : add_launch(function, &config, params);
}

/* Takes one attribute: that groups may start before the launch before has ended. */
cu_result cuLaunchKernelEx(const struct CUlaunchConfig_st *given, cu_function function, void **params,
                           void **extra)
{
    CALL_IN_CONTEXT(cuLaunchKernelEx);
    const struct cu_launch_config *config = (const void *)given;
    const struct cu_launch_attribute *attribute = config->attributes;
    if (extra || config->attribute_count != 1 || fake_setting("FAKE_CUDA_ARCH", 90) < 90 ||
        attribute->id != LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION || attribute->value.allowed != 1)
        return 1;
    return add_launch(function, config, params);
}

cu_result cuLaunchCooperativeKernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                    unsigned block_x, unsigned block_y, unsigned block_z,
                                    unsigned shared_bytes, cu_stream stream, void **params)
{
    CALL_IN_CONTEXT(cuLaunchCooperativeKernel);
    return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
                          params, NULL);
}

/* The kernels of the tests, as their texts say. --------------------------------------------------------- */

#define ARGUMENT(type, index) (*(const type *)arguments[index])
#define BUFFER(type, index)   ((type *)(uintptr_t)ARGUMENT(cu_pointer, index))

/* mix8(a, b, out, more, i, n, f, k) */
static void mix8(unsigned id, void *const *arguments)
{
    if (id >= ARGUMENT(unsigned, 5))
        return;
    BUFFER(float, 2)
    [id] = BUFFER(const float, 0)[id] * ARGUMENT(float, 6) + (float)BUFFER(const unsigned, 1)[id] +
           (float)ARGUMENT(int, 4) + (float)(ARGUMENT(uint64_t, 7) >> 32);
    uint64_t *more = BUFFER(uint64_t, 3);
    if (more)
        more[id] = ARGUMENT(uint64_t, 7) + id;
}

/* add_pair(out, pair, n) */
static void add_pair(unsigned id, void *const *arguments)
{
    struct pair {
        uint64_t big;
        unsigned small, pad;
    };
    if (id < ARGUMENT(unsigned, 2))
        BUFFER(unsigned, 0)
    [id] += ARGUMENT(struct pair, 1).small + (unsigned)(ARGUMENT(struct pair, 1).big >> 32);
}

/* cl/lib/link/gather.cl, without peers. The first work-item copies all; ranges that are not used have no
 * words. */
static void gather_words(unsigned id, void *const *arguments)
{
    const struct gather_list *list = arguments[GATHER_SOURCES + GATHER_TARGETS + 1 + GATHER_PEERS];
    for (int i = 0; i < GATHER_RANGES && id == 0; i++) {
        const struct gather_range *range = &list->ranges[i];
        if (range->words)
            memcpy(BUFFER(unsigned, GATHER_SOURCES + range->to) + range->target,
                   BUFFER(const unsigned, range->from) + range->source, range->words * sizeof(unsigned));
    }
}

fake_kernel_fn fake_kernel(const char *name)
{
    static const struct {
        const char *name;
        fake_kernel_fn run;
    } kernels[] = {{"mix8", mix8}, {"add_pair", add_pair}, {"gather_words", gather_words}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(name, kernels[i].name) == 0)
            return kernels[i].run;
    return NULL;
}
