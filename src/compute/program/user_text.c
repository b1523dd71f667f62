#include "compute/program/user_text.h"

#include "base/error.h"
#include "compute/program/comments.h"
#include "compute/program/embedded.h"
#include "compute/program/kernel_names.h"
#include "compute/program/source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONS = 64, MAX_MACROS = 1024, SHOWN = 80 };

/* Names ------------------------------------------------------------------------------------------------- */

/* A macro that the text defines. */
struct macro {
    /* parameters: with their brackets; length 0: the macro has no parameters */
    struct word name, parameters, body;
    unsigned long line;
    bool visited;
};

struct checker {
    const char *name;
    const struct user_text_rules *rules;
    struct kernel_names names;
    unsigned long line;
    size_t depth; /* nesting depth of #if */
    long braces_at[MAX_CONDITIONS];
    long braces, brackets;
    unsigned long opened; /* line of the outermost brace that is open */
    /* a branch of a condition has an opening or closing brace without its counterpart */
    bool has_split_braces;
    bool initialiser; /* the position is between = and ; at file scope */
    /* last character of the code so far; 'a' for a name, 'k' for a word of the dialect, '0' for a number */
    char last;
    struct macro macros[MAX_MACROS];
    size_t macro_count, call; /* call: number of open brackets of a macro call at file scope */
    struct shoal_error *error;
};

