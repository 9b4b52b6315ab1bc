import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';

export type Fields = Readonly<Record<string, unknown>>;

/** Writes a session of Cline's command line and returns the path of its messages. */
export function writeCliSession(
  folder: string,
  messages: readonly unknown[],
  sidecars: { manifest?: Fields; compaction?: Fields; root?: Fields } = {},
): string {
  const start = join(folder, 's1', 's1');
  const root = {
    version: 1,
    agent: 'lead',
    sessionId: 's1',
    ...sidecars.root,
    messages,
    system_prompt: 'You are Cline.',
  };
  write(`${start}.messages.json`, root);
  if (sidecars.manifest !== undefined) write(`${start}.json`, sidecars.manifest);
  if (sidecars.compaction !== undefined) write(`${start}.compaction.json`, sidecars.compaction);
  return `${start}.messages.json`;
}

export function write(file: string, value: unknown): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 1));
  return file;
}

export async function opened(file: string): Promise<Session> {
  const outcome = await openSession(file, { environment: { home: '/nowhere', variables: {} } });
  if (outcome.kind !== 'opened') throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.session;
}

export function prompt(id: string, words: string, more: Fields = {}): Fields {
  const text = `<user_input mode="act">${words}</user_input>`;
  return { id, role: 'user', content: [{ type: 'text', text }], ts: 1_795_000_000_000, ...more };
}

export function reply(id: string, content: readonly Fields[], more: Fields = {}): Fields {
  return { id, role: 'assistant', content, ts: 1_795_000_000_500, modelInfo: { id: 'm', provider: 'p' }, ...more };
}

export function words(text: string): Fields {
  return { type: 'text', text };
}

export function call(id: string, name = 'run_commands'): Fields {
  return { type: 'tool_use', id, name, input: { commands: ['ls'] } };
}

export function result(id: string, callId: string, content: unknown, more: Fields = {}): Fields {
  return { id, role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content, ...more }] };
}
