"""The customer-side role for private media (source: the interface, "Customer-side setup for private media").

The service assumes this role, in the customer's own cloud account, to read the buckets that hold backgrounds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import InvalidRequestError, Problem
from ..rendered_text import is_none

ROLE_NAME_ENDING = "CloudIntegrationRole"
"""The end of the role's name (source: the interface)."""
POLICY_NAME = "PrivateMedia"
"""The name of the role's inline policy (ours; the interface names none)."""
MAX_ROLE_NAME = 64
"""Characters that the cloud allows in the name of a role."""
POLICY_VERSION = "2012-10-17"

_BUCKET = re.compile(r"[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]")
_IP_ADDRESS = re.compile(r"[0-9]+(?:\.[0-9]+){3}")

Policy = dict[str, Any]
"""A policy document, as JSON holds it."""


@dataclass(frozen=True)
class PrivateMediaRole:
    """The role as it must be (source: the interface, "Customer-side setup for private media").

    :param name: of the role.
    :param trust_policy: who may assume it.
    :param permissions_policy: what it may do.
    """

    name: str
    trust_policy: Policy
    permissions_policy: Policy

    @classmethod
    def of(
        cls, role_prefix: str, service_account_id: str | int, bucket: str | Sequence[str]
    ) -> PrivateMediaRole:
        """The role that the service expects.

        :param role_prefix: chosen by the service.
        :param service_account_id: the service's cloud account, 12 digits.
        :param bucket: the bucket, or all buckets, that the service may read.
        :raises InvalidRequestError: names everything that is wrong.
        """
        parts: tuple[Callable[[], Any], ...] = (
            partial(role_name, role_prefix),
            partial(trust_policy, service_account_id),
            partial(permissions_policy, bucket),
        )
        made: list[Any] = []
        problems: list[Problem] = []
        for part in parts:
            try:
                made.append(part())
            except InvalidRequestError as error:
                problems += error.problems
        if problems:
            raise _wrong(*problems)
        return cls(*made)


def role_name(role_prefix: str) -> str:
    """The name that the role must have (source: the interface).

    :param role_prefix: chosen by the service: the part before ``CloudIntegrationRole``.
    :raises InvalidRequestError: it cannot be part of the name of a role.
    """
    prefix = role_prefix.strip() if isinstance(role_prefix, str) else ""
    if prefix.endswith(ROLE_NAME_ENDING):
        what = f"must be only the part before {ROLE_NAME_ENDING}, which is added here"
        raise _wrong(Problem("role_prefix", repr(role_prefix), what))
    if not re.fullmatch(r"[A-Za-z0-9+=,.@_-]+", prefix) or is_none(prefix):
        what = "must be the prefix that the service gave you, of letters, digits and + = , . @ _ -"
        raise _wrong(Problem("role_prefix", repr(role_prefix), what))
    if len(prefix) + len(ROLE_NAME_ENDING) > MAX_ROLE_NAME:
        what = f"must have {MAX_ROLE_NAME - len(ROLE_NAME_ENDING)} characters at most"
        raise _wrong(Problem("role_prefix", repr(role_prefix), what))
    return f"{prefix}{ROLE_NAME_ENDING}"


def trust_policy(service_account_id: str | int) -> Policy:
    """Who may assume the role: two roles of the service's account, and its root (source: the interface).

    :param service_account_id: the service's cloud account, 12 digits.
    :raises InvalidRequestError: it is no account id.
    """
    account = str(service_account_id).strip()
    if not re.fullmatch(r"[0-9]{12}", account):
        what = (
            "must be the service's account id, 12 digits; write it in quotes, so that leading zeros survive"
        )
        raise _wrong(Problem("service_account_id", repr(service_account_id), what))
    principals = ("role/CloudIntegrationRole", "role/ecsTaskExecutionRole", "root")
    return {
        "Version": POLICY_VERSION,
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"AWS": f"arn:aws:iam::{account}:{principal}"},
                "Action": "sts:AssumeRole",
                "Condition": {},
            }
            for principal in principals
        ],
    }


def permissions_policy(bucket: str | Sequence[str]) -> Policy:
    """What the role may do: list and read the buckets, and see the names of all (source: the interface).

    :param bucket: the bucket, or all buckets, that the service may read.
    :raises InvalidRequestError: names every bucket name that is none.
    """
    is_list = isinstance(bucket, Sequence) and not isinstance(bucket, str | bytes)
    buckets: list[Any] = list(bucket) if is_list else [bucket]
    problems = [
        Problem("bucket", repr(name), what) for name in buckets or [""] if (what := _no_bucket_name(name))
    ]
    if problems:
        raise _wrong(*problems)
    names = list(dict.fromkeys(name.strip() for name in buckets))
    return {
        "Version": POLICY_VERSION,
        "Statement": [
            {
                "Effect": "Allow",
                "Action": ["s3:ListBucket", "s3:GetObject"],
                "Resource": [f"arn:aws:s3:::{name}{objects}" for name in names for objects in ("", "/*")],
            },
            {"Effect": "Allow", "Action": "s3:ListAllMyBuckets", "Resource": "arn:aws:s3:::*"},
        ],
    }


def same_policy(one: Any, other: Any) -> bool:
    """Whether two policy documents allow the same, whatever their order and spelling (source: ours).

    A single value is a list of one, and an empty Condition is none.

    :param one: a policy document.
    :param other: another.
    """
    return bool(_meaning(one) == _meaning(other))


def _meaning(policy: Any) -> Any:
    if not isinstance(policy, Mapping):
        return policy
    statements = policy.get("Statement") or []
    statements = [statements] if isinstance(statements, Mapping) else statements
    spelled = sorted(json.dumps(_plain(statement), sort_keys=True) for statement in statements)
    return {**policy, "Statement": spelled}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if item != {}}
    if isinstance(value, list):
        return sorted(value, key=str) if len(value) != 1 else value[0]
    return value


def _no_bucket_name(name: Any) -> str:
    """What is wrong with the name of a bucket; empty when nothing is."""
    text = str(name).strip()
    if text.startswith(("s3:", "arn:", "http")) or "/" in text:
        return "must be only the bucket's name, without s3://, arn: or a path"
    if not isinstance(name, str) or not _BUCKET.fullmatch(text) or _IP_ADDRESS.fullmatch(text):
        return "must be a bucket's name: 3 to 63 small letters, digits, dots and hyphens"
    return ""


def _wrong(*problems: Problem) -> InvalidRequestError:
    return InvalidRequestError("role for private media", problems)
