import type { Entry, Origin, Part, Role, Usage } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, asRecords, asText, asTexts, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';

/** An entry out of a record, where it is one. The file is Strata's own, but anybody can have written to it. */
export function readWrittenEntry(value: unknown, origin: Origin): Entry | null {
  const fields = asRecord(value);
  const id = asName(fields?.id);
  const role = roleOf(fields?.role);
  if (fields === null || id === null || role === null) return null;
  const usage = usageOf(asRecord(fields.usage));
  const countedTokens = asCount(fields.countedTokens);
  const model = asName(fields.model);
  return {
    id,
    role,
    parts: asRecords(fields.parts)
      .map(partOf)
      .filter((part) => part !== null)
      .filter((part, index) => belongs(part, role, index)),
    timestamp: asName(fields.timestamp),
    origin,
    ...(usage ? { usage } : {}),
    ...(countedTokens === null ? {} : { countedTokens }),
    ...(model === null ? {} : { model }),
    ...(fields.injected === true ? { injected: true } : {}),
  };
}

/** Only a reply calls tools, and each result is an entry of its own, with pictures behind it at most. */
function belongs({ type }: Part, role: Role, index: number): boolean {
  if (type === 'tool_call') return role === 'assistant';
  return type !== 'tool_result' || (role === 'tool' && index === 0);
}

const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

function roleOf(value: unknown): Role | null {
  return roles.find((role) => role === value) ?? null;
}

export function partOf(fields: JsonRecord): Part | null {
  const text = asText(fields.text) ?? '';
  const callId = asText(fields.callId);
  switch (fields.type) {
    case 'text':
    case 'reasoning':
      return { type: fields.type, text };
    case 'tool_call':
      return callId === null
        ? null
        : { type: 'tool_call', callId, name: asText(fields.name) ?? '', input: shownInput(fields.input) };
    case 'tool_result':
      if (callId === null) return null;
      return { type: 'tool_result', callId, name: asName(fields.name), text, isError: fields.isError === true };
    case 'image':
      return { type: 'image', mediaType: asText(fields.mediaType) ?? 'image/*', data: asName(fields.data) };
    case 'tool_definitions':
      return {
        type: 'tool_definitions',
        names: asTexts(fields.names),
        text,
      };
    default:
      return null;
  }
}

function usageOf(fields: JsonRecord | null): Usage | null {
  if (fields === null) return null;
  const count = (name: string) => asCount(fields[name]) ?? 0;
  return {
    input: count('input'),
    output: count('output'),
    cacheRead: count('cacheRead'),
    cacheWrite: count('cacheWrite'),
  };
}
