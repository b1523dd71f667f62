/* Programs, kernels and launches: a compiler that knows #line, #error and #warning, and C functions as
 * kernels. */
#include "compute/log.h"
#include "fake.h"
#include "natives.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char image_magic[] = "fake image\n";

/* What the compiler knows of the text up to the present line. */
struct compiler {
    char file[256];
    unsigned line, depth; /* depth: nesting depth of #if */
    bool good;
};

/* Compiles a line that begins with '#'. */
static void compile_directive(struct compiler *compiler, const char *text, size_t length, struct text *log)
{
    /* The line is copied, not printed by %.*s: the address sanitizer's snprintf reads all of the text that
     * follows, for each line. */
    char line[512];
    length = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    unsigned number;
    if (sscanf(line, "#line %u \"%255[^\"]\"", &number, compiler->file) >= 1)
        compiler->line = number - 1;
    else if (strncmp(line, "#if", 3) == 0)
        compiler->depth++;
    else if (strncmp(line, "#endif", 6) == 0)
        compiler->depth -= compiler->depth > 0;
    else if (!compiler->depth && (strncmp(line, "#error ", 7) == 0 || strncmp(line, "#warning ", 9) == 0)) {
        bool error = line[1] == 'e';
        text_printf(log, "%s:%u: %s: %s\n", compiler->file, compiler->line, error ? "error" : "warning",
                    line + (error ? 7 : 9));
        compiler->good = compiler->good && !error;
    }
}

/* Compiles a text, of which #line, and #error and #warning outside of conditions, have an effect. Writes
 * "file:line: error: ..." lines to `log`, and returns false where there is an error. */
static bool compile(const struct build_input *input, struct text *log)
{
    struct compiler compiler = {.line = 1, .good = true};
    snprintf(compiler.file, sizeof compiler.file, "%s", input->name);
    const char *const end = input->text + strlen(input->text);
    for (const char *at = input->text; at < end; compiler.line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        if (*at == '#')
            compile_directive(&compiler, at, (size_t)(stop - at), log);
        at = stop + (newline != NULL);
    }
    return compiler.good;
}

static enum shoal_status program_new(struct shoal_program *program, const char *image, size_t bytes,
                                     struct shoal_error *error)
{
    struct native_program *native = calloc(1, sizeof *native);
    char *copy = native ? malloc(bytes + 1) : NULL;
    if (!copy) {
        free(native);
        return fail_host_memory(error);
    }
    memcpy(copy, image, bytes);
    copy[bytes] = '\0';
    *native = (struct native_program){fake_mark_program, copy, bytes};
    program->native = native;
    fake_object_born();
    return SHOAL_OK;
}

enum shoal_status fake_program_build(struct shoal_program *program, const struct build_input *input,
                                     struct shoal_error *error)
{
    fake_check_device(program->device);
    for (size_t i = 1; i < input->define_count; i++)
        fake_require(strcmp(input->defines[i - 1], input->defines[i]) < 0, "%s comes before %s",
                     input->defines[i - 1], input->defines[i]);
    enum shoal_status status =
        fake_enter(FAKE_PROGRAM_BUILD, program->device, error, "%s strict=%d contraction=%d native=%d",
                   input->name, input->strict_fp, !input->without_contraction, input->native);
    if (status)
        return status;
    fake_keep_build(input);
    struct text log = {0}, image = {0};
    bool good = compile(input, &log);
    if (!good) {
        status = fail_call(error, SHOAL_BUILD_FAILED, "program_build", FAKE_NATIVE_ERROR,
                           "%s does not compile for %s", input->name, program->device->info.id);
        error_set_log(error, log.data ? log.data : "");
    } else {
        if (log.length)
            shoal_log_text(program->device->shoal, SHOAL_LOG_INFO, log.data);
        text_add(&image, image_magic);
        for (size_t i = 0; i < input->define_count; i++)
            text_printf(&image, "%s\n", input->defines[i]);
        text_add(&image, input->text);
        status =
            image.failed ? fail_host_memory(error) : program_new(program, image.data, image.length, error);
    }
    text_free(&image);
    text_free(&log);
    return status;
}

enum shoal_status fake_program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                    struct shoal_error *error)
{
    fake_check_device(program->device);
    enum shoal_status status = fake_enter(FAKE_PROGRAM_LOAD, program->device, error, "bytes=%zu", bytes);
    if (status)
        return status;
    size_t magic = sizeof image_magic - 1;
    if (bytes < magic || memcmp(binary, image_magic, magic) != 0)
        return fail_call(error, SHOAL_FAILED, "program_load", FAKE_NATIVE_ERROR,
                         "not an image of this device");
    return program_new(program, binary, bytes, error);
}

enum shoal_status fake_program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                      struct shoal_error *error)
{
    const struct native_program *native = fake_check(program->native, fake_mark_program);
    enum shoal_status status = fake_enter(FAKE_PROGRAM_BINARY, program->device, error, "%s", "");
    if (status)
        return status;
    *binary = malloc(native->bytes);
    if (!*binary)
        return fail_host_memory(error);
    memcpy(*binary, native->image, native->bytes);
    *bytes = native->bytes;
    return SHOAL_OK;
}

void fake_program_destroy(struct shoal_program *program)
{
    struct native_program *native = fake_check(program->native, fake_mark_program);
    fake_note(FAKE_PROGRAM_DESTROY, program->device, "%s", "");
    free(native->image);
    free(native);
    fake_object_dead();
}

