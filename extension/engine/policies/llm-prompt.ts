import type { Prompt } from '../block/language-model';
import { oneLine } from '../conversation/text';
import { escapedForQuotation, quotation } from '../language/quotation';
import { memoryVoice, quotationRule } from '../prompts/voice';
import { deterministicSummary, type SummaryDetail } from './deterministic-summary';
import { actionOf, cut, entriesIn, type HistoryEntry } from './history';
import type { PolicyContext } from './policy';

/** Maximum lengths in UTF-16 units: of one entry, and of all of them. */
const lengths = { entry: { least: 60, most: 600 }, history: 60_000 };

/** Maximum number of entries shown in full. Older ones are represented by counts. */
const entriesShown = lengths.history / lengths.entry.least;

interface LlmDetail {
  readonly summary_max_tokens: number;
  readonly include_key_findings: boolean;
}

/** The prompt for a summary of these entries. The history is quoted, never obeyed. */
export function llmPrompt(
  entries: readonly HistoryEntry[],
  detail: LlmDetail,
  { task, instructions }: Pick<PolicyContext, 'task' | 'instructions'>,
  ofOldest: SummaryDetail,
): Prompt {
  const history = [
    ...(task === null ? [] : [`Task: ${escapedForQuotation(cut(oneLine(task), 2000))}`, '']),
    'History:',
  ];
  history.push(...historyLines(entries, ofOldest));
  const parts = [
    `Write the summary that takes the place of these ${entries.length} entries: running text, at most ${detail.summary_max_tokens} tokens.`,
    detail.include_key_findings
      ? 'Give most of the room to key findings, then to the approaches that worked, then to what later steps need to know.'
      : 'Say what was done, which approaches worked, and what later steps need to know.',
    'Spell names, paths, numbers and error messages exactly as they stand. Name what failed only with its reason.',
    ...(instructions === null
      ? []
      : [`The person asks that the summary pay attention to this: ${oneLine(instructions)}`]),
    quotation('the task and what was done for it', history.join('\n')),
    'Answer with the summary alone.',
  ];
  return { system: `${memoryVoice}\n\n${quotationRule}`, user: parts.join('\n\n') };
}

function historyLines(entries: readonly HistoryEntry[], ofOldest: SummaryDetail): string[] {
  const shown = entries.slice(-entriesShown);
  const older = entries.slice(0, entries.length - shown.length);
  const fair = Math.floor(lengths.history / Math.max(1, shown.length));
  const units = Math.min(lengths.entry.most, Math.max(lengths.entry.least, fair));
  const lines = shown.map((entry, at) => `Step ${older.length + at + 1}: ${entryText(entry, units)}`);
  return older.length === 0 ? lines : [escapedForQuotation(deterministicSummary(older, ofOldest)), ...lines];
}

/** `code - Loaded dataset with 1000 rows...` */
function entryText(entry: HistoryEntry, units: number): string {
  const text = escapedForQuotation(cut(oneLine(entry.error ?? entry.output ?? entry.content ?? ''), units));
  const action = escapedForQuotation(actionLabel(entry));
  return text === '' ? action : `${action} - ${entry.error === undefined ? '' : 'failed: '}${text}`;
}

function actionLabel(entry: HistoryEntry): string {
  return entry.type === 'summary' ? `summary of ${entriesIn(entry)} earlier` : actionOf(entry);
}
