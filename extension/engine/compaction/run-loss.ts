import type { Artifact } from './loss-report';
import type { PreparedRun } from './run';

export interface Tally {
  readonly kept: number;
  readonly lost: number;
}

/** What a run keeps and loses, by the blocks that stand in the end: what a later one swallowed is judged by that one. */
export interface RunLoss {
  readonly names: Tally;
  /** Sentences of the person: constraints and directions. */
  readonly words: Tally;
}

export function lossOfRun({ records }: PreparedRun): RunLoss {
  const swallowed = new Set(records.flatMap((record) => record.swallowed));
  const standing = records.filter((record) => !swallowed.has(record.seq));
  const kept = standing.flatMap(({ loss }) => loss.kept);
  const lost = standing.flatMap(({ loss }) => loss.lost);
  const tally = (counts: (artifact: Artifact) => boolean): Tally => ({
    kept: countTexts(kept.filter(counts)),
    lost: countTexts(lost.filter(counts)),
  });
  const listed = tally((artifact) => !isWord(artifact));
  const omitted = standing.map(({ loss }) => loss.omitted ?? { kept: 0, lost: 0 });
  return {
    names: {
      kept: omitted.reduce((total, { kept: more }) => total + more, listed.kept),
      lost: omitted.reduce((total, { lost: more }) => total + more, listed.lost),
    },
    words: tally(isWord),
  };
}

function isWord({ kind }: Artifact): boolean {
  return kind === 'constraint' || kind === 'direction';
}

function countTexts(artifacts: readonly Artifact[]): number {
  return new Set(artifacts.map(({ text }) => text)).size;
}
