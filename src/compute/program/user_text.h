/* Texts of users that are compiled among the kernels: objectives, pair forces.
 *
 * The preprocessor knows no scopes. A text that defines a name of the kernels changes the kernels without a
 * message; a text that uses such a name depends on internals of the kernels. Both are refused, and so is
 * everything that could make a compiler see another text than the one checked here. */
#ifndef SHOAL_COMPUTE_USER_TEXT_H
#define SHOAL_COMPUTE_USER_TEXT_H

#include <shoal/device.h>

/* The names that texts of one kind may define or use. Lists end with NULL. All texts may use R, REAL and the
 * words of the dialect. */
struct user_text_rules {
    const char *const *macros;    /* macros that a text may define */
    const char *const *functions; /* functions that a text defines */
    const char *const *used;      /* macros of the kernels that a text may use */
    const char *const *folders;   /* folders of kernel files that a text may include: "lib/" */
    const char *const *strings; /* macros whose body is a single string, which no code expands; NULL: none */
};

/* Checks a text and stores it without comments, so that all later readers see the same lines. name: of the
 * text, for messages. SHOAL_INVALID: the message has file, line, the name that is wrong, and what to do.
 * shoal: its kernel folder counts as part of the kernels; NULL: only the built-in kernels count. */
SHOAL_MUST_CHECK enum shoal_status user_text_check(const struct shoal *shoal, const char *text,
                                                   const char *name, const struct user_text_rules *rules,
                                                   char **checked, struct shoal_error *error);

#endif
