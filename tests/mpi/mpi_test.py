"""Ranks that share a work: the same bits as of one process, sentences for mistakes, and ranks that die.

Usage: mpi_test.py GRUNDY GRUNDY_MPI MPIEXEC fast|slow
"""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

grundy, grundy_mpi, mpiexec, effort = sys.argv[1:5]
# Open MPI in a container, as root, with more ranks than cores.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")
SESSIONS = tempfile.TemporaryDirectory()


def environment():
    """That of one launch. Launchers that begin and end at the same time fail over a directory that they share."""
    return dict(ENVIRONMENT, OMPI_MCA_orte_tmpdir_base=tempfile.mkdtemp(dir=SESSIONS.name))


def alone(words, directory):
    process = subprocess.run([grundy, *words], cwd=directory, text=True, capture_output=True)
    assert process.returncode == 0, (words, process.returncode, process.stdout, process.stderr)
    return process.stdout


def start(ranks, words, directory, program=grundy_mpi):
    return subprocess.Popen([mpiexec, "-n", str(ranks), program, *words], cwd=directory, env=environment(),
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ranks(count, words, directory, code=0, program=grundy_mpi):
    process = start(count, words, directory, program)
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, (words, process.returncode, out, err)
    return out, [line for line in err.splitlines() if line.startswith("grundy: ")]


def running(output):
    """The ranks that make a file."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == grundy_mpi.encode() and output.encode() in words:
            found.append(int(process.name))
    return found


def signalled(number, how):
    """Sends a signal. False if the process has ended meanwhile."""
    try:
        os.kill(number, how)
    except ProcessLookupError:
        return False
    return True


def families_are_the_file_of_one_process(directory):
    for number, family in enumerate((["0.dd", "4.dd", "--to", "6000"], ["0.dd", "--to", "900"])):
        alone(["atlas", *family, "-o", f"one{number}.h5", "--summary", f"one{number}.csv", "-q"], directory)
        for count in (1, 2, 3, 4) if number == 0 else (3,):
            name = f"ranks{number}{count}"
            out, _ = ranks(count, ["atlas", *family, "-o", name + ".h5", "--summary", name + ".csv", "--threads", "1"],
                           directory)
            assert out.count("  classes  ") == 1, out  # one rank speaks
            for suffix in (".h5", ".csv"):
                assert (directory / (name + suffix)).read_bytes() == (directory / f"one{number}{suffix}").read_bytes()
            assert not (directory / (name + ".h5.atlas")).exists()


def proofs_are_the_certificate_of_one_process(directory):
    alone(["compute", "0.007", "--to", "30000", "-o", "t.h5", "-q"], directory)
    alone(["compute", "wythoff", "--shape", "70x90", "-o", "w.h5", "-q"], directory)
    alone(["compute", "0.106", "--to", "2000000", "--stats-only", "-o", "s.h5", "-q"], directory)
    for table in ("t.h5", "w.h5", "s.h5.run"):
        alone(["verify", table, "--range", "0:", "--certificate", "one.json", "--force", "--threads", "1"], directory)
        for count in (2, 3) if table == "t.h5" else (2,):
            out, _ = ranks(count, ["verify", table, "--certificate", "ranks.json", "--force", "--threads", "1"], directory)
            assert out.count("  digest  ") == 1, out
            one, several = ((directory / name).read_text() for name in ("one.json", "ranks.json"))
            assert one == several, (one, several)
        out, _ = ranks(2, ["verify", table, "--dry-run"], directory)
        assert out.count("  memory  ") == 1 and "  ranks        2; " in out and "  traffic      about " in out, out


def a_wrong_value_is_found_by_one_rank_or_another(directory):
    content = bytearray((directory / "t.h5").read_bytes())
    content[len(content) // 2] ^= 1
    (directory / "bad.h5").write_bytes(content)
    _, err = ranks(2, ["verify", "bad.h5"], directory, code=4)
    assert len(err) >= 1 and "bad.h5" in err[0], err


def cores_that_ranks_leave_idle_are_seen(directory):
    if len(os.sched_getaffinity(0)) < 2:
        return
    core = str(min(os.sched_getaffinity(0)))
    for count, words in ((1, "1 rank on "), (2, "2 ranks on ")):
        process = subprocess.run([mpiexec, "-n", str(count), "taskset", "-c", core, grundy_mpi, "verify", "t.h5", "--range", "0:9",
                                  "--certificate", "bound.json", "--force"],
                                 cwd=directory, env=environment(), text=True, capture_output=True)
        notes = [line for line in process.stderr.splitlines() if "may use 1 core, and it has" in line]
        assert process.returncode == 0 and len(notes) == 1 and notes[0].startswith("grundy: " + words), process
    _, err = ranks(2, ["verify", "t.h5", "--range", "0:9", "--certificate", "bound.json", "--force"], directory)
    assert not any("may use" in line for line in err), err


def dense_ranks_foretell_and_refuse(directory):
    game = ["compute", ".06", "--engine", "dense", "--to", "200000"]
    out, _ = ranks(2, [*game, "--dry-run"], directory)
    assert out.count("  memory  ") == 1 and "  ranks        2; " in out and "  traffic      about " in out, out
    one, two = (json.loads(out) for out in (alone([*game, "--dry-run", "--json"], directory),
                                            ranks(2, [*game, "--dry-run", "--json"], directory)[0]))
    assert two["ranks"] == 2 and "ranks" not in one, (one, two)
    assert two["traffic_bytes"] == 2 * 260 * 200001 and "traffic_bytes" not in one, two
    assert two["memory_bytes"] == one["memory_bytes"] + (15 << 20), (one, two)
    # The memory of each rank counts, and the sentence names the rank that has too little.
    for short in (0, 1):
        memory = [["--memory", "1MB"] if rank == short else [] for rank in (0, 1)]
        process = subprocess.run([mpiexec, "-n", "1", grundy_mpi, *game, "-o", "short.h5", *memory[0], ":",
                                  "-n", "1", grundy_mpi, *game, "-o", "short.h5", *memory[1]],
                                 cwd=directory, env=environment(), text=True, capture_output=True, timeout=100)
        assert process.returncode == 1 and f"grundy: rank {short}: this needs" in process.stderr, process
        assert "of memory, and 977 KiB are available" in process.stderr, process


def mistakes_get_one_sentence(directory):
    def is_refused(words, sentence):
        _, err = ranks(2, words, directory, code=2)
        assert len(err) == 1 and err[0].startswith(sentence), (words, err)

    mistakes = (
        (["period", "kayles"], "grundy: `period` runs on one rank, not on 2; several share `atlas`, `verify` and `compute`"),
        (["compute", "kayles", "--to", "2^20"], "grundy: 2 ranks cannot share this game with the engine 'auto'"),
        (["compute", "wythoff", "--to", "9", "--stats-only"], "grundy: 2 ranks are too many for this table, which has 1 stripe"),
        (["compute", "chomp(2)", "--shape", "99x99", "--stats-only"], "grundy: 2 ranks cannot share this game with the engine 'frontier'; the engine 'wavefront' shares"),
        (["compute", "cram:3x3"], "grundy: ranks share games of one heap and of two only"),
        (["compute", "wythoff", "--to", "99", "--outcomes"], "grundy: ranks share values only"),
        (["compute", ".8F", "--to", "99", "--engine", "dense"], "grundy: 2 ranks cannot share this game with the engine 'dense'"),
        (["atlas", "0.dd"], "grundy: parts and ranks need an output, beside which they leave their tables"),
        (["atlas", "0.dd", "-o", "x.h5", "--part", "1/2"], "grundy: ranks share all games, and no part of them"),
        (["atlas", "0.dd", "-o", "x.h5", "--merge"], "grundy: one rank merges what parts have left"),
        (["verify", "t.h5", "--full"], "grundy: --full is not for ranks, which share a proof of all values or of --range"),
        (["verify", "nothing.h5"], "grundy: cannot open 'nothing.h5'"),
    )
    # Launchers wait for most of their time: several do so at once.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(is_refused, *zip(*mistakes)))
    _, err = ranks(2, ["compute", "kayles", "--to", "9"], directory, code=2, program=grundy)
    assert len(err) == 1 and "grundy-mpi" in err[0], err
    # srun with PMIx; one task, or the script of a job, is alone.
    for task, tasks, code in (("0", "2", 2), ("0", "1", 0), (None, "2", 0)):
        step = {"SLURM_STEP_NUM_TASKS": tasks, **({"PMIX_RANK": task} if task else {})}
        process = subprocess.run([grundy, "nim", "5 + 6", "--json"], env=dict(os.environ, **step), text=True, capture_output=True)
        assert process.returncode == code and (code == 0 or json.loads(process.stderr)["code"] == 2), process
    out, _ = ranks(3, ["--help"], directory)
    assert out.count("Usage:") == 1 and "grundy-mpi" in out, out
    out, _ = ranks(1, ["nim", "5 + 6"], directory)
    assert out == "3\n", out


def ranks_that_differ_end_before_they_work(directory):
    homes = [directory / "home0", directory / "home1"]
    for home, game in zip(homes, ("0.007", "0.07")):
        home.mkdir()
        alone(["compute", game, "--to", "20000", "-o", "t.h5", "-q"], home)
    plane = ["compute", "wythoff", "--shape", "700x700", "-o", "d.h5"]
    family = ["atlas", "0.dd", "--to", "4000", "-o", "a.h5"]

    def is_refused(code, sentence, first, second):
        processes = [["-n", "1", "--wdir", str(home), grundy_mpi, *words] for home, words in zip(homes, (first, second))]
        process = subprocess.run([mpiexec, *processes[0], ":", *processes[1]], env=environment(), text=True, capture_output=True, timeout=100)
        errors = [line for line in process.stderr.splitlines() if line.startswith("grundy: ")]
        assert process.returncode == code and len(errors) == 1 and sentence in errors[0], process

    mistakes = (
        (3, "grundy: rank 1 reads another table than rank 0: 20 001 values of 0.07 ", ["verify", "t.h5"], ["verify", "t.h5"]),
        (2, "grundy: rank 1 was started with another command or version than rank 0: 'compute 2: ", ["verify", "t.h5"], plane),
        (2, "'heaps 0 to 3000' instead of 'heaps 0 to 4000'", family, [*family[:3], "3000", *family[4:]]),
        (2, "grundy: rank 1 does not see what rank 0 writes beside 'd.h5'", plane, plane),
        (2, "grundy: rank 1 does not see what rank 0 writes beside 'a.h5'", family, family),
    )
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(is_refused, *zip(*mistakes)))
    assert [file.name for home in homes for file in home.iterdir()] == ["t.h5", "t.h5"]


def one_table_is_that_of_one_process(directory):
    game = ["compute", ".06", "--engine", "dense", "--reproducible", "--threads", "1", "-q"]
    alone([*game, "--to", "40000", "-o", "alone.h5"], directory)
    for count in (1, 2, 3, 4):
        out, _ = ranks(count, [*game, "--to", "40000", "-o", f"shared{count}.h5"], directory)
        assert out.count("  digest  ") == 1, out
        assert (directory / f"shared{count}.h5").read_bytes() == (directory / "alone.h5").read_bytes()
    out, _ = ranks(2, ["compute", ".06", "--engine", "dense", "--to", "9000", "-o", "told.h5", "-q", "--threads", "1"], directory)
    assert " on 1 thread of each of 2 ranks" in out, out
    provenance = json.loads(alone(["info", "told.h5", "--json"], directory))["provenance"]
    assert provenance["ranks"] == 2 and provenance["command"].startswith("grundy-mpi compute"), provenance
    _, err = ranks(2, [*game, "--to", "40000", "-o", "alone.h5"], directory, code=2)
    assert len(err) == 1 and "alone.h5" in err[0], err
    # A period ends the work of all; a run that is stopped or killed goes on with other ranks.
    out, _ = ranks(3, ["compute", "kayles", "--engine", "dense", "--to", "10^6", "-q", "--threads", "1"], directory)
    assert "proved for all heaps" in out, out
    game += ["--to", "180000", "--checkpoint-interval", "1s"]
    alone([*game, "-o", "long.h5"], directory)
    for how, count in ((signal.SIGTERM, 2), (signal.SIGKILL, 3)):
        if (directory / "ended.h5").exists():
            break
        process = start(count, [*game, "-o", "ended.h5"], directory)
        while not list((directory / "ended.h5.run").glob("*")) and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2)
        for number in running("ended.h5")[: 1 if how == signal.SIGKILL else None]:
            signalled(number, how)
        process.communicate(timeout=300)
    if not (directory / "ended.h5").exists():  # else the ranks were faster than the signal
        ranks(4, [*game, "-o", "ended.h5"], directory)
    assert (directory / "ended.h5").read_bytes() == (directory / "long.h5").read_bytes()


def attends_to_signals(process):
    """Whether SIGTERM no longer kills it: the signal is caught, or blocked for a thread that waits for it."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    return (int(fields["SigCgt"], 16) | int(fields["SigBlk"], 16)) >> (signal.SIGTERM - 1) & 1


def a_plane_is_counted_as_by_one_process(directory):
    for number, game in enumerate((["wythoff", "--shape", "700x700", "--sorted"], ["wythoff", "--shape", "500x500"], ["2: (1,0)* + (0,2)* + (1,2)*", "--shape", "300x800"],
                 ["2: sym (1,2) + (3,3)", "--shape", "400x400"])):
        words = ["compute", *game, "--stats-only", "--json", "-q"]
        one = json.loads(alone(words, directory))
        for count in (2 + number % 3,):
            out, _ = ranks(count, [*words, "--threads", "1", "-o", "counted.h5", "--force"], directory)
            several = json.loads(out)
            assert json.loads(alone(["info", "counted.h5", "--json"], directory))["histogram"] == one["histogram"]
            for key in ("count", "maximum", "histogram", "p_positions", "zeros"):
                assert one[key] == several[key], (game, count, key)
    out, _ = ranks(2, ["compute", "wythoff", "--shape", "65536x65536", "--sorted", "--stats-only", "--dry-run"], directory)
    assert out.count("  memory  ") == 1 and "  ranks        2; " in out and "  traffic      about " in out, out
    # One rank that is stopped stops all.
    process = start(3, ["compute", "wythoff", "--shape", "20000x20000", "--sorted", "--stats-only", "--threads", "1"], directory)
    found = []
    while process.poll() is None and not (len(found) == 3 and all(map(attends_to_signals, found))):
        time.sleep(0.05)
        found = running("20000x20000")
    signalled(found[1], signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 75, process.returncode


def digest_of(table, directory):
    return json.loads(alone(["info", table, "--json"], directory))["digest"]


def planes_are_the_tables_of_one_process(directory):
    games = (["wythoff", "--shape", "400x400", "--sorted"], ["wythoff", "--shape", "300x300"],
             ["2: sym (2,0)* + (2,2)* + sym (1,2)*", "--shape", "270x270", "--sorted"],  # mirrored rays
             ["2: sym (1,2) + (3,3)", "--shape", "250x300"],  # vectors only
             ["nim-with-a-pass(2)", "--shape", "250x300"],  # two planes
             ["2: (1,0)* + (0,1)* + (1,2)* + (3,1)", "--shape", "150x900"])
    for number, game in enumerate(games):
        alone(["compute", *game, "-o", f"plane{number}.h5", "-q"], directory)
        count = 2 + number % 3
        out, _ = ranks(count, ["compute", *game, "-o", f"ranks{number}.h5", "-q", "--threads", "1"], directory)
        assert out.count("  digest  ") == 1, out
        assert digest_of(f"ranks{number}.h5", directory) == digest_of(f"plane{number}.h5", directory), game
        assert not (directory / f"ranks{number}.h5.stripes").exists()
    for number in (1, 4):
        alone(["verify", f"ranks{number}.h5", "--full", "-q"], directory)
    _, err = ranks(2, ["compute", *games[0], "-o", "ranks0.h5"], directory, code=2)
    assert len(err) == 1 and "ranks0.h5" in err[0], err
    _, err = ranks(2, ["compute", *games[0]], directory, code=2)
    assert len(err) == 1 and err[0].startswith("grundy: ranks keep no table in memory"), err


def planes_in_parts_are_the_tables_of_one_process(directory):
    for number, game in enumerate((["wythoff", "--shape", "700x700", "--sorted", "--block", "64"],
                                   ["2: (1,0)* + (0,1)* + (1,2)*", "--shape", "900x150", "--block", "64"])):
        words = ["compute", *game, "-q", "--reproducible"]
        alone([*words, "-o", f"single{number}.h5"], directory)
        alone([*words, "--parts", "-o", f"parts{number}1.h5"], directory)
        for count in (2, 3):
            out, _ = ranks(count, [*words, "--parts", "-o", f"parts{number}{count}.h5", "--threads", "1"], directory)
            assert out.count("  digest  ") == 1, out
        for count in (1, 2, 3):
            name = f"parts{number}{count}"
            assert not (directory / (name + ".h5.stripes")).exists()
            assert len(list((directory / (name + ".parts")).iterdir())) > 2
            assert digest_of(name + ".h5", directory) == digest_of(f"single{number}.h5", directory), (game, count)
            alone(["merge", name + ".h5", "-o", name + "-merged.h5", "--reproducible"], directory)
            assert digest_of(name + "-merged.h5", directory) == digest_of(f"single{number}.h5", directory), (game, count)
            assert (directory / (name + "-merged.h5")).read_bytes() == (directory / f"parts{number}1-merged.h5").read_bytes()
        alone(["verify", f"parts{number}2.h5", "--full", "-q"], directory)
    # Neither a table nor the parts of one are written over, unless they may.
    _, err = ranks(2, [*words, "--parts", "-o", "parts12.h5"], directory, code=2)
    assert len(err) == 1 and "parts12.h5" in err[0], err
    (directory / "parts12.h5").unlink()
    _, err = ranks(2, [*words, "--parts", "-o", "parts12.h5"], directory, code=2)
    assert len(err) == 1 and "parts12.parts" in err[0], err
    ranks(2, [*words, "--parts", "-o", "parts12.h5", "--force"], directory)
    (directory / "parts12.parts" / "part-0001.h5").unlink()
    process = subprocess.run([grundy, "info", "parts12.h5"], cwd=directory, text=True, capture_output=True)
    assert process.returncode == 4 and "part-0001.h5' is missing" in process.stderr, process


def killed_planes_go_on(directory, kills):
    """Ranks die or are stopped at random times, and others go on, as many as happen to be there."""
    game = ["compute", "wythoff", "--shape", "3000x3000", "--sorted", "-o", "dying.h5", "--checkpoint-interval", "64kB", "-q",
            "--threads", "1"]
    alone(["compute", "wythoff", "--shape", "3000x3000", "--sorted", "-o", "healthy.h5", "-q"], directory)
    begin = time.monotonic()
    ranks(2, [*game[:5], "-o", "once.h5", *game[7:]], directory)
    usual = time.monotonic() - begin
    random.seed(21)
    done = sealed = 0
    while done < kills:
        in_parts = random.choice(([], ["--parts"]))
        process = start(random.randint(1, 4), [*game, *in_parts], directory)
        time.sleep(random.uniform(0.3, 1.0) * usual)
        victims = running("dying.h5")
        if victims:
            how = random.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
            done += signalled(random.choice(victims), how)
        process.communicate(timeout=300)
        sealed += (directory / "dying.h5.stripes").exists()
        if (directory / "dying.h5").exists():
            assert digest_of("dying.h5", directory) == digest_of("healthy.h5", directory)
            (directory / "dying.h5").unlink()
            shutil.rmtree(directory / "dying.parts", ignore_errors=True)
            # Only a kill after the table has its place leaves the stripes that it was made of.
            assert process.returncode != 0 or not (directory / "dying.h5.stripes").exists()
            shutil.rmtree(directory / "dying.h5.stripes", ignore_errors=True)
    # The last life is of one process.
    alone(["resume", "dying.h5", "-q"] if (directory / "dying.h5.stripes").exists() else game, directory)
    assert digest_of("dying.h5", directory) == digest_of("healthy.h5", directory)
    assert not (directory / "dying.h5.stripes").exists()
    assert sealed > 0 or kills < 10


def promised_sizes_are_those_of_one_process(directory):
    """The table of promises: families, dense games, tables of two heaps, and proofs, with 1 to 4 ranks."""
    family = ["0.ddd", "4.ddd", "--to", "131072", "-q"]
    alone(["atlas", *family, "-o", "family.h5"], directory)
    for part in range(1, 5):
        alone(["atlas", *family, "-o", "parts.h5", "--part", f"{part}/4"], directory)
    alone(["atlas", *family, "-o", "parts.h5", "--merge"], directory)
    for count in (0, 1, 2, 3, 4):
        name = f"family{count}.h5" if count else "parts.h5"
        if count:
            ranks(count, ["atlas", *family, "-o", name, "--threads", "1"], directory)
        assert (directory / name).read_bytes() == (directory / "family.h5").read_bytes(), name
        (directory / name).unlink()
    dense = ["compute", ".06", "--to", "2^18", "--engine", "dense", "--reproducible", "-q"]
    alone([*dense, "-o", "dense.h5"], directory)
    for count in (1, 2, 3, 4):
        ranks(count, [*dense, "-o", f"dense{count}.h5", "--threads", "1"], directory)
        assert (directory / f"dense{count}.h5").read_bytes() == (directory / "dense.h5").read_bytes(), count
    for number, game in enumerate((["wythoff", "--shape", "4096x4096", "--sorted"], ["wythoff", "--shape", "4096x4096"],
                                   ["2: sym (2,0)* + (2,2)* + sym (1,2)*", "--shape", "4096x4096", "--sorted"],
                                   ["2: sym (1,2) + (3,3)", "--shape", "4096x4096"],
                                   ["nim-with-a-pass(2)", "--shape", "4096x4096", "--sorted"],
                                   ["2: (1,0)* + (0,1)* + (1,1)*", "--shape", "1000x3000"])):
        alone(["compute", *game, "-o", "box.h5", "-q", "--force"], directory)
        for count in (1, 2, 3, 4):
            ranks(count, ["compute", *game, "-o", f"box{count}.h5", "-q", "--threads", "1", "--force"], directory)
            assert digest_of(f"box{count}.h5", directory) == digest_of("box.h5", directory), (game, count)
    alone(["compute", "0.007", "--to", "100000", "-o", "proof.h5", "-q"], directory)
    alone(["verify", "proof.h5", "--range", "0:", "--certificate", "proof.json"], directory)
    for count in (1, 2, 3, 4):
        words = ["verify", "proof.h5", "--certificate", f"proof{count}.json", *(["--range", "0:"] if count == 1 else [])]
        ranks(count, words, directory)
        assert (directory / f"proof{count}.json").read_bytes() == (directory / "proof.json").read_bytes()


def ranks_killed_by_time_go_on(directory, kills):
    """Ranks that seal once a second are killed, one at a random time, and another number of them goes on."""
    games = (["compute", "wythoff", "--shape", "12000x12000", "--sorted"], ["compute", ".06", "--engine", "dense", "--to", "500000"])
    for number, game in enumerate(games):
        alone([*game, "-o", f"calm{number}.h5", "-q"], directory)
        words = [*game, "-o", f"hunted{number}.h5", "--checkpoint-interval", "1s", "-q", "--threads", "1"]
        random.seed(23 + number)
        count = done = 0
        while done < kills:
            count = random.choice([other for other in range(1, 5) if other != count])
            process = start(count, words, directory)
            time.sleep(random.uniform(0.5, 4))
            victims = running(f"hunted{number}.h5")
            if victims and process.poll() is None:
                done += signalled(random.choice(victims), signal.SIGKILL)
            process.communicate(timeout=300)
            if (directory / f"hunted{number}.h5").exists():
                assert digest_of(f"hunted{number}.h5", directory) == digest_of(f"calm{number}.h5", directory)
                (directory / f"hunted{number}.h5").unlink()
        ranks(count % 4 + 1, words, directory)
        assert digest_of(f"hunted{number}.h5", directory) == digest_of(f"calm{number}.h5", directory)


def killed_ranks_lose_nothing(directory, kills):
    family = ["atlas", "0.0dd", "--to", "20000", "-q", "--threads", "1"]
    alone([*family, "-o", "kept.h5"], directory)
    begin = time.monotonic()
    ranks(2, [*family, "-o", "whole.h5"], directory)
    usual = time.monotonic() - begin
    random.seed(20)
    killed = 0
    while killed < kills:
        count = random.randint(1, 4)
        process = start(count, [*family, "-o", "killed.h5"], directory)
        time.sleep(random.uniform(0.1, 1) * usual)
        processes = running("killed.h5")
        if processes and process.poll() is None:
            killed += signalled(random.choice(processes), signal.SIGKILL)
        process.communicate(timeout=300)
        if (directory / "killed.h5").exists():
            assert (directory / "killed.h5").read_bytes() == (directory / "kept.h5").read_bytes()
            (directory / "killed.h5").unlink()
    ranks(3, [*family, "-o", "killed.h5"], directory)
    assert (directory / "killed.h5").read_bytes() == (directory / "kept.h5").read_bytes()


def stopped_ranks_go_on(directory):
    family = ["atlas", "0.0dd", "--to", "40000", "-q", "--threads", "1"]
    process = start(2, [*family, "-o", "stopped.h5"], directory)
    while not (directory / "stopped.h5.atlas").exists() and process.poll() is None:
        time.sleep(0.01)
    signalled(random.choice(running("stopped.h5")), signal.SIGTERM)  # mpiexec does not wait long for it
    _, err = process.communicate(timeout=300)
    assert process.returncode == 75, (process.returncode, err)
    assert err.count("stopped; the same command goes on") == 1, err
    assert not (directory / "stopped.h5").exists()
    # The rank that got no signal has ended, too: it has not computed all of the 12 games that it could.
    finished = len(list((directory / "stopped.h5.atlas").glob("*.h5")))
    assert finished < 10, finished
    ranks(3, [*family, "-o", "stopped.h5"], directory)
    alone([*family, "-o", "unstopped.h5"], directory)
    assert (directory / "stopped.h5").read_bytes() == (directory / "unstopped.h5").read_bytes()


def a_stop_of_one_rank_stops_all(directory):
    """The rank without a signal has most of a minute of work before it, or nothing to do any more."""
    alone(["compute", "wythoff", "--shape", "6000x6000", "-o", "plane.h5", "-q"], directory)
    works = ((["verify", "plane.h5", "--certificate", "never.json", "--json"], "never.json", "stopped before anything was proved"),
             (["atlas", "0.06", "--to", "2^21", "-o", "never.h5"], "never.h5", "stopped; the same command goes on"))
    for words, output, sentence in works:
        for first in (True, False):
            process = start(2, [*words, "-q", "--threads", "1"], directory)
            while process.poll() is None and (len(numbers := running(output)) < 2 or not all(map(attends_to_signals, numbers))):
                time.sleep(0.01)
            time.sleep(1)  # both have begun
            signalled((min if first else max)(numbers), signal.SIGTERM)
            begin = time.monotonic()
            out, err = process.communicate(timeout=300)
            took = time.monotonic() - begin
            assert process.returncode == 75 and took < 10, (words, process.returncode, took, err)
            assert err.count(sentence) == 1 and not (directory / output).exists(), (words, err)
            assert "--json" not in words or not json.loads(out)["complete"], out  # one rank speaks


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        if effort == "fast":
            families_are_the_file_of_one_process(directory)
            proofs_are_the_certificate_of_one_process(directory)
            a_wrong_value_is_found_by_one_rank_or_another(directory)
            mistakes_get_one_sentence(directory)
            ranks_that_differ_end_before_they_work(directory)
            cores_that_ranks_leave_idle_are_seen(directory)
            dense_ranks_foretell_and_refuse(directory)
            one_table_is_that_of_one_process(directory)
            a_plane_is_counted_as_by_one_process(directory)
            planes_are_the_tables_of_one_process(directory)
            planes_in_parts_are_the_tables_of_one_process(directory)
            stopped_ranks_go_on(directory)
            a_stop_of_one_rank_stops_all(directory)
        if effort == "slow":
            promised_sizes_are_those_of_one_process(directory)
            ranks_killed_by_time_go_on(directory, 50)
        killed_ranks_lose_nothing(directory, 1 if effort == "fast" else 50)
        killed_planes_go_on(directory, 2 if effort == "fast" else 50)
    print("ranks hold")


if __name__ == "__main__":
    main()
