/* Gives OpenCL devices another version of their driver: preloaded into the command (LD_PRELOAD).
 * $OTHER_DRIVER_VERSION is the version. */
#define CL_TARGET_OPENCL_VERSION 300

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef cl_int get_device_info(cl_device_id, cl_device_info, size_t, void *, size_t *);

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *value, size_t *size)
{
    const char *version = getenv("OTHER_DRIVER_VERSION");
    if (version && what == CL_DRIVER_VERSION) {
        if (size)
            *size = strlen(version) + 1;
        if (value)
            snprintf(value, bytes, "%s", version);
        return CL_SUCCESS;
    }
    get_device_info *loader;
    *(void **)&loader = dlsym(RTLD_NEXT, "clGetDeviceInfo"); /* C has no cast of data to functions */
    return loader ? loader(id, what, bytes, value, size) : CL_INVALID_DEVICE;
}
