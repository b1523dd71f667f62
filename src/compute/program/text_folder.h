/* Private: temporary folders in which texts are compiled. A process holds a lock on each of its folders, so
 * that later processes recognise and remove folders of processes that were killed. */
#ifndef SHOAL_COMPUTE_TEXT_FOLDER_H
#define SHOAL_COMPUTE_TEXT_FOLDER_H

struct text_folder {
    char *path; /* NULL: there is no folder */
    int lock;
};

/* Creates a folder in `parent`, with mode 0700, and checks that it has room for machine code. Returns 0 or
 * errno. */
int text_folder_create(const char *parent, struct text_folder *folder);
/* Returns the path "FOLDER/NAME", which the caller frees; NULL: there is no memory. */
char *text_folder_file(const struct text_folder *folder, const char *name);
/* Removes the folder and its files. */
void text_folder_remove(struct text_folder *folder);

#endif
