"""Checks openapi.yaml and asyncapi.yaml: that they are valid, complete, and agree with fixtures, changelog and apps.

Run it from anywhere: python Tests/check_documents.py
"""

import json
import pathlib
import re
import sys

import jsonschema
import referencing
import referencing.jsonschema
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

import app_calls

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = ROOT / "Services" / "Gateway" / "Documents"
FIXTURES = ROOT / "Tests" / "ContractTests" / "Fixtures"
DELETIONS = ROOT / "Shared" / "Platform" / "ServiceKit" / "State" / "Deletions.swift"
BASE = "https://openvalet.invalid/"
DIALECT = referencing.jsonschema.DRAFT202012
METHODS = {"get", "put", "post", "patch", "delete"}


def load(name):
    # The loader in C takes seconds less; some builds of PyYAML lack it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((DOCUMENTS / name).read_text(encoding="utf-8"), Loader=loader)


class Checker:
    """Collects problems, and has both documents."""

    def __init__(self):
        self.problems = []
        self.documents = {name: load(name) for name in ("openapi.yaml", "asyncapi.yaml")}
        self.registry = referencing.Registry().with_resources(
            (BASE + name, DIALECT.create_resource(document))
            for name, document in self.documents.items()
        )
        self.used = set()

    def wrong(self, text):
        self.problems.append(text)

    def resolve(self, reference, name):
        """The absolute address of a reference in a document, and the value there."""
        address = reference if not reference.startswith("#") else name + reference
        address = BASE + address.removeprefix("./")
        try:
            return address, self.registry.resolver().lookup(address).contents
        except referencing.exceptions.Unresolvable:
            self.wrong(f"{name}: {reference} does not exist")
            return address, {}

    def references(self, node, name):
        """Marks every reference below a node as used, and those below its target, too."""
        if isinstance(node, dict):
            reference = node.get("$ref")
            if isinstance(reference, str):
                address, there = self.resolve(reference, name)
                if address not in self.used:
                    self.used.add(address)
                    self.references(there, address.removeprefix(BASE).split("#")[0])
            for key, value in node.items():
                if key not in ("examples", "example", "const", "enum"):
                    self.references(value, name)
        elif isinstance(node, list):
            for value in node:
                self.references(value, name)

    def errors(self, value, schema, name):
        """The errors of a value by a schema of a document."""
        absolute = absolute_references(schema, name)
        validator = jsonschema.Draft202012Validator(
            absolute,
            registry=self.registry,
            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
        )
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def absolute_references(node, name):
    if isinstance(node, dict):
        return {
            key: BASE + (name + value if value.startswith("#") else value.removeprefix("./"))
            if key == "$ref" and isinstance(value, str)
            else absolute_references(value, name)
            for key, value in node.items()
        }
    if isinstance(node, list):
        return [absolute_references(value, name) for value in node]
    return node


