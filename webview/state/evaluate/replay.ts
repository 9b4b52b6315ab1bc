import type { ReplayBoundary, ReplayCell, ReplayDifference } from '../../../extension/evaluation/measure/replay';
import type { Estimate } from '../../../extension/evaluation/measure/report';
import type { ReplayBoundaryLine, ReplayView } from '../../../extension/protocol/evaluation';
import { t } from '../../l10n';
import type { Fact } from '../shared/cost';
import { formatCount } from '../shared/format';
import { verdictWords } from './table';

type Measure = ReplayCell['measure'];
type BoundaryKind = ReplayBoundary['kind'];

export const measureWords: Readonly<Record<Measure, string>> = { names: t('Names'), messages: t('Messages') };

export const measureNotes: Readonly<Record<Measure, string>> = {
  names: t('Names that the work afterwards used and that were known before'),
  messages: t('Messages of the person that are there word for word'),
};

export const kindTitles: Readonly<Record<BoundaryKind, string>> = {
  agent: t('Compactions by the agent'),
  simulated: t('Simulated boundaries'),
};

export const kindNotes: Readonly<Record<BoundaryKind, string>> = {
  agent: t('Every strategy gets as many tokens as the agent’s own summary took.'),
  simulated: t(
    'Points during the work at which a compaction is simulated. Every strategy gets the same share of the replaced tokens.',
  ),
};

/** A strategy is labelled with its name. */
export function wayLabel(way: string): string {
  if (way === 'agent') return t('the agent’s own summary');
  return way === 'everything' ? t('everything that was replaced') : way;
}

export interface WayMeasure {
  readonly measure: Measure;
  readonly cell: ReplayCell | null;
  readonly difference: ReplayDifference | null;
}

export interface WayLine {
  readonly way: string;
  readonly measures: readonly WayMeasure[];
  /** At the boundaries of the estimates; null if there are none. */
  readonly tokens: number | null;
  readonly overBudget: number;
}

const measures: readonly Measure[] = ['names', 'messages'];

/** Sorted by names held, most first. The upper limit and the agent's own summary precede all, for comparison. */
export function wayLines({ cells, differences }: ReplayView, kind: BoundaryKind): readonly WayLine[] {
  const ofKind = cells.filter((cell) => cell.kind === kind);
  const ways = [...new Set(ofKind.map(({ way }) => way))];
  return ways
    .map((way) =>
      wayLine(
        way,
        ofKind,
        differences.filter((each) => each.kind === kind),
      ),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b) || namesHeld(b) - namesHeld(a));
}

function wayLine(way: string, cells: readonly ReplayCell[], differences: readonly ReplayDifference[]): WayLine {
  const own = cells.filter((cell) => cell.way === way);
  const measured = own.filter(({ estimate }) => estimate !== null);
  return {
    way,
    measures: measures.map((measure) => ({
      measure,
      cell: own.find((cell) => cell.measure === measure) ?? null,
      difference: differences.find((each) => each.way === way && each.measure === measure) ?? null,
    })),
    tokens: measured[0]?.tokens ?? null,
    overBudget: Math.max(0, ...own.map((cell) => cell.overBudget)),
  };
}

function rankOf({ way }: WayLine): number {
  const references = ['everything', 'agent'];
  return references.includes(way) ? references.indexOf(way) : references.length;
}

function namesHeld({ measures: [names] }: WayLine): number {
  return names?.cell?.estimate?.mean ?? -1;
}

/** Explains "better" and "worse" in the table of these boundaries; empty if nothing is compared. */
export function comparedWith({ differences }: ReplayView, kind: BoundaryKind): string {
  const against = differences.find((each) => each.kind === kind)?.against;
  return against === undefined
    ? ''
    : t(
        'Better and worse: compared with {0}, if the interval of the paired difference does not contain 0.',
        wayLabel(against),
      );
}

export function boundaryKinds({ measured }: Pick<ReplayView, 'measured'>): readonly BoundaryKind[] {
  const kinds: readonly BoundaryKind[] = ['agent', 'simulated'];
  return kinds.filter((kind) => measured[kind] > 0);
}

export function replayFacts({ sessions, measured, madeWith, time }: ReplayView): readonly Fact[] {
  return [
    { text: sessions === 1 ? t('1 session') : t('{0} sessions', formatCount(sessions)), note: t('Copies count once') },
    { text: t('{0} compactions by agents', formatCount(measured.agent)), note: kindNotes.agent },
    { text: t('{0} simulated', formatCount(measured.simulated)), note: kindNotes.simulated },
    { text: t('Strata {0}', madeWith.strata), note: t('Node {0}, {1}', madeWith.node, time) },
  ];
}

/** `42–61 %, 18 boundaries of 9 sessions`. */
export function sessionBasis({ count, tasks }: Pick<Estimate, 'count' | 'tasks'>): string {
  const boundaries = count === 1 ? t('1 boundary') : t('{0} boundaries', formatCount(count));
  return tasks === 1 ? t('{0} of 1 session', boundaries) : t('{0} of {1} sessions', boundaries, formatCount(tasks));
}

export function replayDifferenceSentence({ against, estimate, verdict }: ReplayDifference): string {
  return t(
    '{0} points (interval {1} to {2}; {3}) against {4}: {5}',
    signed(estimate.mean),
    signed(estimate.low),
    signed(estimate.high),
    sessionBasis(estimate),
    wayLabel(against),
    verdictWords[verdict].word,
  );
}

function signed(share: number): string {
  const points = Math.round(share * 100);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}

/** How much the agent's own summary holds; null without one. */
export function heldByAgent({ ways, names }: ReplayBoundaryLine): string | null {
  const own = ways.find(({ way }) => way === 'agent');
  return own ? t('{0} of {1} names held by the agent', own.namesHeld, names) : null;
}

/** The two ways compared first: the agent's summary, or else everything, and the best one within the budget. */
export function waysToRead({ ways, names, messages }: ReplayBoundary): readonly [string, string] {
  const first = ways.find(({ way }) => way === 'agent') ?? ways.find(({ way }) => way === 'everything') ?? ways[0];
  const needed = names.length + messages.length;
  const rest = ways
    .filter(({ way, isWithinBudget }) => isWithinBudget && way !== first?.way && way !== 'everything')
    .toSorted((a, b) => held(b, needed) - held(a, needed));
  return [first?.way ?? '', rest[0]?.way ?? first?.way ?? ''];
}

function held({ namesHeld: names, messagesHeld: messages }: ReplayBoundary['ways'][number], needed: number): number {
  return needed === 0 ? 0 : (names.length + messages.length) / needed;
}
