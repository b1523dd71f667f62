#include "compute/log.h"
#include "compute/opencl/opencl.h"
#include "compute/program/build_log.h"
#include "compute/program/source.h"

#include <stdlib.h>
#include <string.h>

static bool make_options(const struct shoal_device *device, const struct build_input *input,
                         struct text *options)
{
    text_add(options, "-cl-std=CL1.2");
    if (input->strict_fp && device->info.correct_division)
        text_add(options, " -cl-fp32-correctly-rounded-divide-sqrt");
    if (input->flush_subnormals)
        text_add(options, " -cl-denorms-are-zero");
    for (size_t i = 0; i < input->define_count; i++)
        text_printf(options, " -D %s", input->defines[i]);
    return !options->failed;
}

/* For work-groups of one work-item, which need no barriers: PoCL 5 and 6 compile loops with barriers wrongly
 * for them, as if the code after a barrier could not be reached. */
static const char without_barriers_of_one[] = "#if WG == 1\n#undef barrier\n#define barrier(flags)\n#endif\n";

/* Returns a copy of the log that names files and lines of the kernel sources. NVIDIA's compiler ignores
 * #line: its messages name the whole text <kernel> and count lines from the beginning of the text. Frees
 * `log`. */
static char *with_our_places(char *log, const struct build_input *input)
{
    static const char mark[] = "<kernel>:";
    /* number of lines that precede input->text: one with a pragma, or none */
    const unsigned long lines_before = input->without_contraction;
    struct text out = {0};
    const char *from = log;
    for (const char *at; (at = strstr(from, mark));) {
        char *end;
        const char *name;
        int length;
        unsigned long line, physical = strtoul(at + sizeof mark - 1, &end, 10);
        text_append(&out, from, (size_t)(at - from));
        if (physical > lines_before &&
            source_locate(input->text, physical - lines_before, &name, &length, &line))
            text_printf(&out, "%.*s:%lu", length, name, line);
        else
            text_append(&out, at, (size_t)(end - at));
        from = end;
    }
    text_add(&out, from);
    if (out.failed) {
        text_free(&out);
        return log;
    }
    free(log);
    return out.data;
}

static char *build_log(cl_program program, cl_device_id device, const struct build_input *input)
{
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = calloc(1, bytes + 1);
    if (log && bytes)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return log ? with_our_places(log, input) : NULL;
}

static enum shoal_status fail_build(struct shoal_program *program, cl_program native,
                                    const struct build_input *input, cl_int code, struct shoal_error *error)
{
    struct shoal_device *device = program->device;
    char *log = build_log(native, opencl_device(device)->id, input);
    char cause[512] = "";
    if (log)
        build_log_describe(log, NULL, cause, sizeof cause);
    enum shoal_status status =
        fail_call(error, SHOAL_BUILD_FAILED, "clBuildProgram", code, "%s does not compile for %s (%s): %s",
                  input->name, device->info.id, device->info.name, *cause ? cause : opencl_error_name(code));
    if (log) {
        error_set_log(error, log);
        shoal_log_text(device->shoal, SHOAL_LOG_DEBUG, log);
    }
    free(log);
    return status;
}

static enum shoal_status build(struct shoal_program *program, cl_program native,
                               const struct build_input *input, struct shoal_error *error)
{
    struct shoal_device *device = program->device;
    cl_device_id id = opencl_device(device)->id;
    struct text options = {0};
    if (!make_options(device, input, &options)) {
        text_free(&options);
        return fail_host_memory(error);
    }
    cl_int code = clBuildProgram(native, 1, &id, options.data, NULL, NULL);
    text_free(&options);
    if (code == CL_OUT_OF_HOST_MEMORY || code == CL_DEVICE_NOT_AVAILABLE)
        return opencl_fail(device, error, "clBuildProgram", code, input->name);
    if (code != CL_SUCCESS)
        return fail_build(program, native, input, code, error);
    char *log = build_log(native, id, input);
    if (log && strspn(log, " \t\r\n") < strlen(log))
        shoal_log_text(device->shoal, SHOAL_LOG_DEBUG, log);
    free(log);
    return SHOAL_OK;
}

