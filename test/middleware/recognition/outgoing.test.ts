import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../extension/engine/conversation/context';
import { outgoingOf, type Projected } from '../../../extension/middleware/recognition/outgoing';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import type { ReceivedConversation } from '../../../extension/middleware/recognition/received-entries';
import { long } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';
import { strategyNames } from '../../builders/strategy-names';
import {
  asConversation,
  asPairedConversation,
  careless,
  histories,
  prompt,
  received,
  replies,
  returns,
  rules,
  says,
} from './received';

describe('a request with nothing compacted', () => {
  it('is sent unchanged', () =>
    fc.assert(
      fc.property(histories, (messages) => {
        const request = received(...messages);
        const outgoing = outgoingOf(request, contextOf(asConversation(request)).messages);
        expect(outgoing).toEqual(messages.map((_, index) => ({ kind: 'original', index })));
      }),
      { numRuns: 60 },
    ));
});

describe('a request with blocks', () => {
  it('says what the context says, whatever strategy compacted it', () =>
    fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...strategyNames), async (messages, strategy) => {
        const request = received(...messages);
        const { after } = await compact(asConversation(request), { strategy });
        const outgoing = outgoingOf(request, after.messages);
        expect(keysOf(outgoing, request, messages)).toEqual(after.messages.map(({ key }) => key));
      }),
      { numRuns: 150 },
    ));

  it('says all standing instructions word for word, whatever strategy compacted it', () =>
    fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...strategyNames), async (messages, strategy) => {
        const request = received(...messages);
        const { after } = await compact(asConversation(request), { strategy });
        const texts = outgoingOf(request, after.messages).map((piece) => textsOf(piece, messages));
        const sent = messages.flatMap(({ parts }) => parts.map(said)).filter((text) => text.includes(rules));
        expect(texts.filter((text) => text.includes(rules))).toHaveLength(sent.length);
      }),
      { numRuns: 150 },
    ));

  it('keeps each message outside the blocks once, in order, and every result after its call', () =>
    fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...strategyNames), async (messages, strategy) => {
        const request = received(...messages);
        const { after } = await compact(asConversation(request), { strategy });
        const outgoing = outgoingOf(request, after.messages);
        const indexes = outgoing.flatMap((piece) => (piece.kind === 'made' ? [] : [piece.index]));
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
        for (const index of outside(request, messages, after)) expect(indexes).toContain(index);
        expect(unpaired(outgoing, messages)).toEqual([]);
      }),
      { numRuns: 150 },
    ));

  it('a request with blocks has no result without its call, and no call without a result, even if calls share an id or have none', () =>
    fc.assert(
      fc.asyncProperty(careless, fc.constantFrom(...strategyNames), async (messages, strategy) => {
        const request = received(...messages);
        const { after } = await compact(asPairedConversation(request), { strategy });
        expect(unansweredOrUncalled(outgoingOf(request, after.messages), messages)).toEqual([]);
      }),
      { numRuns: 150 },
    ));

  it('a request with blocks has each block after everything that precedes it in the context', () => {
    const request = received(prompt('Be brief.'), says('hi'), replies('Hello.'), says('go'));
    const { messages } = contextOf(asConversation(request));
    const [first, second, third] = messages;
    if (!first || !second || !third) throw new Error('The context is too short');
    const metadata = { summarized: true, summary_type: 'conversation', turn_count: 1 } as const;
    const over = { ...first, key: 'block:1', entryIds: [], block: { seq: 1, strategy: 'x', tier: null, metadata } };
    const places = outgoingOf(request, [second, first, over, third]).map((one) =>
      one.kind === 'made' ? one.message.key : one.index,
    );
    expect(places).toEqual([0, 1, 2, 'block:1', 3]);
  });

  it('takes out of a message only the results that were pruned', async () => {
    const messages = [
      says('read both'),
      replies('', 'a', 'b'),
      returns(['a', long('A long file.', 80)], ['b', 'short']),
      replies('Read.'),
      says('and now?'),
      replies('Wait.'),
      says('go on'),
      replies('Done.'),
    ];
    const request = received(...messages);
    const parameters = { prune: { protectTokens: 0 } };
    const { after } = await compact(asConversation(request), { strategy: 'prune', parameters });
    const altered = outgoingOf(request, after.messages).find(({ kind }) => kind === 'altered');
    expect(altered).toMatchObject({ index: 2, keepsRest: true });
    expect(altered?.kind === 'altered' && altered.results.get('a')).toMatchObject({ kind: 'pruned' });
    expect(altered?.kind === 'altered' && altered.results.has('b')).toBe(false);
  });

  it('keeps the part of a message that no block replaces', () => {
    const beside = { ...returns(['a', 'one']), parts: [...returns(['a', 'one']).parts, ...says('noon').parts] };
    const request = received(says('go'), replies('', 'a'), beside, replies('Done.'));
    const { messages } = contextOf(asConversation(request));
    const [first, , , reminder] = messages;
    if (!first || !reminder) throw new Error('The context is too short');
    const metadata = { summarized: true, summary_type: 'conversation', turn_count: 1 } as const;
    const block = { seq: 1, strategy: 'threshold', tier: null, metadata };
    const over = { ...first, key: 'block:1', entryIds: reminder.entryIds, block };
    const now = messages.map((message) => (message === reminder ? over : message));
    expect(outgoingOf(request, now)).toEqual([
      { kind: 'original', index: 0 },
      { kind: 'original', index: 1 },
      { kind: 'altered', index: 2, results: new Map(), keepsRest: false },
      { kind: 'made', message: over },
      { kind: 'original', index: 3 },
    ]);
  });

  it('a request with blocks has the core after the received system prompts', () => {
    const request = received(prompt('Be brief.'), prompt('It is noon.'), says('hi'));
    const { messages } = contextOf(asConversation(request));
    const [first] = messages;
    if (!first) throw new Error('The context is empty');
    const core = { ...first, key: 'core', kind: 'core', role: 'system', entryIds: [] } as const;
    expect(outgoingOf(request, [core, ...messages]).map(({ kind }) => kind)).toEqual([
      'original',
      'original',
      'made',
      'original',
    ]);
  });
});

