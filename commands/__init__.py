"""What ``python -m airflow_video_creation`` can do, one file a command."""
