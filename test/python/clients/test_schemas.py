"""Instances of schemas: every format, checked by pydantic and by jsonschema."""

import datetime
import decimal
import ipaddress
import pathlib
import uuid

import jsonschema
import openai
import pydantic
import pytest

TYPES = [
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    decimal.Decimal,
    ipaddress.IPv4Address,
    ipaddress.IPv4Interface,
    ipaddress.IPv4Network,
    ipaddress.IPv6Address,
    ipaddress.IPv6Interface,
    ipaddress.IPv6Network,
    pathlib.Path,
    uuid.UUID,
    pydantic.UUID1,
    pydantic.UUID3,
    pydantic.UUID4,
    pydantic.UUID5,
    pydantic.AnyUrl,
    pydantic.HttpUrl,
    pydantic.AwareDatetime,
    pydantic.NaiveDatetime,
    pydantic.PastDate,
    pydantic.FutureDate,
    pydantic.Base64Bytes,
    pydantic.Base64UrlBytes,
    pydantic.IPvAnyAddress,
    pydantic.IPvAnyInterface,
    pydantic.IPvAnyNetwork,
    pydantic.Json,
    pydantic.SecretStr,
    pydantic.PostgresDsn,
    pydantic.ByteSize,
    bytes,
]
#: No fixed text is in the future, or has and lacks a time zone.
OF_NO_TEXT = {pydantic.FutureDate, pydantic.NaiveDatetime}
FORMATS = [
    "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "ipv4", "ipv6", "uri", "uri-reference",
    "iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex",
]


def instance(model, schema):
    client = openai.OpenAI(base_url=f"{model.url}/v1", api_key="unused")
    answer = client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "who is it"}],
        response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": schema}},
    )
    return answer.choices[0].message.content


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind not in OF_NO_TEXT], ids=str)
def test_pydantic(model, kind):
    Wrapped = pydantic.create_model("Wrapped", value=(kind, ...))
    Wrapped.model_validate_json(instance(model, Wrapped.model_json_schema()))


@pytest.mark.parametrize("name", FORMATS)
def test_jsonschema(model, name):
    schema = {"type": "object", "properties": {"value": {"type": "string", "format": name}}, "required": ["value"]}
    value = pydantic.TypeAdapter(dict).validate_json(instance(model, schema))
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    assert name in checker.checkers
    jsonschema.validate(value, schema, format_checker=checker)
