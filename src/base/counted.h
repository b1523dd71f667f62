/* Numbers with their nouns, for messages: "1 row", "3 rows". */
#ifndef SHOAL_BASE_COUNTED_H
#define SHOAL_BASE_COUNTED_H

#include <stdint.h>

struct counted {
    char s[64];
};
/* `noun` is for one: "city", "class" become "cities", "classes", others get an s. By value:
 * printf("%s", counted(rows, "row").s). */
struct counted counted(uint64_t count, const char *noun);

#endif
