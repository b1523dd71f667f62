#include "compute/program/host/compiler.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "compute/program/build_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum { TIME_LIMIT = 60, LOG_BYTES = 65536 };

extern char **environ;

/* Splits a command at blanks. The words point into `copy`. words: room for (bytes of the command) / 2 + 1
 * words. */
static size_t split(char *copy, const char **words)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(copy, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    return count;
}

/* Number of texts in a list that ends with NULL; 0 if the list is NULL. */
static size_t count_of(const char *const *texts)
{
    size_t count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

/* Process ----------------------------------------------------------------------------------------------- */

/* What is needed to start a compiler, prepared before the fork: a new process of a program with threads may
 * call hardly any function. */
struct launch {
    const char *const *argv; /* argv[0] is found along $PATH */
    char **environment;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

static void launch_free(struct launch *launch)
{
    posix_spawnattr_destroy(&launch->attributes);
    posix_spawn_file_actions_destroy(&launch->actions);
}

/* Prepares the start of the compiler. Its messages go to the file `log`. It has a process group of its own,
 * so that it can be ended together with its helpers, and blocks no signals, even if the caller does. Returns
 * 0 or errno. */
static int launch_prepare(struct launch *launch, const char *log)
{
    sigset_t blocked;
    int code = posix_spawn_file_actions_init(&launch->actions);
    if (code)
        return code;
    code = posix_spawnattr_init(&launch->attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&launch->actions);
        return code;
    }
    sigemptyset(&blocked);
    posix_spawnattr_setflags(&launch->attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&launch->attributes, 0);
    posix_spawnattr_setsigmask(&launch->attributes, &blocked);
    code = posix_spawn_file_actions_addopen(&launch->actions, 0, "/dev/null", O_RDONLY, 0);
    if (!code)
        code = posix_spawn_file_actions_addopen(&launch->actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!code)
        code = posix_spawn_file_actions_adddup2(&launch->actions, 1, 2);
    if (code)
        launch_free(launch);
    return code;
}

/* Ends this process as the compiler has ended: with its exit code, or by the same signal. */
static void end_like(int status)
{
    const struct rlimit none = {0, 0};
    if (!WIFSIGNALED(status))
        _exit(WEXITSTATUS(status));
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, WTERMSIG(status));
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &ending, NULL);
    _exit(127);
}

/* Closes all files that the guard has from the program: otherwise a reader of a pipe of the program would
 * wait until the guard ends. */
static void close_all_files(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 0U, ~0U, 0U) == 0)
        return;
#endif
    /* Without an effective limit, closing every number would take longer than the compilation. */
    enum { MOST = 65536 };
    const long limit = sysconf(_SC_OPEN_MAX);
    for (int file = 0; file < (limit > 0 && limit < MOST ? limit : MOST); file++)
        close(file);
}

/* The guard: a process between this process (`parent`) and the compiler. A SIGTERM, which the guard gets also
 * when its parent is killed, makes it end the compiler's whole process group: compilers do not end their
 * helpers. */
static void guard(pid_t parent, const struct launch *launch)
{
    sigset_t awaited;
    pid_t compiler;
    int number, status;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGCHLD);
    setpgid(0, 0); /* signals of the terminal then go only to the parent */
    signal(SIGTERM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &awaited, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    close_all_files();
    if (getppid() != parent || posix_spawnp(&compiler, launch->argv[0], &launch->actions, &launch->attributes,
                                            (char *const *)launch->argv, launch->environment) != 0)
        _exit(127);
    for (;;) {
        if (sigwait(&awaited, &number) == 0 && number == SIGTERM)
            kill(-compiler, SIGKILL);
        if (waitpid(compiler, &status, WNOHANG) == compiler)
            end_like(status);
    }
}

/* Starts the guard and returns its process id; below 0: this failed, see errno. The guard begins with all
 * signals blocked: otherwise a handler of this program could get a SIGTERM that the parent sends at once. */
