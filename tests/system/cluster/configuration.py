"""Airflow's configuration for a cluster that notices dead processes within seconds."""

from __future__ import annotations

from pathlib import Path


def configuration(
    home: Path,
    *,
    executor: str,
    dags: Path,
    database_url: str,
    broker_url: str | None,
    api_url: str,
    secret: str,
) -> dict[str, str]:
    """The environment variables of every role.

    :param home: Airflow's.
    :param executor: its name.
    :param dags: the folder of the DAGs.
    :param database_url: without the name of a driver.
    :param broker_url: Celery's; None without Celery.
    :param api_url: of the API server.
    :param secret: what the roles share.
    """
    sections = {
        "core": {
            "executor": executor,
            "dags_folder": str(dags),
            "load_examples": "False",
            "dags_are_paused_at_creation": "False",
            "simple_auth_manager_all_admins": "True",
            "execution_api_server_url": f"{api_url}/execution/",
            "internal_api_secret_key": secret,
            # What is written to the database stays readable, so that a test can look for secrets in it.
            "fernet_key": "",
            "parallelism": "6",
            "max_active_runs_per_dag": "50",
        },
        "database": {"sql_alchemy_conn": database_url.replace("://", "+psycopg2://", 1)},
        "logging": {"base_log_folder": str(home / "logs")},
        "api": {"base_url": api_url, "secret_key": secret},
        "api_auth": {"jwt_secret": secret * 2},
        "workers": {"execution_api_retries": "3", "execution_api_retry_wait_max": "2"},
        "scheduler": {
            "task_instance_heartbeat_timeout": "60",
            "task_instance_heartbeat_timeout_detection_interval": "3",
            "scheduler_heartbeat_sec": "2",
            "scheduler_health_check_threshold": "30",
            "orphaned_tasks_check_interval": "10",
        },
        "triggerer": {"job_heartbeat_sec": "2", "triggerer_health_check_threshold": "15"},
        "dag_processor": {"refresh_interval": "30", "min_file_process_interval": "600"},
    }
    if broker_url:
        sections["celery"] = {
            "broker_url": broker_url,
            "result_backend": database_url.replace("postgresql://", "db+postgresql+psycopg2://", 1),
            "worker_enable_remote_control": "True",
        }
    values = {
        f"AIRFLOW__{section.upper()}__{option.upper()}": value
        for section, options in sections.items()
        for option, value in options.items()
    }
    return {
        **values,
        "AIRFLOW_HOME": str(home),
        "PYTHONUNBUFFERED": "1",
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
    }
