"""Checks how the web apps use the API: paths, methods, query parameters, and fields of bodies and answers.

check_documents.py uses it. It reads the sources without running them: literals that begin with `/v1`, constants with
such a literal, and calls of the functions below, which take a path. Fields are those of a body that is an object at the
call, and of an answer that is taken apart there.
"""

import pathlib
import re

APPS = pathlib.Path(__file__).resolve().parent.parent / "Services" / "Web" / "Apps"

#: Functions that take a path, with their method; `*` if an argument names it.
CALLERS = {
    r"\bapi\.get": "get", r"\bapi\.put": "put", r"\bapi\.patch": "patch", r"\bapi\.delete": "delete",
    r"\bapi\.post": "post", r"\bapi\.call": "*", r"\bcall": "*", r"\bexchange": "*", r"\bsendPicture": "*",
    r"\boutbox\.perform": "*", r"\bresources\.list": "get",
    r"\bfetch": "get", r"\bonce": "post", r"\bresources\.get": "get", r"(?<!function )\beveryPage": "get",
    r"(?<!function )\bcreatePages": "get", r"(?<!function )\breadTagged": "get",
}
#: Functions of one file that take a path.
OWN_CALLERS = {
    "customer/lift/request-list.js": {r"\bstep": "post"},
    "customer/lift/ride-after.js": {r"\bstep": "post"},
    "customer/lift/ride-driver.js": {r"\bstep": "post"},
    "customer/lift/ride-passenger.js": {r"\bstep": "post"},
    "customer/places/route.js": {r"\bways\.ask": "get"},
    "customer/places/suggest.js": {r"\bbeside\.ask": "get"},
    "customer/spots/offered.js": {r"\b(?:tap|sure)": "post"},
    "customer/spots/reserved.js": {r"\b(?:tap|sure)": "post"},
    "customer/valet/plan.js": {r"(?<!function )\bsend": "post"},
    "operator/today.js": {r"\bask": "get"},
    "shared/auth.js": {r"\bask": "post"},
    "shared/faults.js": {r"\bfetch": "post"},
    "shared/sign-in.js": {r"\bask": "post"},
    "valet/earnings.js": {r"\buntil": "get"},
    "valet/photos.js": {r"\bpost": "post"},
}
#: Calls that need not show a path: those of other addresses, and those within functions that take one.
OTHER_CALLS = re.compile(
    r"(?:fetch|call|exchange)\(|[\w.]+\((?:method, |item\.method, |'[A-Z]+', |withQuery\()?(?:\w+\.)?path\b")
#: Parameters that are a path.
PARAMETERS = {
    ("operator/car-parks/dialogs.js", "admin"): "/v1/admin/car-parks/{}",
    ("operator/car-parks/park-actions.js", "admin"): "/v1/admin/car-parks/{}",
}
ORDER, SEAT, FACTOR = "/v1/orders/{}/{step}", "/v1/seat-requests/{}/{step}", "/v1/me/second-factors/{step}"
#: Where a word of a path is an argument: the folder or file, how the words are given there, method and path.
STEPS = [
    ("customer/lift/", r"\brequestPath\(\w+, '[\w-]+'", "post", SEAT),
    ("customer/valet/follow.js", r"\babout\(\s*app,\s*'[\w-]+'", "get", ORDER),
    ("customer/valet/", r"\bact\((?:screen, )?order, '[\w-]+'", "post", ORDER),
    ("operator/vendors/suggestions.js", r"\[[^\[\]]+\]\.map\(\(verb\)", "post",
     "/v1/admin/vendor-suggestions/{}/{step}"),
    ("shared/second-factors.js", r"\bMETHODS = \[[^\]]+\]", "post", FACTOR),
    ("shared/second-factors.js", r"\bMETHODS = \[[^\]]+\]", "post", FACTOR + "/confirm"),
    ("valet/", r"\b(?:tap|step)\(order, '[\w-]+'", "post", ORDER),
    ("valet/job-step.js", r"\bwithCode\(job, \{ path: '[\w-]+'", "post", ORDER),
    ("valet/tasks.js", r"\bact\(item, '[\w-]+'", "post", ORDER),
]
#: Functions whose options have the body as a member.
CALL = re.compile(r"call|exchange|perform")
#: Functions that return the answer itself.
ANSWERS = re.compile(r"api\.|once\(|send\(|ask\(|resources\.")
METHOD = re.compile(r"'(GET|PUT|POST|PATCH|DELETE)'")
#: A slash after one of these begins a regular expression.
BEFORE_PATTERN = re.compile(r"(?:^|[(,=:\[!&|?{};\n]|=>|return)\s*$")
BASE = re.compile(r"\bconst \w+ = (?:\(?\w*\)? => )?(?:escaped)?$")
IMPORT = re.compile(r"import \{([^}]*)\} from '([^']+)'")


