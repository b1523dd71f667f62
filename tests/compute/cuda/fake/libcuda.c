/* The fake driver: handles, memory, modules, failures. Streams and their commands are in stream.c. */
#include "libcuda.h"

#include "compute/cuda/api.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_cuda_counts fake_counts;
cu_result fake_broken;

#define NAME(symbol, parameters) #symbol,
static const char *const symbols[] = {CUDA_DRIVER_FUNCTIONS(NAME) CUDA_DRIVER_OPTIONAL_FUNCTIONS(NAME) NULL};
enum { SYMBOLS = sizeof symbols / sizeof *symbols };
static unsigned calls[SYMBOLS];
static char failure[128]; /* the FAKE_CUDA_FAIL that is being counted */
static unsigned failure_calls;

long fake_setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}

cu_result fake_failure(const char *symbol)
{
    const char *wanted = getenv("FAKE_CUDA_FAIL");
    if (!wanted || strcmp(wanted, failure) != 0) {
        snprintf(failure, sizeof failure, "%s", wanted ? wanted : "");
        failure_calls = 0;
    }
    size_t length = strlen(symbol);
    if (strncmp(failure, symbol, length) != 0 || failure[length] != '=')
        return DRIVER_SUCCESS;
    const char *count = strchr(failure, '@');
    unsigned number = count ? (unsigned)strtoul(count + 1, NULL, 10) : 1;
    if (++failure_calls != number)
        return DRIVER_SUCCESS;
    cu_result code = (cu_result)strtoul(failure + length + 1, NULL, 10);
    if (code >= 700)
        fake_broken = code;
    return code;
}

static cu_result count_call(const char *symbol)
{
    for (int i = 0; symbols[i]; i++)
        if (strcmp(symbols[i], symbol) == 0)
            calls[i]++;
    return fake_failure(symbol);
}

/* Contexts: the primary one of each device, and one that is nobody's. */
struct CUctx_st {
    int retained;
    unsigned peers; /* bit i: the context may access the memory of device i */
};

enum { MAX_DEVICES = 8, MAX_DEPTH = 16 };
static struct CUctx_st contexts[MAX_DEVICES], foreign;
static _Thread_local cu_context stack[MAX_DEPTH];
static _Thread_local int depth;
static bool initialised;

cu_result fake_begin(const char *symbol, bool in_context)
{
    cu_result code = count_call(symbol);
    if (code)
        return code;
    if (!initialised && strcmp(symbol, "cuInit") != 0)
        return 3; /* not initialised */
    if (!in_context)
        return DRIVER_SUCCESS;
    if (depth == 0 || stack[depth - 1] == &foreign || stack[depth - 1]->retained == 0)
        return FAKE_NO_CONTEXT;
    return fake_broken;
}

static void *make_foreign_current(void)
{
    stack[depth++] = &foreign;
    return &foreign;
}

static struct fake_cuda_counts get_counts(void)
{
    fake_counts.depth = depth;
    return fake_counts;
}

static unsigned get_calls(const char *symbol)
{
    for (int i = 0; symbols[i]; i++)
        if (strcmp(symbols[i], symbol) == 0)
            return calls[i];
    return 0;
}

static void reset(void)
{
    memset(calls, 0, sizeof calls);
    failure[0] = '\0';
    failure_calls = 0;
    fake_broken = DRIVER_SUCCESS;
    depth = 0;
}

extern const struct fake_cuda fake_cuda;
const struct fake_cuda fake_cuda = {get_counts, get_calls, reset, symbols, make_foreign_current};

/* The real NVRTC looks for the driver too and calls this without a check. */
cu_result cuGetExportTable(const void **table, const void *id);
cu_result cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    *table = NULL;
    return 801; /* not supported */
}

cu_result cuInit(unsigned flags)
{
    CALL(cuInit);
    if (flags)
        return 1;
    initialised = true;
    return fake_setting("FAKE_CUDA_DEVICES", 1) ? DRIVER_SUCCESS : DRIVER_NO_DEVICE;
}

cu_result cuDriverGetVersion(int *version)
{
    CALL(cuDriverGetVersion);
    *version = (int)fake_setting("FAKE_CUDA_VERSION", 13000);
    return DRIVER_SUCCESS;
}

cu_result cuGetErrorName(cu_result code, const char **name)
{
    CALL(cuGetErrorName);
    static char text[32];
    snprintf(text, sizeof text, "FAKE_ERROR_%u", code);
    *name = text;
    return DRIVER_SUCCESS;
}

cu_result cuGetErrorString(cu_result code, const char **text)
{
    CALL(cuGetErrorString);
    *text = code == DRIVER_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "fake failure";
    return DRIVER_SUCCESS;
}

