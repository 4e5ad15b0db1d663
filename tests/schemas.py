"""The published schemas of JSON output."""

import functools
import json
from importlib import resources
from typing import Any

import jsonschema

NAMES = ("check", "list", "report", "show", "theorems", "verify")


@functools.cache
def schema(name: str) -> Any:
    """A schema as it is shipped."""
    found = resources.files("boundaudit.reports").joinpath("schema", f"{name}.schema.json")
    return json.loads(found.read_text(encoding="utf-8"))


@functools.cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """What judges JSON by it."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    return jsonschema.Draft202012Validator(schema(name))
