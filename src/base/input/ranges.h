/* Private: lists of ranges of whole numbers, such as "1-5,15". */
#ifndef SHOAL_BASE_RANGES_H
#define SHOAL_BASE_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* RANGES_OK: the text is a list of numbers within the limits, each once; RANGES_TWICE: the number *twice
 * occurs twice; RANGES_WRONG: the text is no list, or a number is outside the limits; RANGES_NO_MEMORY: out
 * of memory. */
enum ranges_result { RANGES_OK, RANGES_WRONG, RANGES_TWICE, RANGES_NO_MEMORY };

/* Reads a list. *numbers is NULL unless the list is good; the caller frees it. */
enum ranges_result ranges_read(const char *text, uint64_t least, uint64_t most, uint64_t **numbers,
                               size_t *count, uint64_t *twice);

#endif
