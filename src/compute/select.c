#include "compute/select.h"
#include "base/params.h"

#include "compute/backend.h"
#include "compute/parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads 1 to `digits` hexadecimal digits, and moves *text past them. False: there is none. */
static bool hex_field(const char **text, unsigned digits, uint32_t *value)
{
    *value = 0;
    unsigned count = 0;
    while (count < digits && isxdigit((unsigned char)**text)) {
        int c = tolower((unsigned char)**text);
        *value = *value * 16 + (uint32_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
        (*text)++;
        count++;
    }
    return count > 0;
}

bool pci_parse(const char *text, struct shoal_pci_address *pci)
{
    *pci = (struct shoal_pci_address){0};
    uint32_t first, second;
    if (!hex_field(&text, 8, &first) || *text++ != ':' || !hex_field(&text, 4, &second))
        return false;
    if (*text == ':') {
        text++;
        pci->domain = first;
        pci->bus = second;
        if (!hex_field(&text, 2, &pci->device))
            return false;
    } else {
        pci->bus = first;
        pci->device = second;
    }
    if (*text == '.') {
        text++;
        if (!hex_field(&text, 1, &pci->function))
            return false;
    }
    return *text == '\0' && pci->bus <= 0xff && pci->device <= 0x1f && pci->function <= 7;
}

static bool matches(const struct shoal_device_info *info, const char *item, unsigned flags)
{
    bool alias = info->alias_of && !(flags & SHOAL_SELECT_ALIASES);
    if (strcasecmp(item, "all") == 0)
        return true;
    if (strcasecmp(item, "gpu") == 0)
        return info->is_gpu && !alias;
    if (strcasecmp(item, "cpu") == 0)
        return info->is_cpu && !info->is_host && !alias;
    if (item[0] == '~')
        return item[1] && text_contains_any_case(info->name, item + 1);
    struct shoal_pci_address pci;
    if (strncasecmp(item, "pci:", 4) == 0)
        return info->has_pci && pci_parse(item + 4, &pci) && memcmp(&pci, &info->pci, sizeof pci) == 0;
    return strcasecmp(item, info->id) == 0;
}

/* Returns the '/' after which an item such as "opencl:0/4" names parts of a device; NULL: the item names
 * whole devices. */
static const char *find_word(const char *item)
{
    return item[0] == '~' ? NULL : strchr(item, '/');
}

static enum shoal_status fail_unknown(const struct shoal *shoal, const char *item, struct shoal_error *error)
{
    struct text ids = {0};
    for (size_t i = 0; i < shoal->device_count; i++)
        text_printf(&ids, "%s%s (%s)", i ? ", " : "", shoal->devices[i]->info.id,
                    shoal->devices[i]->info.name);
    struct text reasons = {0};
    for (size_t i = 0; i < shoal->note_count; i++)
        if (!shoal->notes[i].available)
            text_printf(&reasons, "; %s", shoal->notes[i].note);
    struct shoal_pci_address pci;
    if (strncasecmp(item, "pci:", 4) == 0 && !pci_parse(item + 4, &pci))
        text_printf(&reasons, "; a PCI address reads pci:[domain:]bus:device[.function]");
    if (find_word(item))
        text_printf(&reasons, "; parts are of one device, named by its id, as in opencl:0/2");
    enum shoal_status status = fail(error, SHOAL_NO_DEVICE, "no device matches \"%.80s\"; there is %s%s",
                                    item, ids.data && !ids.failed ? ids.data : "none",
                                    reasons.data && !reasons.failed ? reasons.data : "");
    text_free(&ids);
    text_free(&reasons);
    return status;
}

/* The selected devices, in the order in which they are named, each once. */
struct selection {
    struct shoal_device **devices;
    size_t count;
};

static enum shoal_status take(struct selection *selection, struct shoal_device *device,
                              struct shoal_error *error)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->devices[i] == device)
            return SHOAL_OK;
    struct shoal_device **devices =
        realloc(selection->devices, (selection->count + 1) * sizeof(struct shoal_device *));
    if (!devices)
        return fail_host_memory(error);
    selection->devices = devices;
    devices[selection->count++] = device;
    return SHOAL_OK;
}

static struct shoal_device *find_by_id(const struct shoal *shoal, const char *id, size_t length)
{
    for (size_t i = 0; i < shoal->device_count; i++) {
        const char *own = shoal->devices[i]->info.id;
        if (strlen(own) == length && strncasecmp(own, id, length) == 0)
            return shoal->devices[i];
    }
    return NULL;
}

static enum shoal_status take_parts(const struct shoal *shoal, const char *item, const char *slash,
                                    struct selection *selection, struct shoal_error *error)
{
    struct shoal_device *whole = find_by_id(shoal, item, (size_t)(slash - item)), *const * parts;
    size_t count = 0;
    enum shoal_status status =
        whole ? device_parts(whole, slash + 1, &parts, &count, error) : fail_unknown(shoal, item, error);
    for (size_t i = 0; i < count && !status; i++)
        status = take(selection, parts[i], error);
    return status;
}

static enum shoal_status take_item(const struct shoal *shoal, const char *item, unsigned flags,
                                   struct selection *selection, struct shoal_error *error)
{
    const char *slash = find_word(item);
    if (slash)
        return take_parts(shoal, item, slash, selection, error);
    bool any = false;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < shoal->device_count && !status; i++)
        if (matches(&shoal->devices[i]->info, item, flags)) {
            any = true;
            status = take(selection, shoal->devices[i], error);
        }
    return any ? status : fail_unknown(shoal, item, error);
}

enum shoal_status shoal_device_select(const struct shoal *shoal, const char *selector, unsigned flags,
                                      struct shoal_device **devices, size_t capacity, size_t *count,
                                      struct shoal_error *error)
{
    if (!NEED(error, shoal, selector, count) || (capacity && !NEED(error, devices)))
        return SHOAL_INVALID;
    *count = 0;
    char *copy = strdup(selector);
    if (!copy)
        return fail_host_memory(error);
    struct selection selection = {0};
    enum shoal_status status = SHOAL_OK;
    char *rest = copy;
    for (char *item; !status && (item = strsep(&rest, ","));) {
        while (isspace((unsigned char)*item))
            item++;
        for (size_t n = strlen(item); n && isspace((unsigned char)item[n - 1]); n--)
            item[n - 1] = '\0';
        status = *item ? take_item(shoal, item, flags, &selection, error)
                       : fail(error, SHOAL_INVALID,
                              "\"%.80s\" has an empty item: devices are separated by one comma", selector);
    }
    if (!status && devices && selection.count > capacity)
        status = fail(error, SHOAL_INVALID, "shoal_device_select: more than %zu devices match \"%.80s\"",
                      capacity, selector);
    if (!status) {
        for (size_t i = 0; devices && i < selection.count; i++)
            devices[i] = selection.devices[i];
        *count = selection.count;
        error_reset(error);
    }
    free(selection.devices);
    free(copy);
    return status;
}
