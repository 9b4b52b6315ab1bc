import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import { toolCalls } from '../../../extension/engine/conversation/entry';
import { atOnce } from '../../../extension/engine/conversation/long-work';
import { resultsIn } from '../../../extension/middleware/formats/results';
import type { Outgoing } from '../../../extension/middleware/recognition/outgoing';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';
import { membersOf } from '../../../extension/middleware/wire/json-text';
import type { WireProtocol } from '../../../extension/middleware/wire/protocol';
import { protocolOf, protocols } from '../../../extension/middleware/wire/protocols';
import { type Reading, type ReadRequest, readRequest } from '../../../extension/middleware/wire/request-reader';
import type * as s from '../../../extension/platform/json/schemas';
import { idsOf } from '../recognition/received';
import { apiNames, apis, indents, turns, written, writtenOtherwise } from './bodies';

/** A request with its body as text. */
interface WireRequest extends ReadRequest {
  rewritten(outgoing: readonly Outgoing[]): string;
}

function readingBy(protocol: WireProtocol | null, text: string): Reading {
  if (protocol === null) throw new Error('There is no protocol.');
  return atOnce(readRequest(protocol.shape, new BodyBytes([new TextEncoder().encode(text)])));
}

function asText(request: ReadRequest): WireRequest {
  const rewritten = (outgoing: readonly Outgoing[]) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(atOnce(request.rewriting(outgoing)).between(0));
  return { ...request, rewritten };
}

function read(path: string, text: string): WireRequest {
  const reading = readingBy(protocolOf(path), text);
  if (reading.kind === 'unread') throw new Error(`Not read: ${reading.reason}`);
  return asText(reading.request);
}

function reads(path: string, body: object): WireRequest {
  return read(path, JSON.stringify(body));
}

function reasonFor(path: string, body: unknown): string | undefined {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reading = readingBy(protocolOf(path), text);
  return reading.kind === 'unread' ? reading.reason : undefined;
}

function message(role: ContextMessage['role'], text: string, kind: ContextMessage['kind']): Outgoing {
  const part = { type: 'text', text } as const;
  const about = { key: 'block:1', entryIds: [], tokens: 1, timestamp: null, injected: false };
  return { kind: 'made', message: { ...about, role, kind, parts: [part] } };
}

const block = message('user', '[SUMMARIZED] So far.', 'summary');
const core = message('system', '[CORE] Never rename.', 'core');
const kept = (index: number): Outgoing => ({ kind: 'original', index });

function originals(request: ReadRequest): Outgoing[] {
  return request.said.map((_, index) => kept(index));
}

/** Replies together with the results that answer them, which must stay or be removed together. */
function unitsOf(messages: readonly ReceivedMessage[]): number[][] {
  const units: number[][] = [];
  for (const [index, message] of messages.entries()) {
    if (resultsIn(message).length > 0) units.at(-1)?.push(index);
    else units.push([index]);
  }
  return units;
}

describe('a path', () => {
  it('a path is handled if a POST to it asks for a reply', () => {
    const names = (paths: string[]) => paths.map((path) => protocolOf(path)?.name ?? null);
    expect(names(['/v1/chat/completions', '/openai/deployments/x/chat/completions'])).toEqual(
      Array(2).fill('openai-chat'),
    );
    expect(names(['/v1/responses', '/backend-api/codex/responses'])).toEqual(Array(2).fill('openai-responses'));
    expect(names(['/v1/messages', '/messages'])).toEqual(Array(2).fill('anthropic-messages'));
  });

  it('a path is ignored if it asks for something else', () => {
    const paths = [
      '/v1/models',
      '/v1/responses/compact',
      '/v1/responses/resp_1',
      '/v1/responses/resp_1/input_items',
      '/v1/messages/count_tokens',
      '/v1/messages/batches',
      '/v1/threads/thread_1/messages',
      '/v1/chat/completions/c1',
    ];
    expect(paths.map((path) => protocolOf(path))).toEqual(paths.map(() => null));
  });
});

