import { sectionNames } from './labels';
import type { BoundaryScore, TextScore } from './scoring';

/** The scores as text: recall of each section, superseded statements, and one line for each boundary. */
export function scoreTable(scores: readonly BoundaryScore[]): string {
  const atAgents = scores.filter(({ kind }) => kind === 'agent');
  return [
    heading(scores),
    '',
    'Recall over all boundaries; a run that wrote no block counts as 0 in "blocks"',
    ...recallRows(scores, false),
    '',
    `Recall at the agent's own compactions (${atAgents.length})`,
    ...recallRows(atAgents, true),
    '',
    'Boundaries: share of all labels held, tokens in brackets; superseded statements that stand unmarked in the blocks',
    ...scores.map(boundaryRow),
  ].join('\n');
}

function heading(scores: readonly BoundaryScore[]): string {
  const sessions = new Set(scores.map(({ session }) => session)).size;
  return `${scores.length} boundaries of ${sessions} sessions`;
}

type Column = readonly [name: string, of: (score: BoundaryScore) => TextScore | null];

function columnsOf(withAgent: boolean): readonly Column[] {
  const columns: readonly Column[] = [
    ['before', ({ before }) => before],
    ['blocks', ({ blocks }) => blocks],
    ['after', ({ after }) => after],
  ];
  return withAgent ? [...columns, ['agent', ({ agent }) => agent]] : columns;
}

function recallRows(scores: readonly BoundaryScore[], withAgent: boolean): string[] {
  const columns = columnsOf(withAgent);
  const rows = sectionNames.map((section) => {
    const labels = sum(scores.map((score) => score.labels[section]));
    const held = columns.map(([, of]) =>
      sum(scores.map((score) => score.labels[section] - (of(score)?.missed[section].length ?? score.labels[section]))),
    );
    return [section, String(labels), ...held.map((count) => ratio(count, labels))];
  });
  const superseded = sum(scores.map(({ supersededLabels }) => supersededLabels));
  const present = columns.map(([, of]) => String(sum(scores.map((score) => of(score)?.superseded.length ?? 0))));
  const standing = columns.map(([, of]) => String(sum(scores.map((score) => of(score)?.standing.length ?? 0))));
  const tokens = columns.map(([, of]) => String(median(scores.map((score) => of(score)?.tokens ?? 0))));
  return aligned([
    ['', 'labels', ...columns.map(([name]) => name)],
    ...rows,
    ['superseded: in the text', String(superseded), ...present],
    ['  … and unmarked', String(superseded), ...standing],
    ['tokens, median', '', ...tokens],
  ]);
}

function decimals(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(2);
}

function boundaryRow(score: BoundaryScore): string {
  const { session, record, kind, half, blocks, after, agent, notes } = score;
  const cell = (name: string, text: TextScore | null) =>
    text === null ? '' : ` ${name} ${decimals(shareHeld(score, text))} [${text.tokens}]`;
  const standing = blocks === null ? 'no block' : `${blocks.standing.length}/${score.supersededLabels} stand`;
  const texts = cell('before', score.before) + cell('blocks', blocks) + cell('after', after) + cell('agent', agent);
  return `${session} ${record} ${kind} ${half}:${texts}; ${standing}${notes.length > 0 ? `; ${notes.join(' ')}` : ''}`;
}

/** The share of all labels that the text has. */
function shareHeld({ labels }: BoundaryScore, { missed }: TextScore): number {
  return 1 - sum(sectionNames.map((section) => missed[section].length)) / sum(Object.values(labels));
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart((widths[at] ?? 0) + 2))).join(''),
  );
}

function ratio(count: number, of: number): string {
  return of === 0 ? '–' : (count / of).toFixed(2);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
