#!/usr/bin/env bash
# A job of Slurm that runs `grundy` with the arguments it is given, for as many time limits as it takes.
# Three minutes before its time is over the program gets SIGTERM. It seals what it has and ends with exit
# code 75; the job is queued again, and the same command goes on. README.md beside this file has examples.
# GRUNDY names the program if it is not in PATH.
#SBATCH --job-name=grundy
#SBATCH --signal=B:TERM@180
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail

"${GRUNDY:-grundy}" "$@" &
program=$!
trap 'signalled=yes; kill -TERM "$program" 2>/dev/null' TERM
# A signal ends the wait for a program that has not ended.
signalled=yes
while [ "$signalled" = yes ]; do
  signalled=no
  wait "$program"
  status=$?
done

if [ "$status" -eq 75 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
