import { inputText } from '../conversation/entry';
import { brief } from '../conversation/text';
import { argumentsIn } from '../conversation/tool-subject';
import { commandOf, firstString, pathOf, type ToolStep } from '../ledger/steps';
import { counted } from '../wording/counts';

/** Files with secrets. It is recorded that they were touched, but never what they contain. */
const sensitivePath =
  /(?:^|\/)(?:\.env(?!\.(?:example|sample|template)\b)[\w.]*|\.npmrc|\.netrc|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|secrets?\.\w+|[\w.-]+\.(?:pem|key|p12|pfx))$/i;

const valueLength = 80;
const outcomeLength = 120;

export function isSensitive(step: ToolStep): boolean {
  return step.subject.split(/[\s'"=]+/).some((word) => sensitivePath.test(word));
}

/** One self-contained sentence about what a step did and its outcome. Names and values are verbatim. */
export function stepFact(step: ToolStep): string {
  const done = whatWasDone(step);
  if (step.problem !== null) return isSensitive(step) ? `${done}; it failed` : `${done}; it failed: ${step.problem}`;
  if (step.result === null) return `${done}; no result is known`;
  const outcome = step.kind === 'run' && !isSensitive(step) ? outcomeOf(step.result.text) : '';
  return outcome === '' ? done : `${done}; it printed: ${outcome}`;
}

function whatWasDone(step: ToolStep): string {
  const path = pathOf(step.call);
  const subject = path ?? (step.subject === '' ? inputText(step.call.input) : step.subject);
  const named = `\`${brief(step.kind === 'run' ? commandOf(subject) : subject, outcomeLength)}\``;
  if (step.kind === 'run') return `${named} was run`;
  if (step.kind === 'look') return `${named} was looked at with ${step.call.name}`;
  if (isSensitive(step)) return `${named} was changed`;
  return path === null ? `${step.call.name} was called with ${named}` : `${named} was ${changeOf(step)}`;
}

/** Read from the arguments of common editing tools. */
function changeOf({ call }: ToolStep): string {
  const before = firstString(call.input, ['old_string', 'oldText', 'old_str']) ?? firstEdit(call.input, 'old');
  const after = firstString(call.input, ['new_string', 'newText', 'new_str']) ?? firstEdit(call.input, 'new');
  if (before !== null && after !== null) return `edited: ${difference(before, after)}`;
  const content = firstString(call.input, ['content', 'file_text', 'contents']);
  if (content === null) return `changed with ${call.name}`;
  return `written with ${counted(content.split('\n').length, 'line')}`;
}

/** Some tools take several edits at once; the first stands for all. */
function firstEdit(input: unknown, which: 'old' | 'new'): string | null {
  const { edits } = argumentsIn(input);
  return Array.isArray(edits) ? firstString(edits[0], [`${which}_string`, `${which}Text`, `${which}_str`]) : null;
}

/** Only the changed lines: agents repeat the lines around a change to locate it. */
function difference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return `${quoted(old.slice(start, old.length - end))} -> ${quoted(now.slice(start, now.length - end))}`;
}

function quoted(lines: readonly string[]): string {
  const text = brief(lines.join('\n'), valueLength);
  return text === '' ? 'nothing' : `\`${text}\``;
}

/**
 * The last line of an output, where commands state their outcome. A line in parentheses means that there was no output.
 */
function outcomeOf(text: string): string {
  const last = text.split('\n').findLast((line) => line.trim() !== '') ?? '';
  return /^\(.*\)$/.test(last.trim()) ? '' : brief(last, outcomeLength);
}
