/* The CUDA backend: instance, devices, contexts, errors. */
#include "compute/cuda/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether an error code is one after which every further CUDA call of the process fails. CUDA's
 * documentation of these codes says that the context or the process must be ended. */
static bool is_fatal(cu_result code)
{
    switch (code) {
    case DRIVER_DEINITIALIZED:
    case DRIVER_ECC_UNCORRECTABLE:
    case DRIVER_NVLINK_UNCORRECTABLE:
    case DRIVER_CONTAINED:
    case DRIVER_ILLEGAL_ADDRESS:
    case DRIVER_LAUNCH_TIMEOUT:
    case DRIVER_CONTEXT_IS_DESTROYED:
    case DRIVER_ASSERT:
    case DRIVER_HARDWARE_STACK_ERROR:
    case DRIVER_ILLEGAL_INSTRUCTION:
    case DRIVER_MISALIGNED_ADDRESS:
    case DRIVER_INVALID_ADDRESS_SPACE:
    case DRIVER_INVALID_PC:
    case DRIVER_LAUNCH_FAILED:
    case DRIVER_TENSOR_MEMORY_LEAK:
    case DRIVER_MPS_CLIENT_TERMINATED:
    case DRIVER_EXTERNAL_DEVICE:
    case DRIVER_UNKNOWN:
        return true;
    default:
        return false;
    }
}

/* Copies the name of a function without its version suffix, as in CUDA's documentation. */
static void plain_name(const char *symbol, char name[64])
{
    snprintf(name, 64, "%s", symbol);
    char *suffix = strstr(name, "_v");
    if (suffix)
        *suffix = '\0';
}

enum shoal_status cuda_check(struct shoal_device *device, const char *symbol, cu_result code,
                             struct shoal_error *error)
{
    if (code == DRIVER_SUCCESS)
        return SHOAL_OK;
    const struct cuda_driver *driver = cuda_driver(device);
    const char *name = NULL, *text = NULL;
    if (driver->cuGetErrorName(code, &name) || !name)
        name = "unknown error";
    if (driver->cuGetErrorString(code, &text) || !text)
        text = "no description";
    char call[64];
    plain_name(symbol, call);
    if (is_fatal(code))
        return device_lost(device, error, call, (int)code,
                           "%s returned %s (%s); the process must be started again to use it", call, name,
                           text);
    return fail_call(error, code == DRIVER_OUT_OF_MEMORY ? SHOAL_OUT_OF_DEVICE_MEMORY : SHOAL_FAILED, call,
                     (int)code, "%s (%s): %s returned %s (%s)", device->info.id, device->info.name, call,
                     name, text);
}

enum shoal_status cuda_enter(struct shoal_device *device, bool *pushed, struct shoal_error *error)
{
    const struct cuda_driver *driver = cuda_driver(device);
    cu_context wanted = cuda_device(device)->context, current = NULL;
    *pushed = false;
    if (driver->cuCtxGetCurrent(&current) == DRIVER_SUCCESS && current == wanted)
        return SHOAL_OK;
    enum shoal_status status = CUDA_CALL(device, error, cuCtxPushCurrent_v2, wanted);
    *pushed = status == SHOAL_OK;
    return status;
}

void cuda_leave(const struct shoal_device *device, bool pushed)
{
    cu_context popped;
    if (pushed)
        cuda_driver(device)->cuCtxPopCurrent_v2(&popped);
}

/* Formats the version of the driver: that of the kernel module, if Linux shows it, since the driver API tells
 * only the CUDA version. */
static void driver_text(int version, char *text, size_t size)
{
    char module[48] = "";
    FILE *file = fopen("/sys/module/nvidia/version", "re");
    if (file) {
        if (fgets(module, sizeof module, file))
            module[strcspn(module, "\n")] = '\0';
        fclose(file);
    }
    snprintf(text, size, "CUDA %d.%d%s%s", version / 1000, version % 1000 / 10, *module ? ", driver " : "",
             module);
}

/* A CUDA device and its attributes. An attribute whose query fails is 0. */
struct card {
    char name[256];
    size_t memory;
    int architecture, mode;
    bool cooperative;
    struct shoal_device_info info;
};

static uint32_t attribute(const struct cuda_driver *driver, cu_device ordinal, unsigned which)
{
    int value = 0;
    return driver->cuDeviceGetAttribute(&value, which, ordinal) == DRIVER_SUCCESS && value > 0
               ? (uint32_t)value
               : 0;
}