static pid_t start(const struct launch *launch)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        guard(parent, launch);
    const int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return pid;
}

enum end { ENDED, ENDED_UNSEEN, STOPPED, OUT_OF_TIME };

/* Waits for the end of the guard, or ends it. ENDED_UNSEEN: waitpid does not find it, since this program
 * ignores SIGCHLD or waits elsewhere for all its processes. */
static enum end wait_for(const struct shoal *shoal, pid_t pid, int *status)
{
    const double begin = clock_seconds();
    const struct timespec pause = {.tv_nsec = 1000000};
    *status = 0;
    for (;;) {
        const pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return ended == pid ? ENDED : ENDED_UNSEEN;
        const bool is_stopped = shoal && shoal->stop && shoal->stop(shoal->stop_data);
        if (is_stopped || clock_seconds() - begin > TIME_LIMIT) {
            kill(pid, SIGTERM);
            while (waitpid(pid, status, 0) < 0 && errno == EINTR)
                continue;
            return is_stopped ? STOPPED : OUT_OF_TIME;
        }
        nanosleep(&pause, NULL);
    }
}

/* Returns the beginning of the log, which the caller frees; NULL: there is no log. */
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

/* Returns a status in the form of waitpid for a compiler whose end was not seen, from the files that the
 * compiler has left. */
static int status_by_files(const struct compilation *c)
{
    char *log = read_log(c->log);
    const bool is_right = c->is_check ? !log || !strstr(log, "error:") : access(c->object, F_OK) == 0;
    const int code = is_right ? 0 : log && *log ? 1 : 127;
    free(log);
    return code << 8;
}

/* Returns a copy of the environment of this process in which $TMPDIR is the folder of the compilation, so
 * that all files of the compiler are removed with the folder; NULL: there is no memory. The array is one
 * block; the caller owns `setting`. */
static char **environment_with(char *setting)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **copy = malloc((count + 2) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            copy[kept++] = environ[i];
    if (copy) {
        copy[kept] = setting;
        copy[kept + 1] = NULL;
    }
    return copy;
}

/* Runs argv and waits for its end. *status: in the form of waitpid; exit code 127: there is no such program.
 */
static enum shoal_status run(const struct shoal *shoal, const struct compilation *c, const char *const *argv,
                             int *status, struct shoal_error *error)
{
    struct text setting = {0};
    struct launch launch = {.argv = argv};
    pid_t pid = -1;
    text_printf(&setting, "TMPDIR=%s", c->folder.path);
    launch.environment = setting.failed ? NULL : environment_with(setting.data);
    int code = launch.environment ? launch_prepare(&launch, c->log) : ENOMEM;
    if (!code) {
        pid = start(&launch);
        code = pid < 0 ? errno : 0;
        launch_free(&launch);
    }
    free(launch.environment);
    text_free(&setting);
    if (code == ENOMEM)
        return fail_host_memory(error);
    if (code)
        return fail_call(error, SHOAL_FAILED, "fork", code, "%s: cannot start the C compiler: %s", c->name,
                         strerror(code));
    switch (wait_for(shoal, pid, status)) {
    case STOPPED:
        return fail(error, SHOAL_STOPPED, "%s: stopped while it was compiled", c->name);
    case OUT_OF_TIME:
        return fail(error, SHOAL_BUILD_FAILED,
                    "%s: the C compiler %s was ended after %d s; what does the text make it do?", c->name,
                    argv[0], TIME_LIMIT);
    case ENDED_UNSEEN:
        *status = status_by_files(c);
        break;
    case ENDED:
        break;
    }
    return SHOAL_OK;
}

/* Compiler ---------------------------------------------------------------------------------------------- */

