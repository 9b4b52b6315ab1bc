import {
  type Entry,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCalls,
  toolResults,
} from '../conversation/entry';
import { groupedBy } from '../conversation/grouped-by';
import { oncePer } from '../conversation/once-per';
import { brief, oneLine } from '../conversation/text';
import { argumentsIn, subjectOf } from '../conversation/tool-subject';
import { awaitedBy, continuedScript, continuedText, type Outcome, outcomesOf } from './outcomes';
import { errorLines, problemLine } from './problems';
import { callsInScript } from './script-calls';

export type StepKind = 'change' | 'run' | 'look';

/** A tool call with its result, if there is one. */
export interface ToolStep {
  readonly kind: StepKind;
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | null;
  /** The result is partial: the call had not ended. */
  readonly isRunning: boolean;
  /** The result belongs to several calls of one script, without saying which part is whose. */
  readonly isShared: boolean;
  /** The subject of the call, on one line. */
  readonly subject: string;
  /** The line that states the problem; null if nothing failed. */
  readonly problem: string | null;
  /** The entry of the call, then the entry of the result. */
  readonly entryIds: readonly string[];
  /** Text of the reply with the call. */
  readonly replyText: string;
  readonly timestamp: string | null;
}

const subjectLength = 120;
const problemLength = 160;

/**
 * The tool steps of these entries, in the order of their calls. A result belongs to the newest reply before it. A
 * script has one step per tool that it calls. A call that had not ended takes the result of the later call that waits
 * for it.
 */
export const toolStepsOf = oncePer((entries: readonly Entry[]): readonly ToolStep[] => {
  const reader = new StepReader();
  for (const entry of entries) reader.take(entry);
  return reader.steps;
});

/** A call of a reply, or the calls of its script, and the place of their steps. */
interface OpenCalls {
  readonly callId: string;
  readonly calls: readonly ToolCallPart[];
  readonly entry: Entry;
  readonly at: number;
}

class StepReader {
  readonly steps: ToolStep[] = [];
  /** The calls of the newest reply. */
  #open: OpenCalls[] = [];
  readonly #unfinished = new Map<
    string,
    { readonly asked: OpenCalls; readonly index: number; readonly text: string }
  >();

  take(entry: Entry): void {
    const called = toolCalls(entry.parts);
    if (called.length > 0) this.#open = called.map((call) => this.#ask(call, entry));
    for (const result of toolResults(entry.parts)) {
      const place = this.#open.findIndex(({ callId }) => callId === result.callId);
      const [answered] = place === -1 ? [] : this.#open.splice(place, 1);
      if (answered) this.#answer(answered, result, entry);
    }
  }

  #ask(call: ToolCallPart, entry: Entry): OpenCalls {
    const asked = { callId: call.callId, calls: innerCalls(call), entry, at: this.steps.length };
    for (const inner of asked.calls) this.steps.push(stepOf(inner, entry, null, null));
    return asked;
  }

  #answer(asked: OpenCalls, result: ToolResultPart, entry: Entry): void {
    for (const [index, outcome] of outcomesOf(asked.calls, result).entries())
      this.#settle(asked, index, outcome, { result, entry });
  }

  #settle(asked: OpenCalls, index: number, outcome: Outcome, answer: Answer): void {
    const call = asked.calls[index];
    if (call === undefined) return;
    this.steps[asked.at + index] = stepOf(call, asked.entry, outcome, answer);
    const awaited = awaitedBy(call);
    if (awaited !== null) this.#continue(awaited, outcome, answer);
    else if (outcome.continuesIn !== null)
      this.#unfinished.set(outcome.continuesIn, { asked, index, text: outcome.text });
  }

  #continue(place: string, outcome: Outcome, answer: Answer): void {
    const known = this.#unfinished.get(place);
    if (known === undefined) return;
    this.#unfinished.delete(place);
    const { asked, index, text } = known;
    if (place.startsWith('cell ')) {
      const result = { ...answer.result, text: continuedScript(answer.result.text, text) };
      this.#answer(asked, result, answer.entry);
    } else this.#settle(asked, index, { ...outcome, text: continuedText(text, outcome.text) }, answer);
  }
}

interface Answer {
  readonly result: ToolResultPart;
  readonly entry: Entry;
}

export function stepsByEntry(entries: readonly Entry[]): ReadonlyMap<string, readonly ToolStep[]> {
  return groupedBy(toolStepsOf(entries), ({ entryIds }) => entryIds[0] ?? '');
}

/** The calls that a script makes; any other call unchanged. */
function innerCalls(call: ToolCallPart): readonly ToolCallPart[] {
  const { input } = call;
  if (typeof input !== 'string' || !input.includes('tools.') || input.trimStart().startsWith('*** Begin Patch'))
    return [call];
  const inner = callsInScript(input);
  return inner.length === 0 ? [call] : inner.map(({ name, input: given }) => ({ ...call, name, input: given }));
}

function stepOf(call: ToolCallPart, asked: Entry, outcome: Outcome | null, answer: Answer | null): ToolStep {
  const kind = stepKind(call);
  const result = outcome && answer ? resultOf(outcome, answer.result) : null;
  return {
    kind,
    call,
    result,
    isRunning: outcome !== null && outcome.continuesIn !== null,
    isShared: outcome?.isShared ?? false,
    subject: brief(subjectOf(call), subjectLength),
    problem: outcome === null ? null : problemOf(kind, call, outcome),
    entryIds: answer === null || answer.entry === asked ? [asked.id] : [asked.id, answer.entry.id],
    replyText: textOf(asked.parts),
    timestamp: asked.timestamp,
  };
}

