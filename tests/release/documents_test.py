"""Checks the documents of a release as programs read them: against the JSON schemas beside this file (Citation File
Format 1.2.0, metadata of a Zenodo deposit, RO-Crate 1.1), which say which fields there are, and of what form; and
against each other, the files of the release and the attributes of ACDD 1.3, which no schema can say.

Usage: documents_test.py GRUNDY
"""
# SPDX-License-Identifier: MIT
import csv
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import jsonschema
import numpy as np
import yaml

SCHEMAS = pathlib.Path(__file__).with_name("schemas")
GRUNDY = sys.argv[1]
PLACEHOLDER = "10.5072/not-yet-assigned"
FILES = ("kayles.h5", "wythoff.h5", "cram.h5", "lost.h5", "lost-cram.h5", "sets.h5", "codes.h5",
         "genera.h5")
LISTS = FILES[3:]
DOI = "10.5281/zenodo.1234567"
LICENSE = "https://creativecommons.org/licenses/by/4.0/"


def grundy(*words):
    return subprocess.run([GRUNDY, *words], check=True, capture_output=True, text=True).stdout


def check_schema(name, document):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(document)


def read_yaml(text):
    """Dates stay texts, as JSON has them."""
    return yaml.load(text, Loader=yaml.BaseLoader)


def is_date(text):
    return bool(datetime.date.fromisoformat(text))


def check_citation(text, doi):
    cff = read_yaml(text)
    check_schema("citation", cff)
    assert cff["doi"] == doi and is_date(cff["date-released"]) and cff["license"] == "CC-BY-4.0"
    return cff


def check_zenodo(text, doi):
    zenodo = json.loads(text)
    check_schema("zenodo", zenodo)
    assert is_date(zenodo["publication_date"]) and zenodo["license"] == "CC-BY-4.0"
    assert zenodo.get("doi") == (None if doi == PLACEHOLDER else doi)
    return zenodo


def check_crate(directory, doi):
    crate = json.loads((directory / "ro-crate-metadata.json").read_text())
    check_schema("ro-crate", crate)
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    assert len(entities) == len(crate["@graph"]), "an @id comes twice"
    root = entities["./"]
    assert is_date(root["datePublished"]) and root["identifier"] == f"https://doi.org/{doi}"
    assert entities[root["license"]["@id"]]["@type"] == "CreativeWork"
    for creator in root["creator"]:
        assert entities[creator["@id"]]["@type"] in {"Person", "Organization"}
    parts = [part["@id"] for part in root["hasPart"]]
    on_disk = {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}
    assert set(parts) == on_disk - {"ro-crate-metadata.json"} and len(set(parts)) == len(parts)
    for part in parts:
        entity = entities[part]
        assert entity["@type"] == "File", part
        if part != "SHA256SUMS":
            assert entity["contentSize"] == str((directory / part).stat().st_size), part
    # All that is referred to is described or lies in the web.
    def references(value):
        if isinstance(value, dict):
            if set(value) == {"@id"}:
                yield value["@id"]
            for inner in value.values():
                yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)
    for entity in entities.values():
        for target in references({key: value for key, value in entity.items() if key != "@id"}):
            assert target in entities or target.startswith("https://"), target
    return root


def check_sums(directory):
    listed = {}
    for line in (directory / "SHA256SUMS").read_text().splitlines():
        total, name = line.split("  ", 1)
        listed[name] = total
        assert hashlib.sha256((directory / name).read_bytes()).hexdigest() == total, name
    on_disk = {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}
    assert set(listed) == on_disk - {"SHA256SUMS"}


def check_acdd(path, doi, summary):
    with h5py.File(path) as file:
        attributes = {name: value for name, value in file.attrs.items() if isinstance(value, str)}
    # "Highly recommended", and of "recommended" what a table of games has.
    for name in ("title", "summary", "keywords", "Conventions", "id", "naming_authority", "history", "source",
                 "processing_level", "license", "date_created", "creator_name", "creator_email", "creator_url",
                 "creator_institution", "creator_type", "references", "date_issued", "metadata_link"):
        # Lists say who wins or what recurs; where a game was treated first they do not.
        assert attributes.get(name) or (name == "references" and path.name in LISTS), name
    assert attributes["Conventions"].split(", ") == ["grundy-1.0", "ACDD-1.3"]
    assert attributes["id"].split("#") == [doi, f"tables/{path.name}"]
    assert attributes["metadata_link"] == f"https://doi.org/{doi}" and attributes["license"] == LICENSE
    assert attributes["creator_name"] == "Lovelace, Ada; Müller-Öz, Jürgen; The Club"
    assert attributes["creator_type"] == "person; person; institution"
    assert re.match(r"\d{4}-\d{2}-\d{2}", attributes["date_created"])
    assert summary in attributes["summary"]


