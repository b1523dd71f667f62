/* Runs a fuzz target over the files of the folders and the files that are named: a test that needs no clang.
 */
#include "target.h"

#include <dirent.h>
#include <errno.h>

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
    uint8_t *data = malloc(1 << 20);
    REQUIRE(data);
    size_t size = fread(data, 1, 1 << 20, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    /* Parts of a good file are the most likely damaged ones. */
    for (size_t part = 0; part < size; part += 1 + size / 64)
        LLVMFuzzerTestOneInput(data, part);
    free(data);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        struct dirent **entries;
        int found = scandir(argv[i], &entries, NULL, alphasort);
        if (found < 0) {
            run_file(argv[i]);
            count++;
        }
        for (int k = 0; k < found; k++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entries[k]->d_name);
            if (entries[k]->d_name[0] != '.') {
                run_file(path);
                count++;
            }
            free(entries[k]);
        }
        if (found >= 0)
            free(entries);
    }
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    printf("%zu inputs\n", count);
    return count ? 0 : 1;
}
