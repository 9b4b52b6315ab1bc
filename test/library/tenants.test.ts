import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConversations } from '../../extension/library';
import { compactingFetch } from '../../extension/library/fetch';
import { memoryStore, storeShelf } from '../../extension/library/stores';

const tenants = ['acme', 'globex'] as const;
const model = 'scripted';
const url = 'https://provider.test/v1/chat/completions';

const message = fc.constantFrom('Hello.', 'Go on.', 'Stop.');
/**
 * Messages of both tenants are often equal, so that only the scope distinguishes them. `own`: the answer that the
 * tenant got before.
 */
const act = fc.record({
  tenant: fc.constantFrom(...tenants),
  conversation: fc.constantFrom(undefined, 'thread-1', 'acme', 'globex'),
  said: fc.array(fc.tuple(message, fc.constantFrom('own', 'Done.')), { maxLength: 3 }),
  last: message,
  pins: fc.boolean(),
  /** Milliseconds until the answer. */
  answeredAfter: fc.integer({ min: 0, max: 4 }),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const secretOf = (tenant: string) => `secret-of-${tenant}`;
const otherOf = (tenant: string) => secretOf(tenant === 'acme' ? 'globex' : 'acme');

function bodyOf({ tenant, said, last }: Act): string {
  const history = said.flatMap(([asked, answer]) => [
    { role: 'user', content: asked },
    { role: 'assistant', content: answer === 'own' ? `Yes. ${secretOf(tenant)}` : answer },
  ]);
  return JSON.stringify({ model, messages: [...history, { role: 'user', content: last }] });
}

/** A program that serves all tenants through one `fetch`, and the requests that its provider received for each. */
async function program(shelf: 'memory' | 'store') {
  const sent: { readonly tenant: string; readonly body: string }[] = [];
  let clock = Date.parse('2026-01-01T00:00:00.000Z');
  const now = () => new Date(clock++).toISOString();
  const conversations = await createConversations({
    window: 400,
    countTokens: (text) => Math.ceil(text.length / 4),
    automation: { floorTokens: 0, pauseTokens: 0 },
    effects: { now },
    onNotice: () => undefined,
    ...(shelf === 'store' ? { shelf: storeShelf(memoryStore()) } : {}),
  });
  const provider: typeof fetch = async (_url, init) => {
    const headers = new Headers(init?.headers);
    const tenant = headers.get('x-tenant') ?? '';
    sent.push({ tenant, body: new TextDecoder().decode(init?.body as Uint8Array) });
    await delay(Number(headers.get('x-delay')));
    const content = `Yes. ${secretOf(tenant)}`;
    return Response.json({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] });
  };
  const send = compactingFetch(conversations, {
    fetch: provider,
    scope: ({ headers }) => headers.get('x-tenant') ?? undefined,
  });
  const asks = async (one: Act) => {
    const headers = {
      'content-type': 'application/json',
      'x-tenant': one.tenant,
      'x-delay': String(one.answeredAfter),
      ...(one.conversation ? { 'x-strata-conversation': one.conversation } : {}),
    };
    const response = await send(url, { method: 'POST', headers, body: bodyOf(one) });
    expect(await response.text()).toContain(secretOf(one.tenant));
    const newest = conversations.contextsIn(one.tenant).at(-1);
    if (one.pins && newest?.items.length === 0) await newest.pin('constraint', `Keep to ${secretOf(one.tenant)}.`);
  };
  return { conversations, sent, asks };
}

describe('tenants whose requests run at the same time', () => {
  it.each(['memory', 'store'] as const)('never have anything of each other, whatever they send: %s', async (shelf) => {
    let atOnce = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { maxLength: 4 }), async (rounds) => {
        const { conversations, sent, asks } = await program(shelf);
        for (const round of rounds) {
          await Promise.all(round.map(asks));
          if (new Set(round.map(({ tenant }) => tenant)).size === 2) atOnce += 1;
        }
        expect(sent).toHaveLength(rounds.flat().length);
        for (const { tenant, body } of sent) expect(body).not.toContain(otherOf(tenant));
        const times: Set<string | null>[] = [];
        for (const tenant of tenants) {
          const contexts = await Promise.all(
            (await conversations.list(tenant)).map((one) => conversations.listed(one)),
          );
          const kept = contexts.map(({ entries, items, current }) => [entries, items, current.messages]);
          expect(JSON.stringify(kept)).not.toContain(otherOf(tenant));
          expect(JSON.stringify(await conversations.search('secret', tenant))).not.toContain(otherOf(tenant));
          expect(contexts.every(({ identity }) => identity.scope === tenant)).toBe(true);
          times.push(new Set(contexts.flatMap(({ entries }) => entries.map(({ timestamp }) => timestamp))));
        }
        // The clock returns each time once, so a time that both tenants have was copied from one to the other.
        expect([...(times[0] ?? [])].filter((time) => times[1]?.has(time))).toEqual([]);
        expect([await conversations.list(), await conversations.search('secret')]).toEqual([[], []]);
      }),
      { numRuns: 30 },
    );
    expect(atOnce).toBeGreaterThan(10);
  });
});
