"""The needs of a fleet: a model of the costs, and the measurements that it is fitted to."""