describe('a request of any API', () => {
  it('goes out byte for byte if nothing is made or altered', () =>
    fc.assert(
      fc.property(apiNames, turns, indents, (name, history, indent) => {
        const text = written(apis[name].body(history), indent);
        const request = read(apis[name].path, text);
        expect(request.rewritten(originals(request))).toBe(text);
      }),
      { numRuns: 60 },
    ));

  it('keeps the characters of every message that stays, and all around the list', () =>
    fc.assert(
      fc.property(apiNames, turns, indents, fc.infiniteStream(fc.boolean()), (name, history, indent, hidden) => {
        const { path, list, body } = apis[name];
        const text = written(body(history), indent);
        const request = read(path, text);
        const staying = unitsOf(request.said).filter(() => hidden.next().value === false);
        const outgoing = [block, ...staying.flat().map(kept)];
        const after = request.rewritten(outgoing);
        const before = elementsOf(text, list);
        const left = elementsOf(after, list);
        expect(before.filter((element) => left.includes(element)).length).toBeGreaterThanOrEqual(left.length - 1);
        expect(left.slice(1).every((element) => before.includes(element))).toBe(true);
        expect(outsideOf(after, list)).toEqual(outsideOf(text, list));
        const stays = staying.flat().flatMap((index) => partsOf(request.said.slice(index, index + 1)));
        expect(partsOf(read(path, after).said).slice(1)).toEqual(stays);
      }),
      { numRuns: 80 },
    ));

  it('never loses a result of a call, or the call of a result', () =>
    fc.assert(
      fc.property(apiNames, turns, fc.infiniteStream(fc.boolean()), (name, history, hidden) => {
        const request = read(apis[name].path, written(apis[name].body(history)));
        const staying = unitsOf(request.said).filter(() => hidden.next().value === false);
        const after = read(apis[name].path, request.rewritten([block, ...staying.flat().map(kept)]));
        const results = after.said.flatMap((one) => resultsIn(one).map(({ callId }) => callId));
        const calls = after.said.flatMap(({ parts }) => toolCalls(parts.filter((part) => part.type === 'tool_call')));
        expect(results).toEqual(calls.map(({ callId }) => callId));
      }),
      { numRuns: 60 },
    ));

  it('a request of any API is the same conversation with other spaces, another order of properties and other marks for the cache', () =>
    fc.assert(
      fc.property(apiNames, turns, (name, history) => {
        const { path, body } = apis[name];
        const [one, other] = [read(path, written(body(history))), read(path, writtenOtherwise(body(history)))];
        expect(idsOf(other.said)).toEqual(idsOf(one.said));
        expect([other.model, other.system, other.tools?.names]).toEqual([one.model, one.system, one.tools?.names]);
      }),
      { numRuns: 60 },
    ));

  it('a request of any API is the same conversation in each API, by what is said', () =>
    fc.assert(
      fc.property(turns, (history) => {
        const texts = (name: keyof typeof apis) =>
          read(apis[name].path, written(apis[name].body(history))).said.flatMap(({ role, parts }) =>
            role === 'system'
              ? []
              : parts.flatMap((part) => (part.type === 'text' && part.text !== 'It is noon.' ? [part.text] : [])),
          );
        expect(texts('responses')).toEqual(texts('chat'));
        expect(texts('anthropic')).toEqual(texts('chat'));
      }),
      { numRuns: 30 },
    ));

  it('a request of any API is never more than unread, whatever JSON comes', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...protocols),
        fc.json({ maxDepth: 4 }),
        fc.jsonValue({ maxDepth: 5 }),
        (one, any, inner) => {
          for (const text of [any, JSON.stringify({ messages: inner, input: inner }), JSON.stringify(hostile(inner))]) {
            const reading = readingBy(one, text);
            if (reading.kind === 'unread') expect(reading.reason).not.toBe('');
            else {
              const request = asText(reading.request);
              expect(request.rewritten(originals(request))).toBe(text);
            }
          }
        },
      ),
      { numRuns: 200 },
    ));

  it('may be nested too deeply to be serialized', () => {
    const depth = 20_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const one of protocols) {
      const list = one.name === 'openai-responses' ? 'input' : 'messages';
      const first = `{"role":"assistant","content":[{"type":"tool_use","id":"a","input":${deep}},{"type":"odd","of":${deep}}]}`;
      const reading = readingBy(one, `{"${list}":[${first},{"role":"user","content":"hi"}],"x":${deep}}`);
      if (reading.kind === 'unread') throw new Error(reading.reason);
      const after = asText(reading.request).rewritten([kept(0), block, kept(1)]);
      expect(elementsOf(after, list)[0]).toBe(first);
      expect(idsOf(reading.request.said).length).toBeGreaterThan(0);
    }
  });

  it('a request that does not fit its API passes unread, with the reason', () => {
    for (const { path } of Object.values(apis)) {
      expect(reasonFor(path, 'model=m')).toMatch(/JSON/);
      expect(reasonFor(path, [])).toMatch(/JSON/);
      expect(reasonFor(path, { model: 'm' })).toMatch(/no list/);
      expect(reasonFor(path, { messages: ['hi'], input: [null] })).toMatch(/no list/);
    }
  });
});

