/* Kernel texts without comments. */
#ifndef SHOAL_COMPUTE_COMMENTS_H
#define SHOAL_COMPUTE_COMMENTS_H

#include <stdbool.h>

/* Copy without comments and with continued lines joined, in which every line has its old number; the caller
 * frees the copy. `*open`: the text ends within a comment. NULL: there is no memory. */
char *text_without_comments(const char *text, bool *open);

#endif
