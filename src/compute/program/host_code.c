#include "compute/program/host_code.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "compute/backend.h"
#include "compute/program/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIME_LIMIT = 60, MAX_WORDS = 32, LOG_BYTES = 65536 };

struct host_code {
    void *object;
    char *name;
};

/* One compilation: its own folder with three files. */
struct compilation {
    const char *name; /* of the text */
    char *folder, *source, *object, *log;
    struct shoal_error *error;
};

static char *join(const char *folder, const char *file)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", folder, file);
    if (path.failed)
        text_free(&path);
    return path.data;
}

static void clean_up(struct compilation *c)
{
    char *const files[] = {c->source, c->object, c->log};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i])
            unlink(files[i]);
        free(files[i]);
    }
    if (c->folder)
        rmdir(c->folder);
    free(c->folder);
}

/* A new folder, mode 0700, in the cache, else in the folder of temporary files. */
static enum shoal_status make_folder(const struct shoal *shoal, struct compilation *c)
{
    const char *temporary = shoal && shoal->temporary_dir ? shoal->temporary_dir : "/tmp";
    const char *parents[] = {shoal ? shoal->cache_dir : NULL, temporary};
    int code = 0;
    for (size_t i = 0; i < 2 && !c->folder; i++) {
        if (!parents[i] || !make_folders(parents[i]))
            continue;
        char *folder = join(parents[i], "text-XXXXXX");
        if (!folder)
            return fail_host_memory(c->error);
        if (mkdtemp(folder))
            c->folder = folder;
        else
            code = errno;
        if (!c->folder)
            free(folder);
    }
    if (!c->folder)
        return fail_call(c->error, SHOAL_IO, "mkdtemp", code ? code : errno,
                         "%s: cannot create a folder in %s to compile it: %s; set TMPDIR", c->name, temporary,
                         strerror(code ? code : errno));
    c->source = join(c->folder, "text.c");
    c->object = join(c->folder, "text.so");
    c->log = join(c->folder, "log");
    return c->source && c->object && c->log ? SHOAL_OK : fail_host_memory(c->error);
}

/* Compiler -------------------------------------------------------------------------------------------------
 */

/* Words of a command, cut at blanks; `copy` owns them. */
static size_t split(char *copy, const char **words, size_t most)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(copy, " \t", &rest); word && count < most; word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    return count;
}

/* Starts argv[0], found along $PATH, with its messages going to the log; returns 0 or errno. Its group is its
 * own, so that a compiler's helpers can be ended with it, and it blocks no signal, whatever the caller does.
 */