/** The keys of the context’s messages that are sent. */
function keysOf(
  outgoing: readonly Projected[],
  request: ReceivedConversation,
  messages: readonly ReceivedMessage[],
): string[] {
  return outgoing.flatMap((piece) => {
    if (piece.kind === 'made') return [piece.message.key];
    const { entries = [] } = request.messages[piece.index] ?? {};
    if (piece.kind === 'original') return entries.map(({ id }) => id);
    const spoken = textsOf(piece, messages);
    return entries
      .filter(({ parts: [part] }) =>
        part?.type === 'tool_result'
          ? piece.results.get(part.callId)?.kind !== 'replaced'
          : piece.keepsRest || (part?.type === 'text' && spoken.includes(part.text.trim())),
      )
      .map(({ id }) => id);
  });
}

/** The remaining text of a message, without its results. */
function textsOf(piece: Projected, messages: readonly ReceivedMessage[]): string {
  if (piece.kind === 'made') return '';
  const texts = (messages[piece.index]?.parts ?? []).map(said);
  if (piece.kind === 'original' || piece.keepsRest) return texts.join('');
  return piece.remaining === undefined ? '' : texts.map((text) => piece.remaining?.textIn(text)).join('');
}

function said(part: ReceivedMessage['parts'][number]): string {
  return part.type === 'text' ? part.text : '';
}

/** The messages of which no block replaces any part. */
function outside(request: ReceivedConversation, messages: readonly ReceivedMessage[], { messages: now }: Context) {
  const replaced = new Set(now.flatMap(({ block, entryIds }) => (block ? entryIds : [])));
  return messages.flatMap((_, index) => {
    const { entries = [] } = request.messages[index] ?? {};
    return entries.length > 0 && entries.every(({ id }) => !replaced.has(id)) ? [index] : [];
  });
}

/** Calls and results that are sent without their counterpart. */
function unpaired(outgoing: readonly Projected[], messages: readonly ReceivedMessage[]): string[] {
  const open = new Set<string>();
  const faults: string[] = [];
  for (const piece of outgoing) {
    if (piece.kind === 'made') continue;
    for (const part of messages[piece.index]?.parts ?? []) {
      if (part.type === 'tool_call') open.add(part.callId);
      if (part.type !== 'tool_result' || (piece.kind === 'altered' && gone(piece, part.callId))) continue;
      if (!open.delete(part.callId)) faults.push(`result ${part.callId}`);
    }
  }
  return [...faults, ...[...open].map((callId) => `call ${callId}`)];
}

/** The same for ids that several calls may share: a result belongs to the reply before it. */
function unansweredOrUncalled(outgoing: readonly Projected[], messages: readonly ReceivedMessage[]): string[] {
  let called = new Set<string>();
  let open = new Set<string>();
  const faults: string[] = [];
  for (const piece of outgoing) {
    if (piece.kind === 'made') continue;
    const parts = messages[piece.index]?.parts ?? [];
    const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : []));
    if (calls.length > 0) {
      faults.push(...[...open].map((callId) => `call ${callId}`));
      called = new Set(calls);
      open = new Set(calls);
    }
    for (const part of parts) {
      if (part.type !== 'tool_result' || (piece.kind === 'altered' && gone(piece, part.callId))) continue;
      if (!called.has(part.callId)) faults.push(`result ${part.callId}`);
      open.delete(part.callId);
    }
  }
  return [...faults, ...[...open].map((callId) => `call ${callId}`)];
}

function gone({ results }: Extract<Projected, { kind: 'altered' }>, callId: string): boolean {
  return results.get(callId)?.kind === 'replaced';
}
