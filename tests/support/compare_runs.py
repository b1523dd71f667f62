"""The runs that compare_commits.py makes with two builds, and the files that they read."""

# (name, options, choices for a device): one run for each choice on a device, one run on the host.
SMALL_SWARM = "--dim 10 --particles 64 --iterations 50 --trace 10"
PSO = [
    ("function", f"{SMALL_SWARM} --function rastrigin",
     ["--evaluator fused", "--evaluator onchip", "--evaluator thread", "--evaluator thread-naive",
      "--evaluator block", "--evaluator block-major", "--evaluator mod", "--evaluator lanes"]),
    ("large", "--dim 30 --particles 4000 --iterations 12 --trace 4 --function griewank",
     ["--evaluator fused", "--evaluator lanes"]),
    ("double", f"{SMALL_SWARM} --function rosenbrock --precision fp64 --bounds clamp",
     ["--evaluator fused", "--evaluator onchip", "--evaluator lanes"]),
    ("linear", f"{SMALL_SWARM} --function ackley --update linear --velocity-limit 0.2 --random philox16 --bounds absorb"
     " --shift 2", ["--evaluator fused", "--evaluator onchip"]),
    ("ring", f"{SMALL_SWARM} --function f1 --update constriction --topology ring --neighbours 4 --bounds periodic",
     ["--evaluator onchip", "--evaluator thread"]),
    ("torus", f"{SMALL_SWARM} --function schwefel --update fips --topology von-neumann --bounds reentry",
     ["--evaluator onchip", "--evaluator lanes"]),
    ("random", f"{SMALL_SWARM} --function sphere --update spso2011 --topology random --bounds bounce",
     ["--evaluator onchip", "--evaluator thread"]),
    ("asynchronous", f"{SMALL_SWARM} --function styblinski-tang --topology random --batch 1",
     ["--evaluator onchip"]),
    ("batches", f"{SMALL_SWARM} --function ellipsoid --topology ring --batch 16 --bounds invisible",
     ["--evaluator onchip", "--evaluator lanes"]),
    ("islands", f"{SMALL_SWARM} --function f2 --swarms 4 --exchange 5 --restart 6 --initial-velocity range",
     ["--evaluator onchip", "--evaluator lanes"]),
    ("runs", f"{SMALL_SWARM} --function rosenbrock --runs 6 --swarms 2 --exchange 4 --exchange-topology all"
     " --polish 300 --scalar-random", ["--evaluator onchip", "--evaluator lanes"]),
    ("ends", f"{SMALL_SWARM} --function rastrigin --runs 5 --target 60 --stagnation 6 --evaluations 2600",
     ["--evaluator onchip", "--evaluator lanes"]),
    ("xorwow", f"{SMALL_SWARM} --function rastrigin --random glob --bounds unbounded", ["--evaluator lanes"]),
    ("xorwow-fresh", f"{SMALL_SWARM} --function rastrigin --random reg --bounds unbounded", ["--evaluator lanes"]),
    ("argmin", f"{SMALL_SWARM} --function sphere",
     ["--argmin shared", "--argmin shfl", "--argmin vol", "--argmin warp-first"]),
    ("formula", f"{SMALL_SWARM} --expr sum(100*(x[i+1]-x[i]^2)^2+exp(-abs(x[i])))*prod(1+sin(x[i])^2)"
     " --lower -3 --upper 3 --maximise", ["--evaluator fused", "--evaluator onchip", "--evaluator lanes"]),
    ("text", "--dim 12 --particles 64 --iterations 40 --trace 10 --objective {data}/atoms.clh",
     ["--evaluator onchip", "--evaluator thread"]),
    ("table", "--particles 64 --iterations 40 --trace 10 --data {data}/table.npy --lower -10 --upper 10",
     ["--evaluator rows", "--evaluator thread", "--evaluator warp2", "--evaluator block2"]),
    ("table-double", "--particles 64 --iterations 30 --trace 10 --data {data}/table.npy --lower -10 --upper 10"
     " --precision fp64 --chunk-rows 150", ["--evaluator rows"]),
    ("table-squared", "--particles 64 --iterations 30 --trace 10 --data {data}/table.npy --lower 0 --upper 10"
     " --squared", ["--evaluator rows"]),
    ("table-compressed", "--particles 64 --iterations 30 --trace 10 --data {data}/table.npy --lower -10 --upper 10"
     " --compressed", ["--evaluator auto"]),
]
# Defaults have changed, so options state all rules: both programs then follow the same rules.
RULES = {"--update": "inertia", "--topology": "global", "--bounds": "reflect", "--refine": "auto"}


