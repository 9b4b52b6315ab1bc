import { count, omissionOf } from '../../engine/block/omission';
import { commandIn, isCheck, isShell } from '../../engine/ledger/commands';
import { readingsOf } from '../../engine/ledger/readings';
import { filesOf, type ToolStep } from '../../engine/ledger/steps';
import { beginningOf } from './quotation';
import type { Room } from './room';

/** A list of calls is read as noise where it is long. */
const mostLines = 20;

/** In characters: what is shown of a call's subject. */
const subjectLength = 110;

/** The newest calls that neither changed nor read a file, a line each, oldest first: the other parts have the rest. */
export function callsPart(steps: readonly ToolStep[], room: Room): string[] {
  const times = new Map<string, number>();
  for (const step of steps) {
    if (step.kind === 'change' || step.result === null || readsFile(step) || isListedElsewhere(step)) continue;
    const line = callLine(step);
    const before = times.get(line) ?? 0;
    times.delete(line);
    times.set(line, before + 1);
  }
  const listed = [...times].map(([line, number]) => (number === 1 ? line : `${line} (${number} times)`));
  if (listed.length === 0 || !room.take(['## Calls', omissionOf(count(listed.length, 'call'))])) return [];
  const lines: string[] = [];
  let next = listed.length - 1;
  for (; next >= 0 && lines.length < mostLines; next -= 1) {
    const line = listed[next] ?? '';
    if (!room.take([line])) break;
    lines.unshift(line);
  }
  if (lines.length === 0) return [];
  return ['## Calls', ...(next >= 0 ? [omissionOf(count(next + 1, 'call'))] : []), ...lines];
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

function callLine({ call, subject, problem, result }: ToolStep): string {
  const lines = result === null ? 0 : result.text.trim() === '' ? 0 : result.text.trim().split('\n').length;
  const ended = problem === null ? count(lines, 'line') : `failed: ${problem}`;
  return `- ${call.name} ${beginningOf(subject, subjectLength)}: ${ended}`;
}
