import * as s from '../../../extension/platform/json/schemas';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** OpenAI Responses. */
export function readResponses(body: s.JsonRecord): WireRequest {
  return {
    system: s.text(body.instructions),
    said: typeof body.input === 'string' ? spoken('user', body.input) : s.jsonRecords(body.input).flatMap(utterances),
    tools: s.jsonRecords(body.tools).map(({ name, type }) => s.textOrNull(name) ?? s.text(type)),
  };
}

function utterances(item: s.JsonRecord): Utterance[] {
  const type = s.textOrNull(item.type) ?? 'message';
  const callId = s.text(item.call_id);
  if (type === 'message') return spoken(roleOf(item.role), textIn(item.content));
  if (type.endsWith('_call')) {
    return [{ kind: 'call', callId, name: s.textOrNull(item.name) ?? type, input: item.arguments ?? item.input }];
  }
  if (type.endsWith('_output')) return [{ kind: 'result', callId, text: textIn(item.output) }];
  return [];
}

function roleOf(role: unknown): 'user' | 'assistant' | 'system' {
  return role === 'assistant' || role === 'user' ? role : 'system';
}
