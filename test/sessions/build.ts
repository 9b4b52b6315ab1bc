import { readFileSync } from 'node:fs';
import { claudeCode } from '../../extension/agents/claude-code/format/adapter';
import { pi } from '../../extension/agents/pi/format/adapter';
import type { LineFormat } from '../../extension/sessions/adapter';
import type { ParsedSession } from '../../extension/sessions/session';

/** A session made of records, each on its own line. A string is used as a line unchanged. */
export function build(adapter: LineFormat, records: readonly unknown[]): ParsedSession {
  const builder = adapter.createBuilder('session.jsonl');
  for (const [index, record] of records.entries()) {
    builder.accept({ number: index + 1, text: typeof record === 'string' ? record : JSON.stringify(record) });
  }
  return builder.session();
}

export function claudeSession(records: readonly unknown[]): ParsedSession {
  return build(claudeCode, records);
}

export function piSession(records: readonly unknown[]): ParsedSession {
  return build(pi, records);
}

export function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}
