#include "scenario.h"

#include "base/error.h"

#include <shoal/cuda.h>
#include <stdlib.h>
#include <string.h>

const char scenario_text[] = "#ifndef WG\n"
                             "#define WG 64\n"
                             "#endif\n"
                             "struct pair { ulong big; uint small, pad; };\n"
                             "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
                             "void mix8(__global const float *a, __global const uint *b, __global float "
                             "*out, __global ulong *more, int i,\n"
                             "          uint n, float f, ulong k)\n"
                             "{\n"
                             "    const uint id = (uint)get_global_id(0);\n"
                             "    if (id < n) {\n"
                             "        out[id] = a[id] * f + (float)b[id] + (float)i + (float)(k >> 32);\n"
                             "        if (more)\n"
                             "            more[id] = k + id;\n"
                             "    }\n"
                             "}\n"
                             "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
                             "void add_pair(__global uint *out, struct pair pair, uint n)\n"
                             "{\n"
                             "    const uint id = (uint)get_global_id(0);\n"
                             "    if (id < n)\n"
                             "        out[id] += pair.small + (uint)(pair.big >> 32);\n"
                             "}\n";

static const struct shoal_arg_desc mix8_args[] = {
    {"a", SHOAL_READ, "float", 0},         {"b", SHOAL_READ, "uint", 0},
    {"out", SHOAL_READ_WRITE, "float", 0}, {"more", SHOAL_READ_WRITE, "ulong", 0},
    {"i", SHOAL_VALUE, "int", 0},          {"n", SHOAL_VALUE, "uint", 0},
    {"f", SHOAL_VALUE, "float", 0},        {"k", SHOAL_VALUE, "ulong", 0},
};
static const struct shoal_arg_desc add_pair_args[] = {
    {"out", SHOAL_READ_WRITE, "uint", 0},
    {"pair", SHOAL_VALUE, "struct pair", sizeof(struct scenario_pair)},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_entry_desc entries[] = {
    {.name = "mix8", .args = mix8_args, .arg_count = 8, .work_group = "WG", .help = "every kind of argument"},
    {.name = "add_pair", .args = add_pair_args, .arg_count = 3, .work_group = "WG", .help = "a struct"},
};
static const struct shoal_define_desc defines[] = {{"WG", 64, 1, 1024, "work-items in a group"}};
const struct shoal_program_desc scenario_desc = {.name = "test.scenario",
                                                 .file = "scenario.cl",
                                                 .native = "cuda/scenario.cu",
                                                 .defines = defines,
                                                 .define_count = 1,
                                                 .entries = entries,
                                                 .entry_count = 2};

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        status = (call);                                                                                     \
        if (status)                                                                                          \
            goto done;                                                                                       \
    } while (0)
#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            status = fail(error, SHOAL_FAILED, "wrong result: %s", #condition);                              \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

/* Odd sizes around those of the transfer blocks; the host data is overwritten as soon as the call returns. */
static enum shoal_status transfers(struct shoal_queue *queue, struct shoal_error *error)
{
    enum { WORDS = (9 << 20) / 4 + 3 };
    struct shoal_device *device = shoal_queue_device(queue);
    struct shoal_buffer *first = NULL, *second = NULL;
    enum shoal_status status;
    uint32_t *data = malloc(WORDS * sizeof *data), small[5];
    if (!data)
        return fail_host_memory(error);
    CHECK(shoal_buffer_create(device, WORDS * sizeof *data, &first, error));
    CHECK(shoal_buffer_create(device, WORDS * sizeof *data, &second, error));
    for (uint32_t i = 0; i < WORDS; i++)
        data[i] = i * 2654435761u;
    CHECK(shoal_buffer_write(queue, first, 0, data, WORDS * sizeof *data, error));
    memset(data, 0xee, WORDS * sizeof *data);
    /* Small writes behind it, many times more than one block holds. */
    for (uint32_t i = 0; i < 3000; i++) {
        for (uint32_t k = 0; k < 5; k++)
            small[k] = ~(5 * i + k);
        CHECK(shoal_buffer_write(queue, first, 20 * i, small, sizeof small, error));
        memset(small, 0, sizeof small);
    }
    CHECK(shoal_buffer_copy(queue, first, 4, second, 8, (WORDS - 2) * sizeof *data, error));
    CHECK(shoal_buffer_fill(queue, second, 0, 8, 0xabcdef01u, error));
    CHECK(shoal_buffer_fill(queue, second, 4 * (WORDS - 1), 4, 7, error));
    CHECK(shoal_buffer_read(queue, second, 0, data, WORDS * sizeof *data, error));
    EXPECT(data[0] == 0xabcdef01u && data[1] == 0xabcdef01u && data[WORDS - 1] == 7);
    for (uint32_t i = 2; i < WORDS - 1; i++)
        EXPECT(data[i] == (i - 1 < 15000 ? ~(i - 1) : (i - 1) * 2654435761u));
    /* Reads and writes in turn share the blocks. */
    for (uint32_t i = 0; i < 50; i++) {
        CHECK(shoal_buffer_write(queue, first, 4 * i, &i, sizeof i, error));
        CHECK(shoal_buffer_read(queue, first, 4 * i, small, sizeof *small, error));
        EXPECT(small[0] == i);
    }
done:
    shoal_buffer_destroy(&first);
    shoal_buffer_destroy(&second);
    free(data);
    return status;
}

