import { codex } from '../../../extension/agents/codex/format/adapter';
import type { ParsedSession } from '../../../extension/sessions/session';
import { build } from '../../sessions/build';

/* Minimal records of Codex. An item's id is its name in the test. */
export type CodexRecord = Record<string, unknown>;

export function codexSession(records: readonly unknown[]): ParsedSession {
  return build(codex, records);
}

export const meta: CodexRecord = record('session_meta', { id: 'thread', cwd: '/work', cli_version: '0.169.0' });

export function record(type: string, payload: CodexRecord): CodexRecord {
  return { timestamp: '2026-01-01T00:00:00.000Z', type, payload };
}

export const item = (payload: CodexRecord): CodexRecord => record('response_item', payload);
export const event = (type: string, more: CodexRecord = {}): CodexRecord => record('event_msg', { type, ...more });

const kinds = (...content_item_kinds: string[]) => ({
  internal_chat_message_metadata_passthrough: { content_item_kinds },
});

export function userItem(id: string, text: string, kind = 'user.text'): CodexRecord {
  return { type: 'message', id, role: 'user', content: [{ type: 'input_text', text }], ...kinds(kind) };
}

export function textItem(id: string, text: string, role = 'assistant'): CodexRecord {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', id, role, content: [{ type, text }] };
}

export function callItem(callId: string, name = 'shell'): CodexRecord {
  return { type: 'function_call', id: `fc_${callId}`, name, arguments: '{"cmd":"ls"}', call_id: callId };
}

export function outputItem(callId: string, output: unknown): CodexRecord {
  return { type: 'function_call_output', id: `fco_${callId}`, call_id: callId, output };
}

export const said = (id: string, text: string): CodexRecord => item(userItem(id, text));
export const told = (id: string, text: string, kind: string): CodexRecord => item(userItem(id, text, kind));
export const replied = (id: string, text: string): CodexRecord => item(textItem(id, text));
export const called = (callId: string, name?: string): CodexRecord => item(callItem(callId, name));
export const answered = (callId: string, output: unknown): CodexRecord => item(outputItem(callId, output));

export function thought(id: string, ...texts: string[]): CodexRecord {
  const summary = texts.map((text) => ({ type: 'summary_text', text }));
  return item({ type: 'reasoning', id, summary, encrypted_content: 'b3BhcXVl' });
}

export function used(input: number, cached: number, output: number): CodexRecord {
  const usage = {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    total_tokens: input + output,
  };
  return record('token_usage_record', { usage });
}

export function compacted(history: readonly CodexRecord[], message = ''): CodexRecord {
  return record('compacted', { message, replacement_history: history });
}
