"""What messages mean to Python's json: a line of Base64 in, a line of JSON out."""

import base64
import json
import sys


def member(value, name):
    return value.get(name) if isinstance(value, dict) else None


def text(value, name):
    found = member(value, name)
    return found if isinstance(found, str) else None


def id_of(value):
    found = member(value, "id")
    if isinstance(found, str):
        return {"string": found}
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return {"integer": str(found)} if isinstance(found, int) else {"float": repr(found)}


def asked_for(key, entry):
    params = member(entry, "params")
    properties = member(member(params, "requestedSchema"), "properties")
    return {
        "key": key,
        "kind": text(entry, "method"),
        "mode": text(params, "mode"),
        "message": text(params, "message"),
        "url": text(params, "url"),
        "fields": list(properties) if isinstance(properties, dict) else [],
    }


def either(*values):
    return next((value for value in values if value is not None), None)


def meaning(value):
    params = member(value, "params")
    result = member(value, "result")
    asked = member(result, "inputRequests")
    return {
        "method": text(value, "method"),
        "id": id_of(value),
        "name": either(text(params, "name"), text(params, "uri"), text(params, "taskId")),
        "state": either(text(params, "requestState"), text(result, "requestState")),
        "type": text(result, "resultType"),
        "asked": [asked_for(*one) for one in asked.items()] if isinstance(asked, dict) else None,
    }


for line in sys.stdin:
    message = base64.b64decode(line).decode("utf-8")
    print(json.dumps(meaning(json.loads(message))), flush=True)
