"""The AWS connection for private media (source: the interface, "AWS connection")."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator

from .field_types import NotBlank, WireText
from .request_model import RequestModel


def _account_id(text: str) -> str:
    if not re.fullmatch(r"[0-9]{12}", text):
        raise ValueError("must be 12 digits; write it in quotes, so that leading zeros survive")
    return text


def _region(text: str) -> str:
    if not re.fullmatch(r"[a-z]{2,}(?:-[a-z]+)+-[0-9]+", text):
        raise ValueError("must be a region such as 'us-east-2'")
    return text


AccountId = Annotated[WireText, AfterValidator(_account_id)]
Region = Annotated[WireText, AfterValidator(_region)]


class AwsConnection(RequestModel):
    """The request that lets the service read a customer's bucket (source: the interface, "AWS connection").

    :param name: unique name of the connection.
    :param description: short description.
    :param aws_account_id: the customer's account, 12 digits in a text.
    :param aws_region: the bucket's region, such as ``us-east-2``.
    :param enabled: whether the connection is enabled.
    """

    subject: ClassVar[str] = "AWS connection"

    name: NotBlank
    description: WireText | None = None
    aws_account_id: AccountId
    aws_region: Region
    enabled: bool
