"""Private media from scratch: the role, the connection, and a video with backgrounds from your own bucket.

You can run every task again: the role is changed only where it differs, and the connection is registered once, since
the Variable ``video_creation_aws_connection`` keeps it. Your other DAGs read its id from there:

    "awsConnectionId": "{{ var.json.video_creation_aws_connection.connectionId }}"

Install the extra ``[amazon]``. Before the first run set the connections ``video_creation_default`` and ``aws_default``
(to the bucket's account; docs/sources/private-media.md lists the rights it needs), and these Airflow Variables:

    private_media_service_account_id    the service's cloud account, 12 digits; ask its support
    private_media_role_prefix           the service's prefix for the role's name; ask its support
    private_media_bucket                your bucket
    private_media_region                the bucket's region, such as us-east-2
    videos_folder                       where the .mp4 goes, such as s3://aws_default@my-bucket/videos

For a run by hand, ``background`` is the key of a video in the bucket.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow.sdk import Param, dag

from airflow_video_creation import (
    CreatePrivateMediaRoleOperator,
    CreateVideoOperator,
    DownloadVideoOperator,
    RegisterAwsConnectionOperator,
)

BACKGROUND = "s3://{{ var.value.private_media_bucket }}/{{ params.background }}"
STORYBOARD = {
    "videoName": "private-media",
    "awsConnectionId": "{{ var.json.video_creation_aws_connection.connectionId }}",
    "videoWidth": "{{ params.video_width }}",
    "videoHeight": "{{ params.video_height }}",
    "scenes": [
        {
            "text": "The pictures behind these words are ours.",
            "voiceOver": True,
            "backgroundUri": BACKGROUND,
            "backgroundType": "video",
            "loopBackgroundVideo": True,
            "muteBackgroundVideo": True,
        },
        {"text": "Nobody else can see them.", "voiceOver": True, "backgroundUri": BACKGROUND},
    ],
}


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    # A new role works everywhere only after some seconds. A video that fails until then is submitted again, and is
    # paid for again if the service charges for failed jobs.
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "background": Param(
            "backgrounds/intro.mp4", type="string", description="A video's key in the bucket"
        ),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def private_media() -> None:
    """Role -> connection -> video -> .mp4."""
    role = CreatePrivateMediaRoleOperator(
        task_id="create_role",
        aws_conn_id="aws_default",
        service_account_id="{{ var.value.private_media_service_account_id }}",
        role_prefix="{{ var.value.private_media_role_prefix }}",
        bucket="{{ var.value.private_media_bucket }}",
    )
    connection = RegisterAwsConnectionOperator(
        task_id="register_connection",
        connection={
            "name": "airflow-private-media",
            "description": "Backgrounds of our videos",
            "awsAccountId": role.output["account_id"],
            "awsRegion": "{{ var.value.private_media_region }}",
            "enabled": True,
        },
        variable="video_creation_aws_connection",
    )
    video = CreateVideoOperator(task_id="create_video", storyboard=STORYBOARD, deferrable=True)
    connection >> video
    DownloadVideoOperator(
        task_id="download_video",
        job_id=video.output,
        destination="{{ var.value.videos_folder }}/private-media.mp4",
    )


private_media()
