#include "compute/select.h"
#include "base/params.h"

#include "compute/backend.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads 1 to `digits` hexadecimal digits. */
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

static bool matches(const struct shoal_device_info *info, const char *part, unsigned flags)
{
    bool alias = info->alias_of && !(flags & SHOAL_SELECT_ALIASES);
    if (strcasecmp(part, "all") == 0)
        return true;
    if (strcasecmp(part, "gpu") == 0)
        return info->is_gpu && !alias;
    if (strcasecmp(part, "cpu") == 0)
        return info->is_cpu && !info->is_host && !alias;
    if (part[0] == '~')
        return part[1] && text_contains_any_case(info->name, part + 1);
    struct shoal_pci_address pci;
    if (strncasecmp(part, "pci:", 4) == 0)
        return info->has_pci && pci_parse(part + 4, &pci) && memcmp(&pci, &info->pci, sizeof pci) == 0;
    return strcasecmp(part, info->id) == 0;
}

static enum shoal_status fail_unknown(const struct shoal *shoal, const char *part, struct shoal_error *error)
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
    if (strncasecmp(part, "pci:", 4) == 0 && !pci_parse(part + 4, &pci))
        text_printf(&reasons, "; a PCI address reads pci:[domain:]bus:device[.function]");
    enum shoal_status status = fail(error, SHOAL_NO_DEVICE, "no device matches \"%.80s\"; there is %s%s",
                                    part, ids.data && !ids.failed ? ids.data : "none",
                                    reasons.data && !reasons.failed ? reasons.data : "");
    text_free(&ids);
    text_free(&reasons);
    return status;
}

static bool already_taken(struct shoal_device *const *devices, size_t count,
                          const struct shoal_device *device)
{
    for (size_t i = 0; i < count; i++)
        if (devices[i] == device)
            return true;
    return false;
}

enum shoal_status shoal_device_select(const struct shoal *shoal, const char *selector, unsigned flags,
                                      struct shoal_device **devices, size_t capacity, size_t *count,
                                      struct shoal_error *error)
{
    if (!NEED(error, shoal, selector, devices, count))
        return SHOAL_INVALID;
    *count = 0;
    char *copy = strdup(selector);
    if (!copy)
        return fail_host_memory(error);
    enum shoal_status status = SHOAL_OK;
    char *rest = copy;
    for (char *part; !status && (part = strsep(&rest, ","));) {
        while (isspace((unsigned char)*part))
            part++;
        for (size_t n = strlen(part); n && isspace((unsigned char)part[n - 1]); n--)
            part[n - 1] = '\0';
        bool any = false;
        if (!*part)
            status = fail(error, SHOAL_INVALID,
                          "\"%.80s\" has an empty item: devices are separated by one comma", selector);
        for (size_t i = 0; !status && i < shoal->device_count; i++) {
            struct shoal_device *device = shoal->devices[i];
            if (!matches(&device->info, part, flags))
                continue;
            any = true;
            if (already_taken(devices, *count, device))
                continue;
            if (*count == capacity)
                status =
                    fail(error, SHOAL_INVALID, "shoal_device_select: more than %zu devices match \"%.80s\"",
                         capacity, selector);
            else
                devices[(*count)++] = device;
        }
        if (!any && !status)
            status = fail_unknown(shoal, part, error);
    }
    free(copy);
    if (status)
        *count = 0;
    else
        error_reset(error);
    return status;
}
