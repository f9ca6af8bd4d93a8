"""What the operators report to OpenLineage, where its provider is installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage

    from ...hooks.video_creation import VideoCreationHook
    from ...provider.delivery.dataset_name import DatasetName


class LineageMixin:
    """Reports to OpenLineage what a task read and, once it succeeded, what it made (docs/operate/lineage.md).

    OpenLineage asks in a process that is forked from the task's, with a copy of its connection to Airflow: reading
    anything there, even an Airflow connection, may leave the task hanging. So only what the task itself has read is
    reported.
    """

    inlets: list[Any]
    outlets: list[Any]

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """What the task read; each None in it is left out."""
        return ()

    def datasets_made(self) -> Iterable[DatasetName | None]:
        """What the task made; each None in it is left out."""
        return ()

    def get_openlineage_facets_on_complete(self, task_instance: Any) -> OperatorLineage[Any, Any]:
        """What OpenLineage is told about a task that succeeded.

        :param task_instance: of the task.
        """
        return _lineage(self.datasets_read(), self.inlets, self.datasets_made(), self.outlets)

    def get_openlineage_facets_on_failure(self, task_instance: Any) -> OperatorLineage[Any, Any]:
        """What OpenLineage is told about a task that failed: what it read.

        :param task_instance: of the task.
        """
        return _lineage(self.datasets_read(), self.inlets, (), ())


def _lineage(
    read: Iterable[DatasetName | None],
    inlets: Iterable[Any],
    made: Iterable[DatasetName | None],
    outlets: Iterable[Any],
) -> OperatorLineage[Any, Any]:
    from airflow.providers.openlineage.extractors import OperatorLineage

    return OperatorLineage(inputs=_datasets(read, inlets), outputs=_datasets(made, outlets))


def _datasets(names: Iterable[DatasetName | None], declared: Iterable[Any]) -> list[Any]:
    """Each dataset once, with those that the DAG declares, which OpenLineage leaves out if we name any."""
    from airflow.providers.common.compat.openlineage.facet import Dataset
    from airflow.providers.openlineage.extractors.manager import ExtractorManager

    found = [Dataset(namespace=name.namespace, name=name.name) for name in names if name]
    found += filter(None, map(ExtractorManager.convert_to_ol_dataset, declared))
    return list({(dataset.namespace, dataset.name): dataset for dataset in found}.values())


def stored(addresses: Iterable[str | None]) -> list[DatasetName | None]:
    """The pages, objects and files at these addresses; each None is skipped.

    :param addresses: as in ``provider.delivery.dataset_name.stored_at``.
    """
    from ...provider.delivery.dataset_name import stored_at

    return [stored_at(address) for address in addresses if address]


def at_service(hook: VideoCreationHook, job: Any) -> DatasetName | None:
    """What a job made, while it is at the service; None where there is no job, or the connection was never read.

    :param hook: the task's hook.
    :param job: the job's id, the dict that a waiting operator returned, or nothing.
    """
    from ...provider.delivery.dataset_name import job_at_service
    from ...provider.models.job import job_id_of

    profile = vars(hook).get("profile")
    return job_at_service(profile.base_url, job_id_of(job)) if profile and job else None


def backgrounds(storyboard: Any) -> list[DatasetName | None]:
    """The media behind a storyboard's scenes; none where it cannot be read.

    :param storyboard: as given to the operator.
    """
    from ...provider.errors import InvalidRequestError
    from ...provider.models import Storyboard

    try:
        scenes = Storyboard.read(storyboard).scenes or ()
    except InvalidRequestError:
        return []
    return stored(scene.background_uri for scene in scenes)