static bool same(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static bool is_any(struct word word, const char *const *list)
{
    for (; list && *list; list++)
        if (word_is(word, *list))
            return true;
    return false;
}

static bool begins(struct word word, const char *start)
{
    return word.length >= strlen(start) && memcmp(word.at, start, strlen(start)) == 0;
}

static int shown(struct word word)
{
    return word.length < SHOWN ? (int)word.length : SHOWN;
}

SHOAL_PRINTF(2, 3)
static enum shoal_status refuse(const struct checker *k, const char *format, ...)
{
    va_list args;
    char message[512];
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return fail(k->error, SHOAL_INVALID, "%s:%lu: %s", k->name, k->line, message);
}

static unsigned flags_of(const struct checker *k, struct word word)
{
    return kernel_names_flags(&k->names, word);
}

static const char *const shared_macros[] = {"R", "REAL", NULL};

/* Whether the word is a name that the rules share with the kernels, or a word of the dialect. */
static bool is_shared(const struct checker *k, struct word word)
{
    return flags_of(k, word) & NAME_LANGUAGE || is_any(word, k->rules->macros) ||
           is_any(word, k->rules->functions) || is_any(word, k->rules->used) || is_any(word, shared_macros);
}

static struct macro *find_macro(struct checker *k, struct word name)
{
    for (size_t i = 0; i < k->macro_count; i++)
        if (same(k->macros[i].name, name))
            return &k->macros[i];
    return NULL;
}

/* Refuses names that a text must not contain in any use. */
static enum shoal_status check_name(const struct checker *k, struct word word)
{
    static const char *const qualifiers[] = {"__constant", "__global", "__local", NULL};
    static const char *const own[] = {"shoal_", "SHOAL_", "host_", "HOST_"};
    /* With PoCL, builtins are macros over names that begin with _. */
    if (*word.at == '_' && !is_any(word, qualifiers))
        return refuse(k, "%.*s belongs to the compiler: a text has no names that start with _", shown(word),
                      word.at);
    if (word_is(word, "asm"))
        return refuse(k, "asm is not part of the kernel dialect: write it in C");
    bool reserved = flags_of(k, word) & NAME_MACRO && !is_shared(k, word);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        reserved = reserved || begins(word, own[i]);
    if (!reserved)
        return SHOAL_OK;
    return refuse(k, "%.*s is a name of the kernels: choose another, such as MY_%.*s", shown(word), word.at,
                  shown(word), word.at);
}

static bool is_defined_by_kernels(const struct checker *k, struct word word)
{
    return flags_of(k, word) & NAME_DEFINED && !is_shared(k, word);
}

static enum shoal_status refuse_defined(const struct checker *k, struct word word)
{
    return refuse(k, "%.*s is a name of the kernels: choose another, such as my_%.*s", shown(word), word.at,
                  shown(word), word.at);
}

/* Code --------------------------------------------------------------------------------------------------- */

/* Checks a name in the code outside of directives. next: the character after the name. */
static enum shoal_status check_code_word(struct checker *k, struct word word, char next)
{
    enum shoal_status status = check_name(k, word);
    if (status)
        return status;
    const unsigned flags = flags_of(k, word);
    const bool file_scope = k->braces == 0 && !k->initialiser;
    const bool declares = file_scope && (k->brackets == 0 || k->call);
    const bool in_library = flags & NAME_IN_LIBRARY;
    if (is_defined_by_kernels(k, word) && (declares || (next == '(' && !in_library)))
        return refuse_defined(k, word);
    if (declares && flags & NAME_LANGUAGE && !(flags & NAME_KEYWORD))
        return refuse(k, "%.*s belongs to the kernel dialect: choose another name, such as my_%.*s",
                      shown(word), word.at, shown(word), word.at);
    if (file_scope && k->brackets == 0 && next == '(' && find_macro(k, word))
        k->call = true;
    return SHOAL_OK;
}

/* Checks the character at `c`, which is not part of a name or number. last: the last character of the code
 * before it, as in struct checker; 0: there is none. */
static enum shoal_status check_mark(const struct checker *k, const char *c, char last)
{
    static const char *const digraphs[] = {"%:", "<:", ":>", "<%", "%>"};
    for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
        if (strncmp(c, digraphs[i], 2) == 0)
            return refuse(k, "%s stands for another character, which is not part of the kernel dialect",
                          digraphs[i]);
    if (*c == '"' || *c == '\'')
        return refuse(k, "strings and characters are not part of the kernel dialect: remove %c", *c);
    if (!isprint((unsigned char)*c) || strchr("$@`\\", *c))
        return refuse(k, "a character that is not part of the kernel dialect (code %d) outside of comments",
                      (unsigned char)*c);
    if (*c == '#')
        return refuse(k, "# and ## make names that cannot be checked: write the names out");
    if (*c == '{' && last == '(')
        return refuse(k, "a block within brackets is not part of the kernel dialect");
    return SHOAL_OK;
}

static void follow_scope(struct checker *k, char c)
{
    if (c == '{' && k->braces == 0)
        k->opened = k->line;
    k->braces += (c == '{') - (c == '}');
    if (k->braces > 0)
        return;
    k->brackets += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (k->brackets == 0) {
        k->call = false;
        k->initialiser = c == '=' || (k->initialiser && c != ';' && c != ',');
    }
}

static char next_mark(const char *c)
{
    while (isspace((unsigned char)*c))
        c++;
    return *c;
}

static enum shoal_status check_code(struct checker *k, const char *c)
{
    enum shoal_status status = SHOAL_OK;
    for (c = skip_blanks(c); *c != '\n' && *c && !status; c = skip_blanks(c)) {
        if (starts_word(*c)) {
            const struct word word = read_word(c);
            c += word.length;
            status = check_code_word(k, word, next_mark(c));
            k->last = flags_of(k, word) & NAME_KEYWORD ? 'k' : 'a';
        } else if (starts_number(c)) {
            c += number_length(c);
            k->last = '0';
        } else {
            status = check_mark(k, c, k->last);
            if (!status && *c == '(' && k->braces == 0 && k->brackets == 0 && !k->initialiser &&
                k->last != 'a')
                status = refuse(
                    k,
                    "a declaration that cannot be checked: write functions as static inline TYPE NAME(...)");
            follow_scope(k, *c);
            if (!status && k->braces < 0 && k->depth == 0 && !k->has_split_braces)
                status = refuse(k, "this } closes nothing: one is too many, or a { is missing before it");
            k->last = *c++;
        }
    }
    return status;
}

/* Directives --------------------------------------------------------------------------------------------- */

/* Whether the word is a parameter of the macro. */
static bool has_parameter(const struct macro *macro, struct word word)
{
    const struct word list = macro->parameters;
    for (size_t i = 0; i < list.length; i++) {
        const struct word one = read_word(list.at + i);
        if (one.length && same(one, word))
            return true;
        i += one.length;
    }
    return false;
}

/* Whether the brackets in the body of a macro are balanced. Brackets that several macros open and close would
 * hide where a function begins. */
static bool is_balanced(struct word body)
{
    long depth = 0;
    for (size_t i = 0; i < body.length && depth >= 0; i++)
        depth += (strchr("({[", body.at[i]) != NULL) - (strchr(")}]", body.at[i]) != NULL);
    return depth == 0;
}

/* Checks the names in the body of a macro, or in a condition (`macro` is NULL). */
static enum shoal_status check_words(const struct checker *k, const char *c, const struct macro *macro)
{
    enum shoal_status status = SHOAL_OK;
    char last = 0;
    for (c = skip_blanks(c); *c != '\n' && *c && !status; c = skip_blanks(c)) {
        if (starts_number(c)) {
            c += number_length(c);
            last = '0';
            continue;
        }
        if (!starts_word(*c)) {
            status = check_mark(k, c, last);
            last = *c++;
            continue;
        }
        const struct word word = read_word(c);
        c += word.length;
        last = 'a';
        status = check_name(k, word);
        const bool in_library = flags_of(k, word) & NAME_IN_LIBRARY;
        if (!status && macro && !has_parameter(macro, word) && is_defined_by_kernels(k, word) && !in_library)
            status = refuse_defined(k, word);
    }
    return status;
}

/* Checks that the body of a macro is one string of printable characters. */
static enum shoal_status check_string(const struct checker *k, struct word name, const char *c)
{
    c = skip_blanks(c);
    const char *end = c + 1;
    while (*c == '"' && isprint((unsigned char)*end) && *end != '"' && *end != '\\')
        end++;
    if (*c == '"' && *end == '"' && strchr("\n", *skip_blanks(end + 1)))
        return SHOAL_OK;
    return refuse(k, "%.*s is one string in quotation marks", shown(name), name.at);
}

static enum shoal_status check_define(struct checker *k, const char *c)
{
    struct macro macro = {.name = read_word(c), .line = k->line};
    if (!starts_word(*c))
        return refuse(k, "#define without a name");
    enum shoal_status status = check_name(k, macro.name);
    if (status)
        return status;
    if (flags_of(k, macro.name) && !is_any(macro.name, k->rules->macros))
        return refuse(
            k,
            "the kernels use the name %.*s, which #define would change in them: choose another, such as "
            "MY_%.*s",
            shown(macro.name), macro.name.at, shown(macro.name), macro.name.at);
    c += macro.name.length;
    if (is_any(macro.name, k->rules->strings))
        return check_string(k, macro.name, c);
    if (*c == '(') {
        macro.parameters = (struct word){.at = c, .length = strcspn(c, ")\n")};
        c += macro.parameters.length;
        c += *c == ')';
    }
    macro.body = (struct word){.at = c, .length = line_length(c)};
    if (!is_balanced(macro.body))
        return refuse(k, "the brackets of macro %.*s do not close within it", shown(macro.name),
                      macro.name.at);
    if (k->macro_count == MAX_MACROS)
        return refuse(k, "a text has up to %d macros", MAX_MACROS);
    k->macros[k->macro_count++] = macro;
    if (macro.parameters.length)
        status = check_words(k, macro.parameters.at, &macro);
    return status ? status : check_words(k, macro.body.at, &macro);
}

static enum shoal_status check_undef(struct checker *k, const char *c)
{
    const struct word name = read_word(c);
    if (find_macro(k, name) && !is_any(name, k->rules->macros))
        return SHOAL_OK;
    return refuse(k, "#undef %.*s: a text undefines only macros of its own", shown(name), name.at);
}

static enum shoal_status check_include(struct checker *k, const char *c)
{
    const char *end = *c == '"' ? strchr(c + 1, '"') : NULL;
    char file[256];
    if (!end || (size_t)(end - c) > sizeof file || !strchr("\n", *skip_blanks(end + 1)) ||
        strcspn(c, "\n") < (size_t)(end - c))
        return refuse(k, "a text includes kernel files by name, as #include \"lib/trig.clh\", not %.*s",
                      (int)(strcspn(c, "\n") < SHOWN ? strcspn(c, "\n") : SHOWN), c);
    memcpy(file, c + 1, (size_t)(end - c - 1));
    file[end - c - 1] = '\0';
    if (!source_embedded(file))
        return refuse(k, "there is no kernel file \"%s\"", file);
    /* A text may include only the .clh files of these folders. All other embedded files are parts of the
     * kernels, or headers for the host. */
    const char *ending = strrchr(file, '.');
    for (const char *const *folder = k->rules->folders; *folder; folder++)
        if (strncmp(file, *folder, strlen(*folder)) == 0 && ending && strcmp(ending, ".clh") == 0)
            return SHOAL_OK;
    return refuse(k, "\"%s\" is a part of the kernels: a text includes .clh files of %s", file,
                  *k->rules->folders);
}

static enum shoal_status check_pragma(const struct checker *k, const char *c)
{
    const struct word word = read_word(c);
    c = skip_blanks(word.at + word.length);
    c = skip_blanks(c + strspn(c, "0123456789"));
    if (word_is(word, "unroll") && (*c == '\n' || !*c))
        return SHOAL_OK;
    return refuse(k, "#pragma %.*s would apply to the kernels too: only #pragma unroll is for texts",
                  shown(word), word.at);
}

/* Checks that each #if of the text has its #endif in the text: otherwise conditions would combine with those
 * of the kernels. */
static enum shoal_status check_condition(struct checker *k, struct word word)
{
    const bool opens = word_is(word, "if") || word_is(word, "ifdef") || word_is(word, "ifndef");
    if (!opens && k->depth == 0)
        return refuse(k, "#%.*s without an #if in this text", shown(word), word.at);
    if (opens) {
        if (k->depth == MAX_CONDITIONS)
            return refuse(k, "conditions have up to %d levels", MAX_CONDITIONS);
        k->braces_at[k->depth++] = k->braces;
    } else if (word_is(word, "endif")) {
        k->depth--;
        k->has_split_braces = k->has_split_braces || k->braces != k->braces_at[k->depth];
    } else {
        k->has_split_braces = k->has_split_braces || k->braces != k->braces_at[k->depth - 1];
        k->braces = k->braces_at[k->depth - 1];
    }
    return check_words(k, word.at + word.length, NULL);
}

static enum shoal_status check_directive(struct checker *k, const char *c)
{
    static const char *const conditions[] = {"if", "ifdef", "ifndef", "elif", "else", "endif", NULL};
    const struct word word = read_word(c);
    const char *rest = skip_blanks(c + word.length);
    if (is_any(word, conditions))
        return check_condition(k, word);
    if (word_is(word, "define"))
        return check_define(k, rest);
    if (word_is(word, "undef"))
        return check_undef(k, rest);
    if (word_is(word, "include"))
        return check_include(k, rest);
    if (word_is(word, "pragma"))
        return check_pragma(k, rest);
    if (word_is(word, "error"))
        return check_words(k, rest, NULL);
    if (word.length == 0 && (*c == '\n' || !*c))
        return SHOAL_OK;
    return refuse(k, "#%.*s is not a directive for texts: remove it", shown(word), word.at);
}

/* The whole ---------------------------------------------------------------------------------------------- */

/* Checks the names in the body of a shared macro, and in the bodies of macros that it uses, with the meanings
 * that they have where the kernels expand the shared macro. */
static enum shoal_status check_expansion(struct checker *k, struct macro *macro, struct word shared)
{
    enum shoal_status status = SHOAL_OK;
    if (macro->visited)
        return SHOAL_OK;
    macro->visited = true;
    const char *end = macro->body.at + macro->body.length;
    for (const char *c = macro->body.at; c < end && !status;) {
        if (starts_number(c)) {
            c += number_length(c);
            continue;
        }
        if (!starts_word(*c)) {
            c++;
            continue;
        }
        const struct word word = read_word(c);
        c += word.length;
        if (has_parameter(macro, word) || is_shared(k, word))
            continue;
        const unsigned flags = flags_of(k, word);
        for (size_t i = 0; i < k->macro_count && !status; i++)
            if (same(k->macros[i].name, word))
                status = check_expansion(k, &k->macros[i], shared);
        if (status || !flags || flags & NAME_IN_LIBRARY)
            continue;
        k->line = macro->line;
        status = refuse(k, "%.*s is expanded in the kernels, where %.*s is a name of theirs: choose another",
                        shown(shared), shared.at, shown(word), word.at);
    }
    return status;
}

static enum shoal_status check_expansions(struct checker *k)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < k->macro_count && !status; i++)
        if (flags_of(k, k->macros[i].name) && is_any(k->macros[i].name, k->rules->macros))
            status = check_expansion(k, &k->macros[i], k->macros[i].name);
    return status;
}

