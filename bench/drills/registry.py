"""Every drill, in the order in which they run."""

from bench.drills import kills
from bench.drills.drill import Drills

DRILLS: Drills = {drill.name: drill for drill in (kills.DRILL,)}
