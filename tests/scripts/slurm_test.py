"""scripts/slurm as a cluster uses it: parts of a family by job arrays, their merge, and a run or a
proof that is stopped by the time limit, queued again, and goes on, alone and as ranks of MPI.

Usage: slurm_test.py GRUNDY JOB_SH [GRUNDY_MPI MPIEXEC MPI_JOB_SH]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

grundy, job = sys.argv[1:3]
ranks = sys.argv[3:]


def start(words, directory, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    environment |= {"GRUNDY": grundy, "PATH": f"{directory}:{environment['PATH']}"} | variables
    return subprocess.Popen([job, *words], cwd=directory, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(words, directory, code=0, **variables):
    process = start(words, directory, **variables)
    out, err = process.communicate(timeout=100)
    assert process.returncode == code, (words, process.returncode, out, err)
    return out + err


def array(number, jobs):
    return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in
            {"ID": number, "MIN": 1, "MAX": jobs, "STEP": 1, "COUNT": jobs}.items()}


def parts_make_the_file_of_one_run(directory):
    family = ["atlas", "0.dd", "4.dd", "--to", "8000", "-q"]
    run([*family, "-o", "whole.h5"], directory)
    parts = [*family, "-o", "parts.h5"]
    for number in (1, 3):
        run([*parts, "--part", "auto"], directory, **array(number, 3))
    missing = run([*parts, "--merge"], directory, code=1)
    assert "have no table in 'parts.h5.atlas'" in missing, missing
    assert not (directory / "parts.h5").exists()
    run([*parts, "--part", "auto"], directory, **array(2, 3))
    run([*parts, "--merge", "--summary", "parts.csv"], directory)
    assert (directory / "parts.h5").read_bytes() == (directory / "whole.h5").read_bytes()
    assert not (directory / "parts.h5.atlas").exists()
    outside = run([*parts, "--part", "auto", "--force"], directory, code=2)
    assert "SLURM_ARRAY_TASK_ID is not set" in outside, outside
    some = dict(array(7, 8), SLURM_ARRAY_TASK_COUNT="2")
    refused = run([*parts, "--part", "auto", "--force"], directory, code=2, **some)
    assert "give its part as i/N" in refused, refused


def proofs_of_parts_merge(directory):
    run(["compute", "kayles", "--to", "20000", "-o", "k.h5", "-q"], directory)
    for number in range(1, 4):
        run(["verify", "k.h5", "--part", "auto"], directory, **array(number, 3))
    certificates = sorted(path.name for path in directory.glob("k.h5.*.json"))
    assert len(certificates) == 3, certificates
    run(["verify", "k.h5", "--merge", *certificates], directory)


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def in_a_container(directory, program):
    """A script that becomes `program` under another name, as one does that enters a container."""
    return script(directory / "grundy-in-its-container.sh", f'exec "{program}" "$@"')


def queue_of(directory):
    """Where `scontrol` of this test notes what it is asked for."""
    queue = directory / "queue"
    script(directory / "scontrol", f'echo "$@" >>"{queue}"')
    return queue


def wait_for_a_seal(sealed, process):
    """A run that is stopped before its first seal leaves nothing."""
    while not list(sealed.glob("seg-*")) and process.poll() is None:
        time.sleep(0.05)


def a_run_goes_on_after_its_time_limit(directory):
    queue = queue_of(directory)
    # Heaps cost the reference more and more: this run needs a hundred times the time it is given.
    slow = ["compute", "grundy", "--to", "600000", "--engine", "reference", "-o", "g.h5",
            "--checkpoint-interval", "1s"]
    process = start(slow, directory, SLURM_JOB_ID="77")
    sealed = directory / "g.h5.run"
    wait_for_a_seal(sealed, process)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 75, (process.returncode, out, err)
    assert queue.read_text() == "requeue 77\n"
    # The next life is on another node: what the lock says is of a host that is not this one.
    lock = sealed / "lock"
    lock.write_text("4711 12345 2026-01-01T00:00:00Z elsewhere.example 77 0\n")
    run(["resume", "g.h5.run", "--engine", "auto", "-q"], directory, code=1, SLURM_JOB_ID="78",
        SLURM_RESTART_COUNT="1")
    run(["resume", "g.h5.run", "--engine", "auto", "-q"], directory, code=1, SLURM_JOB_ID="77")
    run(["resume", "g.h5.run", "--engine", "auto", "-q"], directory, SLURM_JOB_ID="77",
        SLURM_RESTART_COUNT="1")
    assert (directory / "g.h5").exists()


def a_proof_goes_on_after_its_time_limit(directory):
    queue = queue_of(directory)
    run(["compute", "grundy", "--to", "300000", "-o", "t.h5", "-q"], directory)
    certificate = directory / "t.h5.0-300000.json"
    # The launcher leaves signals to what it has started.
    variables = dict(SLURM_JOB_ID="79", GRUNDY=in_a_container(directory, grundy),
                     GRUNDY_LAUNCH=script(directory / "launcher", '"$@" &\nwait $!'))
    proof = ["verify", "t.h5", "--part", "1/1", "--threads", "1"]
    until, lives = 0.05, []
    while 0 not in lives:
        before = certificate.read_text() if certificate.exists() else None
        process = start(proof, directory, **variables)
        try:
            out, err = process.communicate(timeout=until)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=100)
        after = certificate.read_text() if certificate.exists() else None
        # A life that is stopped at its very end leaves the next one nothing to prove. Only at its very beginning
        # a life is worth another one although it has proved nothing.
        done = before is not None and json.loads(before)["complete"]
        codes = (1, 75) if after == before and not done else (0, 75)
        assert process.returncode in codes, (process.returncode, out, err)
        lives.append(process.returncode)
        until *= 1.5
    assert 75 in lives and queue.read_text() == "requeue 79\n" * lives.count(75), lives
    assert json.loads(certificate.read_text())["complete"]
    assert "nothing is left to prove" in run(proof, directory, **variables)


def ranks_go_on_after_their_time_limit(directory):
    program, launcher = ranks
    queue = queue_of(directory)
    launch = f"{launcher} -n 2 --allow-run-as-root --oversubscribe --bind-to none --quiet"
    variables = dict(GRUNDY=in_a_container(directory, program), SLURM_JOB_ID="78", GRUNDY_LAUNCH=launch)
    slow = ["compute", ".06", "--engine", "dense", "--to", "400000", "-o", "d.h5", "--threads", "1", "-q",
            "--checkpoint-interval", "1s"]
    # A failure is none that the next start would mend.
    process = start([*slow[:-2], "--kernel", "none"], directory, **variables)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 2 and not queue.exists(), (process.returncode, out, err)
    lives = 0
    while not (directory / "d.h5").exists() and lives < 10:
        process = start(slow, directory, **variables)
        wait_for_a_seal(directory / "d.h5.run", process)
        if lives == 0:
            process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=200)
        lives += 1
        assert process.returncode == (75 if lives == 1 else 0), (process.returncode, out, err)
    assert lives == 2 and queue.read_text() == "requeue 78\n", (lives, queue.read_text())


with tempfile.TemporaryDirectory() as place:
    for number, test in enumerate((parts_make_the_file_of_one_run, proofs_of_parts_merge,
                                   a_run_goes_on_after_its_time_limit,
                                   a_proof_goes_on_after_its_time_limit,
                                   *([ranks_go_on_after_their_time_limit] if ranks else []))):
        own = pathlib.Path(place) / str(number)
        own.mkdir()
        test(own)
