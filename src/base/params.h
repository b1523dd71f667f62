/* Checks of a caller's arguments: pointers that must not be NULL, and structs whose first member is their
 * size.
 *
 * A struct of the public API may grow at its end from release to release, so a program may give a shorter or
 * a longer one than this library knows. Its size says which; 0 is what a struct has whose init function was
 * forgotten.
 */
#ifndef SHOAL_BASE_PARAMS_H
#define SHOAL_BASE_PARAMS_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

/* `if (!NEED(error, solver, path)) return SHOAL_INVALID;`: false where one of up to eight pointers is NULL,
 * with a message that names the calling function and the pointer. */
#define NEED(error, ...)                                                                                     \
    pointers_are_given((error), __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                  \
                       sizeof((const void *const[]){__VA_ARGS__}) / sizeof(const void *))

/* NEED for a member that must be set. `own` is the copy of the parameters that the caller named `params`. */
#define NEED_MEMBER(error, params, own, member)                                                              \
    pointers_are_given((error), __func__, #params "." #member, (const void *const[]){(own).member}, 1)

/* `names` are those of the pointers, "solver, path". */
bool pointers_are_given(struct shoal_error *error, const char *function, const char *names,
                        const void *const *pointers, size_t count);

/* Copies the struct `given` of a call's parameters over `out`, `size` bytes of the members that this library
 * knows, in which `init`, the function of that name, has set the defaults:
 * - as long or shorter: the members that the program does not know keep their defaults;
 * - longer: the program knows more members than the library, which must be 0;
 * - 0, or a number that is no size of such a struct: SHOAL_INVALID, the message says to call `init`.
 * The size in `out` is then `size`. `function` is the call, for messages. */
SHOAL_MUST_CHECK enum shoal_status params_take(const char *function, const void *given, const char *init,
                                               void *out, size_t size, struct shoal_error *error);

/* Copies `from`, complete parameters of `size` bytes, back to the caller's struct: the members that it has.
 * Its size stays. */
void params_return(const void *from, size_t size, void *given);

/* params_take with `out`, a struct, filled by `init`, a function, for the function that calls it. */
#define PARAMS_TAKE(given, init, out, error)                                                                 \
    (init(out), params_take(__func__, (given), #init, (out), sizeof *(out), (error)))

/* A caller's struct `out` for results, of which this library knows `size` bytes: its size says how many it
 * has room for, and 0 is `first`, the size of the struct in the first release that had it. SHOAL_INVALID:
 * that is no size of such a struct. */
SHOAL_MUST_CHECK enum shoal_status result_check(const char *function, const void *out, size_t size,
                                                size_t first, struct shoal_error *error);

/* Copies the results `from` to `out`, which result_check has accepted, as far as it has room for them.
 * Members that the library does not know become 0. The size in `out` is then that of the members filled. */
void result_give(const void *from, size_t size, size_t first, void *out);

/* Both, for structs whose last member was `last` in their first release. */
#define RESULT_FIRST(out, last)                                                                              \
    ((offsetof(__typeof__(*(out)), last) + sizeof(out)->last + sizeof(size_t) - 1) / sizeof(size_t) *        \
     sizeof(size_t))
#define RESULT_CHECK(out, last, error)                                                                       \
    result_check(__func__, (out), sizeof *(out), RESULT_FIRST(out, last), (error))
#define RESULT_GIVE(from, last, out) result_give((from), sizeof *(from), RESULT_FIRST(from, last), (out))

#endif
