import { oneLine } from '../conversation/text';
import { actionOf, cut, entriesIn, type HistoryEntry, originalEntries, steps } from './history';

export interface SummaryDetail {
  readonly max_output_chars: number;
  readonly include_action_counts: boolean;
}

const outputsKept = 3;
const separators = { parts: ' | ', outputs: '; ', counts: ', ' };
const outputsLabel = 'Key outputs: ';

/** Counts of the actions, and the first outputs of successful steps: `Previous 6 steps: code(4), …`. */
export function deterministicSummary(entries: readonly HistoryEntry[], detail: SummaryDetail): string {
  const contributions = entries.map((entry) => contributionOf(entry, detail.max_output_chars));
  const counts = detail.include_action_counts ? countsText(contributions) : '';
  const outputs = contributions.flatMap((each) => each.outputs).slice(0, outputsKept);
  const head = `Previous ${steps(originalEntries(entries))}${counts === '' ? '' : `: ${counts}`}`;
  return outputs.length === 0 ? head : `${head}${separators.parts}${outputsLabel}${outputs.join(separators.outputs)}`;
}

/** The contribution of one entry to a summary. */
interface Contribution {
  readonly counts: readonly (readonly [action: string, count: number])[];
  readonly outputs: readonly string[];
}

function contributionOf(entry: HistoryEntry, outputChars: number): Contribution {
  if (entry.type === 'summary') return contributionOfSummary(entry);
  if (entry.type === 'historical_summary') return { counts: [], outputs: [] };
  const output = entry.type === 'step' && !entry.error ? oneLine(entry.output ?? '') : '';
  return { counts: [[actionOf(entry), 1]], outputs: saysNothing(output) ? [] : [cut(output, outputChars)] };
}

/** Placeholders for an empty output: "(no output)", "(Bash completed with no output)". */
function saysNothing(output: string): boolean {
  return /^(?:[([<]?(?:[\w-]+ )?(?:(?:completed|finished|ran|exited) )?(?:with )?(?:no|without(?: any)?|empty) (?:output|content|results?)(?: or errors?)?[)\]>]?\.?)?$/i.test(
    output,
  );
}

/** An earlier summary of this kind is parsed, so that its counts are carried on. Any other summary is not an output. */
function contributionOfSummary(entry: HistoryEntry): Contribution {
  const earlier = parseSummary(oneLine(entry.content ?? ''));
  const counts = earlier?.counts.length ? earlier.counts : [['summarized', entriesIn(entry)] as const];
  return { counts, outputs: earlier?.outputs ?? [] };
}

const summaryPattern = /^Previous \d+ steps?(?:: ([^|]*?))?(?: \| Key outputs: (.*))?$/;

function parseSummary(content: string): Contribution | null {
  const match = summaryPattern.exec(content);
  if (!match) return null;
  const [, counts = '', outputs] = match;
  return { counts: parseCounts(counts), outputs: outputs === undefined ? [] : outputs.split(separators.outputs) };
}

function parseCounts(text: string): (readonly [string, number])[] {
  return text.split(separators.counts).flatMap((count) => {
    const [, action, times] = /^(.+)\((\d+)\)$/.exec(count) ?? [];
    return action === undefined ? [] : [[action, Number(times)] as const];
  });
}

/** The most frequent action first; ties in order of first appearance. */
function countsText(contributions: readonly Contribution[]): string {
  const counts = new Map<string, number>();
  for (const [action, count] of contributions.flatMap((each) => each.counts)) {
    counts.set(action, (counts.get(action) ?? 0) + count);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([action, count]) => `${action}(${count})`)
    .join(separators.counts);
}

/** The actions in a summary of this kind; none for other text. */
export function actionsCounted(content: string): string[] {
  return parseSummary(oneLine(content))?.counts.map(([action]) => action) ?? [];
}