static int start(const struct compilation *c, const char *const *argv, pid_t *pid)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        sigset_t blocked;
        sigemptyset(&blocked);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &blocked);
        code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (!code)
            code = posix_spawn_file_actions_addopen(&actions, 1, c->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (!code)
            code = posix_spawn_file_actions_adddup2(&actions, 1, 2);
        if (!code)
            code = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Waits for the end; false where the time ran out. A program that ignores SIGCHLD gets no status: 0 then. */
static bool wait_for(pid_t pid, int *status)
{
    const double begin = clock_seconds();
    struct timespec pause = {.tv_nsec = 1000000};
    *status = 0;
    for (;;) {
        const pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return true;
        if (clock_seconds() - begin > TIME_LIMIT) {
            kill(-pid, SIGKILL);
            while (waitpid(pid, status, 0) < 0 && errno == EINTR)
                continue;
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

/* First part of the log, malloc'ed; NULL where there is none. */
static char *read_log(const char *path)
{
    FILE *file = fopen(path, "rbe");
    char *log = file ? malloc(LOG_BYTES) : NULL;
    if (log)
        log[fread(log, 1, LOG_BYTES - 1, file)] = '\0';
    if (file)
        fclose(file);
    return log;
}

/* First line of the log that reports an error, without trailing blanks. */
static int error_line(const char *log, const char **line)
{
    const char *found = strstr(log, "error:");
    if (!found)
        found = log;
    while (found > log && found[-1] != '\n')
        found--;
    *line = found;
    return (int)strcspn(found, "\r\n");
}

static enum shoal_status report(const struct compilation *c, const char *compiler, int status)
{
    char *log = read_log(c->log);
    if (WIFSIGNALED(status)) {
        fail(c->error, SHOAL_BUILD_FAILED, "%s: the C compiler %s was ended by signal %d", c->name, compiler,
             WTERMSIG(status));
    } else if (log && *log) {
        const char *line;
        const int length = error_line(log, &line);
        fail(c->error, SHOAL_BUILD_FAILED, "%s does not compile: %.*s", c->name, length, line);
    } else {
        fail(c->error, SHOAL_BUILD_FAILED, "%s: the C compiler %s failed with status %d without a message",
             c->name, compiler, WEXITSTATUS(status));
    }
    if (log && c->error)
        error_set_log(c->error, log);
    free(log);
    return SHOAL_BUILD_FAILED;
}

/* Whether the log complains about the processor option, which not every compiler has. */
static bool blames_native(const char *path)
{
    char *log = read_log(path);
    const bool blamed = log && (strstr(log, "-march") || strstr(log, "march="));
    free(log);
    return blamed;
}

/* Runs the compiler `command`. *missing: there is no such program, and nothing was reported. */
static enum shoal_status run_compiler(const struct compilation *c, const char *command,
                                      const char *const *options, bool *missing)
{
    char *copy = strdup(command);
    const char *argv[2 * MAX_WORDS + 1];
    if (!copy)
        return fail_host_memory(c->error);
    size_t count = split(copy, argv, MAX_WORDS);
    size_t first = count; /* of the options; the first of them is -march=native */
    for (size_t i = 0; options[i]; i++)
        argv[count++] = options[i];
    argv[count] = NULL;
    enum shoal_status result = SHOAL_OK;
    *missing = first == 0;
    for (int attempt = 0; attempt < 2 && !*missing; attempt++) {
        pid_t pid;
        int status, code = start(c, argv, &pid);
        if (code) {
            *missing = true;
            break;
        }
        if (!wait_for(pid, &status)) {
            result = fail(c->error, SHOAL_BUILD_FAILED,
                          "%s: the C compiler %s was ended after %d s; what does the text make it do?",
                          c->name, argv[0], TIME_LIMIT);
            break;
        }
        /* 127: the C library could not start the program. */
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
            *missing = true;
            break;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            result = SHOAL_OK;
            break;
        }
        if (attempt == 0 && blames_native(c->log)) {
            memmove(argv + first, argv + first + 1, (count - first) * sizeof *argv);
            continue;
        }
        result = report(c, argv[0], status);
        break;
    }
    free(copy);
    return result;
}

static enum shoal_status compile(const struct shoal *shoal, const struct compilation *c,
                                 const char *const *defines)
{
    const char *const fixed[] = {"-march=native",
                                 "-O3",
                                 "-std=c11",
                                 "-fno-math-errno",
                                 "-shared",
                                 "-fPIC",
                                 "-fvisibility=hidden",
                                 "-Werror=implicit-function-declaration",
                                 "-Werror=int-conversion",
                                 "-Werror=incompatible-pointer-types",
                                 "-o",
                                 c->object,
                                 "-x",
                                 "c",
                                 c->source,
                                 "-lm"};
    const char *options[MAX_WORDS + 1] = {NULL};
    size_t used = sizeof fixed / sizeof *fixed;
    memcpy(options, fixed, sizeof fixed);
    for (size_t i = 0; defines && defines[i] && used < MAX_WORDS; i++)
        options[used++] = defines[i];
    const char *const usual[] = {"cc", "gcc", "clang"};
    const char *given = shoal ? shoal->compiler : NULL;
    const size_t count = given ? 1 : sizeof usual / sizeof *usual;
    for (size_t i = 0; i < count; i++) {
        bool missing = false;
        enum shoal_status status = run_compiler(c, given ? given : usual[i], options, &missing);
        if (!missing)
            return status;
    }
    if (given)
        return fail(
            c->error, SHOAL_BUILD_FAILED,
            "%s: the host compiles it with CC, but there is no program \"%s\": correct CC or unset it",
            c->name, given);
    return fail(c->error, SHOAL_BUILD_FAILED,
                "%s: the host needs a C compiler for it and finds no cc, gcc or clang: install gcc", c->name);
}

/* -------------------------------------------------------------------------------------------------------- */

static enum shoal_status load(const struct compilation *c, struct host_code *code)
{
    code->object = dlopen(c->object, RTLD_NOW | RTLD_LOCAL);
    if (code->object)
        return SHOAL_OK;
    const char *reason = dlerror();
    return fail(c->error, SHOAL_BUILD_FAILED, "%s: its machine code cannot be loaded: %s", c->name,
                reason ? reason : "no reason given");
}

enum shoal_status host_code_create(struct shoal *shoal, const struct host_code_params *params,
                                   struct host_code **out, struct shoal_error *error)
{
    struct compilation c = {.name = params->name, .error = error};
    char *source = NULL;
    *out = NULL;
    struct host_code *code = calloc(1, sizeof *code);
    if (!code)
        return fail_host_memory(error);
    struct shoal_program_params flat;
    shoal_program_params_init(&flat);
    const struct shoal_kernel_text snippet = {
        .file = params->replaced, .text = params->text, .shown = params->name};
    flat.texts = &snippet;
    flat.text_count = 1;
    enum shoal_status status = source_flatten(shoal, params->file, &flat, &source, error);
    if (!status && !(code->name = strdup(params->name)))
        status = fail_host_memory(error);
    if (!status)
        status = make_folder(shoal, &c);
    if (!status) {
        const void *part = source;
        const size_t bytes = strlen(source);
        const int written = write_file_atomically(c.source, FILE_CACHE, &part, &bytes, 1);
        if (written == ENOMEM)
            status = fail_host_memory(error);
        else if (written)
            status = fail_call(error, SHOAL_IO, "write", written, "cannot write %s: %s", c.source,
                               strerror(written));
    }
    if (!status)
        status = compile(shoal, &c, params->defines);
    if (!status)
        status = load(&c, code);
    clean_up(&c);
    free(source);
    if (status)
        host_code_destroy(&code);
    *out = code;
    return status;
}

enum shoal_status host_code_find(const struct host_code *code, const char *function, void *pointer,
                                 struct shoal_error *error)
{
    /* ISO C has no conversion from an object pointer to a function. */
    void *symbol = dlsym(code->object, function);
    if (!symbol)
        return fail(error, SHOAL_BUILD_FAILED, "%s: its machine code has no %s", code->name, function);
    memcpy(pointer, &symbol, sizeof symbol);
    return SHOAL_OK;
}

void host_code_destroy(struct host_code **code)
{
    if (!*code)
        return;
    if ((*code)->object)
        dlclose((*code)->object);
    free((*code)->name);
    free(*code);
    *code = NULL;
}
