/* Private: checks of a caller's arguments: pointers that must not be NULL, and structs whose first member is
 * their size.
 *
 * A struct of the public API may grow at its end from release to release, so a program may pass a shorter or
 * a longer struct than this library knows. The first member is the size of the struct in the program's
 * release, or 0 if the program did not call the init function.
 */
#ifndef SHOAL_BASE_PARAMS_H
#define SHOAL_BASE_PARAMS_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Use: `if (!NEED(error, solver, path)) return SHOAL_INVALID;`. False where one of up to eight pointers is
 * NULL; the message names the calling function and the pointer. NEED_OF is for functions that check the
 * arguments of several calls. call: name of the public call. */
#define NEED_OF(error, call, ...)                                                                            \
    pointers_are_given((error), (call), #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                    \
                       sizeof((const void *const[]){__VA_ARGS__}) / sizeof(const void *))
#define NEED(error, ...) NEED_OF(error, __func__, __VA_ARGS__)

/* NEED for a member of parameters that must be set. params: the caller's name of the parameters; own: the
 * library's copy. */
#define NEED_MEMBER_OF(error, call, params, own, member)                                                     \
    pointers_are_given((error), (call), #params "." #member, (const void *const[]){(own).member}, 1)
#define NEED_MEMBER(error, params, own, member) NEED_MEMBER_OF(error, __func__, params, own, member)

/* Is no pointer NULL? Otherwise `error` names the first pointer that is NULL. names: the names of the
 * pointers in one text, "solver, path". */
bool pointers_are_given(struct shoal_error *error, const char *function, const char *names,
                        const void *const *pointers, size_t count);

/* Copies a caller's parameters `given` over `out`, a struct of `size` bytes that `init` (named in messages)
 * has filled with defaults:
 * - `given` is as long or shorter: members that the caller's program does not know keep their defaults;
 * - `given` is longer: members that the library does not know must be 0;
 * - the size of `given` is 0 or impossible: SHOAL_INVALID, and the message says to call `init`.
 * The size in `out` becomes `size`. function: name of the public call, for messages. */
SHOAL_MUST_CHECK enum shoal_status params_take(const char *function, const void *given, const char *init,
                                               void *out, size_t size, struct shoal_error *error);

/* Copies parameters `from` of `size` bytes back to the caller's struct `given`, which may be shorter or
 * longer. The size in `given` stays as the caller set it. */
void params_return(const void *from, size_t size, void *given);

/* Calls params_take for the calling function. out: a struct of the library; init: its init function. */
#define PARAMS_TAKE(given, init, out, error)                                                                 \
    (init(out), params_take(__func__, (given), #init, (out), sizeof *(out), (error)))

/* Checks the size of a caller's struct for results, of which this library knows `size` bytes. The size in the
 * struct says for how many bytes it has room; 0 means `first`, the size of the struct in the release that
 * introduced it. SHOAL_INVALID: the size is impossible. */
SHOAL_MUST_CHECK enum shoal_status result_check(const char *function, const void *out, size_t size,
                                                size_t first, struct shoal_error *error);

/* Copies results `from` to `out`, which result_check has accepted, as many bytes as `out` has room for.
 * Members that the library does not know become 0. The size in `out` becomes the number of bytes filled. */
void result_give(const void *from, size_t size, size_t first, void *out);

/* RESULT_FIRST: size of a struct in its first release, where `last` was its last member. RESULT_CHECK and
 * RESULT_GIVE call result_check and result_give for such structs. */
#define RESULT_FIRST(out, last)                                                                              \
    ((offsetof(__typeof__(*(out)), last) + sizeof(out)->last + sizeof(size_t) - 1) / sizeof(size_t) *        \
     sizeof(size_t))
#define RESULT_CHECK(out, last, error)                                                                       \
    result_check(__func__, (out), sizeof *(out), RESULT_FIRST(out, last), (error))
#define RESULT_GIVE(from, last, out) result_give((from), sizeof *(from), RESULT_FIRST(from, last), (out))

#endif