enum shoal_status opencl_program_build(struct shoal_program *program, const struct build_input *input,
                                       struct shoal_error *error)
{
    const bool spares = opencl_device(program->device)->miscompiles_groups_of_one;
    const char *texts[] = {input->without_contraction ? "#pragma OPENCL FP_CONTRACT OFF\n" : "",
                           spares ? without_barriers_of_one : "", input->text};
    char key[CACHE_KEY_LENGTH];
    cl_int code;
    cache_key(program->device, input, key);
    program->native = opencl_kept_take(program->device, key);
    if (program->native)
        return SHOAL_OK;
    cl_program native =
        clCreateProgramWithSource(opencl_device(program->device)->context, 3, texts, NULL, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(program->device, error, "clCreateProgramWithSource", code, input->name);
    enum shoal_status status = build(program, native, input, error);
    if (status) {
        clReleaseProgram(native);
        return status;
    }
    opencl_kept_add(program->device, key, native);
    program->native = native;
    return SHOAL_OK;
}

enum shoal_status opencl_program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                      struct shoal_error *error)
{
    struct opencl_device *device = opencl_device(program->device);
    const unsigned char *text = binary;
    cl_int state = CL_SUCCESS, code;
    cl_program native =
        clCreateProgramWithBinary(device->context, 1, &device->id, &bytes, &text, &state, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(program->device, error, "clCreateProgramWithBinary", code,
                           "loading a cached kernel");
    code = clBuildProgram(native, 1, &device->id, NULL, NULL, NULL);
    if (code != CL_SUCCESS) {
        clReleaseProgram(native);
        return opencl_fail(program->device, error, "clBuildProgram", code, "loading a cached kernel");
    }
    program->native = native;
    return SHOAL_OK;
}

/* Copies the compiled program. A cl_program lists all devices of its context, which parts of a device share,
 * but has code only for the device for which it was built. sizes, binaries: memory for `count` entries. */
static cl_int copy_binary(cl_program native, size_t *sizes, unsigned char **binaries, size_t count,
                          void **binary, size_t *bytes)
{
    size_t at = 0;
    cl_int code = clGetProgramInfo(native, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL);
    while (at < count && !sizes[at])
        at++;
    if (code != CL_SUCCESS || at == count)
        return code == CL_SUCCESS ? CL_INVALID_BINARY : code;
    binaries[at] = malloc(sizes[at]);
    if (!binaries[at])
        return CL_OUT_OF_HOST_MEMORY;
    code = clGetProgramInfo(native, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries, NULL);
    if (code != CL_SUCCESS) {
        free(binaries[at]);
        return code;
    }
    *binary = binaries[at];
    *bytes = sizes[at];
    return CL_SUCCESS;
}

enum shoal_status opencl_program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                        struct shoal_error *error)
{
    cl_program native = program->native;
    size_t listed = 0;
    *binary = NULL;
    *bytes = 0;
    cl_int code = clGetProgramInfo(native, CL_PROGRAM_BINARY_SIZES, 0, NULL, &listed);
    if (code == CL_SUCCESS) {
        const size_t count = listed / sizeof(size_t);
        size_t *sizes = calloc(count + 1, sizeof *sizes);
        unsigned char **binaries = calloc(count + 1, sizeof *binaries);
        code = sizes && binaries ? copy_binary(native, sizes, binaries, count, binary, bytes)
                                 : CL_OUT_OF_HOST_MEMORY;
        free(sizes);
        free(binaries);
    }
    return code == CL_SUCCESS
               ? SHOAL_OK
               : opencl_fail(program->device, error, "clGetProgramInfo", code, "reading the compiled kernel");
}

void opencl_program_destroy(struct shoal_program *program)
{
    clReleaseProgram(program->native);
}
