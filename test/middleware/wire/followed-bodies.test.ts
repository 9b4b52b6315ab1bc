import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolResults } from '../../../extension/engine/conversation/entry';
import { atOnce } from '../../../extension/engine/conversation/long-work';
import { ArrivingBody } from '../../../extension/gateway/arriving-body';
import { type Conversations, createConversations } from '../../../extension/library/conversations';
import type { Outgoing } from '../../../extension/middleware/recognition/outgoing';
import type { ReceivedConversation } from '../../../extension/middleware/recognition/received-entries';
import type { RequestIdentity } from '../../../extension/middleware/requests/recording';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';
import { FollowedBodies } from '../../../extension/middleware/wire/followed-bodies';
import type { BodyShape } from '../../../extension/middleware/wire/protocol';
import { protocolOf } from '../../../extension/middleware/wire/protocols';
import { relay } from '../../../extension/middleware/wire/relay';
import type { RelayParts } from '../../../extension/middleware/wire/relay-parts';
import { type Reading, type ReadRequest, readRequest } from '../../../extension/middleware/wire/request-reader';
import { answerOf, responseOf } from '../../../extension/models/http/answer';
import { apiNames, apis, indents, turns, written } from './bodies';
import { Client, edits } from './request-edits';

const time = '2026-01-01T00:00:00.000Z';

function bytesOf(text: string): BodyBytes {
  return new BodyBytes([new TextEncoder().encode(text)]);
}

function shapeOf(path: string): BodyShape {
  const protocol = protocolOf(path);
  if (protocol === null) throw new Error(`${path} asks for no reply.`);
  return protocol.shape;
}

function requestIn(reading: Reading): ReadRequest | null {
  return reading.kind === 'read' ? reading.request : null;
}

/** Null for a body that is forwarded unread. */
function readWhole(shape: BodyShape, text: string): ReadRequest | null {
  return requestIn(atOnce(readRequest(shape, bytesOf(text))));
}

/** In bytes. */
const chunkLength = 100;

/** Reads each body from the end of the known one, if there is one. */
class Follower {
  readonly followed: FollowedBodies;
  continued = 0;

  constructor(
    private readonly shape: BodyShape,
    now?: () => number,
  ) {
    this.followed = new FollowedBodies(undefined, now);
  }

  read(text: string, identity: RequestIdentity = {}, at = time) {
    const bytes = this.arrived(text, identity);
    const continuing = this.followed.take(identity, this.shape, bytes);
    const request = requestIn(atOnce(readRequest(this.shape, bytes, continuing)));
    const received = request && atOnce(request.receiving(at));
    if (request && received && request.said.length < received.messages.length) this.continued += 1;
    const known = request && received ? request.known(received) : null;
    if (known) this.followed.add(identity, known);
    return request && received && { request, received };
  }

  /** Receives a long body like a gateway, in the memory of known ones. */
  private arrived(text: string, identity: RequestIdentity): BodyBytes {
    const bytes = new TextEncoder().encode(text);
    const body = new ArrivingBody(bytes.length, this.followed.longEnough(identity, bytes.length));
    for (let start = 0; start < bytes.length; start += chunkLength)
      body.add(bytes.subarray(start, start + chunkLength));
    return body.received();
  }
}

/**
 * The fate of a message: it stays, is left out, is replaced by a block or the core, or loses a part of its content.
 */
const fates = fc.array(
  fc.constantFrom(
    ...['stays', 'stays', 'stays', 'goes', 'block', 'after-block', 'reply', 'core', 'cleared', 'beneath', 'thought'],
  ),
  {
    minLength: 1,
    maxLength: 12,
  },
);

/** Applies these fates repeatedly to the messages. */
function changedAs(chosen: readonly string[], { messages }: ReceivedConversation): Outgoing[] {
  const message = {
    key: 'block:1',
    kind: 'summary',
    entryIds: [],
    tokens: 1,
    timestamp: null,
    injected: false,
  } as const;
  const parts = [{ type: 'text', text: '[SUMMARIZED] überladen 🐌' }] as const;
  return messages.flatMap(({ entries }, index): Outgoing[] => {
    const fate = chosen[index % chosen.length];
    if (fate === 'stays') return [{ kind: 'original', index }];
    const block = { kind: 'made', message: { ...message, role: 'user', parts } } as const;
    if (fate === 'block') return [block];
    if (fate === 'after-block') return [block, { kind: 'original', index }];
    if (fate === 'reply') return [{ kind: 'made', message: { ...message, role: 'assistant', parts } }];
    if (fate === 'core') return [{ kind: 'made', message: { ...message, kind: 'core', role: 'system', parts } }];
    if (fate === 'goes') return [];
    if (fate === 'thought') return [{ kind: 'without-thinking', index }];
    const ids = entries.flatMap((entry) => toolResults(entry.parts).map(({ callId }) => callId));
    const result =
      fate === 'cleared' ? ({ kind: 'pruned', text: '[cleared]' } as const) : ({ kind: 'replaced' } as const);
    // One of several results stays.
    const results = new Map(ids.slice(0, index % 2 ? 1 : ids.length).map((id) => [id, result]));
    return [{ kind: 'altered', index, results, keepsRest: index % 3 > 0 }];
  });
}

