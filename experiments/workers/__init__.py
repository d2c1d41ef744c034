"""Where games are played: in this process, in others of this machine, or on a Ray cluster."""
