#include "cli/output/files/endings.h"

#include "base/file.h"
#include "base/packed/pack.h"
#include "base/text.h"
#include "cli/output/message.h"

#include <string.h>
#include <sys/stat.h>

/* Length of a name without ".gz". */
static size_t unpacked_length(const char *name)
{
    return strlen(name) - (pack_is_asked_for(name) ? strlen(".gz") : 0);
}

bool cli_has_format(const char *path, const char *ending)
{
    return pack_has_ending(path, ending);
}

/* Returns the ending of a name, without its dot; NULL: the name has no ending. */
static const char *ending_of(const char *path)
{
    const char *name = file_base_name(path);
    const char *at = name + unpacked_length(name);
    while (at > name && at[-1] != '.')
        at--;
    return at > name + 1 ? at : NULL;
}

static bool is_other_than_a_file(const char *path)
{
    struct stat info;
    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

bool cli_check_ending(const char *option, const char *path, const char *const *endings, bool packs)
{
    const char *ending = ending_of(path);
    bool is_known = !ending || strspn(ending, "0123456789") > 0 || is_other_than_a_file(path);
    struct text allowed = {0};
    for (size_t i = 0; endings[i] && !is_known; i++) {
        is_known = cli_has_format(path, endings[i]);
        text_printf(&allowed, "%s%s", !i ? "" : endings[i + 1] ? ", " : " or ", endings[i]);
    }
    if (!is_known)
        cli_error(CLI_USAGE, "%s: the ending of '%s' names no format; use %s%s", option, path,
                  allowed.data ? allowed.data : "another",
                  packs ? ", with .gz behind it for a packed file" : "");
    text_free(&allowed);
    return is_known;
}
