"""Every drill, in the order in which they run."""

from bench.drills import clocks, crowd, fuzz, kills, linearizability, network, postgres, soak
from bench.drills.drill import Drills

DRILLS: Drills = {
    drill.name: drill
    for drill in (
        kills.DRILL,
        postgres.DRILL,
        network.DRILL,
        clocks.DRILL,
        linearizability.DRILL,
        fuzz.DRILL,
        crowd.DRILL,
        soak.DRILL,
    )
}
