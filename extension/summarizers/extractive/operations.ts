import type { SectionName } from '../../engine/block/sections';
import {
  type Entry,
  type ToolCallPart,
  type ToolResultPart,
  toolCalls,
  toolResults,
} from '../../engine/conversation/entry';
import { oneLine } from '../../engine/conversation/text';
import { argumentText, subjectOf } from '../../engine/conversation/tool-subject';
import { errorLines, problemLine } from '../../engine/language/problems';
import { isChanging, isRunning } from '../../engine/language/tool-kinds';
import { beginning, type Candidate, item } from './candidate';
import type { Relevance } from './relevance';

/** A tool call with its result, if there is one. */
export interface Operation {
  readonly entryId: string;
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | null;
  readonly resultEntryId: string | null;
}

export function operationsOf(entries: readonly Entry[]): Operation[] {
  const operations: Operation[] = [];
  let open: Operation[] = [];
  for (const entry of entries) {
    if (entry.role === 'assistant') {
      open = toolCalls(entry.parts).map((call) => ({ entryId: entry.id, call, result: null, resultEntryId: null }));
      operations.push(...open);
    }
    for (const result of toolResults(entry.parts)) {
      const answered = open.find(({ call, result: known }) => call.callId === result.callId && known === null);
      if (answered) Object.assign(answered, { result, resultEntryId: entry.id });
    }
  }
  return operations;
}

const inputLength = 120;
const outcomeLength = 120;

/** `**tool** | Inputs: <exact values> | Outcome: <success or failure, key result>` (docs/specification.md, `tool-calls.operation-line`). */
export function operationCandidates(operations: readonly Operation[], relevance: Relevance): Candidate[] {
  return operations.map((operation, index) => ({
    section: 'Operations',
    line: `- **${operation.call.name}** | Inputs: ${inputValues(operation.call)} | Outcome: ${outcome(operation)}`,
    text: beginning(subjectOf(operation.call), inputLength),
    entryId: operation.entryId,
    weight: operationWeight(operation) * recency(index, operations.length) * relevance(subjectOf(operation.call)),
  }));
}

/** Failed operations, with their reasons: what not to try again. */
export function failureCandidates(operations: readonly Operation[], section: SectionName): Candidate[] {
  return operations.flatMap((operation, index) => {
    const reason = failureOf(operation);
    if (reason === null) return [];
    return [
      {
        section,
        line: `- I tried ${operation.call.name} ${beginning(subjectOf(operation.call), inputLength)} — failed: ${reason}`,
        text: reason,
        entryId: operation.resultEntryId ?? operation.entryId,
        weight: 2 * recency(index, operations.length),
      },
    ];
  });
}

export function lastWorking(operations: readonly Operation[]): Candidate[] {
  const failed = operations.some((operation) => operation.result?.isError);
  const worked = operations.filter((operation) => operation.result && !operation.result.isError && changes(operation));
  const last = worked.at(-1);
  if (!failed || !last) return [];
  const text = beginning(subjectOf(last.call), inputLength);
  return [{ ...item('What Worked', text, last.entryId, 1), line: `- ${last.call.name} ${text}` }];
}

/** The status judged by the calls alone; none without calls. */
export function statusCandidates(operations: readonly Operation[]): Candidate[] {
  const last = operations.at(-1);
  return last ? [statusCandidate(operations, last)] : [];
}

function statusCandidate(operations: readonly Operation[], last: Operation): Candidate {
  const counted = (line: string): Candidate => ({ ...statusAt(last), line, text: null });
  if (!last.result) return counted('BLOCKED — the last tool call gave no result.');
  if (isFailure(last)) return blocked(last, counted('BLOCKED — the last tool call failed.'));
  const failed = operations.filter(isFailure).length;
  if (failed > 0) return counted(`PARTIAL — ${failed} of ${operations.length} tool calls failed; the last one worked.`);
  const silent = operations.filter(({ result }) => !result).length;
  if (silent > 0) return counted(`PARTIAL — ${silent} of ${operations.length} tool calls gave no result.`);
  return counted(`COMPLETE — ${allCalls(operations.length)} returned without an error.`);
}

function allCalls(count: number): string {
  return count === 1 ? 'the only tool call' : `all ${count} tool calls`;
}

function blocked(last: Operation, counted: Candidate): Candidate {
  const reason = failureOf(last) ?? problemOf(last);
  return reason === null
    ? counted
    : { ...statusAt(last), line: `BLOCKED — the last tool call failed: ${reason}`, text: reason };
}

function statusAt({ resultEntryId, entryId }: Operation) {
  return { section: 'Status', entryId: resultEntryId ?? entryId, weight: 1 } as const;
}

function isFailure({ call, result }: Operation): boolean {
  return result !== null && (result.isError || (isRunning(call.name) && problemLine(result.text) !== undefined));
}

/** A command that failed in a pipe has no failing exit status, but its output states the problem. */
function problemOf({ call, result }: Operation): string | null {
  const problem = result && isRunning(call.name) ? problemLine(result.text) : undefined;
  return problem === undefined ? null : beginning(oneLine(problem), outcomeLength);
}

function inputValues({ input }: ToolCallPart): string {
  if (typeof input !== 'object' || input === null) return beginning(argumentText(input), inputLength);
  const values = Object.entries(input).map(([name, value]) => `${name}=${beginning(argumentText(value), inputLength)}`);
  return beginning(values.join(', '), inputLength * 2);
}

function outcome(operation: Operation): string {
  const { result } = operation;
  if (!result) return 'no result';
  const failure = failureOf(operation);
  if (failure !== null) return `failure, ${failure}`;
  const problem = problemOf(operation);
  if (problem !== null) return problem;
  const first = oneLine(result.text.split('\n').find((line) => line.trim() !== '') ?? '');
  return first === '' ? 'success' : `success, ${beginning(first, outcomeLength)}`;
}

function failureOf({ result }: Operation): string | null {
  if (!result?.isError) return null;
  const [line] = errorLines(result.text, true);
  return line === undefined ? null : beginning(oneLine(line), outcomeLength);
}

function changes({ call }: Operation): boolean {
  return isChanging(call.name) || isRunning(call.name);
}

function operationWeight(operation: Operation): number {
  if (operation.result?.isError) return 3;
  if (isChanging(operation.call.name)) return 2.5;
  return isRunning(operation.call.name) ? 1.5 : 1;
}

function recency(index: number, count: number): number {
  return 0.5 + index / (2 * Math.max(1, count));
}
