/* What options of a gas need beside them: each has a row. */
#include "fixture.h"
#include "unit.h"

#include "gas/model/problem.h"

#if SHOAL_THESES
#define W1_OR "w1, "
#else
#define W1_OR ""
#endif
#define WALLS "boundary-x=walls boundary-y=walls"

/* "depth=30 dim=3" */
static void set_values(const char *values)
{
    char copy[200], *rest = copy;
    assert_true(snprintf(copy, sizeof copy, "%s", values) < (int)sizeof copy);
    for (char *word; (word = strsep(&rest, " "));) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        size_t i = 0;
        while (strcmp(gas_options[i].name, word) != 0)
            assert_true(++i < GAS_OPTIONS);
        char *field = (char *)&input + gas_options[i].offset;
#if SHOAL_THESES
        if (gas_options[i].offset >= sizeof input)
            field = (char *)&input_thesis + (gas_options[i].offset - sizeof input);
#endif
        int32_t choice = 0;
        switch (gas_options[i].type) {
        case SHOAL_OPTION_FLAG:
            *(bool *)field = true;
            break;
        case SHOAL_OPTION_UINT:
            *(uint64_t *)(void *)field = strtoull(value, NULL, 10);
            break;
        case SHOAL_OPTION_REAL:
            *(double *)(void *)field = strtod(value, NULL);
            break;
        case SHOAL_OPTION_CHOICE:
            while (strcmp(gas_options[i].choices[choice], value) != 0)
                assert_non_null(gas_options[i].choices[++choice]);
            *(int32_t *)(void *)field = choice;
            break;
        default:
            *(const char **)(void *)field = "my.cl";
        }
    }
}

static bool gives(const char *values, const char *name)
{
    const char *at = strstr(values, name);
    return at && (at == values || at[-1] == ' ') && at[strlen(name)] == '=';
}

