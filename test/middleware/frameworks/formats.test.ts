import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aiSdkFormat } from '../../../extension/middleware/formats/ai-sdk';
import {
  answerPieces as aiSdkPieces,
  isFailed,
  streamedPieces,
} from '../../../extension/middleware/formats/ai-sdk-answer';
import type { AiSdkMessage, AiSdkResult, AiSdkToolResult } from '../../../extension/middleware/formats/ai-sdk-message';
import { type MessageFormat, rewritten } from '../../../extension/middleware/formats/format';
import {
  isClearedByEditing,
  isPrompt,
  isSummary,
  langchainFormat,
  answerPieces as langchainPieces,
} from '../../../extension/middleware/formats/langchain';
import { nextLink } from '../../../extension/middleware/recognition/chain';
import { outgoingOf } from '../../../extension/middleware/recognition/outgoing';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import { receivedConversation } from '../../../extension/middleware/recognition/received-entries';
import { compact, contextOf } from '../../builders/run';
import { strategyNames } from '../../builders/strategy-names';
import { asConversation, histories, time } from '../recognition/received';
import {
  asAiSdk,
  asLangchain,
  cacheMark,
  type Pairing,
  pairingOfAiSdk,
  pairingOfLangchain,
  signature,
} from './prompts';

interface Written<M> {
  readonly format: MessageFormat<M>;
  readonly write: (message: ReceivedMessage) => M[];
  readonly pairingOf: (message: M) => Pairing;
}

function followsTheRules<M>({ format, write, pairingOf }: Written<M>): void {
  const requestOf = (history: readonly ReceivedMessage[]) => {
    const messages = history.flatMap(write);
    const groups = format.groupsOf(messages);
    return {
      messages,
      groups,
      received: receivedConversation(
        groups.map(({ said }) => said),
        time,
      ),
    };
  };

  it('goes out as the very objects that came in while nothing is compacted', () =>
    fc.assert(
      fc.property(histories, (history) => {
        const { messages, groups, received } = requestOf(history);
        const sent = rewritten(format, groups, outgoingOf(received, contextOf(asConversation(received)).messages));
        expect(sent).toHaveLength(messages.length);
        for (const [index, message] of sent.entries()) expect(message).toBe(messages[index]);
      }),
      { numRuns: 40 },
    ));

  it('keeps every result after its call, whatever strategy compacted it', () =>
    fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...strategyNames), async (history, strategy) => {
        const { groups, received } = requestOf(history);
        const { after } = await compact(asConversation(received), { strategy });
        const sent = rewritten(format, groups, outgoingOf(received, after.messages));
        expect(faultsIn(sent.map(pairingOf))).toEqual([]);
      }),
      { numRuns: 120 },
    ));

  it('says what the context says', async () => {
    let blocks = 0;
    await fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...strategyNames), async (history, strategy) => {
        const { groups, received } = requestOf(history);
        const { after } = await compact(asConversation(received), { strategy });
        const sent = rewritten(format, groups, outgoingOf(received, after.messages));
        const said = format.groupsOf(sent).slice(received.leading);
        expect(wordsOf(said.flatMap((group) => textsOf(group.said.parts)))).toEqual(
          wordsOf(after.messages.flatMap(({ parts }) => textsOf(parts))),
        );
        blocks += after.messages.filter(({ block, pruned }) => block ?? pruned).length;
      }),
      { numRuns: 80 },
    );
    expect(blocks).toBeGreaterThan(0);
  });
}

function textsOf(parts: readonly { readonly type: string; readonly text?: string }[]): string[] {
  return parts.flatMap(({ type, text = '' }) => (text !== '' && type !== 'reasoning' ? [text] : []));
}

/**
 * The words of the texts. Standing instructions and a prompt are two messages of the context, but may be one text on
 * the wire.
 */
function wordsOf(texts: readonly string[]): string[] {
  return texts
    .join('\n')
    .replace(/<\/system-reminder>/g, '$&\n')
    .trim()
    .split(/\s+/);
}

/** Calls are answered at once, so a call without a result was open when the history ended. */
function faultsIn(messages: readonly Pairing[]): string[] {
  const open = new Set<string>();
  const faults: string[] = [];
  for (const { calls, results } of messages) {
    if (results.length === 0 && open.size > 0) faults.push(...open);
    for (const result of results) if (!open.delete(result)) faults.push(`result ${result}`);
    for (const call of calls) open.add(call);
  }
  return faults;
}

