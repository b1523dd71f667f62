#include "compute/log.h"
#include "compute/opencl/opencl.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Queries of extensions that the headers of OpenCL 1.2 lack. */
enum {
    DEVICE_WARP_SIZE_NV = 0x4003,
    DEVICE_PCI_BUS_ID_NV = 0x4008,
    DEVICE_PCI_SLOT_ID_NV = 0x4009,
    DEVICE_PCI_DOMAIN_ID_NV = 0x400A,
    DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,
    DEVICE_PCI_BUS_INFO_KHR = 0x410F
};

static char *info_string(cl_device_id device, cl_device_info what)
{
    size_t bytes = 0;
    if (clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS)
        bytes = 0;
    char *text = calloc(1, bytes + 1);
    if (text && bytes && clGetDeviceInfo(device, what, bytes, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

static char *platform_string(cl_platform_id platform, cl_platform_info what)
{
    size_t bytes = 0;
    if (clGetPlatformInfo(platform, what, 0, NULL, &bytes) != CL_SUCCESS)
        bytes = 0;
    char *text = calloc(1, bytes + 1);
    if (text && bytes && clGetPlatformInfo(platform, what, bytes, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

/* Asks the device for a property. False: the device does not know the query, and `value` does not change. */
#define QUERY(device, what, value) (clGetDeviceInfo(device, what, sizeof *(value), value, NULL) == CL_SUCCESS)

static bool has_extension(const char *extensions, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = extensions; (at = strstr(at, name)); at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static void read_pci(cl_device_id device, const char *extensions, struct shoal_device_info *info)
{
    cl_uint bus, slot, domain = 0;
    if (has_extension(extensions, "cl_khr_pci_bus_info")) {
        cl_uint khr[4];
        if (QUERY(device, DEVICE_PCI_BUS_INFO_KHR, &khr)) {
            info->pci = (struct shoal_pci_address){khr[0], khr[1], khr[2], khr[3]};
            info->has_pci = true;
        }
    } else if (has_extension(extensions, "cl_nv_device_attribute_query") &&
               QUERY(device, DEVICE_PCI_BUS_ID_NV, &bus) && QUERY(device, DEVICE_PCI_SLOT_ID_NV, &slot)) {
        if (!QUERY(device, DEVICE_PCI_DOMAIN_ID_NV, &domain))
            domain = 0;
        info->pci = (struct shoal_pci_address){domain, bus, slot >> 3, slot & 7};
        info->has_pci = true;
    }
}

/* oclgrind divides and takes square roots on the host, with correct rounding, but does not report this. */
static bool is_oclgrind(const struct shoal_device_info *info)
{
    return info->name && strstr(info->name, "Oclgrind") != NULL;
}

static void read_limits(cl_device_id device, const char *extensions, struct shoal_device_info *info)
{
    cl_ulong memory = 0, allocation = 0, local = 0;
    cl_uint units = 0, width = 0;
    size_t group = 0, items[3] = {0};
    cl_device_fp_config fp64 = 0, fp32 = 0;
    cl_device_type type = 0;
    if (QUERY(device, CL_DEVICE_GLOBAL_MEM_SIZE, &memory))
        info->memory = memory;
    if (QUERY(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &allocation))
        info->max_allocation = allocation;
    if (QUERY(device, CL_DEVICE_LOCAL_MEM_SIZE, &local))
        info->local_mem = info->local_mem_max = local;
    if (QUERY(device, CL_DEVICE_MAX_COMPUTE_UNITS, &units))
        info->units = units;
    if (QUERY(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, &group))
        info->max_work_group = (uint32_t)group;
    if (QUERY(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, &items) && items[0] && items[0] < info->max_work_group)
        info->max_work_group = (uint32_t)items[0];
    if (!(has_extension(extensions, "cl_nv_device_attribute_query") &&
          QUERY(device, DEVICE_WARP_SIZE_NV, &width)) &&
        !(has_extension(extensions, "cl_amd_device_attribute_query") &&
          QUERY(device, DEVICE_WAVEFRONT_WIDTH_AMD, &width)) &&
        !QUERY(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, &width))
        width = 1;
    info->simd_width = width ? width : 1;
    info->fp64 = QUERY(device, CL_DEVICE_DOUBLE_FP_CONFIG, &fp64) && fp64 != 0;
    info->correct_division = is_oclgrind(info) || (QUERY(device, CL_DEVICE_SINGLE_FP_CONFIG, &fp32) &&
                                                   (fp32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT));
    info->int64_atomics = has_extension(extensions, "cl_khr_int64_base_atomics") &&
                          has_extension(extensions, "cl_khr_int64_extended_atomics");
    if (QUERY(device, CL_DEVICE_TYPE, &type)) {
        info->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
        info->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    }
}

static bool is_pocl(const char *platform)
{
    return strstr(platform, "Portable Computing Language") != NULL;
}

static enum shoal_status note_skipped(struct shoal *shoal, const char *who, const char *why,
                                      struct shoal_error *error)
{
    struct text note = {0};
    text_printf(&note, "%s: %s", who, why);
    return opencl_note_fault(shoal, &note, error);
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Adds to the note that PoCL's cache folder cannot be written, if so: PoCL then shows no device. The folder
 * is found by PoCL's rules. */
static bool add_cause_of_pocl(struct text *note)
{
    const char *cache = setting("POCL_CACHE_DIR"), *all = setting("XDG_CACHE_HOME"), *home = setting("HOME");
    struct text folder = {0};
    if (cache)
        text_printf(&folder, "%s", cache);
    else if (all)
        text_printf(&folder, "%s/pocl/kcache", all);
    else
        text_printf(&folder, "%s%s/pocl/kcache", home ? home : "/tmp", home ? "/.cache" : "");
    const bool is_cause =
        !folder.failed && (!make_folders(folder.data) || access(folder.data, W_OK | X_OK) != 0);
    if (is_cause)
        text_printf(
            note,
            ": its cache %s cannot be written (%s); set POCL_CACHE_DIR to a folder that can, or make %s "
            "writable",
            folder.data, strerror(errno),
            cache ? "that one"
            : all ? "XDG_CACHE_HOME"
                  : "the home folder");
    text_free(&folder);
    return is_cause;
}

static enum shoal_status note_no_device(struct shoal *shoal, const char *platform, cl_int code,
                                        struct shoal_error *error)
{
    struct text note = {0};
    text_printf(&note, "OpenCL platform %s shows no device", platform);
    if (!is_pocl(platform) || !add_cause_of_pocl(&note))
        text_printf(&note, " (clGetDeviceIDs gave %s)", opencl_error_name(code));
    return opencl_note_fault(shoal, &note, error);
}

/* PoCL 7.0 and 7.1 repeat, behind a barrier, a load that a work-item made before it, instead of keeping the
 * value, which another work-item may have overwritten since (fixed upstream in August 2026). With
 * POCL_WORK_GROUP_METHOD=cbs they keep it, but one kernel is wrong all the same (docs/devices.md). */
static bool repeats_loads(const struct shoal_device_info *info)
{
    char *end;
    return is_pocl(info->platform) && strtol(info->driver, &end, 10) == 7 && *end == '.' &&
           strtol(end + 1, NULL, 10) <= 1;
}

/* What the driver of a device is known to do wrong, as the end of a sentence that begins with the device.
 * NULL: nothing is known. */
static const char *known_fault(const struct shoal_device_info *info)
{
    static const char processor[] = "llvmpipe";
    if (repeats_loads(info))
        return "computes wrong where work-items keep values over a barrier, as in scans and sorts (PoCL 7.0, "
               "7.1): use PoCL 6";
    if (strcmp(info->platform, "rusticl") != 0)
        return NULL;
    if (strncmp(info->name, processor, strlen(processor)) == 0)
        return "fails shoal verify (Mesa 22.3, 25.0, 26.2): use PoCL for processors";
    return NULL;
}

/* Adds a note if the driver of the device that was added last is known to compute wrong. */
static enum shoal_status note_known_fault(struct shoal *shoal, struct shoal_error *error)
{
    const struct shoal_device_info *info = &shoal->devices[shoal->device_count - 1]->info;
    const char *fault = known_fault(info);
    struct text note = {0};
    if (!fault)
        return SHOAL_OK;
    text_printf(&note, "%s (%s, driver %s) %s", info->id, info->platform, info->driver, fault);
    return opencl_note_fault(shoal, &note, error);
}

static enum shoal_status add_device(struct shoal *shoal, cl_platform_id platform, const char *platform_name,
                                    cl_device_id id, struct shoal_error *error)
{
    char *name = info_string(id, CL_DEVICE_NAME), *vendor = info_string(id, CL_DEVICE_VENDOR);
    char *driver = info_string(id, CL_DRIVER_VERSION), *version = info_string(id, CL_DEVICE_VERSION);
    char *extensions = info_string(id, CL_DEVICE_EXTENSIONS);
    struct opencl_device *native = calloc(1, sizeof *native);
    enum shoal_status status;
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    if (!name || !vendor || !driver || !version || !extensions || !native) {
        status = fail_host_memory(error);
    } else if (!QUERY(id, CL_DEVICE_AVAILABLE, &available) || !available) {
        status = note_skipped(shoal, name, "the driver says that the device is not available", error);
    } else if (!QUERY(id, CL_DEVICE_COMPILER_AVAILABLE, &compiler) || !compiler) {
        status = note_skipped(shoal, name, "the driver has no compiler for OpenCL C", error);
    } else {
        struct shoal_device_info info = {.backend = "opencl",
                                         .name = name,
                                         .vendor = vendor,
                                         .platform = platform_name,
                                         .driver = driver,
                                         .compiler = version};
        read_limits(id, extensions, &info);
        read_pci(id, extensions, &info);
        info.self_caching = is_pocl(platform_name) || strstr(platform_name, "NVIDIA");
        *native = (struct opencl_device){.platform = platform,
                                         .id = id,
                                         .is_pocl = is_pocl(platform_name),
                                         .miscompiles_groups_of_one =
                                             is_pocl(platform_name) && strtol(driver, NULL, 10) >= 4};
        status = device_add(shoal, &opencl_backend, NULL, &info, native, NULL, error);
        if (!status) {
            native = NULL;
            status = note_known_fault(shoal, error);
        }
    }
    free(name);
    free(vendor);
    free(driver);
    free(version);
    free(extensions);
    free(native);
    return status;
}

static enum shoal_status add_platform(struct shoal *shoal, cl_platform_id platform, size_t *added,
                                      struct text *names, struct shoal_error *error)
{
    char *name = platform_string(platform, CL_PLATFORM_NAME);
    char *version = platform_string(platform, CL_PLATFORM_VERSION);
    if (!name || !version) {
        free(name);
        free(version);
        return fail_host_memory(error);
    }
    enum shoal_status status = SHOAL_OK;
    cl_uint count = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    cl_device_id *ids = count ? calloc(count, sizeof *ids) : NULL;
    if (code == CL_SUCCESS && ids)
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    if (code != CL_SUCCESS || !ids) {
        status = note_no_device(shoal, name, code, error);
    } else {
        for (cl_uint i = 0; i < count && !status; i++) {
            size_t before = shoal->device_count;
            status = add_device(shoal, platform, name, ids[i], error);
            *added += shoal->device_count - before;
        }
        text_printf(names, "%s%s (%s)", names->length ? ", " : "", name, version);
    }
    free(ids);
    free(name);
    free(version);
    return status;
}

static const char install_hint[] =
    "no OpenCL platform: install pocl-opencl-icd (runs on any CPU) or the OpenCL driver of your GPU";

enum shoal_status opencl_open(struct shoal *shoal, void **state, struct shoal_error *error)
{
    *state = NULL;
    cl_uint count = 0;
    cl_int code = clGetPlatformIDs(0, NULL, &count);
    cl_platform_id *platforms = code == CL_SUCCESS && count ? calloc(count, sizeof *platforms) : NULL;
    if (platforms)
        code = clGetPlatformIDs(count, platforms, NULL);
    size_t added = 0;
    struct text names = {0};
    enum shoal_status status = code == CL_SUCCESS && count && !platforms ? fail_host_memory(error) : SHOAL_OK;
    for (cl_uint i = 0; platforms && code == CL_SUCCESS && i < count && !status; i++)
        status = add_platform(shoal, platforms[i], &added, &names, error);
    free(platforms);
    if (!status && added)
        status =
            backend_note(shoal, "opencl", true, names.failed || !names.data ? "OpenCL" : names.data, error);
    text_free(&names);
    if (!status)
        status = opencl_note_broken_drivers(shoal, error);
    if (!status && count == 0)
        status = backend_note(shoal, "opencl", false, install_hint, error);
    return status;
}

/* Logs a message of a driver, which may come at any time and from any thread. */
static void CL_CALLBACK driver_message(const char *text, const void *private_info, size_t bytes, void *data)
{
    (void)private_info;
    (void)bytes;
    shoal_log(data, SHOAL_LOG_INFO, "OpenCL driver: %s", text);
}

enum shoal_status opencl_context_create(struct shoal_device *device, const cl_device_id *ids, cl_uint count,
                                        cl_context *context, struct shoal_error *error)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)opencl_device(device)->platform, 0};
    cl_int code;
    *context = clCreateContext(properties, count, ids, driver_message, device->shoal, &code);
    return code == CL_SUCCESS ? SHOAL_OK
                              : opencl_fail(device, error, "clCreateContext", code, "opening the device");
}

enum shoal_status opencl_device_open(struct shoal_device *device, struct shoal_error *error)
{
    struct opencl_device *native = opencl_device(device);
    return opencl_context_create(device, &native->id, 1, &native->context, error);
}

/* Buffers belong to a context, which only parts of one division share. */
bool opencl_shares_memory(const struct shoal_device *a, const struct shoal_device *b)
{
    return opencl_device(a)->context == opencl_device(b)->context;
}

void opencl_device_close(struct shoal_device *device)
{
    struct opencl_device *native = opencl_device(device);
    if (native && native->context) {
        opencl_kept_release(native);
        clReleaseContext(native->context);
    }
    free(native);
}
