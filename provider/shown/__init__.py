"""What Airflow's UI shows of the videos of a run: from what tasks left behind to one row a video."""
