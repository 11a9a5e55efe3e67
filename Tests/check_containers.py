"""Checks the files of compose without a cluster: by the schemas of Kubernetes, docker-compose and promtool, and that
what they name exists.

Run it from anywhere: python Tests/check_containers.py
"""

import pathlib
import subprocess
import sys

import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPOSE = ROOT / "compose"
#: The oldest release of Kubernetes that still gets fixes, more or less, and the newest.
KUBERNETES = ["1.31.0", "1.36.0"]
#: Kinds that run containers.
WORKLOADS = {"Deployment", "Job"}


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text(encoding="utf-8")) if document]


class Checker:
    """Collects problems, and has what kustomize would apply."""

    def __init__(self):
        self.problems = []
        self.list = documents(COMPOSE / "kustomization.yaml")[0]
        self.objects = []
        for name in self.list["resources"]:
            if (COMPOSE / name).is_file():
                self.objects += documents(COMPOSE / name)
            else:
                self.wrong(f"kustomization.yaml: {name} does not exist")

    def wrong(self, text):
        self.problems.append(text)


def check_schemas(checker):
    for thing in checker.objects:
        for version in KUBERNETES:
            try:
                kubernetes_validate.validate(thing, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                checker.wrong(f"{title(thing)}, Kubernetes {version}: {error.message}")


def title(thing):
    return f"{thing['kind']} {thing['metadata']['name']}"


def check_names(checker):
    """Each file, setting, secret and pod that is named exists."""
    names = {title(thing) for thing in checker.objects}
    if len(names) != len(checker.objects):
        checker.wrong("kustomization.yaml: two objects of a kind have the same name")
    for path in COMPOSE.glob("kubernetes/**/*.yaml"):
        if str(path.relative_to(COMPOSE)) not in checker.list["resources"]:
            checker.wrong(f"kustomization.yaml: {path.name} is not listed")
    settings, secrets = set(), set()
    for made in checker.list["configMapGenerator"]:
        for name in made.get("envs", []):
            lines = (COMPOSE / name).read_text(encoding="utf-8").splitlines()
            settings |= {line.split("=")[0] for line in lines if "=" in line and not line.startswith("#")}
        for name in made.get("files", []):
            if not (COMPOSE / name).is_file():
                checker.wrong(f"kustomization.yaml: {name} does not exist")
    for made in checker.list["secretGenerator"]:
        secrets |= {pathlib.PurePath(name).name for name in made["files"]}
    for thing in checker.objects:
        if thing["kind"] in WORKLOADS:
            check_pod(checker, title(thing), thing["spec"]["template"], settings, secrets)
        if thing["kind"] in ("Service", "NetworkPolicy", "PodDisruptionBudget"):
            for pod in selected(thing["spec"]):
                if not {f"{kind} {pod}" for kind in WORKLOADS} & names and pod != "prometheus":
                    checker.wrong(f"{title(thing)}: there is no pod {pod}")


def selected(node):
    """The pods that an object names."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "app.kubernetes.io/name":
                yield value
            else:
                yield from selected(value)
    elif isinstance(node, list):
        for value in node:
            yield from selected(value)


def check_pod(checker, name, template, settings, secrets):
    spec = template["spec"]
    if not spec["securityContext"].get("runAsNonRoot") or spec.get("automountServiceAccountToken") is not False:
        checker.wrong(f"{name}: may run as root, or has a token of the cluster")
    mounted = set()
    for volume in spec["volumes"]:
        for item in volume.get("secret", {}).get("items", []):
            mounted.add(f"/run/secrets/{item['path']}")
            if item["key"] not in secrets:
                checker.wrong(f"{name}: the secret {item['key']} is not made")
    for container in spec.get("initContainers", []) + spec["containers"]:
        rights = container["securityContext"]
        if not rights.get("readOnlyRootFilesystem") or rights["capabilities"] != {"drop": ["ALL"]}:
            checker.wrong(f"{name}: {container['name']} may write to its image, or has capabilities")
        for what in ("requests", "limits"):
            if set(container["resources"][what]) != {"cpu", "memory"}:
                checker.wrong(f"{name}: {container['name']} has no {what} of CPU and memory")
        for setting in container.get("env", []):
            key = setting.get("valueFrom", {}).get("configMapKeyRef", {}).get("key")
            if key and key not in settings:
                checker.wrong(f"{name}: {key} is not in settings.env")
            if setting.get("value", "").startswith("/run/secrets/") and setting["value"] not in mounted:
                checker.wrong(f"{name}: {setting['value']} is not mounted")


def check_by(checker, *command):
    """What another program finds."""
    result = subprocess.run(command, cwd=COMPOSE, capture_output=True, text=True, check=False)
    if result.returncode:
        checker.wrong(f"{' '.join(command)}: {result.stdout}{result.stderr}")


def main():
    checker = Checker()
    check_schemas(checker)
    check_names(checker)
    check_by(checker, "docker-compose", "--file", "compose.yaml", "config", "--quiet")
    # Only the syntax: the token's file exists in the container.
    check_by(checker, "promtool", "check", "config", "--syntax-only", "prometheus/prometheus.yaml")
    rules = sorted(str(path.relative_to(COMPOSE)) for path in COMPOSE.glob("prometheus/alerts*.yaml"))
    if rules:
        check_by(checker, "promtool", "check", "rules", *rules)
    for problem in checker.problems:
        print(problem)
    print(f"compose: {len(checker.objects)} objects of Kubernetes, {len(checker.problems)} problems")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
