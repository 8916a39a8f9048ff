/// @file
/// The script that checks a release from its own directory.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "release/documents.hpp"

namespace grundy {
namespace {

constexpr const char* kHead = R"sh(#!/bin/sh
# Checks this data set from its own directory, wherever it lies: the sums of all files; then of each
# table its content, random entries by the definition, and that its certificate is about it.
# Usage: sh verify.sh [--prove]
#   --prove  also proves again, from the tables alone, all that the certificates state
# The variable GRUNDY names the command if it is not `grundy` in PATH.
# Exit codes: 0 all is right, 1 a file is not what was released or the command is missing, 2 usage;
# otherwise that of the command: 3 a value is wrong, 4 a table is damaged.
set -eu
grundy=${GRUNDY:-grundy}
case $grundy in
/*) ;;
*/*) grundy=$(pwd)/$grundy ;;
esac
prove=
case ${1-} in
'') ;;
--prove) prove=yes ;;
*)
  echo "usage: sh verify.sh [--prove]" >&2
  exit 2
  ;;
esac
CDPATH='' cd -- "$(dirname -- "$0")"

if command -v sha256sum >/dev/null 2>&1; then
  sums=$(sha256sum -c SHA256SUMS 2>&1) || failed=yes
else
  sums=$(shasum -a 256 -c SHA256SUMS 2>&1) || failed=yes
fi
if [ "${failed-}" ]; then
  printf '%s\n' "$sums" | grep -v ': OK$' >&2
  exit 1
fi
echo "SHA256SUMS: all files are those that were released"

if ! command -v "$grundy" >/dev/null 2>&1; then
  echo "the command $grundy is not here; GRUNDY may name it. The tables were not proved" >&2
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# check TABLE CERTIFICATE
check() {
  "$grundy" verify "$1" --quiet >/dev/null
  "$grundy" verify "$1" --merge "$2" --quiet >/dev/null
  echo "$1: content and random entries are right, and its certificate is about it"
}
# prove TABLE RANGE
prove() {
  [ "$prove" ] || return 0
  "$grundy" verify "$1" --range "$2" --certificate "$scratch/proof.json" --force --quiet >/dev/null
  echo "$1: $2 is proved again"
}
# prove_list LIST
prove_list() {
  [ "$prove" ] || return 0
  "$grundy" verify "$1" --full --quiet >/dev/null
  echo "$1: all of it is proved again"
}

)sh";

}  // namespace

std::string verify_script(const Contents& contents) {
  std::string text = kHead;
  for (const TableEntry& table : contents.tables) {
    text += fmt::format("check {} {}\n", table.file, table.certificate_file);
    if (table.holds == Holding::kPPositions || table.holds == Holding::kCensus) {
      if (table.certificate.complete()) text += fmt::format("prove_list {}\n", table.file);
      continue;
    }
    for (const EntryRange& range : table.certificate.proved) {
      text += fmt::format("prove {} {}:{}\n", table.file, range.first, range.last);
    }
  }
  return text + "echo \"the data set is right\"\n";
}

}  // namespace grundy
