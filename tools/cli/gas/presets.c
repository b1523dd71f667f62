#include "cli/gas/presets.h"

#include <stddef.h>

/* The condensation of the thesis, which leaves parameters open. Here the unit of length is the distance of
 * the minimum of the short-range potential, and the unit of energy is about its depth. Two particles only
 * stay together if a third particle or a wall takes their energy, so the gas is dense and the run is long.
 * |A| n / 4 = 0.025 is below the temperatures of the run: the long-range attraction A alone does not make
 * droplets, as the control run without A also shows. */
static const char *const condensation[][2] = {{"potential", "real"},
                                              {"particles", "1000"},
                                              {"density", "0.3"},
                                              {"boundary-x", "walls"},
                                              {"boundary-y", "walls"},
                                              {"wall-left", "damping"},
                                              {"wall-right", "damping"},
                                              {"wall-bottom", "damping"},
                                              {"wall-top", "damping"},
                                              {"wall-damping", "0.6"},
                                              {"attraction", "1e-4"},
                                              {"short-attraction", "2"},
                                              {"softening", "0.25"},
                                              {"cutoff", "2.5"},
                                              {"temperature", "1"},
                                              {"dt", "0.014"},
                                              {"steps", "200000"},
                                              {"start", "random"},
                                              {"thermo", "2000"},
                                              {"cluster-distance", "1.5"},
                                              {"frames", "50000"},
                                              {"png", "condensation"},
                                              {"control", "true"},
                                              {"plot-temperature", "condensation-temperature.svg"},
                                              {NULL, NULL}};

const struct workload_preset gas_presets[] = {
    {"condensation",
     "a gas between damping walls condenses into droplets, with pictures and a control run (200000 steps, "
     "twice: minutes on a few CPU cores; for a shorter run give --steps, --frames and --thermo)",
     "condensation-*.png, condensation-temperature.svg, condensation-temperature-control.svg", condensation},
    {NULL, NULL, NULL, NULL}};
