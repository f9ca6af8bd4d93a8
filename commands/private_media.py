"""``private-media``: the customer-side role for private media, for the cloud's own tools."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from .command import Argument, Command, CommandGroup

if TYPE_CHECKING:
    from ..provider.private_media.role import Policy


def print_role_name(arguments: argparse.Namespace) -> int:
    """Print the name that the role must have."""
    from ..provider.private_media.role import role_name

    return _printed(lambda: role_name(arguments.role_prefix))


def print_trust_policy(arguments: argparse.Namespace) -> int:
    """Print who may assume the role."""
    from ..provider.private_media.role import trust_policy

    return _printed(lambda: trust_policy(arguments.service_account_id))


def print_permissions_policy(arguments: argparse.Namespace) -> int:
    """Print what the role may do."""
    from ..provider.private_media.role import permissions_policy

    return _printed(lambda: permissions_policy(arguments.bucket))


def _printed(document: Callable[[], str | Policy]) -> int:
    """The exit status: 0 when the document is printed, 2 when an argument is wrong."""
    from ..provider.errors import InvalidRequestError

    try:
        made = document()
    except InvalidRequestError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 2
    print(made if isinstance(made, str) else json.dumps(made, indent=2))
    return 0


COMMAND = CommandGroup(
    "private-media",
    "print the role for private media: its name and its policies",
    (
        Command(
            "role-name",
            "print the name that the role must have",
            print_role_name,
            (Argument("role_prefix", "chosen by the service", {"metavar": "PREFIX"}),),
        ),
        Command(
            "trust-policy",
            "print who may assume the role, as JSON",
            print_trust_policy,
            (
                Argument(
                    "service_account_id",
                    "the service's cloud account, 12 digits",
                    {"metavar": "ACCOUNT_ID"},
                ),
            ),
        ),
        Command(
            "permissions-policy",
            "print what the role may do, as JSON",
            print_permissions_policy,
            (
                Argument(
                    "bucket", "the buckets that the service may read", {"metavar": "BUCKET", "nargs": "+"}
                ),
            ),
        ),
    ),
)
