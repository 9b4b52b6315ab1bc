import { createHash, type Hash } from 'node:crypto';
import * as s from '../../../extension/platform/json/schemas';
import type { ScriptedReply } from '../../agents/server/script';
import type { Strictness } from './strict-server';

/**
 * The rules of Anthropic's Messages API for a conversation with tools and thinking. Sources:
 * https://docs.claude.com/en/api/messages, .../build-with-claude/extended-thinking and
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
export class StrictAnthropic implements Strictness {
  /** By signature: the thinking, and the prefix that preceded it. */
  readonly #issued = new Map<string, Issued>();
  /** The prefix of the request that is answered next. */
  #prefix = '';
  #thinking: readonly string[] = [];

  /** `binds`: thinking is bound to its prefix, as from version 5.1 on. */
  constructor(private readonly binds: boolean) {}

  faults(body: s.JsonRecord): string[] {
    const messages = mergedMessages(body);
    const before = createHash('sha256').update(JSON.stringify(withoutMarks([body.system ?? null, body.tools ?? null])));
    const thinking: string[] = [];
    const faults = messages[0]?.role === 'user' ? [] : ['messages.0: is not of the user'];
    for (const [index, { role, blocks }] of messages.entries()) {
      const at = `messages.${index}`;
      faults.push(...pairFaults(blocks, messages[index - 1], messages[index + 1]).map((fault) => `${at}: ${fault}`));
      for (const block of blocks) {
        if (block.type === 'text' && s.read(s.text, block.text).trim() === '') faults.push(`${at}: empty text`);
        if (isThinking(block)) {
          if (role !== 'assistant') faults.push(`${at}: thinking of the user`);
          faults.push(...this.#thinkingFaults(block, digest(before), thinking).map((fault) => `${at}: ${fault}`));
          thinking.push(s.read(s.text, block.signature));
        } else before.update(`\n${role}\n${JSON.stringify(withoutMarks(block))}`);
      }
    }
    faults.push(...lastReplyFaults(body, messages));
    this.#prefix = digest(before);
    this.#thinking = thinking;
    return faults;
  }

  answered({ reasoning: thinking }: ScriptedReply): void {
    const signature = Buffer.from(thinking).toString('base64');
    this.#issued.set(signature, { text: thinking, prefix: this.#prefix, thinking: this.#thinking });
  }

  #thinkingFaults(block: s.JsonRecord, prefix: string, thinking: readonly string[]): string[] {
    const issued = this.#issued.get(s.read(s.text, block.signature));
    if (issued === undefined) return ['Invalid `signature` in `thinking` block'];
    if (block.thinking !== issued.text) return ['`thinking` blocks cannot be modified'];
    if (!this.binds) return [];
    const isAtEnd = issued.thinking.slice(issued.thinking.length - thinking.length).join() === thinking.join();
    return issued.prefix === prefix && isAtEnd ? [] : ['The block is bound to a different conversation'];
  }
}

interface Issued {
  readonly text: string;
  readonly prefix: string;
  /** Signatures of the thinking that precedes it. */
  readonly thinking: readonly string[];
}

interface Message {
  readonly role: unknown;
  readonly blocks: s.JsonRecord[];
}

/** The API merges adjacent messages of one role. */
function mergedMessages(body: s.JsonRecord): Message[] {
  const merged: Message[] = [];
  for (const { role, content } of s.read(s.jsonRecords, body.messages)) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : s.read(s.jsonRecords, content);
    const last = merged.at(-1);
    if (last !== undefined && last.role === role) last.blocks.push(...blocks);
    else merged.push({ role, blocks: [...blocks] });
  }
  return merged;
}

function isThinking({ type }: s.JsonRecord): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** Checks that results come first, each after its call, and that each call has one at once. */
function pairFaults(blocks: readonly s.JsonRecord[], before: Message | undefined, after: Message | undefined) {
  const results = idsOf(blocks, 'tool_result', 'tool_use_id');
  const calls = idsOf(blocks, 'tool_use', 'id');
  const called = idsOf(before?.blocks ?? [], 'tool_use', 'id');
  const answered = idsOf(after?.blocks ?? [], 'tool_result', 'tool_use_id');
  return [
    ...results.filter((id) => !called.includes(id)).map((id) => `unexpected tool_result ${id}`),
    ...calls.filter((id) => !answered.includes(id)).map((id) => `tool_use ${id} without tool_result`),
    ...(blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result') && results.length > 0
      ? ['a result after text']
      : []),
    ...(blocks.length === 0 ? ['no content'] : []),
  ];
}

function idsOf(blocks: readonly s.JsonRecord[], type: string, field: string): string[] {
  return blocks.filter((block) => block.type === type).map((block) => String(block[field]));
}

/** If thinking has a budget, the last reply with calls must begin with thinking. */
function lastReplyFaults({ thinking }: s.JsonRecord, messages: readonly Message[]): string[] {
  if (!s.isRecord(thinking) || thinking.type !== 'enabled') return [];
  const last = messages.findLast(({ role }) => role === 'assistant')?.blocks ?? [];
  if (isThinking(last[0] ?? {}) || !last.some(({ type }) => type === 'tool_use')) return [];
  return [`Expected \`thinking\` or \`redacted_thinking\`, but found \`${last[0]?.type}\``];
}

/** Removes the cache marks of a block, or of each block of a list. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!s.isRecord(value)) return value;
  const { cache_control: _mark, ...rest } = value;
  return rest;
}

/** The digest of everything so far. */
function digest(hash: Hash): string {
  return hash.copy().digest('hex');
}
