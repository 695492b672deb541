"""Who made it so: which cells assigned, changed or deleted the variables that a cell uses."""
