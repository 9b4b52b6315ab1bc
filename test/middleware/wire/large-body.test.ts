import { afterEach, describe, expect, it, vi } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { emptyOverlay, project } from '../../../extension/engine/conversation/projection';
import { estimatesByLength } from '../../../extension/engine/conversation/tokens';
import type { UnplacedEntry } from '../../../extension/middleware/recognition/received';
import type { IncomingRequest, RecordedRequest } from '../../../extension/middleware/requests/recording';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';
import { protocolOf } from '../../../extension/middleware/wire/protocols';
import { prepareRequest } from '../../../extension/middleware/wire/relay';
import { sendWith } from '../../../extension/middleware/wire/relay-parts';
import { sliceCost } from '../../../extension/platform/files/in-slices';
import { LoopTurns } from '../../builders/loop-turns';

const stepLength = 6_000;
const steps = 400;

const chat = {
  path: '/v1/chat/completions',
  body: {
    messages: history((text, id) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: text },
    ]),
  },
};

const responses = {
  path: '/v1/responses',
  body: {
    input: history((text, id) => [
      { type: 'function_call', call_id: id, name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: id, output: text },
    ]),
  },
};

const anthropic = {
  path: '/v1/messages',
  body: {
    messages: history((text, id) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
    ]),
  },
};

/** Number of passes over the whole text: it is decoded, split into values, parsed, grouped and hashed. */
const passes = 5;

function history(step: (text: string, id: string) => object[]): object[] {
  const text = 'a line with "quotes" and a \\ in it\n'.repeat(stepLength / 35);
  const long = Array.from({ length: steps }, (_, index) => step(`${index} ${text}`, `call_${index}`));
  return [{ role: 'user', content: 'Go.' }, ...long.flat()];
}

const nobody = { entries: [], agentContext: [], agentCompactions: [] };

const kept: RecordedRequest = {
  context: project(nobody, emptyOverlay, estimatesByLength()),
  answer: null,
  done: () => undefined,
};

afterEach(() => vi.restoreAllMocks());

function bodyOf(text: string): BodyBytes {
  return new BodyBytes([new TextEncoder().encode(text)]);
}

async function prepared(path: string, body: BodyBytes, signal = new AbortController().signal) {
  const protocol = protocolOf(path);
  if (protocol === null) throw new Error(`Nobody reads ${path}.`);
  const turns = new LoopTurns();
  const notices: string[] = [];
  let turnsBefore = 0;
  let entries: readonly UnplacedEntry[] = [];
  const keep = async ({ received }: IncomingRequest) => {
    turnsBefore = turns.count;
    entries = received.entries;
    return kept;
  };
  const parts = {
    ...{ keep, windowOf: () => null, send: sendWith(fetch), now: () => '2026-01-01T00:00:00.000Z' },
    notify: ({ message }: { message: string }) => void notices.push(message),
  };
  const url = new URL(path, 'http://model.test');
  try {
    const request = { url, method: 'POST', headers: new Headers(), body, identity: {}, signal };
    return { request: await prepareRequest(parts, request, protocol), turnsBefore, entries, notices };
  } finally {
    turns.stop();
  }
}

describe('a body of megabytes', () => {
  it.each([
    ['Chat Completions', chat],
    ['Responses', responses],
    ['Anthropic', anthropic],
  ])('of %s is read while others have their turns, one message at a time', async (_name, { path, body }) => {
    const bytes = bodyOf(JSON.stringify(body));
    const parse = vi.spyOn(JSON, 'parse');
    const { request, turnsBefore, notices } = await prepared(path, bytes);
    expect(notices).toEqual([]);
    expect(request.body).toBe(bytes);
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(2 * stepLength);
    expect(turnsBefore).toBeGreaterThanOrEqual(Math.floor((passes * steps * stepLength) / sliceCost));
  });

  it('is not read to its end after an abort', async () => {
    const bytes = bodyOf(JSON.stringify(chat.body));
    const controller = new AbortController();
    const parse = vi.spyOn(JSON, 'parse');
    const outcome = prepared(chat.path, bytes, controller.signal);
    controller.abort(new Error('gone'));
    await expect(outcome).rejects.toThrow('gone');
    expect(parse).not.toHaveBeenCalled();
  });

  it('says the same whatever character a slice ends in', async () => {
    const content = 'é€😀'.repeat(sliceCost / 8);
    const text = JSON.stringify({ messages: [{ role: 'user', content }] });
    for (const shift of ['', ' ', '  ', '   ']) {
      const { entries } = await prepared(chat.path, bodyOf(shift + text));
      expect(entries.map(({ parts }) => textOf(parts) === content)).toEqual([true]);
    }
  });
});