def with_rules(options):
    return " ".join([options, *(f"{rule} {value}" for rule, value in RULES.items() if f"{rule} " not in options)])


PSO = [(name, with_rules(options), choices) for name, options, choices in PSO]

SMALL_GA = "--dim 10 --population 64 --iterations 50 --trace 10"
GENOMES = "--population 48 --iterations 40 --trace 10"
GA_METHODS = ["--method onchip", "--method fused", "--method pipeline"]
GA = [
    ("function", f"{SMALL_GA} --function rastrigin", GA_METHODS),
    ("thesis", f"{SMALL_GA} --selection own --crossover arithmetic --mutation gaussian --one-gene --elites 0", GA_METHODS),
    ("islands", f"{SMALL_GA} --islands 4 --exchange 5 --exchange-topology torus --migrants 2 --restart 10"
     " --stagnation-tolerance 0.1", GA_METHODS),
    ("runs", f"{SMALL_GA} --function rosenbrock --runs 3 --islands 2 --exchange 4 --precision fp64", GA_METHODS),
    ("ends", f"{SMALL_GA} --function rastrigin --runs 5 --target 60 --stagnation 6", GA_METHODS),
    ("elites", f"{SMALL_GA} --selection linear-rank --elites 3 --islands 3 --exchange 7",
     ["--method onchip", "--method pipeline"]),
    ("ranks", f"{SMALL_GA} --selection linear-rank --crossover blx --replacement plus --children 100",
     ["--method pipeline"]),
    ("roulette", f"{SMALL_GA} --selection roulette --crossover two-point --mutation uniform --replacement comma",
     ["--method pipeline"]),
    ("sus", f"{SMALL_GA} --selection sus --crossover uniform --replacement steady --children 6 --victim parent",
     ["--method pipeline"]),
    ("cells", f"{SMALL_GA} --structure cellular-8 --crossover sbx --bounds reflect --precision fp64",
     ["--method pipeline"]),
    ("compete", f"{SMALL_GA} --function ackley --replacement auto --islands 2 --exchange 10", ["--method pipeline"]),
    ("rows", "--population 64 --iterations 30 --trace 10 --function f6 --restart 8", ["--method pipeline"]),
    ("bits", f"{GENOMES} --function onemax --dim 70 --islands 2 --exchange 5", GA_METHODS),
    ("messy", f"{GENOMES} --function trap-4 --dim 40 --messy 20 --restart 9", ["--method pipeline"]),
    ("unique", f"{GENOMES} --function onemax --dim 20 --replacement steady --unique", ["--method pipeline"]),
    ("order", f"{GENOMES} --function flow-shop --data ta001", GA_METHODS),
    ("flips", f"{GENOMES} --function labs --dim 20 --local-search tabu --restart 9", ["--method pipeline"]),
    ("swaps", f"{GENOMES} --function flow-shop --data ta001 --local-search first --local-steps 3",
     ["--method pipeline"]),
    ("tours", f"{GENOMES} --function tour --data {{data}}/points.csv --local-search first --moves 2-opt-or-opt"
     " --islands 2 --exchange 5", ["--method pipeline"]),
    ("hybridtaus", f"{SMALL_GA} --selection own --crossover arithmetic --mutation gaussian --one-gene --elites 0"
     " --random hybridtaus --islands 4 --exchange 5", ["--method auto"]),
    ("mailboxes", f"{SMALL_GA} --selection own --crossover arithmetic --mutation gaussian --one-gene --elites 0"
     " --random hybridtaus --islands 4 --exchange 5 --migration mailbox", ["--method auto"]),
]
GA = [(name, " ".join([options if "--replacement" in options else f"{options} --replacement generational",
                       "--refine auto"]), choices) for name, options, choices in GA]

SMALL_GAS = "--density 0.5 --steps 100 --thermo 10 --frames 50 --cluster-distance 1.3"
LOG_GAS = ("--particles 600 --potential log --attraction 0.001 --softening 1 --width 60 --height 60 --steps 20"
           " --thermo 5 --frames 10")
