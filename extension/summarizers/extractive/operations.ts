import type { SectionName } from '../../engine/block/sections';
import { oneLine } from '../../engine/conversation/text';
import { argumentText, subjectOf } from '../../engine/conversation/tool-subject';
import type { ToolStep } from '../../engine/ledger/steps';
import { type Account, shortPath } from './account';
import { beginning, type Candidate, type Excerpt } from './candidate';

const inputLength = 120;
const outcomeLength = 120;

/** Calls in one line, and characters of each of their inputs. */
const maxTogether = 8;
const togetherLength = 80;

/**
 * `**tool** | Inputs: <exact values> | Outcome: <success or failure, key result>` (docs/specification.md,
 * `tool-calls.operation-line`). Calls of one tool that only looked, or that changed one file again, share a line.
 */
export function operationLines(account: Account, section: SectionName): Candidate[] {
  return groups(account.steps).map(({ steps, at }) => {
    const [first] = steps;
    const last = steps.at(-1);
    if (first === undefined || last === undefined) throw new Error('A group of calls is empty.');
    const isOne = steps.length === 1;
    const inputs = isOne ? inputValues(first, account) : inputsTogether(steps, account);
    const times = isOne ? '' : ` (${steps.length} calls)`;
    return {
      section,
      speaker: 'structure',
      line: `- **${first.call.name}**${times} | Inputs: ${inputs} | Outcome: ${outcome(last, isOne)}`,
      excerpts: excerptsOf(steps, account),
      weight: weightOf(last) * (0.5 + at / (2 * Math.max(1, account.steps.length))) * account.relevance(inputs),
    };
  });
}

interface Group {
  readonly steps: ToolStep[];
  /** Index of its first step. */
  readonly at: number;
}

function groups(steps: readonly ToolStep[]): Group[] {
  const found = new Map<string, Group>();
  const all: Group[] = [];
  for (const [at, step] of steps.entries()) {
    const key = groupKey(step);
    const known = key === null ? undefined : found.get(key);
    if (known && known.steps.length < maxTogether) {
      known.steps.push(step);
      continue;
    }
    const group = { steps: [step], at };
    all.push(group);
    if (key !== null) found.set(key, group);
  }
  return all;
}

/** What failed, ran or gave nothing has a line of its own. */
function groupKey({ kind, call, problem, result, subject }: ToolStep): string | null {
  if (problem !== null || result === null || kind === 'run') return null;
  return kind === 'change' ? `${call.name}\n${subject}` : call.name;
}

function inputsTogether(steps: readonly ToolStep[], account: Account): string {
  return [...new Set(steps.map((step) => subjectIn(step, account)))].join(', ');
}

function subjectIn({ call }: ToolStep, account: Account): string {
  return beginning(shortPath(subjectOf(call), account), togetherLength);
}

function excerptsOf(steps: readonly ToolStep[], account: Account): Excerpt[] {
  return steps.map((step) => ({ text: subjectIn(step, account), entryId: step.entryIds[0] ?? '' }));
}

function inputValues({ call: { input } }: ToolStep, account: Account): string {
  if (typeof input !== 'object' || input === null) return beginning(argumentText(input), inputLength);
  const values = Object.entries(input)
    .filter(([name]) => !besideTheWork.has(name))
    .map(([name, value]) => `${name}=${beginning(shortPath(argumentText(value), account), valueLength(name))}`);
  return beginning(values.join(', '), inputLength * 2);
}

/** Arguments that only say how a call is shown or how long it may take. */
const besideTheWork: ReadonlySet<string> = new Set(['description', 'timeout', 'replace_all']);

/** Texts of a file are content; what they changed is told by the file. */
function valueLength(name: string): number {
  return /old|new|content|text|patch/i.test(name) ? 60 : inputLength;
}

function outcome({ result, problem }: ToolStep, isOne: boolean): string {
  if (!result) return 'no result';
  if (problem !== null) return `${result.isError ? 'failure, ' : ''}${beginning(oneLine(problem), outcomeLength)}`;
  const first = oneLine(result.text.split('\n').find((line) => line.trim() !== '') ?? '');
  return first === '' || !isOne ? 'success' : `success, ${beginning(first, outcomeLength)}`;
}

function weightOf({ kind, problem }: ToolStep): number {
  if (problem !== null) return 3;
  return { change: 2.5, run: 1.5, look: 1 }[kind];
}

/** The status judged by the calls alone; none without calls. */
export function statusLines({ steps }: Account, section: SectionName): Candidate[] {
  const last = steps.at(-1);
  if (!last) return [];
  const { line, reason } = statusOf(steps, last);
  const excerpts = reason === null ? [] : [{ text: reason, entryId: last.entryIds.at(-1) ?? '' }];
  return [{ section, speaker: 'structure', line, excerpts, weight: 1, isLast: true }];
}

function statusOf(steps: readonly ToolStep[], last: ToolStep): { line: string; reason: string | null } {
  const counted = (line: string) => ({ line, reason: null });
  if (!last.result) return counted('BLOCKED — the last tool call gave no result.');
  if (last.problem === noReason) return counted('BLOCKED — the last tool call failed.');
  if (last.problem !== null) {
    const reason = beginning(oneLine(last.problem), outcomeLength);
    return { line: `BLOCKED — the last tool call failed: ${reason}`, reason };
  }
  const failed = steps.filter(({ problem }) => problem !== null).length;
  if (failed > 0) return counted(`PARTIAL — ${failed} of ${steps.length} tool calls failed; the last one worked.`);
  const silent = steps.filter(({ result }) => !result).length;
  if (silent > 0) return counted(`PARTIAL — ${silent} of ${steps.length} tool calls gave no result.`);
  return counted(`COMPLETE — ${allCalls(steps.length)} returned without an error.`);
}

/** What a failed step without a reason has as its problem. */
const noReason = 'no reason given';

function allCalls(count: number): string {
  return count === 1 ? 'the only tool call' : `all ${count} tool calls`;
}
