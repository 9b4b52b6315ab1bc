import {
  type Entry,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCalls,
  toolResults,
} from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import { brief, oneLine } from '../conversation/text';
import { subjectOf } from '../conversation/tool-subject';
import { errorLines, problemLine } from './problems';

/** Whether a tool changed, ran or looked at something. */
export type StepKind = 'change' | 'run' | 'look';

/** A tool call with its result, if there is one. */
export interface ToolStep {
  readonly kind: StepKind;
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | null;
  /** What the call is about, on one line. */
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

/** The tool steps of these entries, in the order of their calls. A result belongs to the newest reply before it. */
export const toolStepsOf = oncePer((entries: readonly Entry[]): readonly ToolStep[] => {
  const steps: ToolStep[] = [];
  let open: { call: ToolCallPart; entry: Entry; at: number }[] = [];
  for (const entry of entries) {
    const called = toolCalls(entry.parts).map(innerCall);
    if (called.length > 0) open = called.map((call, index) => ({ call, entry, at: steps.length + index }));
    for (const call of called) steps.push(stepOf(call, entry, null, null));
    for (const result of toolResults(entry.parts)) {
      const place = open.findIndex(({ call }) => call.callId === result.callId);
      const [answered] = place === -1 ? [] : open.splice(place, 1);
      if (answered) steps[answered.at] = stepOf(answered.call, answered.entry, result, entry);
    }
  }
  return steps;
});

/** The steps by the entry of their call, in order. */
export function stepsByEntry(entries: readonly Entry[]): ReadonlyMap<string, readonly ToolStep[]> {
  const byEntry = new Map<string, ToolStep[]>();
  for (const step of toolStepsOf(entries)) {
    const id = step.entryIds[0] ?? '';
    const known = byEntry.get(id);
    if (known) known.push(step);
    else byEntry.set(id, [step]);
  }
  return byEntry;
}

const innerCommand = /\btools\.exec_command\((\{.*?\})\s*\)/s;
const innerPatch = /(["'`])(\*\*\* Begin Patch(?:\\n|\n)[\s\S]*?\*\*\* End Patch(?:\\n|\n)?)\1/;

/** The call that a script makes: newer versions of Codex wrap commands and patches in a line of JavaScript. */
function innerCall(call: ToolCallPart): ToolCallPart {
  const { input } = call;
  if (typeof input !== 'string' || !input.includes('tools.')) return call;
  const command = parsed(innerCommand.exec(input)?.[1]);
  if (typeof command === 'object' && command !== null) return { ...call, name: 'exec_command', input: command };
  const [literal, mark, text] = innerPatch.exec(input) ?? [];
  if (literal === undefined || text === undefined) return call;
  const patch = mark === '"' ? parsed(literal) : text;
  return typeof patch === 'string' ? { ...call, name: 'apply_patch', input: patch } : call;
}

function parsed(json: string | undefined): unknown {
  if (json === undefined) return null;
  try {
    return JSON.parse(json);
  } catch {
    // It is no JSON but an expression of the script, which nobody evaluates.
    return null;
  }
}

function stepOf(call: ToolCallPart, asked: Entry, result: ToolResultPart | null, answer: Entry | null): ToolStep {
  const kind = stepKind(call);
  return {
    kind,
    call,
    result,
    subject: brief(subjectOf(call), subjectLength),
    problem: result === null ? null : problemOf(kind, call, result),
    entryIds: answer === null || answer === asked ? [asked.id] : [asked.id, answer.id],
    replyText: textOf(asked.parts),
    timestamp: asked.timestamp,
  };
}

const changing = /write|edit|create|patch|apply|replace|delete|move|rename|insert/i;
const running = /bash|shell|exec|command|run|terminal/i;

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
  const { command, cmd } = (typeof input === 'object' && input !== null ? input : {}) as Readonly<
    Record<'command' | 'cmd', unknown>
  >;
  const given = command ?? cmd;
  if (!Array.isArray(given)) return typeof given === 'string' ? given : null;
  const words = given.map(String);
  return /^-\w*c$/.test(words[1] ?? '') ? (words[2] ?? '') : words.join(' ');
}

/** All parts of the command line only print or prepare. */
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
 * What a failing call reports. A command in a pipe has the exit status of the pipe's end, so its output states the problem; of
 * one that reports a status of 0 by itself, the output is its own affair.
 */
function problemOf(kind: StepKind, call: ToolCallPart, { text, isError }: ToolResultPart): string | null {
  const command = commandLineOf(call) ?? subjectOf(call);
  if (isError)
    return foundNothing(command, text) ? null : brief(errorLines(text, true)[0] ?? 'no reason given', problemLength);
  if (kind !== 'run' || searched.test(command) || (succeeded.test(text) && !masked.test(command))) return null;
  const line = problemLine(text);
  return line === undefined ? null : brief(line, problemLength);
}

/** How agents report that a command succeeded. */
const succeeded = /^(?:Exit code: |Process exited with code |Exit code )0$/m;

/** The status of a part of the command line is not that of the whole. */
const masked = /[|;]/;

/** Output that was searched for errors lists what was found: that is what was asked for. */
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
  const found = pathNames.map((name) => stringArgument(input, name)).find((path) => path !== null);
  return found === undefined || found === null || found === '' ? null : oneLine(found);
}

export function stringArgument(input: unknown, name: string): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const value = (input as Readonly<Record<string, unknown>>)[name];
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