static enum shoal_status report(const struct compilation *c, const char *compiler, int status,
                                struct shoal_error *error)
{
    char *log = read_log(c->log);
    if (WIFSIGNALED(status)) {
        fail(error, SHOAL_BUILD_FAILED, "%s: the C compiler %s was ended by signal %d", c->name, compiler,
             WTERMSIG(status));
    } else if (log && *log) {
        char cause[512];
        build_log_describe(log, c->name, cause, sizeof cause);
        fail(error, SHOAL_BUILD_FAILED, "%s does not compile: %s", c->name, cause);
    } else {
        fail(error, SHOAL_BUILD_FAILED, "%s: the C compiler %s failed with status %d without a message",
             c->name, compiler, WEXITSTATUS(status));
    }
    if (log && error)
        error_set_log(error, log);
    free(log);
    return SHOAL_BUILD_FAILED;
}

/* Whether the log complains about the option -march, which not every compiler has. */
static bool blames_native(const char *path)
{
    char *log = read_log(path);
    const bool blamed = log && (strstr(log, "-march") || strstr(log, "march="));
    free(log);
    return blamed;
}

/* Runs the compiler `command`. *missing: there is no such program; the error is then not filled. */
static enum shoal_status run_compiler(const struct shoal *shoal, const struct compilation *c,
                                      const char *command, const char *const *options, bool *missing,
                                      struct shoal_error *error)
{
    size_t count = count_of(options);
    *missing = false;
    char *copy = strdup(command);
    const char **argv = malloc((strlen(command) / 2 + count + 2) * sizeof *argv);
    if (!copy || !argv) {
        free(copy);
        free(argv);
        return fail_host_memory(error);
    }
    const size_t first = split(copy, argv); /* index of the first option, -march=native */
    count += first;
    memcpy(argv + first, options, (count - first) * sizeof *argv);
    argv[count] = NULL;
    enum shoal_status result = SHOAL_OK;
    *missing = first == 0;
    for (int attempt = 0; attempt < 2 && !*missing; attempt++) {
        int status;
        result = run(shoal, c, argv, &status, error);
        if (result)
            break;
        /* The guard ends with status 127 if there is no such program. */
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
            *missing = true;
            break;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        if (attempt == 0 && blames_native(c->log)) {
            memmove(argv + first, argv + first + 1, (count - first) * sizeof *argv);
            continue;
        }
        result = report(c, argv[0], status, error);
        break;
    }
    free(copy);
    free(argv);
    return result;
}

enum shoal_status host_compile(const struct shoal *shoal, const struct compilation *c,
                               const char *const *defines, struct shoal_error *error)
{
    const char *const fixed[] = {"-march=native",
                                 c->is_check ? "-fsyntax-only" : "-O3",
                                 "-std=c11",
                                 "-fno-math-errno",
                                 c->is_check ? "-c" : "-shared",
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
    const size_t used = sizeof fixed / sizeof *fixed - (c->is_check ? 1 : 0); /* a check needs no libraries */
    const size_t define_count = count_of(defines);
    const char **options = calloc(used + define_count + 1, sizeof *options);
    if (!options)
        return fail_host_memory(error);
    memcpy(options, fixed, used * sizeof *fixed);
    for (size_t i = 0; i < define_count; i++)
        options[used + i] = defines[i];
    const char *const usual[] = {"cc", "gcc", "clang"};
    const char *given = shoal ? shoal->compiler : NULL;
    const size_t count = given ? 1 : sizeof usual / sizeof *usual;
    bool missing = true;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < count && missing; i++)
        status = run_compiler(shoal, c, given ? given : usual[i], options, &missing, error);
    free(options);
    if (!missing || c->is_check)
        return status;
    if (given)
        return fail(
            error, SHOAL_BUILD_FAILED,
            "%s: the host compiles it with CC, but there is no program \"%s\": correct CC or unset it",
            c->name, given);
    return fail(error, SHOAL_BUILD_FAILED,
                "%s: the host needs a C compiler for it and finds no cc, gcc or clang: install gcc", c->name);
}