GAS = [
    ("lj-2d", f"{SMALL_GAS} --particles 200 --rdf-bins 40 --speed-bins 40",
     ["--method list", "--method allpairs"]),
    ("lj-3d", f"{SMALL_GAS} --particles 300 --dim 3 --rdf-bins 40 --speed-bins 40",
     ["--method list", "--method allpairs"]),
    ("equilibrated", f"{SMALL_GAS} --particles 200 --equilibration 30 --rdf-bins 40", ["--method list", "--method allpairs"]),
    ("many-2d", "--particles 6000 --density 0.6 --steps 30 --thermo 10", ["--method list"]),
    ("many-3d", "--particles 6000 --dim 3 --density 0.7 --cut smoothed --steps 30 --thermo 10", ["--method list"]),
    ("mixed-2d", f"{SMALL_GAS} --particles 200 --precision mixed --cut shifted", ["--method list"]),
    ("mixed-3d", f"{SMALL_GAS} --particles 200 --dim 3 --precision mixed --cut truncated",
     ["--method list", "--method allpairs"]),
    ("double-2d", f"{SMALL_GAS} --particles 200 --precision double", ["--method list", "--method allpairs"]),
    ("double-3d", f"{SMALL_GAS} --particles 200 --dim 3 --precision double", ["--method list"]),
    ("langevin-2d", f"{SMALL_GAS} --particles 200 --thermostat langevin --friction 0.5",
     ["--method list", "--method allpairs"]),
    ("langevin-3d", f"{SMALL_GAS} --particles 200 --dim 3 --thermostat langevin --precision mixed",
     ["--method list"]),
    ("rescale-2d", f"{SMALL_GAS} --particles 200 --thermostat rescale --relaxation 0.3 --temperature 0.7",
     ["--method list", "--method allpairs"]),
    ("rescale-3d", f"{SMALL_GAS} --particles 200 --dim 3 --thermostat rescale --integrator leapfrog",
     ["--method list"]),
    ("droplet-2d", f"{SMALL_GAS} --particles 400 --density 0.1 --temperature 0.45 --start droplet"
     " --droplet-density 0.75 --thermostat rescale --rdf-bins 30", ["--method list"]),
    ("droplet-3d", f"{SMALL_GAS} --particles 300 --density 0.1 --temperature 0.6 --dim 3 --start droplet",
     ["--method list"]),
    ("walls-w1", f"{SMALL_GAS} --particles 150 --boundary-x walls --wall-method w1", ["--method list"]),
    ("walls-w2", f"{SMALL_GAS} --particles 150 --boundary-x walls --wall-method w2 --field-x -0.5",
     ["--method allpairs"]),
    ("walls-w3", f"{SMALL_GAS} --particles 150 --dim 3 --boundary-x walls --boundary-y walls --boundary-z walls"
     " --wall-left thermal --wall-right damping --wall-front thermal --wall-temperature 1.5 --wall-damping 0.8",
     ["--method list", "--method allpairs"]),
    ("walls-w4", f"{SMALL_GAS} --particles 150 --epsilon 0 --boundary-y walls --wall-method w4 --field-y -2"
     " --dt 0.02", ["--method auto"]),
    ("walls-w5", f"{SMALL_GAS} --particles 150 --boundary-x walls --wall-method w5 --wall-stiffness 500",
     ["--method list"]),
    ("wca-euler", f"{SMALL_GAS} --particles 150 --potential wca --integrator euler", ["--method list"]),
    ("limiter-l1", f"{SMALL_GAS} --particles 150 --start random --limiter l1 --limit 3", ["--method list"]),
    ("limiter-l2", f"{SMALL_GAS} --particles 150 --start random --limiter l2 --limit 2", ["--method allpairs"]),
    ("start-file", "--start file --start-file {data}/start.xyz --steps 60 --thermo 10 --frames 30",
     ["--method list"]),
    ("pair-force", f"{SMALL_GAS} --particles 150 --pair-force {{data}}/morse.cl",
     ["--method list", "--method allpairs"]),
    ("real", "--particles 300 --potential real --boundary-x walls --boundary-y walls --wall-left damping"
     " --wall-right damping --steps 30 --thermo 5 --frames 10",
     ["--method allpairs", "--kernel semi-blocked", "--method cells"]),
    ("gravity", "--particles 200 --potential gravity --dim 3 --boundary-x open --boundary-y open --boundary-z open"
     " --steps 30 --thermo 5 --frames 10", ["--method allpairs"]),
    ("log-repulsion", "--particles 200 --potential log-repulsion --boundary-x walls --boundary-y walls --steps 30"
     " --thermo 5 --frames 10", ["--method allpairs"]),
    ("log", f"{LOG_GAS} --boundary-x open --boundary-y open",
     ["--method allpairs", "--kernel naive", "--kernel rsqrt", "--kernel unrolled --unroll 4",
      "--kernel semi-blocked"]),
    ("log-3d", f"{LOG_GAS} --dim 3 --depth 30 --boundary-x open --boundary-y open --boundary-z walls",
     ["--method allpairs", "--kernel naive", "--kernel rsqrt", "--kernel unrolled", "--kernel semi-blocked"]),
    ("log-cells", f"{LOG_GAS} --boundary-x walls --boundary-y walls --thermostat rescale",
     ["--method cells", "--method cells --scheme tiled1", "--method cells --scheme tiled11 --far ha1",
      "--method cells --scheme tiled2 --far ha3 --sort v1", "--method cells --scheme tiled3 --adder kadder --sort v2"]),
]
GAS_HOST = [  # runs that no device can make
    ("euler-in-place", f"{LOG_GAS} --particles 80 --boundary-x walls --boundary-y walls --integrator euler-in-place"),
]

