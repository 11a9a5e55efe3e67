"""Checks the alerts and dashboards of compose: that Prometheus reads them, that their metrics exist, and that each alert
has its section in docs/alerts.md and its tests in Tests/alerts.yaml.

Run it from anywhere: python Tests/check_alerts.py
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "compose/prometheus/alerts.yaml"
TESTS = ROOT / "Tests/alerts.yaml"
PAGE = "docs/alerts.md"
METRICS = ROOT / "Shared/Platform/ServiceKit/Operations/MetricText.swift"
#: Metrics that Prometheus makes itself.
BUILT_IN = {"up"}
#: Words of PromQL that are no metric; label names are in braces or after `by`.
WORDS = {"and", "bool", "or", "by", "unless", "on", "without", "ignoring", "offset"}


def promtool(*arguments):
    """What promtool finds wrong; empty if nothing is."""
    try:
        done = subprocess.run(
            ["promtool", *map(str, arguments)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ["promtool is missing: `make lint` installs it"]
    return [] if done.returncode == 0 else [(done.stdout + done.stderr).strip()]


def metrics_of(expression):
    """Names of the metrics in an expression of PromQL."""
    text = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\"[^\"]*\"", " ", expression)
    text = re.sub(r"\b(by|without|on|ignoring)\s*\([^)]*\)", " ", text)
    names = re.findall(r"(?<![\w.])([a-zA-Z_]\w*)\b(?!\s*\()", text)
    return {name for name in names if name not in WORDS}


def known_metrics():
    """The metrics of the sources, with the series of histograms."""
    texts = re.findall(r'"(\w+)": (counter|gauge|histogram)\(', METRICS.read_text(encoding="utf-8"))
    names = set(BUILT_IN)
    for name, kind in texts:
        names |= {f"{name}_{part}" for part in ("bucket", "sum", "count")} if kind == "histogram" else {name}
    return names


def unreadable(queries):
    """What promtool finds wrong with expressions of dashboards."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        rules = [{"record": f"q{number}", "expr": query} for number, query in enumerate(queries)]
        yaml.safe_dump({"groups": [{"name": "dashboards", "rules": rules}]}, file)
        file.flush()
        return promtool("check", "rules", file.name)


def expressions(dashboard):
    """The expressions of a dashboard, with the title of their panel."""
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def main():
    problems = promtool("check", "rules", RULES) + promtool("test", "rules", TESTS)
    known = known_metrics()
    rules = [
        rule
        for group in yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
        for rule in group["rules"]
    ]
    sections = set(re.findall(r"^## (\w+)$", (ROOT / PAGE).read_text(encoding="utf-8"), re.M))
    tests = [test["name"] for test in yaml.safe_load(TESTS.read_text(encoding="utf-8"))["tests"]]
    for rule in rules:
        alert = rule["alert"]
        if unknown := metrics_of(rule["expr"]) - known:
            problems.append(f"{alert} names {sorted(unknown)}, which no source measures")
        if alert not in sections:
            problems.append(f"{PAGE} has no section on {alert}")
        if rule["annotations"]["runbook_url"] != f"{PAGE}#{alert.lower()}":
            problems.append(f"{alert}'s runbook_url is not {PAGE}#{alert.lower()}")
        for test in (f"{alert} fires", f"{alert} is silent"):
            if test not in tests:
                problems.append(f"{TESTS.name} has no test '{test}'")
    for alert in sorted(sections - {rule["alert"] for rule in rules}):
        problems.append(f"{PAGE} has a section on {alert}, which is no alert")
    dashboards = sorted((ROOT / "compose/dashboards").glob("*.json"))
    queries = []
    for file in dashboards:
        for title, expression in expressions(json.loads(file.read_text(encoding="utf-8"))):
            if unknown := metrics_of(expression) - known:
                problems.append(f"{file.name}, {title}: no source measures {sorted(unknown)}")
            queries.append(expression)
    problems += unreadable(queries)
    if len(rules) < 10 or len(dashboards) < 3 or len(known) < 40:
        problems.append(f"only {len(rules)} alerts, {len(dashboards)} dashboards, {len(known)} metrics")
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(rules)} alerts and {len(dashboards)} dashboards are right.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
