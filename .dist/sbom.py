"""The bill of materials of the program, in CycloneDX: every package that it is made of."""

import json
import re
import subprocess


def dependencies(root, target):
    """The packages that are part of the program, and what each of them uses."""
    options = ["--locked", "--format-version", "1", "--filter-platform", target]
    metadata = json.loads(subprocess.check_output(["cargo", "metadata", *options], cwd=root))
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}

    def uses(node):
        # Packages for tests are not part of it; those that only run while it is built are.
        edges = [(edge["pkg"], {kind["kind"] for kind in edge["dep_kinds"]}) for edge in node["deps"]]
        return sorted(package for package, kinds in edges if kinds - {"dev"})

    graph, waiting = {}, [metadata["resolve"]["root"]]
    while waiting:
        package = waiting.pop()
        if package not in graph:
            graph[package] = uses(nodes[package])
            waiting += graph[package]
    return {package["id"]: package for package in metadata["packages"]}, graph


def checksums(root):
    """The sums in the lock file, by name and version."""
    lock = (root / "Cargo.lock").read_text(encoding="utf-8")
    entry = r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"'
    return {(name, version): checksum for name, version, checksum in re.findall(entry, lock)}


def bill_of_materials(root, target):
    """The bill for the program of a target, as the value of a JSON document."""
    packages, graph = dependencies(root, target)
    sums = checksums(root)

    def purl(package):
        return f"pkg:cargo/{package['name']}@{package['version']}"

    def component(package, kind):
        entry = {
            "type": kind,
            "bom-ref": purl(package),
            "name": package["name"],
            "version": package["version"],
            "purl": purl(package),
        }
        if package["license"]:
            # Some packages still write the sign that stood for OR.
            expression = re.sub(r" */ *", " OR ", package["license"])
            entry["licenses"] = [{"expression": expression}]
        checksum = sums.get((package["name"], package["version"]))
        if checksum:
            entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return entry

    own, *others = graph
    others = sorted((packages[id] for id in others), key=purl)
    edges = [
        {"ref": purl(packages[id]), "dependsOn": sorted(purl(packages[it]) for it in used)}
        for id, used in graph.items()
    ]
    main = component(packages[own], "application")
    main["properties"] = [{"name": "cargo:target", "value": target}]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main},
        "components": [component(package, "library") for package in others],
        "dependencies": sorted(edges, key=lambda edge: edge["ref"]),
    }
