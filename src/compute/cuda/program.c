/* Compiled programs of the CUDA backend. */
#include "compute/cuda/objects.h"
#include "compute/log.h"
#include "compute/program/source.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *cuda_prelude(const struct shoal_device *device)
{
    (void)device;
    return source_embedded("cuda/prelude.cuh");
}

/* Whether the error code means that this device cannot run the image. */
static bool is_refusal(cu_result code)
{
    return code == DRIVER_INVALID_IMAGE || code == DRIVER_NO_BINARY_FOR_GPU || code == DRIVER_INVALID_PTX ||
           code == DRIVER_UNSUPPORTED_PTX_VERSION || code == DRIVER_JIT_COMPILER_NOT_FOUND;
}

/* Loads an image as a module. After a success the program owns the image. */
static enum shoal_status load_module(struct shoal_program *program, struct cuda_image image,
                                     struct shoal_error *error)
{
    struct shoal_device *device = program->device;
    const struct cuda *cuda = cuda_device(device)->cuda;
    struct cuda_program *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    bool pushed;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (!status) {
        char log[4096] = "";
        unsigned options[] = {JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
        cu_result code = cuda->driver.cuModuleLoadDataEx(&native->module, image.data, 2, options, values);
        status = cuda_check(device, "cuModuleLoadDataEx", code, error);
        if (status == SHOAL_FAILED && is_refusal(code)) {
            status = fail_call(
                error, SHOAL_BUILD_FAILED, "cuModuleLoadDataEx", (int)code,
                "%s: the driver (CUDA %d.%d) does not take what NVRTC %d.%d compiled for %s: install "
                "a newer driver or set SHOAL_NVRTC to an older NVRTC",
                program->desc->name, cuda->driver.version / 1000, cuda->driver.version % 1000 / 10,
                cuda->nvrtc.major, cuda->nvrtc.minor, device->info.name);
            error_set_log(error, log);
        }
        cuda_leave(device, pushed);
    }
    if (status) {
        free(native);
        return status;
    }
    native->image = image;
    program->native = native;
    return SHOAL_OK;
}

enum shoal_status cuda_program_build(struct shoal_program *program, const struct build_input *input,
                                     struct shoal_error *error)
{
    const struct cuda_device *device = cuda_device(program->device);
    struct cuda_image image;
    char *log;
    enum shoal_status status = cuda_compile(&device->cuda->nvrtc, device->target, input, &image, &log, error);
    if (!status && log)
        shoal_log_text(program->device->shoal, SHOAL_LOG_WARNING, log);
    free(log);
    if (status)
        return status;
    status = load_module(program, image, error);
    if (status)
        free(image.data);
    return status;
}

/* Whether the image is complete. The driver reads an image without knowing its length: PTX up to a NUL, which
 * is appended here, a cubin as far as its ELF header says. */
static bool is_image(const unsigned char *data, size_t bytes)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1};
    if (bytes < 64 || memcmp(data, magic, sizeof magic) != 0)
        return bytes > 0 && !memchr(data, '\0', bytes - 1) && memchr(data, '.', bytes);
    uint64_t offset;
    uint16_t size, count;
    memcpy(&offset, data + 40, sizeof offset); /* e_shoff */
    memcpy(&size, data + 58, sizeof size);     /* e_shentsize */
    memcpy(&count, data + 60, sizeof count);   /* e_shnum */
    return offset <= bytes && (uint64_t)size * count <= bytes - offset;
}

enum shoal_status cuda_program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                    struct shoal_error *error)
{
    if (!is_image(binary, bytes))
        return fail(error, SHOAL_FAILED, "%s: the stored kernel is neither a cubin nor PTX",
                    program->desc->name);
    struct cuda_image image = {.data = malloc(bytes + 1), .bytes = bytes};
    if (!image.data)
        return fail_host_memory(error);
    memcpy(image.data, binary, bytes);
    image.data[bytes] = '\0';
    enum shoal_status status = load_module(program, image, error);
    if (status)
        free(image.data);
    return status;
}

enum shoal_status cuda_program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                      struct shoal_error *error)
{
    const struct cuda_program *native = program->native;
    void *copy = malloc(native->image.bytes);
    if (!copy)
        return fail_host_memory(error);
    memcpy(copy, native->image.data, native->image.bytes);
    *binary = copy;
    *bytes = native->image.bytes;
    return SHOAL_OK;
}

void cuda_program_destroy(struct shoal_program *program)
{
    struct cuda_program *native = program->native;
    bool pushed;
    if (cuda_enter(program->device, &pushed, NULL) == SHOAL_OK) {
        cuda_driver(program->device)->cuModuleUnload(native->module);
        cuda_leave(program->device, pushed);
    }
    free(native->image.data);
    free(native);
    program->native = NULL;
}