class Source:
    """A script without its comments, and its literals: (start, end, parts). Parts are texts and inner expressions."""

    def __init__(self, path):
        self.path = path
        self.name = path.relative_to(APPS).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.literals = {}
        self._scan(0, None)

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def _scan(self, at, closing):
        """Reads code up to its closing brace."""
        depth = 0
        while at < len(self.text):
            character = self.text[at]
            if self.text.startswith(("//", "/*"), at):
                end = self.text.find("\n", at) if self.text[at + 1] == "/" else self.text.index("*/", at) + 2
                end = len(self.text) if end < 0 else end
                blank = re.sub(r"[^\n]", " ", self.text[at:end])
                self.text = self.text[:at] + blank + self.text[end:]
                at = end
            elif character in "'\"`":
                at = self._literal(at)
            elif character == "/" and BEFORE_PATTERN.search(self.text[max(0, at - 20):at]):
                at = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/").match(self.text, at).end()
            elif character == closing and depth == 0:
                return at
            else:
                depth += (character == "{") - (character == "}")
                at += 1
        return at

    def _literal(self, start):
        quote, parts, at = self.text[start], [""], start + 1
        while self.text[at] != quote:
            if self.text[at] == "\\":
                at += 1
            elif quote == "`" and self.text.startswith("${", at):
                end = self._scan(at + 2, "}")
                parts += [(at + 2, end), ""]
                at = end + 1
                continue
            parts[-1] += self.text[at]
            at += 1
        self.literals[start] = (at + 1, parts)
        return at + 1

    def arguments(self, at):
        """The ranges of the arguments of a call, or of the members of an object, from after its bracket."""
        ranges, start, depth = [], at, 0
        while True:
            if at in self.literals:
                at = self.literals[at][0]
                continue
            character = self.text[at]
            if depth == 0 and character in ",)}]":
                ranges.append((start, at))
                start = at + 1
                if character != ",":
                    return [(a, b) for a, b in ranges if self.text[a:b].strip()]
            depth += (character in "([{") - (character in ")]}")
            at += 1


