import { count, omissionOf } from '../../engine/block/omission';
import { commandIn, isCheck, isShell } from '../../engine/ledger/commands';
import { readingsOf } from '../../engine/ledger/readings';
import { filesOf, type ToolStep } from '../../engine/ledger/steps';
import type { Marks } from './marks';
import { beginningOf } from './quotation';
import type { Room } from './room';

/** A list of calls is read as noise where it is long. */
const mostLines = 20;

/** In characters: what is shown of a call's subject. */
const subjectLength = 110;

/** The newest calls that neither changed nor read a file, a line each, oldest first: the other parts have the rest. */
export function callsPart(steps: readonly ToolStep[], room: Room, marks: Marks): string[] {
  const times = new Map<string, readonly ToolStep[]>();
  for (const step of steps) {
    if (step.kind === 'change' || step.result === null || readsFile(step) || isListedElsewhere(step)) continue;
    const line = callLine(step, marks);
    const before = times.get(line) ?? [];
    times.delete(line);
    times.set(line, [...before, step]);
  }
  const listed = [...times];
  const heading = '## Calls';
  const mark = room.keep([heading, omissionOf(count(listed.length, 'call'))], marks.tokens);
  if (listed.length === 0 || mark === null) return [];
  const lines: string[] = [];
  let next = listed.length - 1;
  for (; next >= 0 && lines.length < mostLines; next -= 1) {
    const [said, same] = listed[next] ?? ['', []];
    const line = `${said}${same.length === 1 ? '' : ` (${same.length} times)`}${outputOf(same.at(-1), marks)}`;
    if (!room.take([line])) break;
    lines.unshift(line);
  }
  if (lines.length === 0) return [];
  const missing = new Set(listed.slice(0, next + 1).flatMap(([, same]) => same));
  const left = steps.filter((step) => missing.has(step)).flatMap(({ entryIds }) => entryIds);
  const lead = next >= 0 ? [heading, marks.of(count(next + 1, 'call'), left)] : [heading];
  mark.take(lead);
  room.giveBack(mark);
  return [...lead, ...lines];
}

/** Where the output of a call is found, if it has any. */
function outputOf(step: ToolStep | undefined, marks: Marks): string {
  const hasOutput = step?.result?.text.trim() !== '';
  return step === undefined || !hasOutput ? '' : marks.after(step.entryIds.slice(-1));
}

/** Lookups in a shell teach nothing; checks and the repository are among the commands. */
function isListedElsewhere(step: ToolStep): boolean {
  if (!isShell(step.call)) return false;
  const command = commandIn(step) ?? '';
  return step.kind === 'look' || isCheck(command) || /^(?:git|gh)\b/.test(command);
}

function readsFile(step: ToolStep): boolean {
  return filesOf(step.call).length > 0 || readingsOf(step).length > 0;
}

function callLine({ call, subject, problem, result, entryIds }: ToolStep, marks: Marks): string {
  const lines = result === null ? 0 : result.text.trim() === '' ? 0 : result.text.trim().split('\n').length;
  const ended = problem === null ? count(lines, 'line') : `failed: ${problem}`;
  const [entryId = ''] = entryIds;
  return `- ${call.name} ${beginningOf({ text: subject, entryId }, subjectLength, marks)}: ${ended}`;
}