/** The parts of the messages in order. Without the messages between them, two replies are read as one. */
function partsOf(messages: readonly ReceivedMessage[]) {
  return messages.flatMap(({ role, parts }) => parts.map((part) => ({ ...part, role })));
}

function elementsOf(text: string, list: string): string[] {
  return (membersOf(text).get(list)?.elements ?? []).map(({ start, end }) => text.slice(start, end));
}

function outsideOf(text: string, list: string): [string, string] {
  const { start, end } = membersOf(text).get(list)?.value ?? { start: 0, end: 0 };
  return [text.slice(0, start), text.slice(end)];
}

/** A body whose examined fields contain anything. */
function hostile(inner: unknown): s.JsonRecord {
  const roles = ['user', 'assistant', 'system', 'tool', 'function'];
  const types = ['reasoning', 'function_call', 'function_call_output', 'computer_call_output', 'compaction', inner];
  const contents = [
    'text',
    'image',
    'image_url',
    'input_image',
    'file',
    'input_audio',
    'document',
    'tool_use',
    'tool_result',
  ];
  const blocks = contents.map((type) => ({
    type,
    text: inner,
    source: inner,
    content: inner,
    image_url: inner,
    file: inner,
    input: inner,
  }));
  const messages = [
    ...roles.map((role) => ({ role, content: blocks, tool_calls: inner, function_call: inner })),
    ...roles.map((role) => ({ role, content: inner })),
    ...types.map((type) => ({
      type,
      call_id: inner ?? 'a',
      output: inner,
      summary: inner,
      action: inner,
      arguments: inner,
    })),
  ];
  return {
    messages,
    input: messages,
    system: inner,
    tools: inner,
    transforms: inner,
    plugins: inner,
    context_management: inner,
  };
}

describe('a breakpoint of the client’s cache', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const said = (role: string, text: string, marked = {}) => ({ role, content: [{ type: 'text', text, ...marked }] });

  it.each([apis.anthropic.path, apis.chat.path])('moves to the block that replaces its message: %s', (path) => {
    const messages = [said('user', 'a'), said('assistant', 'b', mark), said('user', 'c'), said('assistant', 'd', mark)];
    const { messages: sent } = JSON.parse(reads(path, { messages }).rewritten([kept(0), block, kept(3)]));
    expect(sent).toEqual([messages[0], said('user', '[SUMMARIZED] So far.', mark), messages[3]]);
  });

  it('stays away from blocks whose messages had none', () => {
    const messages = [said('user', 'a', mark), said('assistant', 'b'), said('user', 'c')];
    const after = reads(apis.anthropic.path, { messages }).rewritten([kept(0), block, kept(2)]);
    expect(after.split('cache_control')).toHaveLength(2);
  });
});