/* Launches with fresh arguments each time, events on two queues, a span. */
static enum shoal_status launches(struct shoal_queue *queue, struct shoal_queue *other,
                                  struct shoal_program *program, struct shoal_error *error)
{
    enum { N = 1000 };
    struct shoal_device *device = shoal_queue_device(queue);
    struct shoal_buffer *a = NULL, *b = NULL, *out = NULL, *more = NULL;
    struct shoal_kernel *mix = NULL, *pair = NULL;
    struct shoal_event *event = NULL, *later = NULL;
    enum shoal_status status;
    float values[N];
    uint32_t words[N];
    uint64_t longs[N];
    double seconds, start, end, later_start, later_end;
    CHECK(shoal_buffer_create(device, sizeof values, &a, error));
    CHECK(shoal_buffer_create(device, sizeof words, &b, error));
    CHECK(shoal_buffer_create(device, sizeof values, &out, error));
    CHECK(shoal_buffer_create(device, sizeof longs, &more, error));
    CHECK(shoal_kernel_create(program, "mix8", &mix, error));
    CHECK(shoal_kernel_create(program, "add_pair", &pair, error));
    for (uint32_t i = 0; i < N; i++) {
        values[i] = (float)i;
        words[i] = 2 * i;
    }
    CHECK(shoal_span_begin(queue, error));
    CHECK(shoal_span_end(queue, &seconds, error));
    EXPECT(seconds == 0);
    CHECK(shoal_buffer_write(queue, a, 0, values, sizeof values, error));
    CHECK(shoal_buffer_write(queue, b, 0, words, sizeof words, error));
    CHECK(shoal_buffer_fill(queue, more, 0, sizeof longs, 0, error));
    CHECK(shoal_span_begin(queue, error));
    for (uint32_t round = 0; round < 3; round++) {
        const struct shoal_arg args[] = {shoal_arg_buffer(a),   shoal_arg_buffer(b),
                                         shoal_arg_buffer(out), shoal_arg_buffer(round == 1 ? more : NULL),
                                         shoal_arg_int(-5),     shoal_arg_uint(N - round),
                                         shoal_arg_float(0.5f), shoal_arg_ulong((uint64_t)(round + 1) << 32)};
        CHECK(shoal_launch(queue, mix, shoal_kernel_groups(mix, N), args, 8, round == 0 ? &event : NULL,
                           error));
    }
    const struct scenario_pair value = {.big = (uint64_t)100 << 32, .small = 11};
    const struct shoal_arg pair_args[] = {shoal_arg_buffer(b), shoal_arg_struct(&value, sizeof value),
                                          shoal_arg_uint(N)};
    CHECK(shoal_launch(queue, pair, shoal_kernel_groups(pair, N), pair_args, 3, &later, error));
    /* The other queue sees what came before the event. */
    CHECK(shoal_queue_wait(other, later, error));
    CHECK(shoal_buffer_read(other, b, 0, words, sizeof words, error));
    CHECK(shoal_span_end(queue, &seconds, error));
    EXPECT(seconds > 0 && seconds < 60);
    CHECK(shoal_event_wait(event, error));
    CHECK(shoal_event_times(event, &start, &end, error));
    CHECK(shoal_event_times(later, &later_start, &later_end, error));
    EXPECT(start >= 0 && end > start && later_start >= end - 5e-6 && later_end > later_start);
    EXPECT(later_end - start <= seconds * 1.5 + 1e-4);
    CHECK(shoal_buffer_read(queue, out, 0, values, sizeof values, error));
    CHECK(shoal_buffer_read(queue, more, 0, longs, sizeof longs, error));
    for (uint32_t i = 0; i < N; i++) {
        uint32_t last = i < N - 2 ? 3 : i < N - 1 ? 2 : 1;
        EXPECT(values[i] == (float)i * 0.5f + (float)(2 * i) - 5 + (float)last);
        EXPECT(words[i] == 2 * i + 111);
        EXPECT(longs[i] == (i < N - 1 ? ((uint64_t)2 << 32) + i : 0));
    }
done:
    shoal_event_destroy(&event);
    shoal_event_destroy(&later);
    shoal_kernel_destroy(&mix);
    shoal_kernel_destroy(&pair);
    shoal_buffer_destroy(&a);
    shoal_buffer_destroy(&b);
    shoal_buffer_destroy(&out);
    shoal_buffer_destroy(&more);
    return status;
}

