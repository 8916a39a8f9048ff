#!/usr/bin/env bash
# A job of Slurm that runs `grundy` with the arguments it is given, for as many time limits as it takes.
# Three minutes before its time is over the program gets SIGTERM. It seals what it has and ends with exit
# code 75; the job is queued again, and the same command goes on. README.md beside this file has examples.
# GRUNDY names the program if it is not in PATH, or `grundy-mpi`, which GRUNDY_LAUNCH starts on all tasks.
#SBATCH --job-name=grundy
#SBATCH --signal=B:TERM@180
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail

program=${GRUNDY:-grundy}
read -r -a launch <<<"${GRUNDY_LAUNCH:-}"
"${launch[@]}" "$program" "$@" &
started=$!
# A launcher must not be signalled: mpirun ends with a code of its own. The ranks of this node tell all others. By
# srun or ssh a launcher reaches other nodes.
hand_on() {
  local child
  if [ "${#launch[@]}" -gt 0 ]; then
    for child in $(pgrep -P "$started"); do
      case $(ps -o comm= -p "$child") in
        srun | ssh | rsh) ;;
        *) kill -TERM "$child" 2>/dev/null ;;
      esac
    done
  else
    kill -TERM "$started" 2>/dev/null
  fi
}
stopped=no
trap 'signalled=yes; stopped=yes; hand_on' TERM
# A signal ends the wait for a program that has not ended.
signalled=yes
while [ "$signalled" = yes ]; do
  signalled=no
  wait "$started"
  status=$?
done

# Before a program attends to signals, and at its very end, SIGTERM ends it at once. Nothing sealed is lost.
if [ "$stopped" = yes ] && [ "$status" -eq 143 ]; then status=75; fi
if [ "$status" -eq 75 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
