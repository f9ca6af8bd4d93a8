"""What a delivered video is: its files, their names and checks, the sidecar that tells of it. Pure, no I/O."""