/* A queue and a buffer around the handles of others behave the same and own nothing. */
static enum shoal_status wrapping(struct shoal_queue *queue, struct shoal_error *error)
{
    struct shoal_device *device = shoal_queue_device(queue);
    struct shoal_queue *wrapped = NULL, *legacy = NULL;
    struct shoal_buffer *buffer = NULL, *part = NULL;
    shoal_cuda_stream stream, again;
    shoal_cuda_pointer memory, same;
    enum shoal_status status;
    uint32_t words[2] = {1, 2};
    CHECK(shoal_buffer_create(device, 64, &buffer, error));
    EXPECT(shoal_cuda_queue_unwrap(queue, &stream) && shoal_cuda_buffer_unwrap(buffer, &memory));
    CHECK(shoal_cuda_queue_wrap(device, stream, SHOAL_QUEUE_PROFILING, &wrapped, error));
    CHECK(shoal_cuda_queue_wrap(device, NULL, 0, &legacy, error));
    CHECK(shoal_cuda_buffer_wrap(device, memory + 16, 48, &part, error));
    EXPECT(shoal_cuda_queue_unwrap(wrapped, &again) && again == stream);
    EXPECT(shoal_cuda_buffer_unwrap(part, &same) && same == memory + 16);
    CHECK(shoal_buffer_fill(queue, buffer, 0, 64, 9, error));
    CHECK(shoal_buffer_write(wrapped, part, 4, words, sizeof words, error));
    shoal_queue_destroy(&wrapped);
    CHECK(shoal_buffer_write(legacy, part, 12, &words[1], sizeof *words, error));
    CHECK(shoal_queue_finish(legacy, error));
    shoal_buffer_destroy(&part);
    CHECK(shoal_queue_finish(queue, error));
    uint32_t back[16];
    CHECK(shoal_buffer_read(queue, buffer, 0, back, sizeof back, error));
    EXPECT(back[4] == 9 && back[5] == 1 && back[6] == 2 && back[7] == 2 && back[8] == 9);
done:
    shoal_buffer_destroy(&part);
    shoal_buffer_destroy(&buffer);
    shoal_queue_destroy(&wrapped);
    shoal_queue_destroy(&legacy);
    return status;
}

enum shoal_status scenario_run(struct shoal_device *device, struct shoal_error *error)
{
    struct shoal_queue *queue = NULL, *other = NULL;
    struct shoal_program *program = NULL;
    struct shoal_program_params params;
    enum shoal_status status;
    shoal_program_params_init(&params);
    params.text = scenario_text;
    params.text_name = "scenario.cl";
    CHECK(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &queue, error));
    CHECK(shoal_queue_create(device, 0, &other, error));
    CHECK(shoal_program_create(device, &scenario_desc, &params, &program, error));
    CHECK(transfers(queue, error));
    CHECK(launches(queue, other, program, error));
    CHECK(wrapping(queue, error));
done:
    shoal_program_destroy(&program);
    shoal_queue_destroy(&other);
    shoal_queue_destroy(&queue);
    return status;
}