function resultOf({ text, isError }: Outcome, result: ToolResultPart): ToolResultPart {
  return text === result.text && isError === result.isError ? result : { ...result, text, isError };
}

const changing = /write|edit|create|patch|apply|replace|delete|move|rename|insert/i;
export const running = /bash|shell|exec|command|run|terminal/i;

/** Commands that only print or prepare something: running them builds and teaches nothing. */
const routine =
  /^\s*(?:ls|ll|cat|head|tail|pwd|cd|echo|find|grep|rg|wc|which|tree|stat|file|mkdir|touch|chmod|cp|sleep|sed -n|git (?:status|log|diff|show|branch|add))\b[^>]*$/;
const changeOfFolder = /^\s*cd [^&;|]+(?:&&|;)\s*/;

/** Tools for the agent's own organisation: to-do lists, plans, output of background commands. */
const housekeeping = /todo|plan|task|output|kill/i;

export function stepKind(call: ToolCallPart): StepKind {
  if (housekeeping.test(call.name) || stringArgument(call.input, 'command') === 'view') return 'look';
  if (running.test(call.name)) return isRoutine(oneLine(commandLineOf(call) ?? subjectOf(call))) ? 'look' : 'run';
  return changing.test(call.name) ? 'change' : 'look';
}

/** The command line of a call with its line breaks; some agents pass its words, with the shell in front. Null if the call runs none. */
export function commandLineOf({ input }: ToolCallPart): string | null {
  const { command, cmd } = argumentsIn(input);
  const given = command ?? cmd;
  if (!Array.isArray(given)) return typeof given === 'string' ? given : null;
  const words = given.map(String);
  return /^-\w*c$/.test(words[1] ?? '') ? (words[2] ?? '') : words.join(' ');
}

/** Whether all parts of the command line only print or prepare. */
function isRoutine(line: string): boolean {
  return commandOf(line)
    .split(/&&|\|\||;/)
    .every((part) => routine.test(part));
}

/** The command without the change of folder that agents put before it. */
export function commandOf(subject: string): string {
  return subject.replace(changeOfFolder, '');
}

/**
 * The problem that a failing call reports. A command in a pipe has the exit status of the pipe's end, so its output states the
 * problem; for a command that reports status 0 itself, the output does not count.
 */
function problemOf(kind: StepKind, call: ToolCallPart, outcome: Outcome): string | null {
  const { text, isError, status, isShared } = outcome;
  const command = commandLineOf(call) ?? subjectOf(call);
  if (isError)
    return foundNothing(command, text) ? null : brief(errorLines(text, true)[0] ?? 'no reason given', problemLength);
  const isSuccess = (status === 0 || succeeded.test(text)) && !masked.test(command);
  if (kind !== 'run' || isShared || searched.test(command) || isSuccess) return null;
  const line = problemLine(text);
  return line === undefined ? null : brief(line, problemLength);
}

/** How agents report that a command succeeded. */
const succeeded = /^(?:Exit code: |Process exited with code |Exit code )0$/m;

/** Operators with which a part's status differs from that of the whole. */
const masked = /[|;]/;

/** The output of a search for errors lists errors on purpose. */
const searched = /\|\s*(?:e?grep|rg)\b[^|]*(?:error|fail|warn|panic|exception)/i;

/** A search that finds nothing has the exit status 1. */
function foundNothing(command: string, text: string): boolean {
  return (
    /^\s*(?:git )?(?:e?grep|rg)\b[^|;&]*$/.test(commandOf(command)) &&
    /\b(?:exited with code|exit code:?) 1\b/i.test(text)
  );
}

const pathNames = ['file_path', 'path', 'filePath', 'notebook_path'];

/** The file that a call names in an argument of its own; null if it names none. */
export function pathOf({ input }: ToolCallPart): string | null {
  const found = firstString(input, pathNames);
  return found ? oneLine(found) : null;
}

export function stringArgument(input: unknown, name: string): string | null {
  const value = argumentsIn(input)[name];
  return typeof value === 'string' ? value : null;
}

/** The files that a call names: in an argument of their own, or in a patch. */
export function filesOf(call: ToolCallPart): readonly string[] {
  const path = pathOf(call);
  if (path !== null) return [path];
  const text = patchTextOf(call);
  return text ? text.split('\n').flatMap((line) => patchedFileIn(line) ?? []) : [];
}

const patchNames = ['input', 'patch', 'diff'];

/** The argument that may be a patch; null if the call has none. */
export function patchTextOf({ input }: ToolCallPart): string | null {
  return typeof input === 'string' ? input : firstString(input, patchNames);
}

/** The file that a line of a patch in the form of `apply_patch` begins; null if it begins none. */
export function patchedFileIn(line: string): string | null {
  const [, file] = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/.exec(line) ?? [];
  return file?.trim() ?? null;
}

/** The first of these arguments that is a string; null if none is. */
export function firstString(input: unknown, names: readonly string[]): string | null {
  for (const name of names) {
    const found = stringArgument(input, name);
    if (found !== null) return found;
  }
  return null;
}