cu_result cuDeviceGetCount(int *count)
{
    CALL(cuDeviceGetCount);
    *count = (int)fake_setting("FAKE_CUDA_DEVICES", 1);
    return DRIVER_SUCCESS;
}

cu_result cuDeviceGet(cu_device *device, int ordinal)
{
    CALL(cuDeviceGet);
    if (ordinal < 0 || ordinal >= fake_setting("FAKE_CUDA_DEVICES", 1) || ordinal >= MAX_DEVICES)
        return 101;
    *device = ordinal;
    return DRIVER_SUCCESS;
}

cu_result cuDeviceGetName(char *name, int size, cu_device device)
{
    CALL(cuDeviceGetName);
    snprintf(name, (size_t)size, "Fake GPU %d", device);
    return DRIVER_SUCCESS;
}

cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device device)
{
    CALL(cuDeviceTotalMem_v2);
    (void)device;
    *bytes = (size_t)fake_setting("FAKE_CUDA_MEMORY", 1l << 30);
    return DRIVER_SUCCESS;
}

cu_result cuDeviceGetAttribute(int *value, unsigned attribute, cu_device device)
{
    CALL(cuDeviceGetAttribute);
    long architecture = fake_setting("FAKE_CUDA_ARCH", 90);
    switch (attribute) {
    case DEVICE_MAX_THREADS_PER_BLOCK:
        *value = 1024;
        break;
    case DEVICE_MAX_SHARED_MEMORY_PER_BLOCK:
        *value = 49152;
        break;
    case DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = 232448;
        break;
    case DEVICE_WARP_SIZE:
        *value = 32;
        break;
    case DEVICE_COOPERATIVE_LAUNCH:
        *value = (int)fake_setting("FAKE_CUDA_COOPERATIVE", 1);
        break;
    case DEVICE_MULTIPROCESSOR_COUNT:
        *value = 132;
        break;
    case DEVICE_COMPUTE_MODE:
        *value = (int)fake_setting("FAKE_CUDA_MODE", 0);
        break;
    case DEVICE_PCI_BUS_ID:
        *value = 5 + device;
        break;
    case DEVICE_PCI_DEVICE_ID:
        *value = 1;
        break;
    case DEVICE_PCI_DOMAIN_ID:
        *value = 0;
        break;
    case DEVICE_COMPUTE_CAPABILITY_MAJOR:
        *value = (int)architecture / 10;
        break;
    case DEVICE_COMPUTE_CAPABILITY_MINOR:
        *value = (int)architecture % 10;
        break;
    default:
        return 1;
    }
    return DRIVER_SUCCESS;
}

cu_result cuDevicePrimaryCtxRetain(cu_context *context, cu_device device)
{
    CALL(cuDevicePrimaryCtxRetain);
    *context = &contexts[device];
    contexts[device].retained++;
    fake_counts.contexts++;
    return DRIVER_SUCCESS;
}

cu_result cuDevicePrimaryCtxRelease_v2(cu_device device)
{
    cu_result code = fake_begin("cuDevicePrimaryCtxRelease_v2", false);
    if (contexts[device].retained == 0)
        return FAKE_NO_CONTEXT;
    if (--contexts[device].retained == 0)
        contexts[device].peers = 0;
    fake_run_all();
    fake_counts.contexts--;
    return code;
}

cu_result cuCtxGetCurrent(cu_context *context)
{
    CALL(cuCtxGetCurrent);
    *context = depth ? stack[depth - 1] : NULL;
    return DRIVER_SUCCESS;
}

cu_result cuCtxPushCurrent_v2(cu_context context)
{
    CALL(cuCtxPushCurrent_v2);
    if (!context || depth == MAX_DEPTH)
        return FAKE_NO_CONTEXT;
    stack[depth++] = context;
    return DRIVER_SUCCESS;
}

cu_result cuCtxPopCurrent_v2(cu_context *context)
{
    cu_result code = fake_begin("cuCtxPopCurrent_v2", false);
    if (depth == 0)
        return FAKE_NO_CONTEXT;
    *context = stack[--depth];
    return code;
}

/* The values of FAKE_CUDA_PEERS. */
enum { NO_PEERS, PEERS, TOO_MANY_PEERS, UNSUPPORTED_PEERS };

cu_result cuDeviceCanAccessPeer(int *can, cu_device device, cu_device peer)
{
    CALL(cuDeviceCanAccessPeer);
    if (device == peer)
        return 101;
    *can = fake_setting("FAKE_CUDA_PEERS", PEERS) != NO_PEERS;
    return DRIVER_SUCCESS;
}

