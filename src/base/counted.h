/* Numbers with their nouns for messages: "1 row", "3 rows". */
#ifndef SHOAL_BASE_COUNTED_H
#define SHOAL_BASE_COUNTED_H

#include <stdint.h>

struct counted {
    char s[64];
};
/* noun: the singular. "city" and "class" become "cities" and "classes"; other nouns get an s. Returns a
 * struct by value, so that a call can be an argument: printf("%s", counted(rows, "row").s). */
struct counted counted(uint64_t count, const char *noun);

#endif
