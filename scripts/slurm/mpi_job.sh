#!/usr/bin/env bash
# A job of Slurm that runs `grundy-mpi` with the arguments it is given on all tasks of the job, for as many
# time limits as it takes. Three minutes before its time is over every rank gets SIGTERM, seals what it has
# and ends; the job is queued again, and the same command goes on. README.md beside this file has examples.
# GRUNDY_MPI names the program if it is not in PATH, GRUNDY_LAUNCH another launcher than srun.
#SBATCH --job-name=grundy-mpi
#SBATCH --signal=TERM@180
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail

# Slurm signals the ranks of a step itself, and not this shell. srun must not be signalled: it would kill them.
# Ranks that mpirun has started are no step: with --signal=B:TERM@180 this shell is signalled, and hands it on to
# the ranks of this node, which tell all others. mpirun must not be signalled either: it ends with a code of its own.
read -r -a launch <<<"${GRUNDY_LAUNCH:-srun --mpi=pmix --kill-on-bad-exit=0}"
program=${GRUNDY_MPI:-grundy-mpi}
"${launch[@]}" "$program" "$@" &
launcher=$!
trap 'signalled=yes; pkill -TERM -P "$launcher" -x "${program##*/}"' TERM
# A signal ends the wait for a launcher that has not ended.
signalled=yes
while [ "$signalled" = yes ]; do
  signalled=no
  wait "$launcher"
  status=$?
done

if [ "$status" -eq 75 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
