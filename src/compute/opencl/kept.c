#include "compute/opencl/opencl.h"

#include <string.h>

/* Moves the program at index `from` to the front of the list, whose order is that of the last use, latest
 * first. */
static void move_to_front(struct kept_program *kept, size_t from)
{
    const struct kept_program used = kept[from];
    memmove(kept + 1, kept, from * sizeof *kept);
    kept[0] = used;
}

static size_t find(const struct kept_program *kept, const char *key)
{
    size_t at = 0;
    while (at < KEPT_PROGRAMS && !(kept[at].native && strcmp(kept[at].key, key) == 0))
        at++;
    return at;
}

cl_program opencl_kept_take(struct shoal_device *device, const char *key)
{
    struct kept_program *kept = opencl_device(device)->kept;
    cl_program found = NULL;
    pthread_mutex_lock(&device->shoal->lock);
    const size_t at = find(kept, key);
    if (at < KEPT_PROGRAMS && clRetainProgram(kept[at].native) == CL_SUCCESS) {
        found = kept[at].native;
        move_to_front(kept, at);
    }
    pthread_mutex_unlock(&device->shoal->lock);
    return found;
}

void opencl_kept_add(struct shoal_device *device, const char *key, cl_program native)
{
    struct kept_program *kept = opencl_device(device)->kept, *last = &kept[KEPT_PROGRAMS - 1];
    pthread_mutex_lock(&device->shoal->lock);
    /* another thread may have added the same program since the build began */
    if (find(kept, key) == KEPT_PROGRAMS && clRetainProgram(native) == CL_SUCCESS) {
        if (last->native)
            clReleaseProgram(last->native);
        last->native = native;
        memcpy(last->key, key, sizeof last->key);
        move_to_front(kept, KEPT_PROGRAMS - 1);
    }
    pthread_mutex_unlock(&device->shoal->lock);
}

void opencl_kept_release(struct opencl_device *device)
{
    for (size_t i = 0; i < KEPT_PROGRAMS; i++)
        if (device->kept[i].native)
            clReleaseProgram(device->kept[i].native);
}
