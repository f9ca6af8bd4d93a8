from pathlib import Path

from airflow_video_creation.emulator.jobs.job import Job
from airflow_video_creation.emulator.jobs.state_store import StateStore


def test_every_way_to_a_job_shows_it_purged_once_that_is_due(tmp_path: Path) -> None:
    times = [1000.0]
    store = StateStore(tmp_path, clock=lambda: times[-1])
    job = Job(job_id="j", kind="render", storyboard={"videoName": "trees"}, created_at=1000.0, preview_id="p")
    job.state, job.finished_at, job.fate, job.purge_after = "completed", 1000.0, "purge", 60.0
    store.save_job(job)

    for now, state in ((1059.0, "completed"), (1060.0, "cleaned")):
        times.append(now)
        found = [store.job("j"), *store.latest_jobs(1), *store.renders_of_preview("p")]
        assert [job.state for job in found if job] == [state] * 3
    store.close()