cu_result cuCtxEnablePeerAccess(cu_context peer, unsigned flags)
{
    CALL_IN_CONTEXT(cuCtxEnablePeerAccess);
    cu_context current = stack[depth - 1];
    if (flags || peer == current || !peer->retained)
        return FAKE_NO_CONTEXT;
    const long peers = fake_setting("FAKE_CUDA_PEERS", PEERS);
    if (peers == TOO_MANY_PEERS)
        return DRIVER_TOO_MANY_PEERS;
    if (peers != PEERS)
        return DRIVER_PEER_ACCESS_UNSUPPORTED;
    if (fake_may_access(current, peer))
        return DRIVER_PEER_ACCESS_ALREADY_ENABLED;
    current->peers |= 1u << (peer - contexts);
    return DRIVER_SUCCESS;
}

bool fake_may_access(cu_context context, cu_context peer)
{
    return context == stack[depth - 1] && context->peers >> (peer - contexts) & 1;
}

/* Device memory is host memory with a list of what is allocated. */
struct allocation {
    struct allocation *next;
    cu_context context;
    size_t bytes;
    _Alignas(256) unsigned char data[];
};

static struct allocation *allocations;
static size_t used;

bool fake_inside(cu_pointer memory, size_t bytes, cu_context context)
{
    for (const struct allocation *one = allocations; one; one = one->next) {
        cu_pointer start = (uintptr_t)one->data;
        if ((!context || context == one->context) && memory >= start && memory - start <= one->bytes &&
            bytes <= one->bytes - (memory - start))
            return true;
    }
    return false;
}

cu_result cuMemGetInfo_v2(size_t *available, size_t *total)
{
    CALL_IN_CONTEXT(cuMemGetInfo_v2);
    *total = (size_t)fake_setting("FAKE_CUDA_MEMORY", 1l << 30);
    *available = *total - used;
    return DRIVER_SUCCESS;
}

cu_result cuMemAlloc_v2(cu_pointer *memory, size_t bytes)
{
    CALL_IN_CONTEXT(cuMemAlloc_v2);
    if (bytes == 0)
        return 1;
    if (bytes > (size_t)fake_setting("FAKE_CUDA_MEMORY", 1l << 30) - used)
        return DRIVER_OUT_OF_MEMORY;
    struct allocation *one = aligned_alloc(256, (sizeof *one + bytes + 255) / 256 * 256);
    one->bytes = bytes;
    one->context = stack[depth - 1];
    one->next = allocations;
    allocations = one;
    memset(one->data, 0xcd, bytes);
    used += bytes;
    fake_counts.allocations++;
    *memory = (uintptr_t)one->data;
    return DRIVER_SUCCESS;
}

cu_result cuMemFree_v2(cu_pointer memory)
{
    CALL_THAT_RELEASES(cuMemFree_v2, code);
    for (struct allocation **place = &allocations; *place; place = &(*place)->next) {
        struct allocation *one = *place;
        if ((uintptr_t)one->data != memory)
            continue;
        fake_run_all();
        *place = one->next;
        used -= one->bytes;
        fake_counts.allocations--;
        free(one);
        return code;
    }
    return 1;
}

cu_result cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    CALL_IN_CONTEXT(cuMemHostAlloc);
    (void)flags;
    *memory = malloc(bytes);
    fake_counts.pinned++;
    return DRIVER_SUCCESS;
}

cu_result cuMemFreeHost(void *memory)
{
    CALL_THAT_RELEASES(cuMemFreeHost, code);
    fake_run_all();
    free(memory);
    fake_counts.pinned--;
    return code;
}

/* Modules hold the text; a function knows the sizes of its parameters from it. */
struct CUmod_st {
    char *text;
    struct CUfunc_st *functions;
    unsigned dynamic;
};

cu_result cuModuleLoadDataEx(cu_module *module, const void *image, unsigned count, unsigned *options,
                             void **values)
{
    CALL_IN_CONTEXT(cuModuleLoadDataEx);
    if (count != 2 || options[0] != JIT_ERROR_LOG_BUFFER || options[1] != JIT_ERROR_LOG_BUFFER_SIZE_BYTES ||
        (uintptr_t)values[1] < 16)
        return 1;
    const char *text = image;
    if (*text == 0x7f)
        text += FAKE_CUBIN_HEADER;
    *module = calloc(1, sizeof **module);
    (*module)->text = strdup(text);
    fake_counts.modules++;
    return DRIVER_SUCCESS;
}

cu_result cuModuleUnload(cu_module module)
{
    CALL_THAT_RELEASES(cuModuleUnload, code);
    fake_run_all();
    while (module->functions) {
        cu_function function = module->functions;
        module->functions = function->next;
        free(function);
    }
    free(module->text);
    free(module);
    fake_counts.modules--;
    return code;
}

static size_t parameter_bytes(const char *text, size_t length)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    if (strchr(copy, '*') || strstr(copy, "long ") || strstr(copy, "double "))
        return 8;
    if (strstr(copy, "struct gather_list "))
        return FAKE_PARAMETER_BYTES;
    return strstr(copy, "struct ") ? 16 : 4;
}