SOME_CITIES = "--generate uniform:150:2 --iterations 12 --trace 3"
TSP = [
    ("faco", "--generate uniform:500:1 --algorithm faco --iterations 30 --trace 5", ["", "--merge", "--colonies 3"]),
    ("clustered", "--generate clustered:800:2 --algorithm faco --lists quadrant --iterations 20 --trace 5", [""]),
    ("path", "--generate uniform:300:4 --algorithm faco --start 7 --end 9 --iterations 20", [""]),
    ("as", f"{SOME_CITIES} --algorithm as", ["", "--colonies 2"]),
    ("eas", f"{SOME_CITIES} --algorithm eas", [""]),
    ("ras", f"{SOME_CITIES} --algorithm ras", [""]),
    ("mmas", f"{SOME_CITIES} --algorithm mmas", ["", "--localsearch 3", "--localsearch 1 --colonies 2"]),
    ("bwas", f"{SOME_CITIES} --algorithm bwas", [""]),
    ("acs", f"{SOME_CITIES} --algorithm acs", ["", "--localsearch 2"]),
    ("thesis", "--generate uniform:200:1 --algorithm thesis", [""]),
]
# Defaults have changed, so options state the decay of AdamW and the rows of an update.
SOME_ROWS = "--generate teacher:2000 --hidden 32,16 --epochs 6"
SOME_BATCHES = f"{SOME_ROWS} --batch 44"
ADAMW = f"{SOME_BATCHES} --decay 0.4"
MLP = [
    ("adamw", ADAMW, [""]),
    ("double", f"{ADAMW} --precision fp64 --activation gelu --dropout 0.2", [""]),
    ("sgd", f"{SOME_ROWS} --optimiser nesterov --momentum 0.9 --l2 0.001 --batch 64", [""]),
    ("irprop", f"{SOME_ROWS} --optimiser irprop-plus --full-batch", [""]),
    ("nets", f"{ADAMW} --folds 3 --nets 2 --patience 2", [""]),
    ("chunks", f"{SOME_ROWS} --decay 0.4 --chunk-rows 512 --batch 128", [""]),
    ("v1", "--generate teacher:600 --hidden 12 --epochs 5 --full-batch --decay 0.4", ["--method v1", "--method v2"]),
]