def check_openapi(checker):
    document = checker.documents["openapi.yaml"]
    for error in OpenAPIV31SpecValidator(document).iter_errors():
        checker.wrong(f"openapi.yaml: {error.message}")
    identifiers = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method not in METHODS:
                checker.wrong(f"openapi.yaml: {path} has the unknown method {method}")
                continue
            identifiers.append(operation["operationId"])
            if not operation.get("summary"):
                checker.wrong(f"openapi.yaml: {method} {path} has no summary")
            check_problem_codes(checker, f"{method} {path}", operation)
    for identifier in {i for i in identifiers if identifiers.count(i) > 1}:
        checker.wrong(f"openapi.yaml: operationId {identifier} is used twice")
    checker.references(document["paths"], "openapi.yaml")
    checker.references(document.get("webhooks", {}), "openapi.yaml")
    for name, schema in document["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        for example in schema.get("examples", []):
            for error in checker.errors(example, schema, "openapi.yaml"):
                checker.wrong(f"openapi.yaml: the example of {name}: {error}")


def check_problem_codes(checker, operation_name, operation):
    """Every refusal lists its codes."""
    for status, response in operation["responses"].items():
        if int(status) < 400:
            continue
        if "$ref" in response:
            _, response = checker.resolve(response["$ref"], "openapi.yaml")
        schema = response["content"]["application/problem+json"]["schema"]
        codes = schema["allOf"][1]["properties"]["code"]["enum"]
        if not codes or len(set(codes)) != len(codes):
            checker.wrong(f"openapi.yaml: {operation_name} {status} has no codes, or the same code twice")
        for code in codes:
            problem = {"type": "about:blank", "title": "t", "status": int(status), "code": code}
            for error in checker.errors(problem, schema, "openapi.yaml"):
                checker.wrong(f"openapi.yaml: {operation_name} {status}: {error}")


def check_asyncapi(checker):
    name = "asyncapi.yaml"
    document = checker.documents[name]
    if not str(document.get("asyncapi", "")).startswith("3."):
        checker.wrong(f"{name}: its version is not 3")
    for key in ("info", "channels", "operations", "components"):
        if not document.get(key):
            checker.wrong(f"{name}: has no {key}")
    checker.references(document["operations"], name)
    checker.references(document["channels"], name)
    for channel_name, channel in document["channels"].items():
        if not channel.get("address") or not channel.get("messages"):
            checker.wrong(f"{name}: channel {channel_name} lacks address or messages")
    for operation_name, operation in document["operations"].items():
        check_operation(checker, operation_name, operation)
    for message_name, message in document["components"]["messages"].items():
        if "payload" not in message or "headers" not in message:
            checker.wrong(f"{name}: message {message_name} lacks payload or headers")
        if f"{BASE}{name}#/components/messages/{message_name}" not in checker.used:
            checker.wrong(f"{name}: message {message_name} is in no channel")
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def check_operation(checker, operation_name, operation):
    name = "asyncapi.yaml"
    if operation.get("action") not in ("send", "receive"):
        checker.wrong(f"{name}: operation {operation_name} neither sends nor receives")
    reference = operation["channel"]["$ref"]
    checker.resolve(reference, name)
    for message in operation.get("messages", []):
        if not message["$ref"].startswith(reference + "/messages/"):
            checker.wrong(f"{name}: operation {operation_name} names another channel's message")


def check_codes_are_the_codes(checker):
    """The document names exactly the codes that the sources can answer with."""
    folders = ["Services", "Shared/Platform"]
    sources = {source: source.read_text(encoding="utf-8") for folder in folders for source in (ROOT / folder).glob("**/*.swift")}
    thrown = "\n".join(sources.values())
    for source, text in sources.items():
        if re.search(r'\bRefusal\(\s*\d', text):
            checker.wrong(f"{source.relative_to(ROOT)}: a refusal is declared in Shared/API/Contracts")
    # Thrown as `Refusal.name`, or as `.name` if the type is known; another type's `.name` doesn't count.
    used = set(re.findall(r"(?:\bRefusal|(?<![\w)\]?!]))\.(\w+)", thrown))
    known = set()
    for file in (ROOT / "Shared" / "API" / "Contracts").glob("**/*Refusals.swift"):
        declared = re.findall(r'static let (\w+) = Refusal\(\s*\d+,\s*"([^"]+)"', file.read_text(encoding="utf-8"))
        known.update(code for name, code in declared if name in used)
    documented = set()

    def collect(node):
        if isinstance(node, dict):
            documented.update(node.get("code", {}).get("enum", []) if "code" in node else [])
            for value in node.values():
                collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)

    document = checker.documents["openapi.yaml"]
    collect({"paths": document["paths"], "responses": document["components"]["responses"]})
    # A wrong method belongs to no operation, and refusals by a library share one code.
    elsewhere = {"request.method_not_allowed", "request.refused"}
    for code in sorted((known ^ documented) - elsewhere):
        where = "the document" if code in known else "the sources"
        checker.wrong(f"openapi.yaml: {code} is not in {where}; `make documents` writes the document")


def check_codes_stay(checker):
    """An endpoint may get new codes but keeps its old ones, which clients depend on."""
    paths = checker.documents["openapi.yaml"]["paths"]
    for line in (ROOT / "Tests/refusals.txt").read_text(encoding="utf-8").splitlines():
        operation_name, said = line.split(": ")
        method, path = operation_name.split()
        responses = paths.get(path, {}).get(method.lower(), {}).get("responses", {})
        now = set()
        for status, response in responses.items():
            if "$ref" in response:
                _, response = checker.resolve(response["$ref"], "openapi.yaml")
            content = response.get("content", {}).get("application/problem+json")
            codes = content["schema"]["allOf"][1]["properties"]["code"]["enum"] if content else []
            now.update(f"{status} {code}" for code in codes)
        for refusal in sorted(set(said.split(", ")) - now):
            checker.wrong(f"openapi.yaml: {operation_name} doesn't refuse with {refusal}, as Tests/refusals.txt says")


