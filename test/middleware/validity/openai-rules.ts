import * as s from '../../../extension/platform/json/schemas';
import { isBase64, isBlank, unknownFields } from './rules';

/**
 * The faults of a request according to OpenAI's Chat Completions API, as its reference and its error messages describe
 * them: https://platform.openai.com/docs/api-reference/chat/create. Other servers of the same API also require that the
 * first message is the user's. Only faults that depend on the context are found.
 */
export function openAiFaults(request: unknown): string[] {
  const messages = s.list(s.jsonRecord(request)?.messages).map((message) => s.jsonRecord(message) ?? {});
  const faults: string[] = [];
  const first = messages.find(({ role }) => role !== 'system');
  if (first?.role !== 'user') faults.push('messages: the first one is not of the user');
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const add = (...found: readonly string[]) => faults.push(...found.map((fault) => `messages.${index}: ${fault}`));
    if (message.role === 'tool') {
      const id = s.text(message.tool_call_id);
      add(...unknownFields(message, ['role', 'tool_call_id', 'content']));
      if (!open.includes(id)) add(`has no call ${id} before it`);
      if (typeof message.content !== 'string') add('has no text');
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) add(`comes before the results of ${open.join()}`);
    open = [];
    if (message.role === 'assistant') {
      const calls = s.list(message.tool_calls).map((call) => s.jsonRecord(call) ?? {});
      add(...replyFaults(message, calls));
      for (const call of calls) {
        const id = s.text(call.id);
        if (ids.has(id)) add(`has a second call of the id ${id}`);
        ids.add(id);
        open.push(id);
        add(...callFaults(call));
      }
    } else add(...spokenFaults(message));
  }
  if (open.length > 0) faults.push(`messages: they end without the results of ${open.join()}`);
  return faults;
}

function replyFaults(message: s.JsonRecord, calls: readonly s.JsonRecord[]): string[] {
  const faults = unknownFields(message, ['role', 'content', 'tool_calls']);
  if (message.tool_calls !== undefined && calls.length === 0) faults.push('has an empty list of calls');
  if (message.content === null ? calls.length === 0 : isBlank(message.content)) faults.push('is empty');
  return faults;
}

function callFaults(call: s.JsonRecord): string[] {
  const called = s.jsonRecord(call.function) ?? {};
  const [id, name] = [s.text(call.id), s.text(called.name)];
  return [
    ...unknownFields(call, ['id', 'type', 'function']),
    ...unknownFields(called, ['name', 'arguments']),
    ...(call.type === 'function' ? [] : ['has a call of another type']),
    ...(id !== '' && id.length <= 40 ? [] : [`has the id ${id}`]),
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : [`has the name ${name}`]),
    ...(isJsonObject(called.arguments) ? [] : ['has arguments that are no object']),
  ];
}

function isJsonObject(value: unknown): boolean {
  try {
    return s.jsonRecord(JSON.parse(s.text(value))) !== null;
  } catch {
    return false;
  }
}

function spokenFaults(message: s.JsonRecord): string[] {
  const faults = unknownFields(message, ['role', 'content']);
  if (message.role !== 'system' && message.role !== 'user') faults.push(`has the role ${String(message.role)}`);
  if (typeof message.content === 'string') return isBlank(message.content) ? [...faults, 'is empty'] : faults;
  const parts = s.list(message.content).map((part) => s.jsonRecord(part) ?? {});
  if (message.role !== 'user' || parts.length === 0) faults.push('is empty');
  return [...faults, ...parts.flatMap(partFaults)];
}

const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

function partFaults(part: s.JsonRecord): string[] {
  if (part.type === 'text') return isBlank(part.text) ? ['has an empty text'] : [];
  if (part.type !== 'image_url') return [`has a part of the type ${String(part.type)}`];
  const url = s.text(s.jsonRecord(part.image_url)?.url);
  const start = picture.exec(url)?.[0];
  return start !== undefined && isBase64(url.slice(start.length)) ? [] : ['has a picture that is none'];
}