class Apps:
    """All scripts, and the problems of their paths."""

    def __init__(self, document):
        self.paths = document["paths"]
        self.components = document["components"]
        self.sources = {path: Source(path) for path in sorted(APPS.rglob("*.js"))}
        self.problems = []
        self.count = 0

    def check(self):
        for source in self.sources.values():
            with_method = set()
            for pattern, method in {**CALLERS, **OWN_CALLERS.get(source.name, {})}.items():
                for match in re.finditer(pattern + r"\(", source.text):
                    self._call(source, match, method, with_method)
            for match in re.finditer(r"\b(?:withQuery|everyPage|createPages)\(", source.text):
                self._query_of(source, match.end())
            for at in source.literals:
                if at not in with_method:
                    for path in self._written(source, at):
                        if path.startswith("/v1"):
                            self._exists(source, at, path, None)
        self._steps()
        return self.problems

    def _call(self, source, match, method, with_method):
        ranges = source.arguments(match.end())
        if method == "*":
            named = METHOD.search(source.text[match.end():ranges[-1][1]]) if ranges else None
            method = named[1].lower() if named else "post"
        for i, (start, end) in enumerate(ranges):
            found = self._paths(source, start, end)
            for at, path in found:
                with_method.add(at)
                self._exists(source, at, path, method)
                body = ranges[i:i + 1] if "perform" in match[0] else ranges[i + 1:i + 2]
                if method in ("post", "put", "patch") and body and match[0] != "fetch(":
                    self._body(source, *body[0], path, method, match[0])
                if ANSWERS.match(match[0]):
                    self._answer(source, match.start(), ranges[-1][1] + 1, path, method)
            if found:
                return
        if not OTHER_CALLS.match(source.text, match.start()):
            self._wrong(source, match.start(), f"{match[0]}…) shows no path; see Tests/app_calls.py")

    def _body(self, source, start, end, path, method, call):
        """Checks the fields of a body: the argument itself, or the member `body` of the options."""
        if CALL.search(call):
            inner = re.search(r"\bbody: (?=\{)", source.text[start:end])
            if not inner:
                return
            start += inner.end()
        names, is_whole = self._members(source, start, end)
        schemas = [self._schema(operation.get("requestBody")) for operation in self._operations(path, method)]
        if names is None or not schemas or None in schemas:
            return
        for name in sorted(names - set().union(*(fields for fields, _ in schemas))):
            self._wrong(source, start, f"the body of {method.upper()} {path} has no field {name}")
        for name in sorted(set.intersection(*(required for _, required in schemas)) - names if is_whole else []):
            self._wrong(source, start, f"the body of {method.upper()} {path} lacks the field {name}")

    def _answer(self, source, start, end, path, method):
        """Checks the fields of an answer: `{ items } = await api.get(…)`, or `(await api.get(…)).items`."""
        before, after = source.text[max(0, start - 200):start], source.text[end:end + 60]
        apart = re.search(r"\{([^{}\[\]]*)\} = (?:\(?await )$", before)
        field = re.match(r"\)\.(\w+)", after) if before.endswith("(await ") else re.match(r"\.value\??\.(\w+)", after)
        names = {re.match(r"\s*(\w*)", part)[1] for part in (apart[1].split(",") if apart else [])}
        names |= {field[1]} if field else set()
        schemas = [
            self._schema(response) for operation in self._operations(path, method)
            for status, response in operation["responses"].items() if status.startswith("2") and status != "204"]
        if schemas and None not in schemas:
            for name in sorted(names - {""} - set().union(*(fields for fields, _ in schemas))):
                self._wrong(source, start, f"the answer of {method.upper()} {path} has no field {name}")

    def _members(self, source, start, end):
        """The names of an object's members, and whether these are all; None if it is no object at this place."""
        text = source.text[start:end]
        if not text.lstrip().startswith("{"):
            return None, False
        members = [source.text[a:b].strip() for a, b in source.arguments(source.text.index("{", start) + 1)]
        names = [re.match(r"(\w+)\s*(?::|$)", member) for member in members]
        return {name[1] for name in names if name}, all(names)

    def _operations(self, path, method):
        segments = path.partition("?")[0].split("/")
        return [item[method] for name, item in self.paths.items() if method in item and fits(segments, name.split("/"))]

    def _resolved(self, value):
        while "$ref" in value:
            _, _, kind, name = value["$ref"].split("/")
            value = self.components[kind][name]
        return value

    def _schema(self, holder):
        """The fields of a JSON body or answer, and those that are required; None if they are not listed."""
        schema = self._resolved(holder or {}).get("content", {}).get("application/json", {}).get("schema")
        parts = [self._resolved(part) for part in (schema or {}).get("allOf", [schema or {}])]
        if not any("properties" in part for part in parts):
            return None
        return ({name for part in parts for name in part.get("properties", {})},
                {name for part in parts for name in part.get("required", [])})

    def _steps(self):
        for where, pattern, method, path in STEPS:
            matches = [
                (source, match) for source in self.sources.values() if source.name.startswith(where)
                for match in re.finditer(pattern, source.text)]
            for source, match in matches:
                for word in re.findall(r"'([\w-]+)'", match[0]):
                    self._exists(source, match.start(), path.replace("{step}", word), method)
            if not matches:
                self.problems.append(f"Tests/app_calls.py: {where} has nothing like {pattern}")

    def _query_of(self, source, at):
        """Checks the names of a query that is written as an object."""
        ranges = source.arguments(at)
        names = self._members(source, *ranges[1])[0] if len(ranges) > 1 else None
        if names is None:
            return
        query = "&".join(f"{name}=" for name in sorted(names))
        for _, path in self._paths(source, *ranges[0]):
            self._exists(source, at, f"{path}?{query}", None)

    def _paths(self, source, start, end):
        """The paths of an expression, which may be a choice: each with its place."""
        at, found = start, []
        while at < end:
            if at in source.literals:
                found += [(at, path) for path in self._written(source, at) if path.startswith("/v1")]
                at = source.literals[at][0]
                continue
            name = re.compile(r"(?<![.\w$])[A-Za-z]\w*(?!\w*\s*:)").match(source.text, at)
            if name:
                found += [(at, path) for path in self._named(source, name[0], at)]
                at = name.end()
            else:
                at += 1
        return found

    def _named(self, source, name, at):
        """The paths of the nearest definition of a name before this place, or of what is imported by that name."""
        if (source.name, name) in PARAMETERS:
            return [PARAMETERS[source.name, name]]
        definition = re.compile(rf"\b{name} = (?:\([^()]*\) => |\w+ => )?(?:escaped|withQuery\((?:escaped)?)?(?=['`])")
        found = [match.end() for match in definition.finditer(source.text, 0, at)]
        if found:
            return [path for path in self._written(source, found[-1]) if path.startswith("/v1")]
        for names, module in IMPORT.findall(source.text):
            if name in re.split(r"[,\s]+", names):
                path = APPS / module.removeprefix("/apps/") if module.startswith("/") else source.path.parent / module
                other = self.sources.get(path.resolve())
                return self._named(other, name, len(other.text)) if other else []
        return []

    def _written(self, source, at):
        """What a literal can be, with `{}` for a value."""
        texts = [""]
        for part in source.literals[at][1]:
            if isinstance(part, tuple):
                start, end = part
                inner = self._paths(source, start, end)
                if not any(texts) and inner:
                    values = [path for _, path in inner]
                else:
                    choice = re.fullmatch(r"[^?]+\? '([\w-]+)' : '([\w-]+)'", source.text[start:end].strip())
                    values = list(choice.groups()) if choice else ["{}"]
                texts = [text + value for text in texts for value in values]
            else:
                texts = [text + part for text in texts]
        return texts

    def _exists(self, source, at, path, method):
        self.count += 1
        path, _, query = path.partition("?")
        segments = path.split("/")
        # A constant to which paths are added need not be one itself.
        is_start = path.endswith("/") or BASE.search(source.text[max(0, at - 60):at])
        fitting = [name for name in self.paths if fits(segments, name.split("/"))]
        if not fitting and is_start:
            length = len(path.rstrip("/").split("/"))
            fitting = [name for name in self.paths if fits(segments[:length], name.split("/")[:length])]
        steps = {step.replace("{step}", "{}") for where, _, _, step in STEPS if source.name.startswith(where)}
        if not fitting and path in steps:
            return
        if not fitting:
            self._wrong(source, at, f"the API has no path {path}")
        elif method and not any(method in self.paths[name] for name in fitting):
            self._wrong(source, at, f"the API has no {method.upper()} {path}")
        else:
            known = {name for fit in fitting for name in self._query(fit, method)}
            for name in re.findall(r"(?:^|&)([\w-]+)=", query):
                if name not in known:
                    self._wrong(source, at, f"{path} has no parameter {name}")

    def _wrong(self, source, at, text):
        problem = f"Services/Web/Apps/{source.name}:{source.line(at)}: {text}"
        if problem not in self.problems:
            self.problems.append(problem)

    def _query(self, path, method):
        for one, operation in self.paths[path].items():
            if method in (None, one):
                for parameter in operation.get("parameters", []):
                    parameter = self._resolved(parameter)
                    if parameter["in"] == "query":
                        yield parameter["name"]


def fits(segments, wanted):
    """Whether the same words stand in both paths, and a value for each parameter."""
    return len(segments) == len(wanted) and all(
        one == other or (one == "{}" and other.startswith("{")) for one, other in zip(segments, wanted))