def check_readers(checker):
    """Each service reads exactly the events that its reactions name."""
    document = checker.documents["asyncapi.yaml"]
    events = set(document["components"]["messages"])
    heard = {}
    for source in sorted((ROOT / "Services").glob("**/*Reactions.swift")):
        text = source.read_text(encoding="utf-8")
        # Reactions that several services share are in Shared, in the file of their type.
        for shared in re.findall(r"\b(\w+)\.reactions\(", text):
            text += next((ROOT / "Shared").glob(f"**/{shared}.swift")).read_text(encoding="utf-8")
        if "whenDeleted(" in text:
            text += DELETIONS.read_text(encoding="utf-8")
        names = re.findall(r"\b(\w+)\.self\b|: (\w+) =", text)
        service = source.relative_to(ROOT / "Services").parts[0].lower()
        heard.setdefault(service, set()).update({a or b for a, b in names} & events)
    documented = {}
    for name, operation in document["operations"].items():
        if operation["action"] == "receive" and "Hears" in name:
            messages = {message["$ref"].split("/")[-1] for message in operation["messages"]}
            documented.setdefault(name.split("Hears")[0], set()).update(messages)
    # For an event that none of our services reads, the message says why.
    messages = document["components"]["messages"]
    unheard = {name for name, message in messages.items() if message.get("x-unheard")}
    listened = set().union(*documented.values())
    for event in sorted(events - {"DeadLetter"} - listened - unheard):
        checker.wrong(f"asyncapi.yaml: no service reads {event}")
    for event in sorted(unheard & listened):
        checker.wrong(f"asyncapi.yaml: {event} has x-unheard, but a service reads it")
    for service in sorted(set(heard) | set(documented)):
        for event in sorted(heard.get(service, set()) ^ documented.get(service, set())):
            checker.wrong(f"asyncapi.yaml: {service} and {event}: code and document differ")


def check_schemas_are_used(checker):
    for name, document in checker.documents.items():
        for schema in document["components"]["schemas"]:
            if f"{BASE}{name}#/components/schemas/{schema}" not in checker.used:
                checker.wrong(f"{name}: schema {schema} is not used")


def check_fixtures(checker):
    """Each fixture is a message of the document, and each message has a fixture."""
    name = "asyncapi.yaml"
    document = checker.documents[name]
    known = {}
    for channel in document["channels"].values():
        for reference in channel["messages"].values():
            _, message = checker.resolve(reference["$ref"], name)
            known[channel["address"], message["name"]] = message
    seen = set()
    for path in sorted(FIXTURES.glob("*/*.json")):
        key = (path.parent.name, path.stem)
        seen.add(key)
        if key not in known:
            checker.wrong(f"{path.relative_to(ROOT)}: no such message in {name}")
            continue
        event = json.loads(path.read_text(encoding="utf-8"))
        for error in checker.errors(event, known[key]["payload"], name):
            checker.wrong(f"{path.relative_to(ROOT)}: {error}")
    for topic, message in sorted(set(known) - seen):
        if not topic.endswith(".dead"):
            checker.wrong(f"{name}: {message} has no fixture in {topic}/")


def check_version(checker):
    """Both documents name the version of the sources, which TidyTests compares with the changelog."""
    source = ROOT / "Shared/Platform/ServiceKit/Operations/Version.swift"
    built = re.search(r'static let version = "([^"]+)"', source.read_text(encoding="utf-8"))[1]
    for name, document in checker.documents.items():
        version = document["info"]["version"]
        if version != built:
            checker.wrong(f"{name}: its version is {version}, not {built}")


def main():
    checker = Checker()
    check_version(checker)
    check_openapi(checker)
    check_asyncapi(checker)
    check_codes_are_the_codes(checker)
    check_codes_stay(checker)
    check_readers(checker)
    check_schemas_are_used(checker)
    check_fixtures(checker)
    apps = app_calls.Apps(checker.documents["openapi.yaml"])
    checker.problems += apps.check()
    for problem in checker.problems:
        print(problem, file=sys.stderr)
    operations = sum(len(item) for item in checker.documents["openapi.yaml"]["paths"].values())
    messages = len(checker.documents["asyncapi.yaml"]["components"]["messages"])
    problems = len(checker.problems)
    print(f"{operations} operations, {messages} messages, {apps.count} uses in the apps, {problems} problems")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
