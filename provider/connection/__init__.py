"""What an Airflow connection says about the service; pure, as all of provider/."""
