import type { ToolCallPart } from './entry';
import { oneLine } from './text';

/** The most telling arguments, by the names that agents give them. */
const subjectNames = ['file_path', 'path', 'filePath', 'command', 'cmd', 'pattern', 'query', 'url', 'description'];

/** The subject of a tool call, on one line: a path, a command or a pattern; otherwise its first argument. */
export function subjectOf({ input }: ToolCallPart): string {
  if (typeof input !== 'object' || input === null) return argumentText(input ?? '');
  const values = argumentsIn(input);
  const name = subjectNames.find((candidate) => typeof values[candidate] === 'string') ?? Object.keys(values)[0];
  return name === undefined ? '' : argumentText(values[name]);
}

/** The arguments of a call by their names; none for an input of another form. */
export function argumentsIn(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
}

export function argumentText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return oneLine(text);
}
