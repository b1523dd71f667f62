/* Kernel texts without comments. */
#ifndef SHOAL_COMPUTE_COMMENTS_H
#define SHOAL_COMPUTE_COMMENTS_H

#include <stdbool.h>

/* Returns a copy of a text without comments, in which continued lines are joined and every line keeps its
 * number; the caller frees the copy. *open: the text ends within a comment. NULL: there is no memory. */
char *text_without_comments(const char *text, bool *open);

#endif
