"""Returns a second and processor time a return, of each way to check from Python, beside jsonschema:
calls.py RETURNS (one JSON string a line) ROOT. Needs retval-cli and jsonschema."""

import json
import resource
import subprocess
import sys
import time

import jsonschema
import retval

texts = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
options = {"root": sys.argv[2]}


def spent():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(it.ru_utime + it.ru_stime for it in used)


def measure(name, texts, way):
    began, used = time.monotonic(), spent()
    valid = way(texts)
    used, took = spent() - used, time.monotonic() - began
    print(f"| {name} | {len(texts)} | {len(texts) / took:,.0f} | {1000 * used / len(texts):.4f} | {valid} |", flush=True)


schema = json.loads(subprocess.run([retval.program(), "schema"], check=True, capture_output=True).stdout)
validator = jsonschema.Draft202012Validator(schema)
many = texts * (200_000 // len(texts))
measure("Python, `check`", texts[:300], lambda texts: sum(retval.check(text, **options).valid for text in texts))
measure("Python, `check_many`", many, lambda texts: sum(it.valid for it in retval.check_many(texts, **options)))
measure("Python, jsonschema", texts[:5000], lambda texts: sum(validator.is_valid(json.loads(text)) for text in texts))