describe('a prompt of the AI SDK', () => {
  followsTheRules({ format: aiSdkFormat, write: asAiSdk, pairingOf: pairingOfAiSdk });

  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a' } } as const;

  it('a prompt of the AI SDK is read with every kind of result', () => {
    expect(saidOf(returned({ type: 'json', value: { rows: 3 } }))).toMatchObject({
      text: '{"rows":3}',
      isError: false,
    });
    expect(saidOf(returned({ type: 'error-text', value: 'ENOENT' }))).toMatchObject({ text: 'ENOENT', isError: true });
    expect(saidOf(returned({ type: 'error-json', value: [1] }))).toMatchObject({ text: '[1]', isError: true });
    expect(saidOf(returned({ type: 'execution-denied', reason: 'No.' }))).toMatchObject({ text: 'No.', isError: true });
    expect(
      saidOf(
        returned({
          type: 'content',
          value: [
            { type: 'text', text: 'Seen.' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
          ],
        }),
      ),
    ).toMatchObject({ text: 'Seen.', images: [{ mediaType: 'image/png', data: 'AQID' }] });
  });

  it('loses only the text of a result that was pruned', () => {
    const message = returned({ type: 'error-text', value: 'A long trace.' });
    const results = new Map([['a', { kind: 'pruned', text: '[PRUNED]' } as const]]);
    const [group] = aiSdkFormat.groupsOf([message]);
    if (!group) throw new Error('No group');
    expect(aiSdkFormat.altered(group, { results, keepsRest: true })).toEqual([
      returned({ type: 'error-text', value: '[PRUNED]' }),
    ]);
  });

  it('loses an approval with the last result beside it', () => {
    const message: AiSdkMessage = {
      role: 'tool',
      content: [
        ...returned({ type: 'text', value: 'ok' }).content,
        { type: 'tool-approval-response', approvalId: '1', approved: true },
      ],
    };
    const [group] = aiSdkFormat.groupsOf([message]);
    if (!group) throw new Error('No group');
    expect(aiSdkFormat.altered(group, { results: new Map([['a', { kind: 'replaced' }]]), keepsRest: true })).toEqual(
      [],
    );
  });

  it('a prompt of the AI SDK has what the provider ran itself in one message with what was said', () => {
    const search = { ...call, providerExecuted: true };
    const found = resultWith({ type: 'text', value: 'Found.' });
    const [group] = aiSdkFormat.groupsOf([
      { role: 'assistant', content: [search, found, { type: 'text', text: 'Yes.' }] },
    ]);
    expect(group?.said.parts.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'text']);
  });

  it('knows an answer again that comes back as a message', () => {
    const answer: Pick<AiSdkResult, 'content' | 'usage'> = {
      content: [
        { type: 'reasoning', text: 'Hm.', providerMetadata: signature },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: '{"path":"a"}' },
      ],
      usage: {
        inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
        outputTokens: { total: 7, text: 7, reasoning: 0 },
      },
    };
    const pieces = aiSdkPieces(answer);
    expect(pieces.at(-1)).toEqual({ type: 'usage', usage: { input: 30, output: 7, cacheRead: 60, cacheWrite: 10 } });
    const parts = pieces.filter((piece) => piece.type !== 'usage');
    const back = aiSdkFormat.groupsOf([
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'I look.' }, call] },
    ])[0];
    if (!back) throw new Error('No group');
    expect(nextLink('start', { role: 'assistant', parts })).toBe(nextLink('start', back.said));
  });

  it('an answer of version 5 has its usage in totals and its reason as a text', () => {
    const content = [{ type: 'text' as const, text: 'Done.' }];
    const piecesOf = (usage: object) => aiSdkPieces({ content, usage } as never);
    const reported = { inputTokens: 100, outputTokens: 7, totalTokens: 107, cachedInputTokens: 60 };
    const usage = { input: 40, output: 7, cacheRead: 60, cacheWrite: 0 };
    expect(piecesOf(reported).at(-1)).toEqual({ type: 'usage', usage });
    expect(piecesOf({ inputTokens: undefined, outputTokens: undefined })).toEqual([{ type: 'text', text: 'Done.' }]);
    expect([isFailed('error'), isFailed('stop'), isFailed({ unified: 'error', raw: undefined })]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('streams a call when it is whole', () => {
    expect(streamedPieces({ type: 'tool-input-delta', id: 'a', delta: '{' })).toEqual([]);
    expect(streamedPieces({ ...call, input: '{"path":"a"}' })).toEqual([
      { type: 'tool_call', callId: 'a', name: 'read', input: { path: 'a' } },
    ]);
  });
});

function resultWith(output: AiSdkToolResult['output']): AiSdkToolResult {
  return { type: 'tool-result', toolCallId: 'a', toolName: 'read', output, providerOptions: cacheMark };
}

function returned(output: AiSdkToolResult['output']) {
  return { role: 'tool', content: [resultWith(output)] } satisfies AiSdkMessage;
}

function saidOf(message: AiSdkMessage) {
  return aiSdkFormat.groupsOf([message])[0]?.said.parts[0];
}

describe('messages of LangChain', () => {
  followsTheRules({ format: langchainFormat, write: asLangchain, pairingOf: pairingOfLangchain });

  it('lose only the text of a result that was pruned', () => {
    const message = new ToolMessage({
      content: 'A long file.',
      tool_call_id: 'a',
      name: 'read',
      id: '7',
      artifact: { rows: 3 },
    });
    const results = new Map([['a', { kind: 'pruned', text: '[PRUNED]' } as const]]);
    const [group] = langchainFormat.groupsOf([message]);
    if (!group) throw new Error('No group');
    const [altered] = langchainFormat.altered(group, { results, keepsRest: true });
    expect(altered).toMatchObject({
      content: '[PRUNED]',
      tool_call_id: 'a',
      name: 'read',
      id: '7',
      artifact: { rows: 3 },
    });
    expect(altered).toBeInstanceOf(ToolMessage);
    expect(message.content).toBe('A long file.');
  });

  it('messages of LangChain are read whichever provider wrote their pictures', () => {
    const picture = { type: 'image', mediaType: 'image/png', data: 'AQID' };
    const blocks = [
      { type: 'image_url', image_url: 'data:image/png;base64,AQID' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } },
      { type: 'image', source_type: 'base64', mime_type: 'image/png', data: 'AQID' },
      { type: 'image', mimeType: 'image/png', data: 'AQID' },
    ];
    for (const block of blocks) expect(partsOf(new HumanMessage({ content: [block] as never }))).toEqual([picture]);
  });

  it('messages of LangChain differ if their pictures are in other places', () => {
    const at = (url: string) => partsOf(new HumanMessage({ content: [{ type: 'image_url', image_url: { url } }] }));
    expect(at('https://example.org/a.png')).not.toEqual(at('https://example.org/b.png'));
  });

  it('messages of LangChain have each call once, even if the content contains it too', () => {
    const message = new AIMessage({
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
      ],
      tool_calls: [{ id: 'a', name: 'read', args: { path: 'a' } }],
    });
    expect(partsOf(message).map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_call']);
  });

  it('messages of LangChain are read by their shape, whichever copy of the package made them', () => {
    const older = { content: 'Done.', additional_kwargs: {}, _getType: () => 'ai' } as unknown as BaseMessage;
    expect(langchainFormat.groupsOf([older])[0]?.said).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', text: 'Done.' }],
    });
  });

  it('messages of LangChain are made by who speaks in a block', () => {
    const made = (role: 'system' | 'user' | 'assistant') =>
      langchainFormat.made({ ...messageOf('[SUMMARIZED]'), role })[0];
    expect(made('assistant')).toBeInstanceOf(AIMessage);
    expect(made('user')).toBeInstanceOf(HumanMessage);
    expect(made('system')).toBeInstanceOf(SystemMessage);
  });

  it('messages of LangChain give what an answer cost, apart from the cache', () => {
    const answer = new AIMessage('Done.');
    const reported = {
      input_tokens: 100,
      output_tokens: 7,
      total_tokens: 107,
      input_token_details: { cache_read: 60 },
    };
    Object.assign(answer, { usage_metadata: reported });
    const usage = { input: 40, output: 7, cacheRead: 60, cacheWrite: 0 };
    expect(langchainPieces(answer)).toEqual([
      { type: 'text', text: 'Done.' },
      { type: 'usage', usage },
    ]);
    expect(langchainPieces({ messages: [answer] })).toHaveLength(2);
  });

  it('messages of LangChain show what another middleware did to them', () => {
    const summary = new HumanMessage({ content: 'So far.', additional_kwargs: { lc_source: 'summarization' } });
    const cleared = new ToolMessage({
      content: '[cleared]',
      tool_call_id: 'a',
      response_metadata: { context_editing: { cleared: true } },
    });
    const said = new HumanMessage('Hello.');
    expect([summary, cleared, said].map(isSummary)).toEqual([true, false, false]);
    expect([summary, cleared, said].map(isClearedByEditing)).toEqual([false, true, false]);
    expect([summary, cleared, said].map(isPrompt)).toEqual([false, false, true]);
  });
});

function partsOf(message: BaseMessage) {
  return langchainFormat.groupsOf([message])[0]?.said.parts ?? [];
}

function messageOf(text: string) {
  return {
    key: 'block:1',
    kind: 'summary',
    entryIds: [],
    parts: [{ type: 'text', text }],
    tokens: 3,
    timestamp: null,
    injected: false,
  } as const;
}
