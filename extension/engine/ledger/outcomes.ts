import type { ToolCallPart, ToolResultPart } from '../conversation/entry';
import { argumentsIn } from '../conversation/tool-subject';

/** How one call ended, according to its result. */
export interface Outcome {
  readonly text: string;
  readonly isError: boolean;
  /** Exit status, if a record states it outside the text; otherwise null. */
  readonly status: number | null;
  /** The text belongs to several calls and does not show which part is from this one. */
  readonly isShared: boolean;
  /** The process or script in which an unfinished call continues; a later call waits for it by this name. */
  readonly continuesIn: string | null;
}

/** How Codex begins the output of a script, and of a process that has not ended. */
const scriptHead =
  /^Script (?:completed|terminated|(failed)|running with cell ID (\S+))\n(?:Wall time [^\n]*\n)?Output:\n?/;
const running = /^Process running with session ID (\d+)$/m;

/** In characters: a process reports its state at the beginning. */
const headLength = 400;

/** The outcomes of the calls that one result answers: of the call itself, or of those that its script makes. */
export function outcomesOf(calls: readonly ToolCallPart[], { text, isError }: ToolResultPart): Outcome[] {
  const [head = '', failed, cell] = scriptHead.exec(text) ?? [];
  if (head === '') return calls.map(() => plain(text, isError));
  const output = text.slice(head.length).replace(/^\s*Script error:\n/, '');
  const isFailed = isError || failed !== undefined;
  if (cell !== undefined) return calls.map(() => ({ ...plain(output, false), continuesIn: `cell ${cell}` }));
  const whole = calls.length === 1 ? outcomeIn(output.trim()) : null;
  const records = whole === null ? output.split('\n').flatMap((line) => outcomeIn(line) ?? []) : [whole];
  if (!isFailed && records.length === calls.length) return records;
  const isShared = calls.length > 1;
  return calls.map(() => ({ text: output, isError: isFailed, status: null, isShared, continuesIn: null }));
}

function plain(text: string, isError: boolean): Outcome {
  const session = running.exec(text.slice(0, headLength).split('\nOutput:\n', 1)[0] ?? '')?.[1];
  return {
    text,
    isError,
    status: null,
    isShared: false,
    continuesIn: session === undefined ? null : `session ${session}`,
  };
}

/** Scripts often print the result of a command as JSON. */
function outcomeIn(line: string): Outcome | null {
  if (!line.startsWith('{') || !/"(?:exit_code|session_id)":/.test(line)) return null;
  const record = parsed(line);
  if (record === null || typeof record.output !== 'string') return null;
  const { output, exit_code: code, session_id: session } = record;
  const status = typeof code === 'number' ? code : null;
  const continuesIn = status === null && typeof session === 'number' ? `session ${session}` : null;
  return { text: output, isError: status !== null && status !== 0, status, isShared: false, continuesIn };
}

function parsed(json: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(json);
  } catch {
    // An output that was cut is not valid JSON.
    return null;
  }
}

/** The process or script that a call waits for; null for a call that does work of its own. */
export function awaitedBy({ name, input }: ToolCallPart): string | null {
  const { session_id: session, cell_id: cell } = argumentsIn(input);
  if (name === 'write_stdin' && session !== undefined) return `session ${String(session)}`;
  return name === 'wait' && cell !== undefined ? `cell ${String(cell)}` : null;
}

/** The output of a script so far, joined with its earlier output. */
export function continuedScript(text: string, before: string): string {
  const [head = ''] = scriptHead.exec(text) ?? [];
  return `${head}${continuedText(before, text.slice(head.length))}`;
}

/** In UTF-16 units: how much is kept from each end of a long output. */
const keptOfEnd = 10_000;

export function continuedText(before: string, text: string): string {
  const whole = before === '' ? text : `${before}\n${text}`;
  return whole.length <= 2 * keptOfEnd ? whole : `${whole.slice(0, keptOfEnd)}\n${whole.slice(-keptOfEnd)}`;
}
