import type { CompactionRecord } from '../journal/records';
import { type Artifact, percentKept, phraseMatcher } from '../language/loss-report';
import type { PreparedRun } from './prepared-run';

export interface Tally {
  readonly kept: number;
  readonly lost: number;
}

/** What a run keeps and loses in its final blocks; a block swallowed by a later one is judged by the later one. */
export interface RunLoss {
  readonly names: Tally;
  /** Sentences of the user: constraints and directions. */
  readonly words: Tally;
  /** Percent of what matters, over the final blocks by the size of what they replace; null if nothing does. */
  readonly mattersPercent: number | null;
}

export function lossOfRun({ records }: Pick<PreparedRun, 'records'>): RunLoss {
  const standing = standingIn(records);
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
    mattersPercent: mattersPercent(standing),
  };
}

function mattersPercent(standing: readonly CompactionRecord[]): number | null {
  const weighed = standing.flatMap(({ loss, tokensBefore }) =>
    loss.matters ? [{ share: loss.matters.share, size: Math.max(1, tokensBefore) }] : [],
  );
  if (weighed.length === 0) return null;
  const size = weighed.reduce((sum, block) => sum + block.size, 0);
  return percentKept(weighed.reduce((sum, block) => sum + block.share * block.size, 0) / size);
}

/** Constraints of the user that are neither in the run's final blocks nor in the given text of the core. */
export function lostConstraints(records: readonly CompactionRecord[], core: string): string[] {
  const isInCore = phraseMatcher(core);
  const lost = standingIn(records).flatMap(({ loss }) => loss.lost.filter(({ kind }) => kind === 'constraint'));
  return [...new Set(lost.map(({ text }) => text))].filter((text) => !isInCore(text));
}

/** The records whose blocks were not swallowed by a later record of the run. */
export function standingIn(records: readonly CompactionRecord[]): CompactionRecord[] {
  const swallowed = new Set(records.flatMap((record) => record.swallowed));
  return records.filter((record) => !swallowed.has(record.seq));
}

function isWord({ kind }: Artifact): boolean {
  return kind === 'constraint' || kind === 'direction';
}

function countTexts(artifacts: readonly Artifact[]): number {
  return new Set(artifacts.map(({ text }) => text)).size;
}