# Each row: workload, name, options, choice for a device or None for the host, steps at the checkpoint, steps
# in all.
RESUMED = [
    ("pso", "resumed-fused", "--dim 10 --particles 64 --trace 10 --topology global", "--evaluator fused", 25, 60),
    ("pso", "resumed-onchip", "--dim 10 --particles 64 --trace 10 --swarms 3 --exchange 4 --topology ring",
     "--evaluator onchip", 25, 60),
    ("pso", "resumed-lanes", "--dim 10 --particles 64 --trace 10 --runs 3 --update spso2011 --topology random",
     "--evaluator lanes", 25, 60),
    ("pso", "resumed", "--dim 10 --particles 64 --trace 10 --runs 3 --topology random --restart 9", None, 25, 60),
    ("ga", "resumed", "--dim 10 --population 64 --trace 10 --islands 3 --exchange 4 --runs 2", "--method pipeline",
     25, 60),
    ("ga", "resumed-fused", "--dim 10 --population 64 --trace 10 --islands 3 --exchange 4 --replacement generational",
     "--method fused", 25, 60),
    ("ga", "resumed-onchip", "--function onemax --dim 70 --population 48 --trace 10 --replacement generational",
     "--method onchip", 25, 60),
    ("ga", "resumed-thesis", "--dim 10 --population 64 --trace 10 --islands 3 --exchange 4 --random hybridtaus"
     " --migration mailbox --crossover arithmetic --mutation gaussian --replacement generational --one-gene"
     " --selection own --elites 0", "--method auto", 25, 60),
    ("ga", "resumed-steady", "--dim 10 --population 64 --trace 10 --replacement steady --victim oldest", None, 25, 60),
    ("gas", "resumed-list-2d", "--particles 300 --thermo 10 --thermostat rescale --rdf-bins 30 --speed-bins 30",
     "--method list", 50, 110),
    ("gas", "resumed-list-3d", "--particles 300 --dim 3 --thermo 10 --precision mixed", "--method list", 50, 110),
    ("gas", "resumed-allpairs", "--particles 200 --thermo 10 --boundary-x walls --wall-left thermal",
     "--method allpairs", 50, 110),
    ("gas", "resumed-cells", f"{LOG_GAS} --boundary-x walls --boundary-y walls --thermostat rescale",
     "--method cells", 10, 25),
    ("gas", "resumed", "--particles 200 --thermo 10 --thermostat langevin --rdf-bins 30", None, 50, 110),
    ("gas", "resumed-3d", "--particles 200 --dim 3 --thermo 10 --boundary-z walls --equilibration 20", None, 50, 110),
    ("tsp", "resumed", "--generate uniform:400:3 --algorithm faco --trace 5", None, 10, 25),
    ("tsp", "resumed-faco", "--generate uniform:400:3 --trace 5", "--colonies 2", 10, 25),
    ("tsp", "resumed-mmas", "--generate uniform:150:3 --algorithm mmas --trace 5", "--localsearch 3", 10, 25),
    ("tsp", "resumed-acs", "--generate uniform:150:3 --algorithm acs --trace 5", None, 10, 25),
    ("mlp", "resumed", "--generate teacher:1000 --hidden 32 --decay 0.4 --batch 24", None, 3, 7),
    ("mlp", "resumed-nets", "--generate teacher:1000 --hidden 32 --decay 0.4 --batch 24", "--nets 2 --folds 2", 3, 7),
]
RESUMED = [(workload, name, with_rules(options) if workload == "pso" else
            f"{options} --refine auto" if workload == "ga" else options, *rest)
           for workload, name, options, *rest in RESUMED]

ATOMS = """#define SHAPE OPAQUE
#define LOWER -3
#define UPPER 3
#define MIN_DIM 6

static inline real objective_value(const real *x, uint dim)
{
    real energy = R(0.0);
    uint a, b;
    for (a = 0u; a + 2u < dim; a += 3u)
        for (b = 0u; b < a; b += 3u) {
            const real dx = x[a] - x[b], dy = x[a + 1u] - x[b + 1u], dz = x[a + 2u] - x[b + 2u];
            const real inverse = R(1.0) / (dx * dx + dy * dy + dz * dz + R(0.01));
            energy += inverse * (inverse - R(1.0));
        }
    return energy;
}
"""
MORSE = """#define CUTOFF 2.2

static inline real user_force(real d)
{
    const real bond = exp(R(-6.0) * (sqrt(d) - R(1.0)));
    return R(12.0) * bond * (bond - R(1.0)) / sqrt(d);
}

static inline real user_energy(real d)
{
    const real bond = exp(R(-6.0) * (sqrt(d) - R(1.0)));
    return bond * (bond - R(2.0));
}
"""
