"""One whole run on this machine: a sample site, the emulator, and the example DAG in Airflow itself."""