describe('Chat Completions', () => {
  const { path } = apis.chat;

  it('Chat Completions have blocks and the core as messages', () => {
    const text = '{"messages": [ {"role":"system","content":"Hi"} , {"role":"user","content":"go"} ],"n":1e400}';
    const after = read(path, text).rewritten([kept(0), core, block, kept(1)]);
    expect(after).toBe(
      '{"messages": [ {"role":"system","content":"Hi"},{"role":"system","content":"[CORE] Never rename."}' +
        ',{"role":"user","content":"[SUMMARIZED] So far."} , {"role":"user","content":"go"} ],"n":1e400}',
    );
  });

  it('Chat Completions have the core speak as the prompt does that leads', () => {
    const spoken = (...roles: string[]) => {
      const messages = [...roles, 'user'].map((role) => ({ role, content: role }));
      const request = reads('/v1/chat/completions', { messages });
      const { messages: sent } = JSON.parse(request.rewritten([...originals(request), core, block]));
      return sent.slice(messages.length).map(({ role }: s.JsonRecord) => role);
    };
    expect(spoken('developer')).toEqual(['developer', 'user']);
    expect(spoken('developer', 'system')).toEqual(['developer', 'user']);
    expect(spoken('system', 'developer')).toEqual(['system', 'user']);
    expect(spoken()).toEqual(['system', 'user']);
  });

  it('Chat Completions name the model and the tools, whatever they are', () => {
    const tools = [
      { type: 'function', function: { name: 'read' }, cache_control: { type: 'ephemeral' } },
      { type: 'custom', custom: { name: 'patch' } },
    ];
    expect(reads(path, { model: 'm', messages: [], tools })).toMatchObject({
      model: 'm',
      tools: {
        names: ['read', 'patch'],
        text: JSON.stringify(
          tools.map(({ type, ...rest }) => ({ type, ...('function' in rest ? { function: rest.function } : rest) })),
        ),
      },
    });
    expect(reads(path, { messages: [], functions: [{ name: 'old' }] }).tools?.names).toEqual(['old']);
    expect(reads(path, { messages: [] }).tools).toBeNull();
  });

  it('may have a router drop messages', () => {
    expect(reads(path, { messages: [], transforms: ['middle-out'] }).providerSide).toEqual(['transforms']);
    expect(reads(path, { messages: [], plugins: [{ id: 'context-compression' }] }).providerSide).toEqual(['plugins']);
    expect(reads(path, { messages: [], plugins: [{ id: 'web' }], transforms: [] }).providerSide).toEqual([]);
  });

  it('Chat Completions write errors as OpenAI does', () => {
    expect(protocolOf(path)?.error('unreachable', 'Nobody answers.')).toEqual({
      error: { message: 'Nobody answers.', type: 'server_error', param: null, code: 'upstream_unreachable' },
    });
  });
});

describe('Responses', () => {
  const { path } = apis.responses;

  it('Responses have the core as a developer’s message', () => {
    const after = JSON.parse(
      reads(path, { input: [{ role: 'user', content: 'go' }] }).rewritten([core, block, kept(0)]),
    );
    expect(after.input).toEqual([
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '[CORE] Never rename.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '[SUMMARIZED] So far.' }] },
      { role: 'user', content: 'go' },
    ]);
  });

  it('Responses of text alone become a list if something is added', () => {
    const request = read(path, '{"input":"g\\u006f","model":"m"}');
    expect(request.said).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'go' }] }]);
    expect(request.rewritten([kept(0)])).toBe('{"input":"g\\u006f","model":"m"}');
    expect(request.rewritten([kept(0), message('assistant', 'Done.', 'summary')])).toBe(
      '{"input":[{"role":"user","content":"g\\u006f"},' +
        '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}],"model":"m"}',
    );
  });

  it('Responses that continue a history that only the provider has are not read', () => {
    const input = [{ role: 'user', content: 'go' }];
    expect(reasonFor(path, { input, previous_response_id: 'resp_1' })).toContain('previous_response_id');
    expect(reasonFor(path, { input, conversation: { id: 'conv_1' } })).toContain('conversation');
    expect(reasonFor(path, { input: [...input, { type: 'item_reference', id: 'rs_1' }] })).toContain('item_reference');
    expect(reasonFor(path, { input: [...input, { id: 'rs_1' }] })).toContain('item_reference');
    expect(reads(path, { input, previous_response_id: null, conversation: null }).said).toHaveLength(1);
  });

  it('Responses say what the provider itself does with the context', () => {
    const sides = (body: object) => reads(path, { input: [], ...body }).providerSide;
    expect(sides({ context_management: [{ type: 'compaction' }], truncation: 'auto' })).toEqual([
      'context_management',
      'truncation',
    ]);
    expect(sides({ input: [{ type: 'compaction', encrypted_content: 'x' }, { type: 'compaction' }] })).toEqual([
      'compaction',
    ]);
    expect(sides({ context_management: null, truncation: 'disabled' })).toEqual([]);
  });

  it('Responses have their instructions and tools apart', () => {
    const tools = [{ type: 'function', name: 'read' }, { type: 'web_search' }];
    expect(reads(path, { instructions: 'Be brief.', input: [], tools })).toMatchObject({
      system: ['Be brief.'],
      tools: { names: ['read', 'web_search'] },
    });
  });
});

