import { count, omissionOf } from '../../engine/block/omission';
import { commandIn, isCheck, isLookup, isShell } from '../../engine/ledger/commands';
import { readingsOf } from '../../engine/ledger/readings';
import { filesOf, type ToolStep } from '../../engine/ledger/steps';
import type { Marks } from './marks';
import { beginningOf } from './quotation';
import type { Room } from './room';

/** A longer list of calls would be noise. */
const mostLines = 20;

/** Maximum number of lines about one tool, or about one program in a shell. */
const mostAlike = 4;

/** In characters: what is shown of a call's subject. */
const subjectLength = 110;

/** The newest calls that neither changed nor read a file, a line each, oldest first. Other parts cover the rest. */
export function callsPart(steps: readonly ToolStep[], room: Room, marks: Marks): string[] {
  const times = new Map<string, readonly ToolStep[]>();
  for (const step of steps) {
    if (step.kind === 'change' || step.result === null || readsFile(step) || isInOtherPart(step)) continue;
    const line = callLine(step, marks);
    const before = times.get(line) ?? [];
    times.delete(line);
    times.set(line, [...before, step]);
  }
  const all: readonly Listed[] = [...times];
  const listed = newestOfEach(all);
  const heading = '## Calls';
  const mark = room.reserve([heading, omissionOf(count(times.size, 'call'))], marks.tokens);
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
  const shown = new Set(listed.slice(next + 1));
  const missing = all.filter((one) => !shown.has(one));
  const gone = new Set(missing.flatMap(([, same]) => same));
  const left = steps.filter((step) => gone.has(step)).flatMap(({ entryIds }) => entryIds);
  const lead = missing.length > 0 ? [heading, marks.of(count(missing.length, 'call'), left)] : [heading];
  mark.take(lead);
  room.giveBack(mark);
  return [...lead, ...lines];
}

type Listed = readonly [line: string, same: readonly ToolStep[]];

/** Many calls of one kind say no more than the newest of them. */
function newestOfEach(listed: readonly Listed[]): readonly Listed[] {
  const counts = new Map<string, number>();
  return listed
    .toReversed()
    .filter(([, [step]]) => {
      const kind = step === undefined ? '' : kindOf(step);
      const known = counts.get(kind) ?? 0;
      counts.set(kind, known + 1);
      return known < mostAlike;
    })
    .reverse();
}

function kindOf(step: ToolStep): string {
  const [program = ''] = (isShell(step.call) ? commandIn(step) : null)?.split(' ') ?? [];
  return `${step.call.name} ${program}`;
}

/** Where the output of a call is found, if it has any. */
function outputOf(step: ToolStep | undefined, marks: Marks): string {
  const hasOutput = step?.result?.text.trim() !== '';
  return step === undefined || !hasOutput ? '' : marks.after(step.entryIds.slice(-1));
}

/** Lookups in a shell teach nothing; checks and the repository are among the commands, the to-do list is a part of its own. */
function isInOtherPart(step: ToolStep): boolean {
  if (ownAffairs.test(step.call.name)) return true;
  if (!isShell(step.call)) return false;
  const command = commandIn(step);
  if (command === null || step.kind === 'look') return true;
  return isCheck(command) || isLookup(command) || /^(?:git|gh)\b/.test(command) || passing.test(command);
}

/** The agent's own organisation, and waiting for another call. */
const ownAffairs =
  /^(?:write_?stdin|wait|wait_?agent|list_?agents|bash_?output|task_?output|kill_?(?:shell|bash)|todo_?(?:write|read)|write_todos|update_plan|task_?(?:create|update|list|get|stop)|tool_?search|(?:enter|exit)_?plan_?mode)$/i;

/** Commands whose outcome is not worth a line. */
const passing = /^(?:kill|pkill|killall|sleep|command|type|clear|open)\b|\s(?:--version|-v|version)$/i;

function readsFile(step: ToolStep): boolean {
  return filesOf(step.call).length > 0 || readingsOf(step).length > 0;
}

function callLine({ call, subject, problem, result, entryIds }: ToolStep, marks: Marks): string {
  const lines = result === null ? 0 : result.text.trim() === '' ? 0 : result.text.trim().split('\n').length;
  const ended = problem === null ? count(lines, 'line') : `failed: ${problem}`;
  const [entryId = ''] = entryIds;
  return `- ${call.name} ${beginningOf({ text: subject, entryId }, subjectLength, marks)}: ${ended}`;
}
