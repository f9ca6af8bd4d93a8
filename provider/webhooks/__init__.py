"""What lets the service tell Airflow that a job has ended; pure, as all of provider/."""
