"""What ``python -m airflow_video_creation`` and ``airflow video-creation`` can do, one file a command."""
