#include "cli/waiting.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether another task is ready to run, or other tasks took half of the threads in the last minute. */
static bool others_run(void)
{
    double load = 0;
    unsigned ready = 1;
    FILE *file = fopen("/proc/loadavg", "re");
    if (!file)
        return false;
    const bool is_read = fscanf(file, "%lf %*f %*f %u/", &load, &ready) == 2;
    fclose(file);
    return is_read && (ready > 1 || load > 0.5 * (double)sysconf(_SC_NPROCESSORS_ONLN));
}

void cli_wait_passively(char **argv)
{
    static const char *const choices[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
    char path[4096];
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (getenv(choices[i]))
            return;
    /* execv gets the real path of the program, so that process lists show its name. */
    const ssize_t length = others_run() ? readlink("/proc/self/exe", path, sizeof path - 1) : -1;
    if (length < 0 || setenv(choices[0], "passive", 1) != 0)
        return;
    path[length] = '\0';
    execv(path, argv);
    unsetenv(choices[0]);
}
