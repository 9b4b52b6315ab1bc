import * as s from '../../../extension/platform/json/schemas';
import { responseItems } from '../../agents/server/responses';
import type { ScriptedReply } from '../../agents/server/script';
import type { Strictness } from './strict-server';

/** The rules of OpenAI for a conversation with tools: https://platform.openai.com/docs/api-reference */
export class StrictChat implements Strictness {
  faults({ messages }: s.JsonRecord): string[] {
    const faults: string[] = [];
    let open: string[] = [];
    for (const [index, message] of s.jsonRecords(messages).entries()) {
      const at = `messages.${index}`;
      if (message.role === 'tool') {
        const id = String(message.tool_call_id);
        if (!open.includes(id)) faults.push(`${at}: no call ${id} directly before it`);
        open = open.filter((one) => one !== id);
        continue;
      }
      if (open.length > 0) faults.push(`${at}: calls without results: ${open.join()}`);
      const calls = s.jsonRecords(message.tool_calls);
      open = calls.map(({ id }) => String(id));
      if (!chatRoles.has(message.role)) faults.push(`${at}: unknown role ${message.role}`);
      if (calls.length > 0 && message.role !== 'assistant') faults.push(`${at}: calls of ${message.role}`);
      if (calls.length === 0 && isEmpty(message.content)) faults.push(`${at}: no content`);
      faults.push(...calls.flatMap((call) => this.callFaults(call)).map((fault) => `${at}: ${fault}`));
    }
    return open.length > 0 ? [...faults, `calls without results: ${open.join()}`] : faults;
  }

  protected callFaults(call: s.JsonRecord): string[] {
    const { arguments: given } = s.read(calledFunction, call.function);
    return isJson(given) ? [] : [`arguments of ${call.id} are not JSON`];
  }
}

const calledFunction = s.record({ name: s.text, arguments: s.text });

const chatRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant']);

function isEmpty(content: unknown): boolean {
  return !content || (Array.isArray(content) && content.length === 0);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The rules of OpenAI's Responses API for reasoning models. Sources: https://platform.openai.com/docs/guides/reasoning
 * and .../docs/guides/conversation-state
 */
export class StrictResponses implements Strictness {
  /** Output items by their id, each with the response that it belongs to. */
  readonly #issued = new Map<string, { readonly item: s.JsonRecord; readonly response: number }>();

  faults(body: s.JsonRecord): string[] {
    const stored = body.store !== false;
    const given = s.jsonRecords(body.input);
    const items = given.map((item) => this.#resolved(item, stored));
    const called = idsOf(items, 'function_call');
    const answered = idsOf(items, 'function_call_output');
    const ids = items.map(({ id }) => id).filter((id) => id !== undefined);
    return [
      ...(given.length === 0 ? ['input is empty'] : []),
      ...answered.filter((id) => !called.includes(id)).map((id) => `No tool call found for function call output ${id}`),
      ...called.filter((id) => !answered.includes(id)).map((id) => `No tool output found for function call ${id}`),
      ...called.filter((id, index) => called.indexOf(id) !== index).map((id) => `Duplicate call ${id}`),
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `Duplicate item found with id ${id}`),
      ...items.flatMap((item, index) => this.#itemFaults(item, items[index - 1], items[index + 1], stored)),
    ];
  }

  answered(reply: ScriptedReply, number: number): void {
    for (const item of responseItems(reply, number)) {
      const issued = { item, response: number };
      for (const key of keysOf(item)) this.#issued.set(key, issued);
    }
  }

  /** Replaces a reference by the item that the provider stored. */
  #resolved(item: s.JsonRecord, stored: boolean): s.JsonRecord {
    const known = this.#issued.get(String(item.id))?.item;
    return item.type === 'item_reference' && stored && known !== undefined ? known : item;
  }

  #itemFaults(item: s.JsonRecord, before: s.JsonRecord | undefined, after: s.JsonRecord | undefined, stored: boolean) {
    const { id, type, encrypted_content: encrypted } = item;
    if (type === 'item_reference') return [`Item with id '${id}' not found`];
    const known = this.#issued.get(String(id));
    if (type === 'reasoning') {
      if (known === undefined) return [`Item with id '${id}' not found`];
      if (!stored && encrypted === undefined) return [`Item with id '${id}' not found: it is not stored`];
      if (encrypted !== undefined && encrypted !== known.item.encrypted_content)
        return [`The encrypted content of ${id} could not be verified`];
      return this.#responseOf(after) === known.response
        ? []
        : [`Item ${id} of type 'reasoning' was provided without its required following item`];
    }
    const isReply = type === 'function_call' || item.role === 'assistant';
    if (!isReply || known === undefined) return [];
    if (type === 'function_call' && item.arguments !== known.item.arguments) return [`Item ${id} was changed`];
    return this.#responseOf(before) === known.response
      ? []
      : [`Item ${id} of type '${type}' was provided without its required 'reasoning' item`];
  }

  #responseOf(item: s.JsonRecord | undefined): number | undefined {
    return keysOf(item ?? {}).flatMap((key) => this.#issued.get(key)?.response ?? [])[0];
  }
}

/** The identity of an item. Clients may leave out the ids of items that are not stored. */
function keysOf({ id, call_id, content }: s.JsonRecord): string[] {
  const said = typeof content === 'string' ? [{ text: content }] : s.jsonRecords(content);
  const texts = said.map(({ text }) => `text:${text}`);
  return [...(id === undefined ? [] : [String(id)]), ...(call_id === undefined ? [] : [`call:${call_id}`]), ...texts];
}

function idsOf(items: readonly s.JsonRecord[], wanted: string): unknown[] {
  return items.filter(({ type }) => type === wanted).map(({ call_id }) => call_id);
}
