#include "cli/charts/film.h"

#include "cli/cli.h"
#include "cli/output/files/endings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct film {
    char *path;
    pid_t process; /* 0: it has ended, and its end was reported */
    int pictures;  /* where ffmpeg reads pictures */
    FILE *messages;
    size_t width, height;
};

/* Whether `program` is in a folder of $PATH. */
static bool is_installed(const char *program)
{
    const char *folders = getenv("PATH");
    bool found = false;
    for (const char *folder = folders; folder && !found; folder = strchr(folder, ':')) {
        folder += *folder == ':';
        char *path = cli_sprintf("%.*s/%s", (int)strcspn(folder, ":"), folder, program);
        found = access(path, X_OK) == 0;
        free(path);
    }
    return found;
}

int film_check(const char *option, const char *path)
{
    if (!cli_has_format(path, ".mp4") && !cli_has_format(path, ".mkv"))
        return cli_error(CLI_USAGE, "%s: films are written as .mp4 or .mkv, not to %s", option, path);
    if (!is_installed("ffmpeg"))
        return cli_error(CLI_FAILURE,
                         "%s: no program ffmpeg in $PATH; install it, or write pictures by --png", option);
    return cli_check_output(option, path, false) ? CLI_OK : CLI_FAILURE;
}

/* Starts ffmpeg with `input` as its standard input. It has a process group of its own, so that Ctrl-C ends
 * the run alone, whose last pictures are then written, too. */
static int start(struct film *film, int input, const char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        code = posix_spawn_file_actions_adddup2(&actions, input, 0);
        if (!code)
            code = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        if (!code)
            code = posix_spawn_file_actions_adddup2(&actions, fileno(film->messages), 2);
        if (!code)
            code = posix_spawnp(&film->process, arguments[0], &actions, &attributes, (char *const *)arguments,
                                environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Fragments of mp4 and clusters of mkv end at key frames, one in FILM_RATE pictures. */
static int start_ffmpeg(struct film *film, int input)
{
    char size[48], rate[16];
    char *file = cli_sprintf("file:%s", film->path);
    snprintf(size, sizeof size, "%zux%zu", film->width, film->height);
    snprintf(rate, sizeof rate, "%d", FILM_RATE);
    const char *const arguments[] = {"ffmpeg",
                                     "-hide_banner",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pix_fmt",
                                     "rgb24",
                                     "-s",
                                     size,
                                     "-r",
                                     rate,
                                     "-i",
                                     "pipe:0",
                                     "-an",
                                     "-c:v",
                                     "libx264",
                                     "-preset",
                                     "veryfast",
                                     "-crf",
                                     "18",
                                     "-g",
                                     rate,
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-movflags",
                                     "frag_keyframe+empty_moov+default_base_moof",
                                     "-flush_packets",
                                     "1",
                                     file,
                                     NULL};
    const int code = start(film, input, arguments);
    free(file);
    return code;
}

static void destroy(struct film **film)
{
    if ((*film)->pictures >= 0)
        close((*film)->pictures);
    if ((*film)->messages)
        fclose((*film)->messages);
    free((*film)->path);
    free(*film);
    *film = NULL;
}

enum shoal_status film_begin(const char *path, size_t width, size_t height, struct film **out,
                             struct shoal_error *error)
{
    struct film *film = *out = cli_alloc(sizeof *film);
    int ends[2] = {-1, -1};
    *film = (struct film){.path = cli_strdup(path), .pictures = -1, .width = width, .height = height};
    film->messages = tmpfile();
    int code = film->messages ? 0 : errno;
    if (!code && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        code = errno;
    film->pictures = ends[0];
    if (!code)
        code = start_ffmpeg(film, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    if (!code)
        return SHOAL_OK;
    destroy(out);
    return cli_set_error(error, SHOAL_IO, "%s: ffmpeg cannot be started: %s", path, strerror(code));
}

/* Waits for the end of ffmpeg. SHOAL_IO: it has failed; the message has its last line. */
static enum shoal_status wait_for(struct film *film, struct shoal_error *error)
{
    char line[200] = "";
    int state = 0;
    const pid_t process = film->process;
    film->process = 0;
    close(film->pictures);
    film->pictures = -1;
    if (process == 0)
        return SHOAL_OK;
    while (waitpid(process, &state, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return SHOAL_OK;
    rewind(film->messages);
    while (fgets(line, sizeof line, film->messages))
        line[strcspn(line, "\n")] = '\0';
    if (WIFSIGNALED(state))
        snprintf(line, sizeof line, "ended by signal %d", WTERMSIG(state));
    return cli_set_error(error, SHOAL_IO, "%s: ffmpeg has failed: %s", film->path,
                         *line ? line : "it gives no reason");
}

enum shoal_status film_add(struct film *film, const struct canvas *canvas, struct shoal_error *error)
{
    const unsigned char *from = canvas->pixels;
    for (size_t left = canvas->width * canvas->height * CANVAS_CHANNELS; left > 0;) {
        const ssize_t sent = send(film->pictures, from, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0) {
            const enum shoal_status status = wait_for(film, error);
            return status ? status
                          : cli_set_error(error, SHOAL_IO, "%s: ffmpeg has ended before the run", film->path);
        }
        from += sent;
        left -= (size_t)sent;
    }
    return SHOAL_OK;
}

enum shoal_status film_end(struct film **film, struct shoal_error *error)
{
    if (!*film)
        return SHOAL_OK;
    const enum shoal_status status = wait_for(*film, error);
    destroy(film);
    return status;
}