enum shoal_status fake_kernel_create(struct shoal_kernel *kernel, struct shoal_error *error)
{
    const struct native_program *program = fake_check(kernel->program->native, fake_mark_program);
    struct shoal_device *device = kernel->program->device;
    enum shoal_status status = fake_enter(FAKE_KERNEL_CREATE, device, error, "%s", kernel->entry->name);
    if (status)
        return status;
    if (!strstr(program->image, kernel->entry->name))
        return fail_call(error, SHOAL_BUILD_FAILED, "kernel_create", FAKE_NATIVE_ERROR,
                         "the program has no kernel %s", kernel->entry->name);
    struct native_kernel *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    native->mark = fake_mark_kernel;
    kernel->native = native;
    fake_object_born();
    return SHOAL_OK;
}

enum shoal_status fake_kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                    struct shoal_error *error)
{
    fake_check(kernel->native, fake_mark_kernel);
    struct shoal_device *device = kernel->program->device;
    enum shoal_status status = fake_enter(FAKE_KERNEL_LIMIT, device, error, "%s", kernel->entry->name);
    if (!status)
        *max_work_group = fake_kernel_limit_for(kernel->entry->name, device->info.max_work_group);
    return status;
}

void fake_kernel_destroy(struct shoal_kernel *kernel)
{
    struct native_kernel *native = fake_check(kernel->native, fake_mark_kernel);
    fake_check(kernel->program->native, fake_mark_program);
    fake_note(FAKE_KERNEL_DESTROY, kernel->program->device, "%s", kernel->entry->name);
    for (size_t i = 0; i < MAX_ARGS; i++)
        free(native->values[i]);
    free(native);
    fake_object_dead();
}

/* Takes over one argument where it changed, as a driver's set-argument call would. */
static bool take_argument(struct shoal_kernel *kernel, size_t index)
{
    struct native_kernel *native = kernel->native;
    const struct kernel_arg *arg = &kernel->args[index];
    struct fake_arg *run = &native->run.args[index];
    fake_require(arg->changed || kernel->launched, "%s: argument %zu is never set", kernel->entry->name,
                 index);
    if (!arg->changed) {
        if (arg->type == SHOAL_TYPE_BUFFER)
            fake_require(arg->buffer == native->buffers[index] && arg->serial == native->serials[index],
                         "%s: argument %zu names another buffer but is not marked as changed",
                         kernel->entry->name, index);
        else
            fake_require(memcmp(arg->data, native->values[index], arg->bytes) == 0,
                         "%s: argument %zu has another value but is not marked as changed",
                         kernel->entry->name, index);
        return true;
    }
    if (arg->type == SHOAL_TYPE_BUFFER) {
        struct native_buffer *memory = arg->buffer ? fake_check(arg->buffer->native, fake_mark_buffer) : NULL;
        fake_require(!arg->buffer || arg->buffer->device == kernel->program->device || kernel->reads_peers,
                     "%s: argument %zu is a buffer of another device", kernel->entry->name, index);
        native->buffers[index] = arg->buffer;
        native->serials[index] = arg->serial;
        *run = (struct fake_arg){memory ? memory->data : NULL, arg->buffer ? arg->buffer->bytes : 0};
        return true;
    }
    unsigned char *copy = realloc(native->values[index], arg->bytes);
    if (!copy)
        return false;
    memcpy(copy, arg->data, arg->bytes);
    native->values[index] = copy;
    *run = (struct fake_arg){copy, arg->bytes};
    return true;
}

enum shoal_status fake_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                              struct shoal_event *event, struct shoal_error *error)
{
    struct native_queue *native_queue = fake_check(queue->native, fake_mark_queue);
    struct native_kernel *native = fake_check(kernel->native, fake_mark_kernel);
    fake_require(groups >= 1 && groups <= INT32_MAX, "%s: %zu groups", kernel->entry->name, groups);
    fake_require(kernel->program->device == queue->device, "a kernel of another device");
    enum shoal_status status =
        fake_enter(FAKE_LAUNCH, queue->device, error, "%s groups=%zu work_group=%u event=%d",
                   kernel->entry->name, groups, kernel->work_group, event != NULL);
    if (status)
        return status;
    struct native_event *native_event = NULL;
    if (event) {
        native_event = calloc(1, sizeof *native_event);
        if (!native_event)
            return fail_host_memory(error);
        native_event->mark = fake_mark_event;
    }
    for (size_t i = 0; i < kernel->entry->arg_count; i++)
        if (!take_argument(kernel, i)) {
            free(native_event);
            return fail_host_memory(error);
        }
    for (size_t i = 0; i < kernel->entry->arg_count && !kernel->reads_peers; i++)
        if (kernel->args[i].buffer && kernel->entry->args && kernel->entry->args[i].access != SHOAL_READ)
            fake_write(queue, kernel->args[i].buffer);
    native->run.entry = kernel->entry->name;
    native->run.groups = groups;
    native->run.work_group = kernel->work_group;
    native->run.arg_count = kernel->entry->arg_count;
    enum shoal_status later = fake_launch_outcome();
    if (later)
        native_queue->later = later;
    else if (kernel->reads_peers)
        fake_gather(queue, kernel);
    else if (fake_kernel_for(kernel->entry->name))
        fake_kernel_for(kernel->entry->name)(&native->run);
    double start, end;
    fake_tick(queue, &start, &end);
    if (event) {
        native_event->start = start;
        native_event->end = end;
        event->native = native_event;
        fake_object_born();
    }
    return SHOAL_OK;
}
