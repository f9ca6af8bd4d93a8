"""What is done to one run."""

from __future__ import annotations

from .run import TASK, Run
from .words import ATTACHED, CLEARED


def wait_deferred(run: Run) -> None:
    """Wait until the triggerer waits for the job."""
    run.until_state("deferred")
    run.until_polled()


def wait_for_a_triggerer(run: Run) -> None:
    """Wait until a triggerer has taken the wait; the worker has polled before."""
    run.until_state("deferred")
    run.until("a triggerer", run.triggerers)


def wait_polled(run: Run) -> None:
    """Wait until the worker waits for the job."""
    run.until_state("running")
    run.until_polled()


def wait_held(run: Run) -> None:
    """Wait until the task has reached its kill point."""
    run.until_held()


def complete(run: Run) -> None:
    """Let the run's jobs end."""
    run.complete_jobs()


def kill_during_the_post(run: Run) -> None:
    """Kill the task when the service has acted on its request, before it answers."""
    run.until("a request", lambda: run.services.accepted(run.scenario, "storyboard"))
    run.kill_task()


def kill_during_the_wait(run: Run) -> None:
    """Kill the task while it waits on the worker, then let the job end."""
    wait_polled(run)
    run.kill_task()
    run.until("the next try", lambda: run.tries() > 1)
    run.complete_jobs()


def clear_while_deferred(run: Run) -> None:
    """Clear the task while the triggerer waits for it."""
    wait_deferred(run)
    _clear(run)


def clear_while_running(run: Run) -> None:
    """Clear the task while it waits on the worker; let its job end if the next try resumes it."""
    wait_polled(run)
    _clear(run)
    run.until("a decision", lambda: any(words in run.log() for words in (CLEARED, ATTACHED)))
    if ATTACHED in run.log():
        run.complete_jobs()


def clear_after_success(run: Run) -> None:
    """Clear the task when it has succeeded, and its run with it."""
    # If a task is cleared while the scheduler is ending its run, Airflow never runs it again.
    run.until("the success", lambda: run.run_state() == "success")
    _clear(run)
    run.until("the next try", lambda: run.tries() > 1)


def mark_failed_while_deferred(run: Run) -> None:
    """Mark the task as failed while the triggerer waits for it."""
    wait_deferred(run)
    run.cluster.rest.mark_failed(run.scenario.dag, run.scenario.name, TASK)


def move_the_list(run: Run) -> None:
    """Change the order of a mapped task's list when its two jobs are recorded, and kill both tries."""
    for map_index in (0, 1):
        run.until_held(map_index)
    run.move_list()
    for map_index in (0, 1):
        run.kill_task(map_index)


def move_the_list_of_one(run: Run) -> None:
    """Change the list of a task that makes many videos when one is submitted, and kill the try."""
    run.until_held()
    run.move_list()
    run.kill_task()


def clear_many_while_deferred(run: Run) -> None:
    """Clear a task that makes many videos while the triggerer waits; then let its jobs end, which it keeps."""
    wait_for_a_triggerer(run)
    _clear(run)
    run.until("the next try", lambda: run.tries() > 1)
    wait_for_a_triggerer(run)
    run.complete_jobs()


def replace_the_try(run: Run) -> None:
    """Let Airflow replace a try that has its job's id but has not recorded it; then let that try continue."""
    run.until_held()
    with run.supervisor_stopped():
        run.until_state("up_for_retry")
        run.let_go()
    run.until("the next try", lambda: run.tries() > 1)


def replace_the_try_before_it_sends(run: Run) -> None:
    """Let Airflow replace a try that has not sent yet; let it continue when the next one has submitted."""
    run.until_held()
    with run.supervisor_stopped():
        run.until("the next try's success", lambda: run.states() == ["success"])
        run.let_go()
        run.until_refused()


def kill_the_service(run: Run) -> None:
    """Kill the service while the triggerer waits, restart it, then let the job end."""
    wait_deferred(run)
    run.services.kill()
    run.until_logged("onnect")
    run.services.start_again()
    run.complete_jobs()


def _clear(run: Run) -> None:
    run.cluster.rest.clear(run.scenario.dag, run.scenario.name, TASK)
