#include "compute/parts.h"

#include "compute/backend.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A division that a selector asks for, in the text after '/'. */
struct request {
    char *word;      /* the text after '/', up to ':' */
    uint32_t *units; /* compute units of each part; NULL: a part for each NUMA node */
    size_t count;    /* number of entries in `units` */
    bool is_one;     /* only one part is wanted, with the number after ':' */
    uint32_t number;
};

/* Reads a number without sign and leading zeros, and moves *text past it. */
static bool read_number(const char **text, uint32_t *number)
{
    const char *const start = *text;
    uint64_t value = 0;
    while (isdigit((unsigned char)**text) && value <= UINT32_MAX)
        value = 10 * value + (uint64_t)(*(*text)++ - '0');
    *number = (uint32_t)value;
    return *text > start && value <= UINT32_MAX && (*start != '0' || *text == start + 1);
}

/* Returns how many numbers a word of the form "12+4" has, each above 0; 0: the word has another form. */
static size_t count_numbers(const char *word)
{
    for (size_t count = 1;; count++, word++) {
        uint32_t number;
        if (!read_number(&word, &number) || !number)
            return 0;
        if (*word != '+')
            return *word ? 0 : count;
    }
}

static enum shoal_status fail_short(const struct shoal_device *whole, const struct request *request,
                                    uint64_t wanted, const char *what, struct shoal_error *error)
{
    return fail(error, SHOAL_NO_DEVICE, "%s/%.80s asks for %llu %s, but %s (%s) has only %u compute units",
                whole->info.id, request->word, (unsigned long long)wanted, what, whole->info.id,
                whole->info.name, whole->info.units);
}

/* Sets the compute units of the parts from a word of `numbers` numbers. A single number is the number of
 * parts, among which all units are divided as evenly as possible. */
static enum shoal_status share_units(const struct shoal_device *whole, struct request *request,
                                     size_t numbers, struct shoal_error *error)
{
    const uint32_t all = whole->info.units;
    const char *at = request->word;
    uint32_t first;
    uint64_t sum = 0;
    read_number(&at, &first);
    const uint32_t count = numbers > 1 ? (uint32_t)numbers : first;
    if (count > all)
        return fail_short(whole, request, count, "parts", error);
    request->units = malloc(count * sizeof *request->units);
    if (!request->units)
        return fail_host_memory(error);
    request->count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *units = &request->units[i];
        *units = numbers > 1 ? first : all / count + (i < all % count);
        sum += *units;
        if (*at == '+' && at++)
            read_number(&at, &first);
    }
    return sum > all ? fail_short(whole, request, sum, "compute units", error) : SHOAL_OK;
}

static enum shoal_status fail_number(const struct shoal_device *whole, const struct request *request,
                                     size_t count, struct shoal_error *error)
{
    return fail(error, SHOAL_NO_DEVICE, "%s/%.80s has no part number %u: its parts are numbered 0 to %zu",
                whole->info.id, request->word, request->number, count - 1);
}

/* Reads a request from the text after '/'. The caller frees the members of *request, also after a failure. */
static enum shoal_status read_request(const struct shoal_device *whole, const char *text,
                                      struct request *request, struct shoal_error *error)
{
    const char *colon = strchr(text, ':');
    *request = (struct request){.word = strdup(text), .is_one = colon != NULL};
    if (!request->word)
        return fail_host_memory(error);
    if (colon)
        request->word[colon++ - text] = '\0';
    for (char *c = request->word; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    const bool is_numa = strcmp(request->word, "numa") == 0;
    const size_t numbers = is_numa ? 0 : count_numbers(request->word);
    if ((!is_numa && !numbers) || (colon && (!read_number(&colon, &request->number) || *colon)))
        return fail(
            error, SHOAL_NO_DEVICE,
            "%s/%.80s is no part of a device: write %s/2 for 2 equal parts, %s/2+1 for parts of 2 and "
            "of 1 compute units, %s/numa for one at each NUMA node, and :0 behind it for the first of "
            "them",
            whole->info.id, text, whole->info.id, whole->info.id, whole->info.id);
    if (is_numa)
        return SHOAL_OK;
    enum shoal_status status = share_units(whole, request, numbers, error);
    if (!status && request->is_one && request->number >= request->count)
        status = fail_number(whole, request, request->count, error);
    return status;
}

static void division_free(struct division *division)
{
    for (size_t i = division->count; i-- > 0;)
        device_free(division->parts[i]);
    free(division->parts);
    free(division->word);
}

void divisions_free(struct shoal *shoal)
{
    for (size_t i = shoal->division_count; i-- > 0;)
        division_free(&shoal->divisions[i]);
    free(shoal->divisions);
}

static const struct division *find_division(const struct shoal_device *whole, const char *word)
{
    const struct shoal *shoal = whole->shoal;
    for (size_t i = 0; i < shoal->division_count; i++)
        if (shoal->divisions[i].whole == whole && strcmp(shoal->divisions[i].word, word) == 0)
            return &shoal->divisions[i];
    return NULL;
}

/* Creates the division that a request asks for. The caller holds shoal->lock. */
static enum shoal_status divide(struct shoal_device *whole, const struct request *request,
                                const struct division **out, struct shoal_error *error)
{
    struct shoal *shoal = whole->shoal;
    struct division *divisions =
        realloc(shoal->divisions, (shoal->division_count + 1) * sizeof *shoal->divisions);
    if (!divisions)
        return fail_host_memory(error);
    shoal->divisions = divisions;
    struct division *division = &divisions[shoal->division_count];
    *division = (struct division){.whole = whole, .word = strdup(request->word)};
    const enum shoal_status status =
        division->word ? whole->backend->device_divide(division, request->units, request->count, error)
                       : fail_host_memory(error);
    if (status) {
        division_free(division);
        return status;
    }
    shoal->division_count++;
    *out = division;
    return SHOAL_OK;
}

/* Finds the parts that a request asks for, or creates them. The caller holds shoal->lock. */
static enum shoal_status find_parts(struct shoal_device *whole, const struct request *request,
                                    struct shoal_device *const **parts, size_t *count,
                                    struct shoal_error *error)
{
    const struct division *division = find_division(whole, request->word);
    enum shoal_status status = division ? SHOAL_OK : divide(whole, request, &division, error);
    if (status)
        return status;
    if (request->is_one && request->number >= division->count)
        return fail_number(whole, request, division->count, error);
    *parts = division->parts + request->number;
    *count = request->is_one ? 1 : division->count;
    return SHOAL_OK;
}

enum shoal_status device_parts(struct shoal_device *whole, const char *text,
                               struct shoal_device *const **parts, size_t *count, struct shoal_error *error)
{
    if (!whole->backend || !whole->backend->device_divide)
        return fail(error, SHOAL_NO_DEVICE, "%s (%s) has no parts: only OpenCL devices can be divided",
                    whole->info.id, whole->info.name);
    struct request request;
    enum shoal_status status = read_request(whole, text, &request, error);
    if (!status) {
        pthread_mutex_lock(&whole->shoal->lock);
        status = find_parts(whole, &request, parts, count, error);
        pthread_mutex_unlock(&whole->shoal->lock);
    }
    free(request.word);
    free(request.units);
    return status;
}
