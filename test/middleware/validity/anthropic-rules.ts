import * as s from '../../../extension/platform/json/schemas';
import { isBase64, isBlank, unknownFields } from './rules';

/**
 * The faults of a request according to Anthropic's Messages API, as its reference and its error messages describe them:
 * https://docs.claude.com/en/api/messages. Only faults that depend on the context are found.
 */
export function anthropicFaults(request: unknown): string[] {
  const body = s.jsonRecord(request) ?? {};
  const messages = s.list(body.messages).map((message) => s.jsonRecord(message) ?? {});
  const faults = new Faults();
  faults.add('the request', unknownFields(body, ['system', 'messages']));
  if (body.system !== undefined && isBlank(body.system)) faults.add('system', ['is empty']);
  if (messages.length === 0) faults.add('messages', ['are none']);
  if (messages[0]?.role !== 'user') faults.add('messages.0', ['is not of the user']);
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    faults.add(at, unknownFields(message, ['role', 'content']));
    if (message.role !== 'user' && message.role !== 'assistant') faults.add(at, ['has an unknown role']);
    if (message.role === messages[index - 1]?.role) faults.add(at, ['has the role of the one before']);
    const blocks = s.list(message.content).map((block) => s.jsonRecord(block) ?? {});
    if (blocks.length === 0) faults.add(at, ['has no content']);
    for (const [place, block] of blocks.entries()) {
      faults.add(`${at}.content.${place}`, blockFaults(block, message.role === 'assistant'));
    }
    faults.add(at, resultFaults(blocks, callsOf(messages[index - 1])));
    if (callsOf(message).length > 0 && index === messages.length - 1) faults.add(at, ['has calls without results']);
  }
  const last = messages.at(-1);
  const end = s.jsonRecord(s.list(last?.content).at(-1));
  if (last?.role === 'assistant' && typeof end?.text === 'string' && end.text !== end.text.trimEnd()) {
    faults.add('messages', ['end in white space']);
  }
  const ids = messages.flatMap(callsOf);
  if (new Set(ids).size < ids.length) faults.add('messages', ['have two calls of one id']);
  return faults.all;
}

class Faults {
  readonly all: string[] = [];

  add(where: string, faults: readonly string[]): void {
    this.all.push(...faults.map((fault) => `${where}: ${fault}`));
  }
}

function callsOf(message: s.JsonRecord | undefined): unknown[] {
  if (message?.role !== 'assistant') return [];
  return s.list(message.content).flatMap((block) => {
    const record = s.jsonRecord(block);
    return record?.type === 'tool_use' ? [record.id] : [];
  });
}

/** Checks that each call of the previous reply has one result, and that the results come first. */
function resultFaults(blocks: readonly s.JsonRecord[], calls: readonly unknown[]): string[] {
  const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
  const faults: string[] = [];
  if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
    faults.push('has a result behind text');
  if (new Set(results).size < results.length) faults.push('has two results of one call');
  for (const id of results) if (!calls.includes(id)) faults.push(`has a result without its call ${String(id)}`);
  for (const id of calls) if (!results.includes(id)) faults.push(`has no result for the call ${String(id)}`);
  return faults;
}

function blockFaults(block: s.JsonRecord, isReply: boolean): string[] {
  switch (block.type) {
    case 'text':
      return [...unknownFields(block, ['type', 'text']), ...(isBlank(block.text) ? ['is a text without content'] : [])];
    case 'tool_use':
      return isReply ? callFaults(block) : ['is a call of the user'];
    case 'tool_result':
      return isReply ? ['is a result of the assistant'] : contentFaults(block);
    case 'image':
    case 'document':
      return isReply ? ['is a picture of the assistant'] : sourceFaults(block);
    default:
      return [`has the unknown type ${String(block.type)}`];
  }
}

function callFaults(block: s.JsonRecord): string[] {
  const { id, name, input } = block;
  return [
    ...unknownFields(block, ['type', 'id', 'name', 'input']),
    ...(typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id) ? [] : [`has the id ${String(id)}`]),
    ...(typeof name === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(name) ? [] : [`has the name ${String(name)}`]),
    ...(s.jsonRecord(input) === null ? ['has an input that is no object'] : []),
  ];
}

function contentFaults({ content, ...block }: s.JsonRecord): string[] {
  const faults = unknownFields(block, ['type', 'tool_use_id', 'is_error']);
  if (block.is_error !== undefined && block.is_error !== true) faults.push('has a wrong mark of an error');
  if (typeof content === 'string')
    return block.is_error === true && isBlank(content) ? [...faults, 'is an error without content'] : faults;
  const blocks = s.list(content).map((each) => s.jsonRecord(each) ?? {});
  if (blocks.length === 0) faults.push('is empty');
  for (const each of blocks) {
    if (each.type !== 'text' && each.type !== 'image' && each.type !== 'document') faults.push('has unknown content');
    faults.push(...blockFaults(each, false));
  }
  return faults;
}

const mediaTypes = { image: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], document: ['application/pdf'] };

function sourceFaults(block: s.JsonRecord): string[] {
  const source = s.jsonRecord(block.source) ?? {};
  const known: readonly unknown[] = mediaTypes[block.type as 'image' | 'document'];
  return [
    ...unknownFields(block, ['type', 'source']),
    ...unknownFields(source, ['type', 'media_type', 'data']),
    ...(source.type === 'base64' ? [] : ['has no data']),
    ...(known.includes(source.media_type) ? [] : [`has the media type ${String(source.media_type)}`]),
    ...(isBase64(source.data) ? [] : ['has data that is not Base64']),
  ];
}
