"""Runs the hook inside real agent clients, against scripted models on this machine, and prints a table.

    python3 .ci/clients [--client NAME]... [--scenario NAME]... [--installed DIR] [--keep DIR] [--retval FILE]
                       [--seconds N] [--jobs N]

Needs npm, node, git, and a built retval. The clients are installed with npm into a temporary folder (about 1 GB),
or into DIR, where they stay. Nothing leaves this machine but npm's downloads: keys are words, homes are temporary.
Exits 1 if a client does anything else than the scenario says.
"""

import argparse
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clients import CLIENTS, Setup, install
from model import Run, serve
from outcome import instructions, outcome
from receipt import SCENARIOS as RECEIPTS
from work import SCENARIOS as OTHERS

SCENARIOS = {**OTHERS, **RECEIPTS}
CHECKOUT = Path(__file__).resolve().parents[2]


def by_client(client, values):
    """The value for a client by the beginning of its name, the longest first."""
    names = [name for name in values if client.startswith(name)]
    return values[max(names, key=len)] if names else None


def wanted(client, scenario):
    return by_client(client, scenario.differs) or (scenario.asked_again, scenario.told, scenario.recorded)


def cell_of(client, name, options):
    why = by_client(client, SCENARIOS[name].only)
    cell = f"- {why}" if why else attempt(client, name, options)
    print(f"{client} {name}: {cell}", file=sys.stderr, flush=True)
    return cell


def attempt(client, name, options):
    scenario = SCENARIOS[name]
    run = Run(name, scenario)
    server = serve(run)
    folder = Path(tempfile.mkdtemp(prefix=f"{client}-{name}-", dir=options.keep))
    try:
        setup = Setup(client, options.installed, folder, server.server_address[1], options.retval, scenario.more)
        setup.env |= scenario.env
        run.project = setup.project
        for path, text in scenario.files.items():
            setup.put(setup.project / path, text)
        if name == "plugin":
            setup.install_plugin(CHECKOUT)
        else:
            setup.install_hook(scenario.options)
        for path, text in scenario.later.items():
            setup.put(setup.project / path, text)
        if scenario.is_auto:
            setup.report_by_tool()
        if scenario.is_long:
            setup.shorten()
        if scenario.has_server:
            setup.add_server()
        if not scenario.has_state:
            setup.spoil_state()
        if not scenario.has_program:
            setup.remove_program()
        done = setup.start(f"[lead {name}] {scenario.task}", options.seconds)
        return verdict(client, scenario, setup, run, done)
    finally:
        server.shutdown()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def verdict(client, scenario, setup, run, done):
    if run.faults:
        return f"the script failed: {run.faults[0]}"
    if done is None:
        return "locked up"
    (setup.folder / "stdout").write_text(done.stdout)
    (setup.folder / "stderr").write_text(done.stderr)
    asked = lambda mark: run.turns[mark] > (len(run.scripts[mark]) - 1 if run.resumes else 0)
    unasked = [" ".join(mark) for mark in run.turns if not asked(mark)]
    if unasked:
        return f"never asked: {', '.join(unasked)}"
    instructed, times = instructions(setup), by_client(client, scenario.instructed)
    if times not in (None, instructed):
        return f"instructed {instructed} times, not {times}"
    found = outcome(setup, run)
    return "ok" if found == wanted(client, scenario) else described(found)


def described(expected):
    asked_again, told, recorded = expected
    words = [f"{asked_again} asked again"] if asked_again else []
    words += ["caller told"] if told else []
    words += [f"{recorded} recorded"] if recorded else []
    return ", ".join(words) or "nothing said"


def table(clients, results):
    heads = [client.replace("-", " ") for client in clients]
    lines = ["| scenario | " + " | ".join(heads) + " |", "|---|" + "---|" * len(clients)]
    about = ["| scenario | the agent | expected |", "|---|---|---|"]
    notes = {}
    for name, cells in results.items():
        scenario = SCENARIOS[name]
        usual = scenario.asked_again, scenario.told, scenario.recorded
        shown = []
        for client, cell in zip(clients, cells):
            expected = wanted(client, scenario)
            if cell.startswith("-"):
                notes.setdefault(cell[2:], len(notes) + 1)
                cell = f"- ({notes[cell[2:]]})"
            elif cell == "ok" and expected != usual:
                cell = f"ok: {described(expected)}"
            shown.append(cell)
        about.append(f"| {name} | {scenario.about} | {described(usual)} |")
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    lines += [""] + [f"- ({number}) {why}" for why, number in notes.items()]
    return "\n".join([*about, "", *lines])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", action="append", choices=CLIENTS)
    parser.add_argument("--scenario", action="append", choices=SCENARIOS)
    parser.add_argument("--installed", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--retval", type=Path, default=CHECKOUT / "target/debug/retval")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.retval = str(options.retval.resolve(strict=True))
    options.keep = options.keep and options.keep.resolve(strict=True)
    clients = options.client or list(CLIENTS)
    names = options.scenario or list(SCENARIOS)
    with tempfile.TemporaryDirectory(prefix="retval-clients-") as folder:
        options.installed = (options.installed or Path(folder)).resolve()
        for client in clients:
            install(client, options.installed)
        with ThreadPoolExecutor(options.jobs) as pool:
            pending = {name: [pool.submit(cell_of, client, name, options) for client in clients] for name in names}
            results = {name: [cell.result() for cell in cells] for name, cells in pending.items()}
    print(table(clients, results))
    cells = [cell for row in results.values() for cell in row]
    return 0 if all(cell == "ok" or cell.startswith("-") for cell in cells) else 1


if __name__ == "__main__":
    sys.exit(main())
