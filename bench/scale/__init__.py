"""What a fleet needs: a model of the costs, and the measurements that it is fitted to."""
