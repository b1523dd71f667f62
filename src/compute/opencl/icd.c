#include "compute/opencl/opencl.h"

#include "base/input.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char default_folder[] = "/etc/OpenCL/vendors";

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Adds a note if the driver that an .icd file names cannot be loaded, since the ICD loader skips such a
 * driver without a message. */
static enum shoal_status check_file(struct shoal *shoal, const char *path, struct shoal_error *error)
{
    size_t bytes;
    char *content = input_read(path, INPUT_TEXT_MOST, &bytes);
    if (!content)
        return SHOAL_OK;
    content[strcspn(content, "\r\n")] = '\0';
    char *library = text_trimmed_copy(content);
    free(content);
    if (!library)
        return fail_host_memory(error);
    enum shoal_status status = SHOAL_OK;
    void *handle = *library ? dlopen(library, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (handle) {
        dlclose(handle);
    } else {
        const char *reason = *library ? dlerror() : "the file names no library";
        struct text note = {0};
        text_printf(&note,
                    "OpenCL driver of %s cannot be loaded (%s): install that driver again or remove the file",
                    path, reason ? reason : "unknown reason");
        status = opencl_note_fault(shoal, &note, error);
    }
    free(library);
    return status;
}

static enum shoal_status check_folder(struct shoal *shoal, const char *folder, struct shoal_error *error)
{
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort);
    if (count < 0)
        return SHOAL_OK;
    enum shoal_status status = SHOAL_OK;
    for (int i = 0; i < count; i++) {
        struct text path = {0};
        text_printf(&path, "%s/%s", folder, names[i]->d_name);
        if (!status && path.failed)
            status = fail_host_memory(error);
        if (!status && ends_with(names[i]->d_name, ".icd"))
            status = check_file(shoal, path.data, error);
        text_free(&path);
        free(names[i]);
    }
    free(names);
    return status;
}

enum shoal_status opencl_note_broken_drivers(struct shoal *shoal, struct shoal_error *error)
{
    const char *vendors = getenv("OCL_ICD_VENDORS");
    if (!vendors || !*vendors)
        vendors = default_folder;
    struct stat info;
    if (stat(vendors, &info) != 0)
        return SHOAL_OK;
    if (S_ISDIR(info.st_mode))
        return check_folder(shoal, vendors, error);
    return ends_with(vendors, ".icd") ? check_file(shoal, vendors, error) : SHOAL_OK;
}