describe('Anthropic’s Messages', () => {
  const { path } = apis.anthropic;
  const system = (before: string) => {
    const after = read(path, `{${before}"messages":[{"role":"user","content":"go"}]}`).rewritten([core, kept(0)]);
    expect(after.endsWith('"messages":[{"role":"user","content":"go"}]}')).toBe(true);
    return after.slice(1, after.indexOf(',"messages"'));
  };
  const added = '{"type":"text","text":"[CORE] Never rename."}';

  it('Anthropic’s Messages have the core after the system prompt, wherever that is and however it is written', () => {
    expect(system('"system" : [ {"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}} ] ,')).toBe(
      `"system" : [ {"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}},${added} ] `,
    );
    expect(system('"system":"H\\u0069",')).toBe(`"system":[{"type":"text","text":"H\\u0069"},${added}]`);
    expect(system('"system":"first","system":[],')).toBe(`"system":"first","system":[${added}]`);
    for (const none of ['', '"system":null,', '"system":"",']) expect(system(none)).toBe(`"system":[${added}]`);
  });

  it('Anthropic’s Messages have blocks as messages of the one whom they speak as', () => {
    const before = { messages: [{ role: 'user', content: 'go' }], system: 'Hi' };
    const replaced = message('assistant', '[SUMMARIZED] Looked.', 'summary');
    expect(JSON.parse(reads(path, before).rewritten([kept(0), replaced]))).toEqual({
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'text', text: '[SUMMARIZED] Looked.' }] },
      ],
      system: 'Hi',
    });
  });

  it('Anthropic’s Messages have a system prompt without the provider’s billing line', () => {
    const texts = ['x-anthropic-billing-header: cc_version=2.1; cch=1a2b3;', 'Be brief.'];
    expect(reads(path, { messages: [], system: texts.map((text) => ({ type: 'text', text })) }).system).toEqual([
      'Be brief.',
    ]);
    expect(reads(path, { messages: [], system: 'Be brief.' }).system).toEqual(['Be brief.']);
    expect(reads(path, { messages: [] }).system).toEqual([]);
  });

  it('Anthropic’s Messages say what the provider itself does with the context', () => {
    const sides = (body: object) => reads(path, { messages: [], ...body }).providerSide;
    expect(sides({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } })).toEqual([
      'context_management',
    ]);
    expect(sides({ messages: [{ role: 'assistant', content: [{ type: 'compaction', content: 'So far.' }] }] })).toEqual(
      ['compaction'],
    );
    expect(sides({ compaction: { type: 'summarize' } })).toEqual(['compaction']);
    expect(sides({ context_management: { edits: [] }, compaction: null })).toEqual([]);
  });

  it('may say which thinking stays, as Claude Code does in every request', () => {
    const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }];
    expect(reads(path, { messages: [], context_management: { edits } }).providerSide).toEqual([]);
  });

  it('Anthropic’s Messages lose thinking and nothing else, byte for byte', () => {
    const thinking = '{"type":"thinking","thinking":"Hm.","signature":"c2ln"}';
    const redacted = '{"type":"redacted_thinking","data":"Zm9v"}';
    const call = '{"type":"tool_use","id":"a","name":"read","input":{"n":12345678901234567890}}';
    const messages = [
      '{"role":"user","content":"go"}',
      `{"role":"assistant" , "content":[${thinking}, ${call}],"x":1.0}`,
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"text"}]}',
      `{"role":"assistant","content":[${thinking},${redacted}]}`,
    ];
    const request = read(path, `{"model":"m","messages":[${messages.join(',')}]}`);
    const bare = (index: number): Outgoing => ({ kind: 'without-thinking', index });
    expect(elementsOf(request.rewritten([kept(0), bare(1), kept(2), bare(3)]), 'messages')).toEqual([
      messages[0],
      `{"role":"assistant" , "content":[${call}],"x":1.0}`,
      messages[2],
    ]);
    expect(request.said.map(({ thinking }) => thinking)).toEqual([undefined, 'first', undefined, 'first']);
  });

  it('Anthropic’s Messages write errors as Anthropic does', () => {
    expect(protocolOf(path)?.error('too-large', 'Too large.')).toEqual({
      type: 'error',
      error: { type: 'request_too_large', message: 'Too large.' },
    });
  });
});
