#include "base/params.h"
#include "base/error.h"

#include <string.h>

/* No release adds more bytes to a struct: a larger difference means that the size was never set. */
enum { MOST_ADDED = 4096 };

bool pointers_are_given(struct shoal_error *error, const char *function, const char *names,
                        const void *const *pointers, size_t count)
{
    size_t given = 0, length;
    while (given < count && pointers[given])
        given++;
    if (given == count)
        return true;
    for (size_t i = 0; i < given; i++) {
        length = strcspn(names, ",");
        names += length + strspn(names + length, ", ");
    }
    length = strcspn(names, ",");
    fail(error, SHOAL_INVALID, "%s: %.*s is NULL", function, (int)length, names);
    return false;
}

/* Can a struct with `known` bytes in this release have `size` bytes in another release? */
static bool is_size(size_t size, size_t known)
{
    return size >= sizeof size && size <= known + MOST_ADDED;
}

/* Is any byte not zero after the first `known` bytes, which the library knows? */
static bool is_more_set(const void *given, size_t known, size_t size)
{
    const unsigned char *bytes = given;
    while (known < size && !bytes[known])
        known++;
    return known < size;
}

enum shoal_status params_take(const char *function, const void *given, const char *init, void *out,
                              size_t size, struct shoal_error *error)
{
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    if (!is_size(given_size, size))
        return fail(error, SHOAL_INVALID,
                    "%s: the parameters have size %zu instead of %zu: call %s on them before setting members",
                    function, given_size, size, init);
    if (is_more_set(given, size, given_size))
        return fail(error, SHOAL_INVALID,
                    "%s: the program sets parameters that this library, version %s, does not have: take a "
                    "newer one",
                    function, shoal_version());
    memcpy(out, given, given_size < size ? given_size : size);
    memcpy(out, &size, sizeof size);
    return SHOAL_OK;
}

void params_return(const void *from, size_t size, void *given)
{
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    memcpy(given, from, given_size < size ? given_size : size);
    memcpy(given, &given_size, sizeof given_size);
}

enum shoal_status result_check(const char *function, const void *out, size_t size, size_t first,
                               struct shoal_error *error)
{
    size_t room;
    memcpy(&room, out, sizeof room);
    if (!room || (room >= first && is_size(room, size)))
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "%s: the struct for the result has size %zu instead of %zu: set it to 0 before the call, as "
                "= {0} does",
                function, room, first);
}

void result_give(const void *from, size_t size, size_t first, void *out)
{
    size_t room;
    memcpy(&room, out, sizeof room);
    if (!room)
        room = first;
    const size_t known = room < size ? room : size;
    memset(out, 0, room);
    memcpy(out, from, known);
    memcpy(out, &known, sizeof known);
}