static bool read_parameters(struct CUfunc_st *function, const char *text)
{
    char start[80];
    snprintf(start, sizeof start, "void %s(", function->name);
    const char *found = strstr(text, start);
    if (!found)
        return false;
    found += strlen(start);
    while (*found != ')' && *found && function->count < FAKE_MAX_PARAMETERS) {
        size_t length = strcspn(found, ",)");
        function->bytes[function->count++] = parameter_bytes(found, length);
        found += length + (found[length] == ',');
    }
    return true;
}

static const char cluster_dims[] = "cluster_dims(";

static bool has_clusters(void)
{
    return fake_setting("FAKE_CUDA_ARCH", 90) >= 90;
}

cu_result cuModuleGetFunction(cu_function *out, cu_module module, const char *name)
{
    CALL_IN_CONTEXT(cuModuleGetFunction);
    struct CUfunc_st *function = calloc(1, sizeof *function);
    snprintf(function->name, sizeof function->name, "%s", name);
    function->run = fake_kernel(name);
    const char *cluster = strstr(module->text, cluster_dims);
    function->cluster_width = cluster ? (int)strtol(cluster + strlen(cluster_dims), NULL, 10) : 0;
    if (!read_parameters(function, module->text) || !function->run) {
        free(function);
        return DRIVER_NOT_FOUND;
    }
    function->next = module->functions;
    module->functions = function;
    *out = function;
    return DRIVER_SUCCESS;
}

cu_result cuModuleGetGlobal_v2(cu_pointer *memory, size_t *bytes, cu_module module, const char *name)
{
    CALL_IN_CONTEXT(cuModuleGetGlobal_v2);
    const char *found = strstr(module->text, name);
    if (!found)
        return DRIVER_NOT_FOUND;
    found += strcspn(found, "=;");
    module->dynamic = *found == '=' ? (unsigned)strtoul(found + 1, NULL, 10) : 0;
    *memory = (uintptr_t)&module->dynamic;
    *bytes = sizeof module->dynamic;
    return DRIVER_SUCCESS;
}

cu_result cuFuncGetAttribute(int *value, unsigned attribute, cu_function function)
{
    CALL_IN_CONTEXT(cuFuncGetAttribute);
    if (attribute == FUNCTION_MAX_THREADS_PER_BLOCK)
        *value = (int)fake_setting("FAKE_CUDA_MAX_THREADS", 1024);
    else if (attribute == FUNCTION_REQUIRED_CLUSTER_WIDTH && has_clusters())
        *value = function->cluster_width;
    else
        return 1;
    return DRIVER_SUCCESS;
}

cu_result cuFuncSetAttribute(cu_function function, unsigned attribute, int value)
{
    CALL_IN_CONTEXT(cuFuncSetAttribute);
    if (attribute == FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        function->max_dynamic = (unsigned)value;
    else if (attribute == FUNCTION_NON_PORTABLE_CLUSTER_SIZE_ALLOWED && has_clusters())
        function->may_be_wide = value != 0;
    else
        return 1;
    return DRIVER_SUCCESS;
}

cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, cu_function function, int work_group,
                                                      size_t shared_bytes)
{
    CALL_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    if (function->cluster_width || work_group < 1 || shared_bytes != function->max_dynamic)
        return 1;
    *groups = (int)fake_setting("FAKE_CUDA_GROUPS", 3);
    return DRIVER_SUCCESS;
}

cu_result cuOccupancyMaxActiveClusters(int *clusters, cu_function function,
                                       const struct CUlaunchConfig_st *launch)
{
    CALL_IN_CONTEXT(cuOccupancyMaxActiveClusters);
    const struct cu_launch_config *config = (const void *)launch;
    if (!function->cluster_width || config->grid_x != (unsigned)function->cluster_width ||
        config->grid_y != 1 || config->grid_z != 1 || config->block_x < 1 || config->block_y != 1 ||
        config->block_z != 1 || config->shared_bytes != function->max_dynamic || config->attribute_count)
        return 1;
    const int most = (int)fake_setting("FAKE_CUDA_CLUSTER", 16);
    if (function->cluster_width > most)
        return DRIVER_INVALID_CLUSTER_SIZE;
    *clusters = (int)fake_setting("FAKE_CUDA_GROUPS", 3);
    return DRIVER_SUCCESS;
}

cu_result cuFuncGetParamInfo(cu_function function, size_t index, size_t *offset, size_t *bytes)
{
    CALL_IN_CONTEXT(cuFuncGetParamInfo);
    if (index >= function->count)
        return 1;
    *offset = 0;
    *bytes = function->bytes[index];
    return DRIVER_SUCCESS;
}
