"""What a delivered video is: its files, their names and checks, the sidecar that describes it. Pure, no I/O."""