/* Refuses characters that some compilers read in another way, or that they replace before they remove
 * comments. */
static enum shoal_status check_characters(struct checker *k, const char *text)
{
    for (const char *c = text; *c; c++) {
        const bool end = *c == '\r' && c[1] == '\n';
        if (*c == '?' && c[1] == '?' && c[2] && strchr("=/'()!<>-", c[2]))
            return refuse(k,
                          "?"
                          "?%c stands for another character: put a blank into it",
                          c[2]);
        if (iscntrl((unsigned char)*c) && *c != '\t' && *c != '\n' && !end)
            return refuse(k, "a control character (code %d): remove it", (unsigned char)*c);
        k->line += *c == '\n';
    }
    return SHOAL_OK;
}

static enum shoal_status check_lines(struct checker *k, const char *text)
{
    enum shoal_status status = SHOAL_OK;
    k->line = 1;
    for (const char *line = text; *line && !status; k->line++) {
        const char *c = skip_blanks(line);
        status = *c == '#' ? check_directive(k, skip_blanks(c + 1)) : check_code(k, c);
        line = next_line(line);
        if (status || *line)
            continue;
        if (k->depth)
            return refuse(k, "an #if without its #endif: the text ends within it");
        if (k->braces > 0 && !k->has_split_braces) {
            k->line = k->opened;
            return refuse(k, "the { of this line is not closed: a } is missing in the text behind it");
        }
        if (k->last && !strchr(";})", k->last))
            return refuse(k, "the text ends within a declaration: end it with a semicolon");
    }
    return status ? status : check_expansions(k);
}

enum shoal_status user_text_check(const struct shoal *shoal, const char *text, const char *name,
                                  const struct user_text_rules *rules, char **checked,
                                  struct shoal_error *error)
{
    bool open;
    *checked = NULL;
    struct checker *k = calloc(1, sizeof *k);
    char *bare = text_without_comments(text, &open);
    enum shoal_status status = k && bare ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        *k = (struct checker){.name = name, .rules = rules, .line = 1, .error = error};
        status = kernel_names_create(shoal, &k->names, error);
    }
    if (!status)
        status = check_characters(k, text);
    if (!status && open)
        status = refuse(k, "the text ends within a comment or behind a backslash");
    if (!status)
        status = check_lines(k, bare);
    if (k)
        kernel_names_free(&k->names);
    free(k);
    if (status)
        free(bare);
    else
        *checked = bare;
    return status;
}