static const struct {
    const char *given, *refused, *too; /* values; a part of the message; what makes the values good */
} rows[] = {
    {"density=0.5 start-file=my.xyz", "--density does not go with --start-file; use one", NULL},
    {"depth=30", "--depth needs --dim 3; give that too, or leave --depth out", "dim=3"},
    {"boundary-z=walls", "--boundary-z needs --dim 3", "dim=3"},
    {"field-z=1", "--field-z needs --dim 3", "dim=3"},
    {"potential=user", "--potential user needs --pair-force", NULL},
    {"potential=log pair-force=my.cl", "--potential log does not go with --pair-force; use one", NULL},
    {"epsilon=2 potential=log " WALLS, "--epsilon needs --potential lj or wca", "potential=wca"},
    {"sigma=2 pair-force=my.cl", "--sigma does not go with --pair-force; use one", NULL},
    {"attraction=1", "--attraction needs --potential log, log-repulsion, real or gravity",
     "potential=gravity boundary-x=open boundary-y=open"},
    {"repulsion=1", "--repulsion needs --potential log-repulsion or real",
     "potential=log-repulsion boundary-x=open boundary-y=open"},
    {"short-attraction=1", "--short-attraction needs --potential real",
     "potential=real boundary-x=open boundary-y=open"},
    {"softening=1", "--softening needs --potential", "potential=log boundary-x=open boundary-y=open"},
    {"cutoff=3 potential=log " WALLS, "--cutoff needs --potential lj, real or user", "potential=real"},
    {"cut=shifted potential=wca", "--cut needs --potential lj, real or user", "potential=lj"},
    {"switch-radius=2", "--switch-radius needs --cut smoothed", "cut=smoothed"},
    {"species-pairs=A-B", "--species-pairs needs --species; give that too", NULL},
    {"wall-left=thermal", "--wall-left needs --boundary-x walls", "boundary-x=walls"},
    {"wall-right=damping", "--wall-right needs --boundary-x walls", "boundary-x=walls"},
    {"wall-bottom=damping", "--wall-bottom needs --boundary-y walls", "boundary-y=walls"},
    {"wall-top=damping boundary-x=walls", "--wall-top needs --boundary-y walls", "boundary-y=walls"},
    {"wall-front=damping", "--wall-front needs --boundary-z walls", "dim=3 boundary-z=walls"},
    {"wall-back=thermal dim=3", "--wall-back needs --boundary-z walls", "boundary-z=walls"},
    {"wall-method=w5", "--wall-method needs --boundary-x, --boundary-y or --boundary-z walls",
     "boundary-y=walls"},
    {"wall-method=w5 boundary-x=walls wall-left=thermal",
     "--wall-left thermal needs --wall-method " W1_OR "w2 or w3", "wall-method=w2"},
    {"wall-method=w4 boundary-x=walls epsilon=0 thermostat=langevin",
     "--wall-method w4 needs --thermostat nve", "thermostat=nve"},
    {"wall-temperature=1 boundary-x=walls",
     "--wall-temperature needs --wall-left, --wall-right, --wall-bottom, --wall-top, --wall-front or "
     "--wall-back "
     "thermal",
     "wall-right=thermal"},
    {"wall-damping=0.9 boundary-x=walls wall-left=thermal", "wall-back damping", "wall-right=damping"},
    {"wall-stiffness=1000 boundary-x=walls", "--wall-stiffness needs --wall-method w5 or --piston x, y or z",
     "piston=x"},
    {"piston=x", "--piston x needs --boundary-x walls", "boundary-x=walls"},
    {"piston=y boundary-y=walls wall-top=thermal", "--piston y needs --wall-top reflect", "wall-top=reflect"},
    {"piston=z dim=3", "--piston z needs --boundary-z walls", "boundary-z=walls"},
    {"piston=x boundary-x=walls wall-method=w2", "--piston needs --wall-method w3 or w5", "wall-method=w5"},
    {"piston=x boundary-x=walls integrator=euler", "--piston needs --integrator verlet or leapfrog",
     "integrator=leapfrog"},
    {"piston=x boundary-x=walls minimise=5", "--piston does not go with --minimise; use one", "minimise=0"},
    {"piston-mass=5", "--piston-mass needs --piston x, y or z", "piston=y boundary-y=walls"},
    {"piston-pressure=5", "--piston-pressure needs --piston x, y or z", "piston=y boundary-y=walls"},
    {"piston-stiffness=5", "--piston-stiffness needs --piston x, y or z", "piston=y boundary-y=walls"},
    {"piston-speed=5", "--piston-speed needs --piston x, y or z", "piston=y boundary-y=walls"},
    {"piston-mass=5 piston=y boundary-y=walls piston-speed=1",
     "--piston-mass does not go with --piston-speed; use one", NULL},
    {"start=file", "--start file needs --start-file", NULL},
    {"start-distance=1", "--start-distance needs --start random", "start=random"},
    {"start-part=0.5 start=droplet", "--start-part needs --start lattice or random", "start=random"},
    {"droplet-share=0.5", "--droplet-share needs --start droplet", "start=droplet"},
    {"droplet-place=0.5", "--droplet-place needs --start droplet", "start=droplet"},
    {"droplet-density=0.8 start=random", "--droplet-density needs --start droplet", "start=droplet"},
    {"integrator=euler thermostat=langevin", "--integrator euler needs --thermostat nve, rescale or chain",
     "thermostat=nve"},
    {"trap=1 boundary-x=open", "--trap needs --boundary-y walls or open", "boundary-y=walls"},
    {"trap=1 dim=3 " WALLS, "--trap needs --dim 2 or --boundary-z walls or open", "boundary-z=open"},
    {"friction=1", "--friction needs --thermostat langevin", "thermostat=langevin"},
    {"minimise-force=2", "--minimise-force needs --minimise", "minimise=10"},
    {"temperature-end=2", "--temperature-end needs --thermostat langevin, rescale or chain",
     "thermostat=langevin"},
    {"pressure=1", "--pressure needs --thermostat langevin, rescale or chain", "thermostat=chain"},
    {"pressure=1 thermostat=langevin boundary-x=walls", "--pressure needs --boundary-x periodic",
     "boundary-x=periodic"},
    {"pressure=1 thermostat=chain msd=true", "--pressure does not go with --msd; use one", NULL},
    {"pressure=1 thermostat=chain vacf=true", "--pressure does not go with --vacf; use one", NULL},
    {"pressure=1 thermostat=chain structure-bins=5", "--pressure does not go with --structure-bins; use one",
     NULL},
    {"compressibility=1", "--compressibility needs --pressure", "pressure=1 thermostat=rescale"},
    {"pressure-coupling=axes", "--pressure-coupling needs --pressure", "pressure=1 thermostat=rescale"},
    {"pressure-relaxation=1", "--pressure-relaxation needs --pressure", "pressure=1 thermostat=langevin"},
    {"relaxation=0.5 thermostat=langevin",
     "--relaxation needs --thermostat rescale or chain or --equilibration", "equilibration=5"},
#if SHOAL_THESES
    {"limit=3", "--limit needs --limiter l1 or l2", "limiter=l1"},
    {"integrator=euler-in-place thermostat=rescale", "--integrator euler-in-place needs --thermostat nve",
     "thermostat=nve"},
    {"integrator=euler-in-place equilibration=10",
     "--integrator euler-in-place does not go with --equilibration; use one", "equilibration=0"},
    {"kernel=naive method=list", "--kernel needs --method auto or allpairs",
     "method=allpairs potential=log " WALLS},
    {"kernel=naive", "--kernel naive needs --potential log, log-repulsion, real or gravity",
     "potential=real " WALLS},
    {"unroll=8", "--unroll needs --kernel unrolled", "kernel=unrolled potential=log " WALLS},
    {"unroll=8 kernel=semi-blocked potential=log " WALLS, "--unroll needs --kernel unrolled",
     "kernel=unrolled"},
    {"scheme=tiled3 method=allpairs", "--scheme needs --method auto or cells",
     "method=cells potential=log " WALLS},
    {"scheme=tiled3 kernel=tiled", "--scheme does not go with --kernel; use one",
     "kernel=auto potential=log " WALLS},
    {"far=ha1", "--far needs --scheme tiled1, tiled11, tiled2 or tiled3",
     "scheme=tiled1 potential=log " WALLS},
    {"adder=kadder scheme=corrected", "--adder needs --scheme tiled1, tiled11, tiled2 or tiled3",
     "scheme=tiled2 potential=log " WALLS},
    {"sort=v1 method=list", "--sort needs --method auto or cells", "method=auto potential=log " WALLS},
    {"cells=50 method=list", "--cells needs --method auto or cells", "method=auto potential=log " WALLS},
    {"near-radius=2 method=allpairs", "--near-radius needs --method", "method=auto potential=log " WALLS},
    {"middle-radius=10 method=list", "--middle-radius needs --method", "method=auto potential=log " WALLS},
#endif
    {"skin=0.3 method=allpairs", "--skin needs --method auto or list", "method=list"},
    {"skin=0.3 potential=log " WALLS, "--skin needs --potential lj, wca or user", "potential=wca"},
    {"work-group=64 method=list", "--work-group needs --method auto", "method=allpairs"},
    {"method=fmm potential=log dim=3 boundary-z=walls " WALLS, "--method fmm needs --dim 2",
     "dim=2 boundary-z=periodic"},
    {"method=fmm potential=real " WALLS, "--method fmm needs --potential log, log-repulsion or gravity",
     "potential=gravity"},
    {"accuracy=1e-3 potential=log " WALLS, "--accuracy needs --method fmm", "method=fmm"},
    {"average-every=10 thermo=5", "--average-every does not go with --thermo; use one", "thermo=0"},
    {"rdf-range=2", "--rdf-range needs --rdf-bins", "rdf-bins=10"},
    {"profile-bins=20", "--profile-bins needs --profile-axis x, y or z", "profile-axis=y"},
    {"profile-axis=z", "--profile-axis z needs --dim 3", "dim=3"},
    {"g6-bins=5", "--g6-bins needs --hexatic-range", "hexatic-range=1"},
    {"g6-range=5", "--g6-range needs --g6-bins", "hexatic-range=1 g6-bins=5"},
    {"hexatic-range=2 dim=3", "--hexatic-range needs --dim 2", "dim=2"},
    {"profile-all=true", "--profile-all needs --profile-axis x, y or z", "profile-axis=y"},
    {"structure-bins=5 boundary-y=walls", "--structure-bins needs --boundary-y periodic",
     "boundary-y=periodic"},
    {"structure-range=5", "--structure-range needs --structure-bins", "structure-bins=10"},
};

/* What has no effect was meant for something else; the default of an option is a value like others. */
static void test_needs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_values(rows[i].given);
        refuse(rows[i].refused);
        if (!rows[i].too)
            continue;
        set_values(rows[i].given);
        set_values(rows[i].too);
        assert_ok(shoal_workload_validate(NULL, &gas_workload.face, &input, &test_error));
        init_input();
    }
    /* Each option that needs something has a row. */
    for (size_t i = 0; i < GAS_OPTIONS; i++) {
        bool any = !gas_options[i].needs;
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            any = any || gives(rows[r].given, gas_options[i].name);
        if (!any)
            fail_msg("no row gives %s", gas_options[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {GAS_TEST(test_needs)};
    return cmocka_run_group_tests_name("gas-needs", tests, NULL, NULL);
}
