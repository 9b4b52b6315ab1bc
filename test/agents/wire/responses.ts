import { asRecords, asText, type JsonRecord } from '../../../extension/sessions/records/json';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** OpenAI Responses. */
export function readResponses(body: JsonRecord): WireRequest {
  return {
    system: asText(body.instructions) ?? '',
    said: typeof body.input === 'string' ? spoken('user', body.input) : asRecords(body.input).flatMap(utterances),
    tools: asRecords(body.tools).map(({ name, type }) => asText(name) ?? asText(type) ?? ''),
  };
}

function utterances(item: JsonRecord): Utterance[] {
  const type = asText(item.type) ?? 'message';
  const callId = asText(item.call_id) ?? '';
  if (type === 'message') return spoken(roleOf(item.role), textIn(item.content));
  if (type.endsWith('_call')) {
    return [{ kind: 'call', callId, name: asText(item.name) ?? type, input: item.arguments ?? item.input }];
  }
  if (type.endsWith('_output')) return [{ kind: 'result', callId, text: textIn(item.output) }];
  return [];
}

function roleOf(role: unknown): 'user' | 'assistant' | 'system' {
  return role === 'assistant' || role === 'user' ? role : 'system';
}
