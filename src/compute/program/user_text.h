/* Texts of users that are compiled among the kernels: objectives, pair forces.
 *
 * The preprocessor knows no scopes: a text that defines a name of the kernels changes the kernels without a
 * message, and a text that uses such a name depends on internals of the kernels. Both are refused, and so is
 * everything by which compilers would see another text than the text checked here. */
#ifndef SHOAL_COMPUTE_USER_TEXT_H
#define SHOAL_COMPUTE_USER_TEXT_H

#include <shoal/device.h>

/* Names that texts of one kind may define or use. Lists end with NULL. All texts may use R, REAL and the
 * dialect. */
struct user_text_rules {
    const char *const *macros;    /* macros that a text may define */
    const char *const *functions; /* functions that a text may define */
    const char *const *used;      /* macros of the kernels that a text may use */
    const char *const *folders;   /* folders of kernel files that a text may include: "lib/" */
    const char *const *strings;   /* macros whose body is one string and which no code expands; NULL: none */
};

/* Checks a text, called `name` in messages, and stores it without comments, so that all readers see the same
 * lines. SHOAL_INVALID: the message has file, line, the wrong name and what to do. The kernels are those of
 * `shoal`; NULL: the built-in kernels. */
SHOAL_MUST_CHECK enum shoal_status user_text_check(const struct shoal *shoal, const char *text,
                                                   const char *name, const struct user_text_rules *rules,
                                                   char **checked, struct shoal_error *error);

#endif
