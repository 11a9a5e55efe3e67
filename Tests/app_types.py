"""Writes the types of openapi.yaml for TypeScript's checker, which checks the web apps: `make lint-apps`.

The file has an interface or type for each schema, and two maps by method and path, such as `GET /v1/vehicles`: of
answers and of bodies. Paths with parameters are left out, because the apps build them at run time.

Run it from anywhere: python Tests/app_types.py
"""

import json
import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "Services" / "Gateway" / "Documents" / "openapi.yaml"
TYPES = ROOT / ".build" / "types" / "openapi.d.ts"
METHODS = ("get", "put", "post", "patch", "delete")
NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema):
    """The TypeScript type of a schema; `any` for one that says nothing."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for word, sign in (("allOf", " & "), ("oneOf", " | "), ("anyOf", " | ")):
        if word in schema:
            return sign.join(f"({type_of(part)})" for part in schema[word])
    types = schema.get("type", [])
    types = types if isinstance(types, list) else [types]
    if not types and "properties" in schema:
        types = ["object"]
    return " | ".join(_type_named(name, schema) for name in types) or "any"


def _type_named(name, schema):
    if name == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    return members(schema) if name == "object" else NAMES[name]


def members(schema):
    """The members of an object; the values of one without named properties have a type in common."""
    required = schema.get("required", [])
    lines = [f"{json.dumps(name)}{'' if name in required else '?'}: {type_of(value)};"
             for name, value in schema.get("properties", {}).items()]
    if not lines:
        values = schema.get("additionalProperties", {})
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'never'}>"
    return "{ " + " ".join(lines) + " }"


def operations(document):
    """Each operation whose path has no parameter: `GET /v1/…`, the type of its answer and of its body."""
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method not in methods or "{" in path:
                continue
            operation = methods[method]
            answers = [content(answer) for code, answer in operation["responses"].items() if code.startswith("2")]
            yield f"{method.upper()} {path}", " | ".join(answers), content(operation.get("requestBody", {}))


def content(part):
    """The type of a JSON body or answer; others are read and sent as they are."""
    if not part.get("content"):
        return "void"
    types = [type_of(media["schema"]) if re.search("json", name) else "any" for name, media in part["content"].items()]
    return " | ".join(types)


def text_of(document):
    lines = ["// From openapi.yaml, by Tests/app_types.py.", "declare namespace Api {"]
    lines += [f"  type {name} = {type_of(schema)};" for name, schema in document["components"]["schemas"].items()]
    known = list(operations(document))
    lines += ["  interface Answers {", *(f"    {json.dumps(name)}: {answer};" for name, answer, _ in known), "  }"]
    lines += ["  interface Bodies {", *(f"    {json.dumps(name)}: {body};" for name, _, body in known), "  }", "}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    # The loader in C takes seconds less; some builds of PyYAML lack it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    TYPES.parent.mkdir(parents=True, exist_ok=True)
    TYPES.write_text(text_of(yaml.load(DOCUMENT.read_text(encoding="utf-8"), Loader=loader)), encoding="utf-8")
