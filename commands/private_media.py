"""``private-media``: the customer-side role for private media, for the cloud's own tools."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from ..provider.errors import InvalidRequestError
from ..provider.private_media import role


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "private-media", help="print the role for private media: its name and its policies"
    )
    documents = parser.add_subparsers(required=True, metavar="{role-name,trust-policy,permissions-policy}")
    name = documents.add_parser("role-name", help="print the name that the role must have")
    name.add_argument("role_prefix", metavar="PREFIX", help="chosen by the service")
    name.set_defaults(run=run, document=lambda given: role.role_name(given.role_prefix))
    trust = documents.add_parser("trust-policy", help="print who may assume the role, as JSON")
    trust.add_argument(
        "service_account_id", metavar="ACCOUNT_ID", help="the service's cloud account, 12 digits"
    )
    trust.set_defaults(run=run, document=lambda given: role.trust_policy(given.service_account_id))
    permissions = documents.add_parser("permissions-policy", help="print what the role may do, as JSON")
    permissions.add_argument(
        "bucket", metavar="BUCKET", nargs="+", help="the buckets that the service may read"
    )
    permissions.set_defaults(run=run, document=lambda given: role.permissions_policy(given.bucket))


def run(arguments: argparse.Namespace) -> int:
    """Print the document; 0 when it is printed, 2 when an argument is wrong."""
    document: Callable[[argparse.Namespace], str | role.Policy] = arguments.document
    try:
        made = document(arguments)
    except InvalidRequestError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 2
    print(made if isinstance(made, str) else json.dumps(made, indent=2))
    return 0
