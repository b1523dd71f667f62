/* Finds and loads libcuda and NVRTC. */
#include "compute/cuda/api.h"

#include "base/text.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SHOAL_PRINTF(2, 3) static bool give_reason(char reason[LOAD_REASON_SIZE], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(reason, LOAD_REASON_SIZE, format, list);
    va_end(list);
    return false;
}

/* Both libraries create threads and exit handlers, so they stay mapped when their last handle is closed. */
static void *open_library(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/* Stores the address of a symbol in the pointer to which `function` points. It is copied as bytes, since ISO
 * C has no cast from an object pointer to a function pointer, which POSIX allows. */
static bool find_symbol(void *library, const char *symbol, void *function, const char **missing)
{
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    if (!address && missing && !*missing)
        *missing = symbol;
    return address != NULL;
}

static const char *driver_error(const struct cuda_driver *driver, cu_result code)
{
    const char *text = NULL;
    return driver->cuGetErrorString(code, &text) == DRIVER_SUCCESS && text ? text : "unknown error";
}

bool cuda_driver_load(struct cuda_driver *driver, char reason[LOAD_REASON_SIZE])
{
    static const char file[] = "libcuda.so.1";
    *driver = (struct cuda_driver){.library = open_library(file)};
    if (!driver->library) {
        /* dlerror says that the file does not exist, or gives another reason if the library exists but is
         * broken. */
        const char *text = dlerror();
        return text && !strstr(text, "No such file")
                   ? give_reason(reason,
                                 "the NVIDIA driver's %s cannot be loaded (%s): install the driver again",
                                 file, text)
                   : give_reason(reason,
                                 "no %s: to use NVIDIA cards through CUDA install the NVIDIA driver (Debian: "
                                 "nvidia-driver; in a container: start it with the NVIDIA container toolkit)",
                                 file);
    }
    const char *missing = NULL;
#define FIND(symbol, parameters)          find_symbol(driver->library, #symbol, &driver->symbol, &missing);
#define FIND_OPTIONAL(symbol, parameters) find_symbol(driver->library, #symbol, &driver->symbol, NULL);
    CUDA_DRIVER_FUNCTIONS(FIND)
    CUDA_DRIVER_OPTIONAL_FUNCTIONS(FIND_OPTIONAL)
#undef FIND
#undef FIND_OPTIONAL
    if (missing) {
        cuda_driver_unload(driver);
        return give_reason(reason, "the NVIDIA driver's %s has no %s: install a newer driver", file, missing);
    }
    cu_result code = driver->cuInit(0);
    if (!code)
        code = driver->cuDriverGetVersion(&driver->version);
    if (!code)
        return true;
    const char *advice = code == DRIVER_NO_DEVICE ? "; check nvidia-smi and CUDA_VISIBLE_DEVICES"
                         : code == DRIVER_SYSTEM_DRIVER_MISMATCH
                             ? "; the kernel module is of another version than libcuda: restart the machine"
                             : "; check that the kernel module is loaded (nvidia-smi)";
    give_reason(reason, "the NVIDIA driver finds no usable device: cuInit returned %u (%s)%s", code,
                driver_error(driver, code), advice);
    cuda_driver_unload(driver);
    return false;
}

void cuda_driver_unload(struct cuda_driver *driver)
{
    if (driver->library)
        dlclose(driver->library);
    driver->library = NULL;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool read_architectures(struct nvrtc *nvrtc)
{
    int count = 0;
    if (nvrtc->nvrtcGetNumSupportedArchs(&count) || count < 1)
        return false;
    nvrtc->architectures = calloc((size_t)count, sizeof *nvrtc->architectures);
    if (!nvrtc->architectures || nvrtc->nvrtcGetSupportedArchs(nvrtc->architectures))
        return false;
    nvrtc->architecture_count = count;
    qsort(nvrtc->architectures, (size_t)count, sizeof *nvrtc->architectures, compare_ints);
    return true;
}

static bool load_nvrtc_file(struct nvrtc *nvrtc, const char *file)
{
    *nvrtc = (struct nvrtc){.library = open_library(file)};
    if (!nvrtc->library)
        return false;
    const char *missing = NULL;
#define FIND(symbol, parameters) find_symbol(nvrtc->library, #symbol, &nvrtc->symbol, &missing);
    NVRTC_FUNCTIONS(FIND)
#undef FIND
    find_symbol(nvrtc->library, "nvrtcGetErrorString", &nvrtc->nvrtcGetErrorString, &missing);
    if (!missing && !nvrtc->nvrtcVersion(&nvrtc->major, &nvrtc->minor) && read_architectures(nvrtc))
        return true;
    nvrtc_unload(nvrtc);
    return false;
}

void nvrtc_unload(struct nvrtc *nvrtc)
{
    free(nvrtc->architectures);
    if (nvrtc->library)
        dlclose(nvrtc->library);
    *nvrtc = (struct nvrtc){0};
}

struct search {
    struct nvrtc *best; /* the best NVRTC so far, loaded if `found` */
    int driver_major;   /* major CUDA version that the driver supports; 0: any */
    bool found, suits;
};

/* Loads the NVRTC `file`, and keeps it if it is better than the one found before. Returns whether the search
 * is over. */
static bool try_file(struct search *search, const char *file)
{
    struct nvrtc candidate;
    if (!load_nvrtc_file(&candidate, file))
        return false;
    bool suits = search->driver_major == 0 || candidate.major <= search->driver_major;
    if (search->found && !suits) {
        nvrtc_unload(&candidate);
        return false;
    }
    if (search->found)
        nvrtc_unload(search->best);
    *search->best = candidate;
    search->found = true;
    search->suits = suits;
    return suits;
}

static bool try_sonames(struct search *search)
{
    return try_file(search, "libnvrtc.so.13") || try_file(search, "libnvrtc.so.12");
}

/* Tries each NVRTC in the folder whose name matches, the newest name first. */
static bool try_pattern(struct search *search, const char *folder, const char *pattern)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", folder, pattern);
    glob_t files = {0};
    bool done = false;
    if (!path.failed && glob(path.data, GLOB_BRACE, NULL, &files) == 0)
        for (size_t i = files.gl_pathc; i-- > 0 && !done;)
            done = try_file(search, files.gl_pathv[i]);
    globfree(&files);
    text_free(&path);
    return done;
}

static bool try_toolkit(struct search *search, const char *folder)
{
    return folder && *folder &&
           (try_pattern(search, folder, "lib64/libnvrtc.so.1[23]") ||
            try_pattern(search, folder, "lib/libnvrtc.so.1[23]"));
}

/* Searches the pip packages nvidia-cuda-nvrtc (CUDA 13) and nvidia-cuda-nvrtc-cu12, of each python in $PATH
 * and in the user's own folder. */
static bool try_pip(struct search *search)
{
    static const char pattern[] =
        "lib/python3*/{site,dist}-packages/nvidia/{cuda_nvrtc,cu13}/lib/libnvrtc.so.1[23]";
    const char *home = getenv("HOME"), *path = getenv("PATH");
    if (home && *home) {
        struct text folder = {0};
        text_printf(&folder, "%s/.local", home);
        bool done = !folder.failed && try_pattern(search, folder.data, pattern);
        text_free(&folder);
        if (done)
            return true;
    }
    char *list = strdup(path ? path : ""), *rest = NULL;
    bool done = false;
    for (char *bin = list ? strtok_r(list, ":", &rest) : NULL; bin && !done;
         bin = strtok_r(NULL, ":", &rest)) {
        size_t length = strlen(bin);
        while (length && bin[length - 1] == '/')
            bin[--length] = '\0';
        if (length > 4 && strcmp(bin + length - 4, "/bin") == 0) {
            bin[length - 4] = '\0';
            done = try_pattern(search, bin, pattern);
        }
    }
    free(list);
    return done;
}

bool nvrtc_load(struct nvrtc *nvrtc, int driver_version, char reason[LOAD_REASON_SIZE])
{
    struct search search = {.best = nvrtc, .driver_major = driver_version / 1000};
    const char *given = getenv("SHOAL_NVRTC");
    if (given && *given) {
        if (load_nvrtc_file(nvrtc, given))
            return true;
        const char *text = dlerror();
        return give_reason(reason, "SHOAL_NVRTC=%.300s is not a library of NVRTC 12 or 13: %.300s", given,
                           text ? text : "it lacks a function");
    }
    if (try_sonames(&search) || try_toolkit(&search, getenv("CUDA_PATH")) ||
        try_toolkit(&search, "/usr/local/cuda") || try_pip(&search) || search.found)
        return true;
    const char *wheel =
        search.driver_major && search.driver_major < 13 ? "nvidia-cuda-nvrtc-cu12" : "nvidia-cuda-nvrtc";
    return give_reason(
        reason,
        "no NVRTC, the CUDA kernel compiler (libnvrtc.so.13 or .12): install the CUDA toolkit or "
        "`pip install %s`, or set SHOAL_NVRTC to the library",
        wheel);
}
