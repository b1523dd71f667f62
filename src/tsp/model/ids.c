#include "tsp/model/ids.h"

#include "base/text.h"

#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Value of an empty slot. Its lower half is SHOAL_TSP_NONE, which is not the number of a city. */
#define NO_SLOT UINT64_MAX

struct tsp_ids {
    struct text names; /* all ids, without separators */
    /* [cities]: end of each city's id in `names`; NULL: the ids so far are 1, 2, 3 ..., and none is stored */
    size_t *ends;
    /* Hash table with open addressing, at most half full; its size is a power of two. A slot has the hash in
     * the upper half and the city in the lower half, or is NO_SLOT. */
    uint64_t *slots;
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

/* Returns the slot of an id, or the empty slot for an id that the table does not have. Compares the text of
 * ids only if their hashes are equal, since reading text is likely to miss the cache. */
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
    const size_t room = ids->room ? 2 * ids->room : 64;
    size_t *ends = realloc(ids->ends, room * sizeof *ends);
    ids->ends = ends ? ends : ids->ends;
    ids->room = ends ? room : ids->room;
    return ends;
}

static bool add_name(struct tsp_ids *ids, const char *name, size_t length)
{
    if (!reserve(ids))
        return false;
    text_append(&ids->names, name, length);
    ids->ends[ids->count++] = ids->names.length;
    return !ids->names.failed;
}

/* Returns the value of an id that is a decimal number above 0 without leading zeros; 0 for other ids. */
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

bool tsp_ids_add(struct tsp_ids *ids, const char *name, size_t length)
{
    if (ids->ends)
        return add_name(ids, name, length);
    if (number_of(name, length) == ids->count + 1) {
        ids->count++;
        return true;
    }
    /* This id is the first that is not the next number, so all ids before it are now stored as text. */
    const size_t count = ids->count;
    ids->count = 0;
    for (size_t city = 0; city < count; city++) {
        char digits[24];
        const int digit_count = snprintf(digits, sizeof digits, "%zu", city + 1);
        if (!add_name(ids, digits, (size_t)digit_count))
            return false;
    }
    return add_name(ids, name, length);
}

/* Fills the hash table with all cities, in ascending order. same: see tsp_ids_close. */
static void fill_slots(struct tsp_ids *ids, const uint32_t *hashes, uint32_t same[2])
{
    enum { AHEAD = 16 }; /* number of slots to prefetch ahead, since most accesses to slots miss the cache */
    for (size_t city = 0; city < ids->count; city++) {
        size_t length = 0;
        if (city + AHEAD < ids->count)
            __builtin_prefetch(&ids->slots[hashes[city + AHEAD] & (ids->slot_count - 1)], 1);
        const char *name = tsp_ids_name(ids, (uint32_t)city, &length);
        uint64_t *slot = find_slot(ids, name, length, hashes[city]);
        if (*slot != NO_SLOT) {
            same[0] = (uint32_t)*slot;
            same[1] = (uint32_t)city;
            return;
        }
        *slot = (uint64_t)hashes[city] << 32 | city;
    }
}

bool tsp_ids_close(struct tsp_ids *ids, uint32_t same[2])
{
    same[0] = same[1] = SHOAL_TSP_NONE;
    if (!ids->ends)
        return true;
    for (ids->slot_count = 64; ids->slot_count < 2 * ids->count;)
        ids->slot_count *= 2;
    ids->slots = malloc(ids->slot_count * sizeof *ids->slots);
    uint32_t *hashes = malloc(ids->count * sizeof *hashes);
    const bool has_memory = ids->slots && hashes;
    if (has_memory) {
        memset(ids->slots, 0xff, ids->slot_count * sizeof *ids->slots);
        for (size_t city = 0; city < ids->count; city++) {
            size_t length = 0;
            const char *name = tsp_ids_name(ids, (uint32_t)city, &length);
            hashes[city] = hash_of(name, length);
        }
        fill_slots(ids, hashes, same);
    }
    free(hashes);
    return has_memory;
}

uint32_t tsp_ids_find(const struct tsp_ids *ids, const char *name, size_t length)
{
    if (ids->ends)
        return (uint32_t)*find_slot(ids, name, length, hash_of(name, length));
    const uint64_t number = number_of(name, length);
    return number && number <= ids->count ? (uint32_t)number - 1 : SHOAL_TSP_NONE;
}
