/* Finds the plug-in for MPI, which is in the folder of the library or, if a program contains the library, of
 * that program. */
#include "compute/remote/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char file[] = "libshoal-mpi.so";

/* Writes the path of `file` in the folder of this code. False: the folder is not known, or the path is too
 * long. */
static bool find_beside(char *path, size_t size)
{
    Dl_info here;
    if (!dladdr((const void *)file, &here) || !here.dli_fname)
        return false;
    const char *end = strrchr(here.dli_fname, '/');
    const int folder = end ? (int)(end - here.dli_fname) + 1 : 0;
    const int length = snprintf(path, size, "%.*s%s", folder, here.dli_fname, file);
    return length > 0 && (size_t)length < size;
}

/* Loads the plug-in. Its symbols are global, since the parts of an MPI library find each other by global
 * symbols. It stays loaded, since MPI may have functions that are called at exit. */
static void *load(void)
{
    char path[4096];
    void *library =
        find_beside(path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) : NULL;
    return library ? library : dlopen(file, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
}

enum shoal_status plugin_open(const void *communicator, struct transport *out, struct shoal_error *error)
{
    void *library = load();
    const struct transport_plugin *plugin = library ? dlsym(library, TRANSPORT_SYMBOL) : NULL;
    if (!library)
        return fail(
            error, SHOAL_UNSUPPORTED,
            "several ranks need the plug-in %s, which cannot be loaded (%s): build shoal where mpi.h is "
            "found, with the MPI of the launcher",
            file, dlerror());
    if (!plugin || plugin->version != TRANSPORT_VERSION)
        return fail(error, SHOAL_UNSUPPORTED, "%s is of another version of shoal: install both together",
                    file);
    return plugin->open(communicator, out, error);
}
