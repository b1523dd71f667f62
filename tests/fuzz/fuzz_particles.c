/* Files with particles, extended XYZ and LAMMPS dumps: whatever the bytes, either one line that says what is
 * wrong or particles that are all finite. */
#include "target.h"

#include "io/particles/particles.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct shoal_error error = {0};
    struct particles particles;
    enum shoal_status status = particles_parse(text, size, "fuzz", &particles, &error);
    if (status) {
        REQUIRE(status == error.status && error.message[0] && !strpbrk(error.message, "\r\n"));
        REQUIRE(!particles.position && !particles.velocity && !particles.count);
    } else {
        REQUIRE(particles.count && particles.frames && particles.position);
        REQUIRE(particles.count <= size);
        for (size_t k = 0; k < 3 && particles.has_box; k++)
            REQUIRE(particles.length[k] >= 0 && isfinite(particles.origin[k]));
        REQUIRE(particles.frame && particles.frame <= particles.frames);
        REQUIRE(strlen(particles.unused) < sizeof particles.unused);
        REQUIRE(strlen(particles.told) < sizeof particles.told && particles.kinds <= PARTICLES_KINDS_MOST);
        for (size_t i = 0; i < particles.count && particles.kind; i++)
            REQUIRE(particles.kind[i] < particles.kinds || particles.kind[i] == PARTICLES_KINDS_MOST);
        for (size_t i = 0; i < 3 * particles.count; i++)
            REQUIRE(isfinite(particles.position[i]) &&
                    (!particles.velocity || isfinite(particles.velocity[i])));
    }
    particles_free(&particles);
    free(text);
    return 0;
}