static bool read_card(const struct cuda_driver *driver, cu_device ordinal, struct card *card)
{
    *card = (struct card){0};
    if (driver->cuDeviceGetName(card->name, (int)sizeof card->name - 1, ordinal) ||
        driver->cuDeviceTotalMem_v2(&card->memory, ordinal))
        return false;
    card->architecture = (int)(10 * attribute(driver, ordinal, DEVICE_COMPUTE_CAPABILITY_MAJOR) +
                               attribute(driver, ordinal, DEVICE_COMPUTE_CAPABILITY_MINOR));
    card->mode = (int)attribute(driver, ordinal, DEVICE_COMPUTE_MODE);
    card->cooperative = attribute(driver, ordinal, DEVICE_COOPERATIVE_LAUNCH) > 0;
    card->info = (struct shoal_device_info){
        .backend = "cuda",
        .name = card->name,
        .vendor = "NVIDIA Corporation",
        .platform = "CUDA",
        .memory = card->memory,
        .max_allocation = card->memory,
        .local_mem = attribute(driver, ordinal, DEVICE_MAX_SHARED_MEMORY_PER_BLOCK),
        .local_mem_max = attribute(driver, ordinal, DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        .units = attribute(driver, ordinal, DEVICE_MULTIPROCESSOR_COUNT),
        .max_work_group = attribute(driver, ordinal, DEVICE_MAX_THREADS_PER_BLOCK),
        .simd_width = attribute(driver, ordinal, DEVICE_WARP_SIZE),
        .architecture = (uint32_t)card->architecture,
        .fp64 = true,
        .int64_atomics = true,
        .correct_division = true,
        .is_gpu = true,
        .has_pci = true,
        .pci = {.domain = attribute(driver, ordinal, DEVICE_PCI_DOMAIN_ID),
                .bus = attribute(driver, ordinal, DEVICE_PCI_BUS_ID),
                .device = attribute(driver, ordinal, DEVICE_PCI_DEVICE_ID)}};
    return card->architecture > 0;
}

/* Adds device `number`, or a note that says why it cannot be used. */
static enum shoal_status add_device(struct shoal *shoal, struct cuda *cuda, int number, size_t *added,
                                    struct shoal_error *error)
{
    char text[512];
    cu_device ordinal;
    struct card card;
    struct cuda_target target;
    if (cuda->driver.cuDeviceGet(&ordinal, number) || !read_card(&cuda->driver, ordinal, &card)) {
        snprintf(text, sizeof text, "device %d does not answer: check nvidia-smi", number);
        return backend_note(shoal, "cuda", false, text, error);
    }
    if (card.mode == COMPUTE_MODE_PROHIBITED) {
        snprintf(text, sizeof text,
                 "device %d (%s) is closed to computations: nvidia-smi -i %d -c DEFAULT opens it", number,
                 card.name, number);
        return backend_note(shoal, "cuda", false, text, error);
    }
    if (!cuda_target_choose(&cuda->nvrtc, card.architecture, &target)) {
        snprintf(
            text, sizeof text,
            "device %d (%s, sm_%d) is too old for NVRTC %d.%d: set SHOAL_NVRTC to the NVRTC of an older CUDA",
            number, card.name, card.architecture, cuda->nvrtc.major, cuda->nvrtc.minor);
        return backend_note(shoal, "cuda", false, text, error);
    }
    char driver[96], compiler[64];
    driver_text(cuda->driver.version, driver, sizeof driver);
    snprintf(compiler, sizeof compiler, "NVRTC %d.%d, %s_%d", cuda->nvrtc.major, cuda->nvrtc.minor,
             target.ptx ? "compute" : "sm", target.architecture);
    card.info.driver = driver;
    card.info.compiler = compiler;
    struct cuda_device *device = calloc(1, sizeof *device);
    if (!device)
        return fail_host_memory(error);
    *device = (struct cuda_device){
        .cuda = cuda, .ordinal = ordinal, .target = target, .cooperative = card.cooperative};
    enum shoal_status status = device_add(shoal, &cuda_backend, cuda, &card.info, device, NULL, error);
    if (status)
        free(device);
    else
        ++*added;
    return status;
}

static enum shoal_status add_devices(struct shoal *shoal, struct cuda *cuda, struct shoal_error *error)
{
    int count = 0;
    if (cuda->driver.cuDeviceGetCount(&count) || count < 1)
        return backend_note(shoal, "cuda", false,
                            "the NVIDIA driver shows no device: check nvidia-smi and CUDA_VISIBLE_DEVICES",
                            error);
    size_t added = 0;
    for (int i = 0; i < count; i++) {
        enum shoal_status status = add_device(shoal, cuda, i, &added, error);
        if (status)
            return status;
    }
    if (!added)
        return SHOAL_OK;
    char note[256];
    const char *remark =
        cuda->nvrtc.major > cuda->driver.version / 1000
            ? "; NVRTC is newer than the driver: kernels may not load, set SHOAL_NVRTC to an older one"
            : "";
    snprintf(note, sizeof note, "CUDA %d.%d, NVRTC %d.%d%s", cuda->driver.version / 1000,
             cuda->driver.version % 1000 / 10, cuda->nvrtc.major, cuda->nvrtc.minor, remark);
    return backend_note(shoal, "cuda", true, note, error);
}

static void backend_close(struct shoal *shoal, void *state)
{
    (void)shoal;
    struct cuda *cuda = state;
    if (!cuda)
        return;
    nvrtc_unload(&cuda->nvrtc);
    cuda_driver_unload(&cuda->driver);
    free(cuda);
}

static enum shoal_status backend_open(struct shoal *shoal, void **state, struct shoal_error *error)
{
    struct cuda *cuda = calloc(1, sizeof *cuda);
    *state = cuda;
    if (!cuda)
        return fail_host_memory(error);
    char reason[LOAD_REASON_SIZE];
    if (!cuda_driver_load(&cuda->driver, reason) || !nvrtc_load(&cuda->nvrtc, cuda->driver.version, reason))
        return backend_note(shoal, "cuda", false, reason, error);
    return add_devices(shoal, cuda, error);
}

/* Records the event from which event times count. It is recorded in a stream of its own, since work of other
 * libraries may delay the legacy stream. The context must be current. */
static enum shoal_status record_epoch(struct shoal_device *device, struct shoal_error *error)
{
    struct cuda_device *native = cuda_device(device);
    const struct cuda_driver *driver = cuda_driver(device);
    cu_stream stream;
    enum shoal_status status = CUDA_CALL(device, error, cuStreamCreate, &stream, STREAM_NON_BLOCKING);
    if (status)
        return status;
    status = CUDA_CALL(device, error, cuEventCreate, &native->epoch, EVENT_DEFAULT);
    if (!status) {
        status = CUDA_CALL(device, error, cuEventRecord, native->epoch, stream);
        if (!status)
            status = CUDA_CALL(device, error, cuEventSynchronize, native->epoch);
        if (status)
            driver->cuEventDestroy_v2(native->epoch);
    }
    driver->cuStreamDestroy_v2(stream);
    return status;
}

static enum shoal_status device_open(struct shoal_device *device, struct shoal_error *error)
{
    struct cuda_device *native = cuda_device(device);
    cu_context context = NULL;
    enum shoal_status status = CUDA_CALL(device, error, cuDevicePrimaryCtxRetain, &context, native->ordinal);
    if (status)
        return status;
    native->context = context;
    bool pushed;
    status = cuda_enter(device, &pushed, error);
    if (!status) {
        status = record_epoch(device, error);
        cuda_leave(device, pushed);
    }
    if (status) {
        cuda_driver(device)->cuDevicePrimaryCtxRelease_v2(native->ordinal);
        native->context = NULL;
    }
    return status;
}

static void device_close(struct shoal_device *device)
{
    struct cuda_device *native = cuda_device(device);
    if (native->context) {
        bool pushed;
        if (cuda_enter(device, &pushed, NULL) == SHOAL_OK) {
            cuda_driver(device)->cuEventDestroy_v2(native->epoch);
            cuda_leave(device, pushed);
        }
        cuda_driver(device)->cuDevicePrimaryCtxRelease_v2(native->ordinal);
    }
    free(native);
    device->native = NULL;
}

const struct backend cuda_backend = {
    .name = "cuda",
    .open = backend_open,
    .close = backend_close,
    .device_open = device_open,
    .device_close = device_close,
    .queue_create = cuda_queue_create,
    .queue_destroy = cuda_queue_destroy,
    .queue_flush = cuda_queue_flush,
    .queue_finish = cuda_queue_finish,
    .queue_wait = cuda_queue_wait,
    .queue_mark = cuda_queue_mark,
    .event_gap = cuda_event_gap,
    .span_begin = cuda_span_begin,
    .span_end = cuda_span_end,
    .buffer_create = cuda_buffer_create,
    .buffer_destroy = cuda_buffer_destroy,
    .buffer_write = cuda_buffer_write,
    .buffer_read = cuda_buffer_read,
    .buffer_copy = cuda_buffer_copy,
    .buffer_fill = cuda_buffer_fill,
    .block_create = cuda_block_create,
    .block_destroy = cuda_block_destroy,
    .enqueue_write = cuda_enqueue_write,
    .enqueue_read = cuda_enqueue_read,
    .peer_open = cuda_peer_open,
    .peer_copy = cuda_peer_copy,
    .kernels_read_peers = true,
    .prelude = cuda_prelude,
    .program_build = cuda_program_build,
    .builds_at_once = true,
    .program_load = cuda_program_load,
    .program_binary = cuda_program_binary,
    .program_destroy = cuda_program_destroy,
    .kernel_create = cuda_kernel_create,
    .kernel_limit = cuda_kernel_limit,
    .kernel_resident = cuda_kernel_resident,
    .kernel_destroy = cuda_kernel_destroy,
    .launch = cuda_launch,
    .event_wait = cuda_event_wait,
    .event_times = cuda_event_times,
    .event_destroy = cuda_event_destroy,
};
