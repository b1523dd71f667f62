#include "dataset/categories.h"

#include "base/text.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct categories {
    struct text bytes; /* the names, each followed by a NUL */
    size_t *begins;
    uint32_t *slots; /* hash table of category numbers, or NO_CATEGORY: slot_count is a power of two, at least
                      * twice `count` */
    size_t count, room, slot_count;
};

struct categories *categories_new(void)
{
    return calloc(1, sizeof(struct categories));
}

void categories_free(struct categories *categories)
{
    if (!categories)
        return;
    text_free(&categories->bytes);
    free(categories->begins);
    free(categories->slots);
    free(categories);
}

size_t categories_count(const struct categories *categories)
{
    return categories->count;
}

static const char *name_of(const struct categories *categories, size_t index)
{
    return categories->bytes.data + categories->begins[index];
}

static uint32_t *find_slot(const struct categories *categories, struct word name)
{
    const size_t length = (size_t)(name.end - name.begin), mask = categories->slot_count - 1;
    for (size_t slot = XXH3_64bits(name.begin, length) & mask;; slot = (slot + 1) & mask) {
        const uint32_t index = categories->slots[slot];
        if (index == NO_CATEGORY)
            return &categories->slots[slot];
        const char *other = name_of(categories, index);
        if (strncmp(other, name.begin, length) == 0 && !other[length])
            return &categories->slots[slot];
    }
}

/* Makes room for one more category. */
static bool reserve(struct categories *categories)
{
    if (categories->count < categories->room)
        return true;
    const size_t room = categories->room ? 2 * categories->room : 32, slot_count = 2 * room;
    size_t *begins = realloc(categories->begins, room * sizeof *begins);
    categories->begins = begins ? begins : categories->begins;
    uint32_t *slots = malloc(slot_count * sizeof *slots);
    if (!begins || !slots) {
        free(slots);
        return false;
    }
    memset(slots, 0xff, slot_count * sizeof *slots);
    free(categories->slots);
    categories->slots = slots;
    categories->slot_count = slot_count;
    categories->room = room;
    for (size_t i = 0; i < categories->count; i++) {
        const char *name = name_of(categories, i);
        *find_slot(categories, (struct word){name, name + strlen(name)}) = (uint32_t)i;
    }
    return true;
}

uint32_t categories_find(const struct categories *categories, struct word name)
{
    return categories->count ? *find_slot(categories, name) : NO_CATEGORY;
}

uint32_t categories_add(struct categories *categories, struct word name)
{
    const uint32_t found = categories_find(categories, name);
    if (found != NO_CATEGORY || categories->count == NO_CATEGORY || !reserve(categories))
        return found;
    uint32_t *slot = find_slot(categories, name);
    categories->begins[categories->count] = categories->bytes.length;
    text_append(&categories->bytes, name.begin, (size_t)(name.end - name.begin));
    text_append(&categories->bytes, "", 1);
    if (categories->bytes.failed)
        return NO_CATEGORY;
    *slot = (uint32_t)categories->count;
    return (uint32_t)categories->count++;
}

struct entry {
    const char *name;
    double value;
    size_t begin;
    uint32_t index;
};

static int compare_values(const void *a, const void *b)
{
    const struct entry *first = a, *second = b;
    if (first->value != second->value)
        return first->value < second->value ? -1 : 1;
    return strcmp(first->name, second->name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

uint32_t *categories_sort(struct categories *categories)
{
    const size_t count = categories->count;
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    uint32_t *places = malloc((count + 1) * sizeof *places);
    bool are_numbers = true;
    for (size_t i = 0; entries && i < count; i++) {
        struct entry *entry = &entries[i];
        *entry = (struct entry){
            .name = name_of(categories, i), .begin = categories->begins[i], .index = (uint32_t)i};
        const char *end = decimal_read(entry->name, &entry->value);
        are_numbers = are_numbers && end > entry->name && !*end && isfinite(entry->value);
    }
    if (entries && places) {
        qsort(entries, count, sizeof *entries, are_numbers ? compare_values : compare_names);
        for (size_t i = 0; i < count; i++) {
            places[entries[i].index] = (uint32_t)i;
            categories->begins[i] = entries[i].begin;
        }
    } else {
        free(places);
        places = NULL;
    }
    free(entries);
    return places;
}

const char **categories_names(const struct categories *categories)
{
    const char **names = malloc((categories->count + 1) * sizeof *names);
    for (size_t i = 0; names && i < categories->count; i++)
        names[i] = name_of(categories, i);
    return names;
}