def check_release(directory, doi):
    cff = check_citation((directory / "CITATION.cff").read_text(), doi)
    zenodo = check_zenodo((directory / ".zenodo.json").read_text(), doi)
    root = check_crate(directory, doi)
    assert cff["title"] == zenodo["title"] == root["name"]
    assert cff["date-released"] == zenodo["publication_date"] == root["datePublished"]
    assert len(cff["authors"]) == len(zenodo["creators"]) == len(root["creator"]) == 3
    assert cff["authors"][1]["family-names"] == "Müller-Öz" and cff["authors"][2]["name"] == "The Club"
    check_sums(directory)
    check_acdd(directory / "tables/kayles.h5", doi, "Period 12 from heap 71 on")
    check_acdd(directory / "tables/wythoff.h5", doi, "60 x 60: 3 600 positions")
    check_acdd(directory / "tables/cram.h5", doi, "positions")
    check_acdd(directory / "tables/lost.h5", doi, "P-positions of Wythoff's game")
    check_acdd(directory / "tables/lost-cram.h5", doi, "P-positions of Cram")
    check_acdd(directory / "tables/sets.h5", doi, "84 subtraction sets")
    check_acdd(directory / "tables/codes.h5", doi, "63 games of one heap")
    check_acdd(directory / "tables/genera.h5", doi, "Misère nim-values and genera of 0.77")
    readme = (directory / "README.md").read_text()
    for link in re.findall(r"\]\(([^)]+)\)", readme):
        assert link.startswith("https://") or (directory / link).is_file(), link
    assert doi in readme and "12 from heap 71 on" in readme and "Guy and Smith 1956" in readme


def check_extracts(directory):
    with h5py.File(directory / "tables/kayles.h5") as file:
        kayles = file["grundy"][:]
    lines = (directory / "b-files/kayles.txt").read_text().splitlines()
    assert [tuple(map(int, line.split(" "))) for line in lines] == list(enumerate(kayles[:1000]))
    with h5py.File(directory / "tables/wythoff.h5") as file:
        wythoff = file["grundy"][:]
    with open(directory / "csv/wythoff.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    # The first 1000 entries, in the order of the table.
    for entry, row in enumerate(rows):
        x, y = divmod(entry, 60)
        assert (int(row["heap_1"]), int(row["heap_2"]), int(row["grundy"])) == (x, y, wythoff[x, y])
    assert len(rows) == 1000
    with h5py.File(directory / "tables/cram.h5") as file, open(directory / "csv/cram.csv", newline="") as rows:
        assert np.array_equal(file["grundy"][:], [int(row["grundy"]) for row in csv.DictReader(rows)])


def check_proofs_leave_nothing(directory):
    """The directory alone proves what all certificates state, as often as one likes."""
    before = sorted(directory.rglob("*"))
    for _ in range(2):
        done = subprocess.run(["sh", directory / "verify.sh", "--prove"], env={**os.environ, "GRUNDY": GRUNDY},
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "tables/genera.h5: 0:15 is proved again" in done.stdout, done.stdout
        assert sorted(directory.rglob("*")) == before


def main():
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        grundy("compute", "kayles", "--to", "2000", "-o", "kayles.h5", "-q")
        grundy("compute", "wythoff", "--shape", "60x60", "-o", "wythoff.h5", "--reproducible", "-q")
        grundy("compute", "cram:3x4", "-o", "cram.h5", "-q")
        grundy("compute", "wythoff", "--shape", "60x60", "--outcomes", "-o", "lost.h5", "--reproducible", "-q")
        grundy("compute", "cram:3x4", "--outcomes", "-o", "lost-cram.h5", "-q")
        grundy("census", "S{max<=9,size=3}", "-o", "sets.h5", "-q")
        grundy("atlas", "0.dd", "--to", "300", "-o", "codes.h5", "-q")
        grundy("compute", "0.77", "--to", "15", "--misere", "-o", "genera.h5", "-q")
        grundy("release", "data", *FILES, "--seconds", "0.5", "--entries", "1000",
               "--license", "CC-BY-4.0", "--title", 'Värde: "a" & <b> # c', "--no-figures", "-q",
               "--creator", "Lovelace, Ada; 0000-0002-1825-0097; ada@example.org; Analytical Society",
               "--creator", "Müller-Öz, Jürgen", "--creator", "The Club")
        directory = pathlib.Path("data")
        check_release(directory, PLACEHOLDER)
        check_extracts(directory)
        check_proofs_leave_nothing(directory)
        digests = [json.loads(grundy("info", str(path), "--json"))["digest"] for path in directory.glob("tables/*")]
        grundy("release", "--stamp-doi", DOI, "data")
        check_release(directory, DOI)
        check_extracts(directory)
        stamped = [json.loads(grundy("info", str(path), "--json"))["digest"] for path in directory.glob("tables/*")]
        assert sorted(digests) == sorted(stamped) and len(digests) == len(FILES)


if __name__ == "__main__":
    main()
