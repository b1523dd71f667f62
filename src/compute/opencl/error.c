#include "compute/opencl/opencl.h"

/* Codes that the headers of OpenCL 1.2 lack. */
enum {
    PLATFORM_NOT_FOUND_KHR = -1001,
    NVIDIA_ILLEGAL_ACCESS = -9999 /* NVIDIA: a kernel read or wrote outside of its buffers */
};

const char *opencl_error_name(cl_int code)
{
#define NAME(code)                                                                                           \
    case code:                                                                                               \
        return #code
    switch (code) {
        NAME(CL_SUCCESS);
        NAME(CL_DEVICE_NOT_FOUND);
        NAME(CL_DEVICE_NOT_AVAILABLE);
        NAME(CL_COMPILER_NOT_AVAILABLE);
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
        NAME(CL_OUT_OF_RESOURCES);
        NAME(CL_OUT_OF_HOST_MEMORY);
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE);
        NAME(CL_BUILD_PROGRAM_FAILURE);
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        NAME(CL_INVALID_VALUE);
        NAME(CL_INVALID_PLATFORM);
        NAME(CL_INVALID_DEVICE);
        NAME(CL_INVALID_CONTEXT);
        NAME(CL_INVALID_QUEUE_PROPERTIES);
        NAME(CL_INVALID_COMMAND_QUEUE);
        NAME(CL_INVALID_MEM_OBJECT);
        NAME(CL_INVALID_BINARY);
        NAME(CL_INVALID_BUILD_OPTIONS);
        NAME(CL_INVALID_PROGRAM);
        NAME(CL_INVALID_PROGRAM_EXECUTABLE);
        NAME(CL_INVALID_KERNEL_NAME);
        NAME(CL_INVALID_KERNEL);
        NAME(CL_INVALID_ARG_INDEX);
        NAME(CL_INVALID_ARG_VALUE);
        NAME(CL_INVALID_ARG_SIZE);
        NAME(CL_INVALID_KERNEL_ARGS);
        NAME(CL_INVALID_WORK_GROUP_SIZE);
        NAME(CL_INVALID_WORK_ITEM_SIZE);
        NAME(CL_INVALID_EVENT);
        NAME(CL_INVALID_OPERATION);
        NAME(CL_INVALID_BUFFER_SIZE);
        NAME(CL_INVALID_GLOBAL_WORK_SIZE);
        NAME(CL_INVALID_DEVICE_PARTITION_COUNT);
        NAME(CL_DEVICE_PARTITION_FAILED);
        NAME(PLATFORM_NOT_FOUND_KHR);
        NAME(NVIDIA_ILLEGAL_ACCESS);
    default:
        return "unknown OpenCL error";
    }
#undef NAME
}

enum shoal_status opencl_fail(struct shoal_device *device, struct shoal_error *error, const char *call,
                              cl_int code, const char *what)
{
    const struct shoal_device_info *info = &device->info;
    const char *name = opencl_error_name(code);
    switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
        return fail_call(error, SHOAL_OUT_OF_DEVICE_MEMORY, call, code,
                         "%s (%s): no memory for %s: %s gave %s", info->id, info->name, what, call, name);
    case CL_OUT_OF_HOST_MEMORY:
        return fail_call(error, SHOAL_OUT_OF_HOST_MEMORY, call, code, "%s (%s): out of host memory for %s",
                         info->id, info->name, what);
    case CL_DEVICE_NOT_AVAILABLE:
    case NVIDIA_ILLEGAL_ACCESS:
        return device_lost(device, error, call, code, "%s gave %s", call, name);
    default:
        return fail_call(error, SHOAL_FAILED, call, code, "%s (%s): %s failed: %s gave %s (%d)", info->id,
                         info->name, what, call, name, code);
    }
}

enum shoal_status opencl_fail_wait(struct shoal_device *device, struct shoal_error *error, const char *call,
                                   cl_int code)
{
    /* NVIDIA reports a fault in a kernel by one of these codes. The context cannot be used after that. */
    if (code == CL_OUT_OF_RESOURCES || code == CL_INVALID_COMMAND_QUEUE || code == CL_INVALID_CONTEXT)
        return device_lost(device, error, call, code, "a command failed on the device, %s gave %s", call,
                           opencl_error_name(code));
    return opencl_fail(device, error, call, code, "waiting for the device");
}

enum shoal_status opencl_note_fault(struct shoal *shoal, struct text *note, struct shoal_error *error)
{
    enum shoal_status status =
        note->failed ? fail_host_memory(error) : backend_note(shoal, "opencl", false, note->data, error);
    if (!status)
        shoal->notes[shoal->note_count - 1].is_fault = true;
    text_free(note);
    return status;
}