describe('a body that begins with a known one', () => {
  it('reads as it does as a whole, whatever the client changed', () => {
    let continued = 0;
    fc.assert(
      fc.property(apiNames, turns, edits, indents, fates, (name, first, changes, indent, chosen) => {
        const api = apis[name];
        const shape = shapeOf(api.path);
        const follower = new Follower(shape);
        const client = new Client(api, first, indent);
        for (const change of [{ kind: 'again' } as const, ...changes]) {
          const text = client.next(change);
          const whole = readWhole(shape, text);
          const quick = follower.read(text);
          if (whole === null) expect(quick).toBeNull();
          if (whole === null || quick === null) continue;
          const { request, received } = quick;
          expect(received).toEqual(atOnce(whole.receiving(time)));
          for (const field of ['model', 'system', 'tools', 'providerSide'] as const)
            expect(request[field]).toEqual(whole[field]);
          const outgoing = changedAs(chosen, received);
          expect(textOf(request, outgoing)).toBe(textOf(whole, outgoing));
        }
        continued += follower.continued;
      }),
      { numRuns: 150 },
    );
    expect(continued).toBeGreaterThan(150);
  });

  it.each(Object.entries(apis))('is read only from there on (%s)', (_name, api) => {
    const shape = shapeOf(api.path);
    const follower = new Follower(shape);
    const turn = {
      asked: 'Überladen? 🐌',
      steps: [{ text: 'I look.', outputs: ['ok'], reminder: false }],
      answer: 'Yes.',
    };
    const client = new Client(api, [turn]);
    for (let request = 0; request < 5; request += 1) follower.read(client.next({ kind: 'goes-on', turns: [turn] }));
    expect(follower.continued).toBe(4);
  });

  it('is not used for a conversation with the same bytes but another system prompt or other tools', () => {
    const shape = shapeOf(apis.chat.path);
    const follower = new Follower(shape);
    const said = Array.from({ length: 20 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${at}` }));
    const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
    const body = (system: string, name: string) =>
      written({ model: 'm', messages: [{ role: 'system', content: system }, ...said], tools: [tool(name)] });
    follower.read(body('A', 'read'));
    const otherTools = follower.read(body('A', 'write'));
    expect(follower.continued).toBe(1);
    expect(otherTools?.request.tools?.names).toEqual(['write']);
    const otherSystem = follower.read(body('B', 'write'));
    expect(follower.continued).toBe(1);
    expect(otherSystem?.received.system).toEqual(['B']);
  });

  it('is not known in another scope or under another key, so that equal bodies of two tenants share no time of arrival', () => {
    const shape = shapeOf(apis.chat.path);
    const follower = new Follower(shape);
    const text = written({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
    const identities = [{}, { scope: 'acme' }, { scope: 'globex' }, { scope: 'acme', conversation: 'globex' }];
    for (const [at, identity] of identities.entries()) {
      const arrival = new Date(Date.parse(time) + at).toISOString();
      const read = follower.read(text, identity, arrival);
      expect(read?.received.entries.map(({ timestamp }) => timestamp)).toEqual([arrival]);
    }
    expect(follower.continued).toBe(0);
    follower.read(text, { scope: 'acme' });
    expect(follower.continued).toBe(1);
  });

  it('leaves a known body to its own continuation if two requests branch off it', () => {
    const shape = shapeOf(apis.chat.path);
    const follower = new Follower(shape);
    const said = (count: number, end: string) =>
      written({
        model: 'm',
        messages: Array.from({ length: count }, (_, at) => ({
          role: at % 2 ? 'assistant' : 'user',
          content: at === count - 1 ? end : `${at}`,
        })),
      });
    follower.read(said(15, 'one'));
    follower.read(said(15, 'two'));
    const third = follower.read(said(15, 'one'));
    expect(follower.continued).toBe(2);
    expect(third?.received).toEqual(atOnce(readWhole(shape, said(15, 'one'))?.receiving(time) ?? neverReceived()));
  });

  it('is forgotten after it rested for five minutes', () => {
    let minutes = 0;
    const follower = new Follower(shapeOf(apis.chat.path), () => minutes * 60_000);
    const text = written({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
    for (const conversation of ['rests', 'works']) follower.read(text, { conversation });
    for (minutes of [4, 8]) follower.read(text, { conversation: 'works' });
    expect(follower.continued).toBe(2);
    follower.read(text, { conversation: 'rests' });
    expect(follower.continued).toBe(2);
  });

  it('is forgotten if too many bytes are known', () => {
    const shape = shapeOf(apis.chat.path);
    const followed = new FollowedBodies(2_000);
    const bodies = ['a', 'b', 'c'].map((name) => written({ messages: [{ role: 'user', content: name.repeat(100) }] }));
    for (const text of bodies) {
      const request = readWhole(shape, text);
      const known = request?.known(atOnce(request.receiving(time)));
      if (known) followed.add({}, known);
    }
    expect(bodies.map((text) => followed.take({}, shape, bytesOf(text)) !== null)).toEqual([false, true, true]);
  });
});

function textOf(request: ReadRequest, outgoing: readonly Outgoing[]): string {
  return new TextDecoder().decode(atOnce(request.rewriting(outgoing)).between(0));
}

function neverReceived(): never {
  throw new Error('The body could not be read.');
}

const answer = {
  id: 'a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
};

/** One program with its conversations, and the requests that its provider received. */
async function program(followed: FollowedBodies | null) {
  const sent: string[] = [];
  /** For each request, a promise that settles when its answer is stored. */
  const answered: Promise<void>[] = [];
  const conversations = await createConversations({
    window: 600,
    countTokens: (text) => Math.ceil(text.length / 4),
    automation: { floorTokens: 0, pauseTokens: 0 },
    onNotice: () => undefined,
  });
  const parts: RelayParts = {
    keep: async (request) => {
      const kept = await conversations.keep(request);
      const { promise, resolve } = Promise.withResolvers<void>();
      answered.push(promise);
      return { ...kept, done: () => [kept.done(), resolve()] };
    },
    windowOf: () => 600,
    notify: () => undefined,
    now: () => time,
    send: async (_url, request) => {
      sent.push(await new Response(new Blob([...(request.body as Uint8Array<ArrayBuffer>[])])).text());
      return answerOf(Response.json(answer));
    },
    ...(followed ? { followed } : {}),
  };
  return { conversations, parts, sent, answered };
}

async function asks({ parts, answered }: Awaited<ReturnType<typeof program>>, path: string, text: string) {
  const url = new URL(path, 'http://model.test');
  const { signal } = new AbortController();
  const headers = new Headers({ 'content-type': 'application/json' });
  const response = await relay(parts, { url, method: 'POST', headers, body: bytesOf(text), identity: {}, signal });
  await responseOf(response).text();
  await Promise.all(answered);
}

function keptIn({ contexts }: Conversations) {
  return contexts.map((context) => ({
    entries: context.entries.map(({ id, role, parts }) => ({ id, role, parts })),
    context: context.current.messages.map(({ key, parts, tokens }) => ({ key, parts, tokens })),
    compactions: context.compactions.map(({ record: { seq, text, entryIds, tokensBefore, tokensAfter } }) => ({
      ...{ seq, text, entryIds, tokensBefore, tokensAfter },
    })),
  }));
}

describe('a program that follows bodies', () => {
  it('sends and keeps the same as one that reads each as a whole, compactions and all', async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(apiNames, turns, turns, edits, async (name, first, other, changes) => {
        const api = apis[name];
        const [quick, whole] = [await program(new FollowedBodies()), await program(null)];
        const clients = [new Client(api, first), new Client(api, other)];
        for (const [at, change] of [{ kind: 'again' } as const, ...changes].entries()) {
          const text = (clients[at % 3 === 2 ? 1 : 0] as Client).next(change);
          await asks(quick, api.path, text);
          await asks(whole, api.path, text);
        }
        expect(quick.sent).toEqual(whole.sent);
        expect(keptIn(quick.conversations)).toEqual(keptIn(whole.conversations));
        compactions += keptIn(whole.conversations).flatMap((one) => one.compactions).length;
      }),
      { numRuns: 30 },
    );
    expect(compactions).toBeGreaterThan(10);
  });
});
