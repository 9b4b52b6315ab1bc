import type { Part, ToolResultPart } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { contentParts } from './content';
import { jsonText } from './records';

type ResultParts = readonly [ToolResultPart, ...Part[]];

/**
 * Output of a tool: a string, a list of blocks, or (in older versions) a record that contains either with the outcome.
 */
export function resultPart(output: unknown, callId: string, name: string | null): ResultParts {
  const record = s.read(s.jsonRecord, output);
  const content = record === null ? output : (record.content ?? record.content_items ?? jsonText(record));
  const parts = contentParts(content);
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const isError = record?.success === false || (s.read(s.list, content).length === 0 && endedInError(text));
  const images = parts.filter((part) => part.type === 'image');
  return [{ type: 'tool_result', callId, name, text, isError }, ...images];
}

/** The line with the exit code of a command, in all versions so far. */
const exitCode = /^(?:Exit code: |Process exited with code )(-?\d+)$/m;
const exitCodeInJson = /"metadata":\{"exit_code":(-?\d+)/;

/** Number of characters searched at the start, and at the end if the output is JSON. In UTF-16 units. */
const lookedAt = 500;

function endedInError(text: string): boolean {
  const head = text.slice(0, lookedAt).split('\nOutput:\n', 1)[0] ?? '';
  const json = text.startsWith('{"output":') ? text.slice(-lookedAt) : null;
  const code = exitCode.exec(head)?.[1] ?? (json === null ? undefined : exitCodeInJson.exec(json)?.[1]);
  return code !== undefined && code !== '0';
}
