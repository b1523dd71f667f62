#include "tsp/model/ids.h"

#include "base/text.h"

#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* No city has the lower half, SHOAL_TSP_NONE. */
#define NO_SLOT UINT64_MAX

struct tsp_ids {
    struct text names; /* one behind the other */
    size_t *ends;      /* where those of a city end; NULL: numbers so far */
    uint64_t *slots;   /* a power of two of them, at most half full: hash and city, or NO_SLOT */
    size_t count, room, slot_count;
};

struct tsp_ids *tsp_ids_new(void)
{
    return calloc(1, sizeof(struct tsp_ids));
}

void tsp_ids_free(struct tsp_ids *ids)
{
    if (!ids)
        return;
    text_free(&ids->names);
    free(ids->ends);
    free(ids->slots);
    free(ids);
}

bool tsp_ids_are_numbers(const struct tsp_ids *ids)
{
    return !ids->ends;
}

const char *tsp_ids_name(const struct tsp_ids *ids, uint32_t city, size_t *length)
{
    if (!ids->ends)
        return NULL;
    const size_t begin = city ? ids->ends[city - 1] : 0;
    *length = ids->ends[city] - begin;
    return ids->names.data + begin;
}

static uint32_t hash_of(const char *name, size_t length)
{
    return (uint32_t)XXH3_64bits(name, length);
}

/* Where a name is, or is to be put. Names are looked at where hashes are the same: they are far apart in
 * memory. */
static uint64_t *find_slot(const struct tsp_ids *ids, const char *name, size_t length, uint32_t hash)
{
    const size_t mask = ids->slot_count - 1;
    size_t other_length = 0;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        const uint64_t content = ids->slots[slot];
        if (content == NO_SLOT)
            return &ids->slots[slot];
        if ((uint32_t)(content >> 32) != hash)
            continue;
        const char *other = tsp_ids_name(ids, (uint32_t)content, &other_length);
        if (other_length == length && memcmp(other, name, length) == 0)
            return &ids->slots[slot];
    }
}

static bool reserve(struct tsp_ids *ids)
{
    if (ids->count < ids->room)
        return true;
    const size_t room = ids->room ? 2 * ids->room : 64, slot_count = 2 * room;
    size_t *ends = realloc(ids->ends, room * sizeof *ends);
    ids->ends = ends ? ends : ids->ends;
    uint64_t *slots = malloc(slot_count * sizeof *slots);
    if (!ends || !slots) {
        free(slots);
        return false;
    }
    memset(slots, 0xff, slot_count * sizeof *slots);
    for (size_t i = 0; i < ids->slot_count; i++) {
        size_t slot = (size_t)(ids->slots[i] >> 32) & (slot_count - 1);
        if (ids->slots[i] == NO_SLOT)
            continue;
        while (slots[slot] != NO_SLOT)
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = ids->slots[i];
    }
    free(ids->slots);
    ids->slots = slots;
    ids->slot_count = slot_count;
    ids->room = room;
    return true;
}

static bool add_name(struct tsp_ids *ids, const char *name, size_t length, uint32_t *same)
{
    if (!reserve(ids))
        return false;
    const uint32_t hash = hash_of(name, length);
    uint64_t *slot = find_slot(ids, name, length, hash);
    if (*slot != NO_SLOT) {
        *same = (uint32_t)*slot;
        return true;
    }
    text_append(&ids->names, name, length);
    if (ids->names.failed)
        return false;
    *slot = (uint64_t)hash << 32 | ids->count;
    ids->ends[ids->count++] = ids->names.length;
    return true;
}

/* The number of a name without leading zeros; 0: it is none. */
static uint64_t number_of(const char *name, size_t length)
{
    uint64_t number = 0;
    if (!length || length > 10 || name[0] == '0')
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return 0;
        number = 10 * number + (uint64_t)(name[i] - '0');
    }
    return number;
}

bool tsp_ids_add(struct tsp_ids *ids, const char *name, size_t length, uint32_t *same)
{
    const uint64_t number = number_of(name, length);
    *same = SHOAL_TSP_NONE;
    if (ids->ends)
        return add_name(ids, name, length, same);
    if (number == ids->count + 1) {
        ids->count++;
        return true;
    }
    if (number && number <= ids->count) {
        *same = (uint32_t)number - 1;
        return true;
    }
    /* The first one that is not the next number: those before become names. */
    const size_t count = ids->count;
    ids->count = 0;
    for (size_t city = 0; city < count; city++) {
        char digits[24];
        const int digit_count = snprintf(digits, sizeof digits, "%zu", city + 1);
        if (!add_name(ids, digits, (size_t)digit_count, same))
            return false;
    }
    return add_name(ids, name, length, same);
}

uint32_t tsp_ids_find(const struct tsp_ids *ids, const char *name, size_t length)
{
    if (ids->ends)
        return (uint32_t)*find_slot(ids, name, length, hash_of(name, length));
    const uint64_t number = number_of(name, length);
    return number && number <= ids->count ? (uint32_t)number - 1 : SHOAL_TSP_NONE;
}
