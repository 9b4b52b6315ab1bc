import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../extension/engine/conversation/context';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import type { Part } from '../../../extension/engine/conversation/entry';
import { contextAsAnthropic } from '../../../extension/middleware/anthropic';
import { contextAsOpenAi } from '../../../extension/middleware/openai';
import { openSession } from '../../../extension/sessions/open';
import { conversations } from '../../builders/arbitrary';
import { type Said, talk } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';
import { strategyNames } from '../../builders/strategy-names';
import { fixtures, moreSamples } from '../../sessions/samples';
import { anthropicFaults } from './anthropic-rules';
import { openAiFaults } from './openai-rules';

/** Tests that what is printed for a provider is accepted by that provider. */

function faultsOf(context: Context): string[] {
  const sent = (request: unknown): unknown => JSON.parse(JSON.stringify(request));
  return [
    ...anthropicFaults(sent(contextAsAnthropic(context))).map((fault) => `Anthropic: ${fault}`),
    ...openAiFaults(sent({ messages: contextAsOpenAi(context) })).map((fault) => `OpenAI: ${fault}`),
  ];
}

const texts = fc.constantFrom('', ' ', '\n', 'Fix it.', 'Done. ', '\ud800', long());
const callIds = fc.constantFrom('', 'a', 'b', 'functions.read:0', `call_${'x'.repeat(60)}`, `call_${'x'.repeat(59)}y`);

function long(): string {
  return 'A long text of many words, in which nothing happens. '.repeat(60);
}

const pictures: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('image' as const),
  mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/*', 'image/svg+xml', 'application/pdf', 'image', ''),
  data: fc.constantFrom(null, '', 'AAAA', 'no base64', '/9j/4AAQSkZJRgABAQAAAQABAAD=', 'iVBORw0KGgo=', 'JVBERi0xLjc='),
});

const spoken: fc.Arbitrary<Part> = fc.oneof(
  texts.map((text) => ({ type: 'text' as const, text })),
  texts.map((text) => ({ type: 'reasoning' as const, text })),
  pictures,
  fc.constant({ type: 'tool_definitions' as const, names: ['read'], text: '[]' }),
);

const calls: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('tool_call' as const),
  callId: callIds,
  name: fc.constantFrom('read', '', 'mcp.read file', 'x'.repeat(200)),
  input: fc.constantFrom<unknown>({ path: 'a.ts' }, '*** Begin Patch', '', null, undefined, 7, ['a'], '{"a":1}'),
});

const results: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('tool_result' as const),
  callId: callIds,
  name: fc.constant(null),
  text: texts,
  isError: fc.boolean(),
});

/** Entries in any order, even one that no agent writes. */
const anyEntry: fc.Arbitrary<Said> = fc.oneof(
  fc.record({
    role: fc.constantFrom('user' as const, 'system' as const),
    parts: fc.array(spoken, { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(fc.oneof(spoken, calls), { maxLength: 4 }) }),
  fc
    .tuple(results, fc.array(pictures, { maxLength: 2 }))
    .map(([result, images]): Said => ({ role: 'tool', parts: [result, ...images] })),
);

const anything: fc.Arbitrary<Conversation> = fc.array(anyEntry, { maxLength: 14 }).map((said) => talk(said));

describe('a context as its provider takes it', () => {
  it('is valid whatever an agent wrote, in any order', () =>
    fc.assert(
      fc.property(anything, (conversation) => {
        expect(faultsOf(contextOf(conversation))).toEqual([]);
      }),
      { numRuns: 1500 },
    ));

  it('is valid after any compaction', () =>
    fc.assert(
      fc.asyncProperty(conversations, fc.constantFrom(...strategyNames), async (conversation, strategy) => {
        const { before, after } = await compact(conversation, { strategy });
        expect(faultsOf(before)).toEqual([]);
        expect(faultsOf(after)).toEqual([]);
      }),
      { numRuns: 150 },
    ));

  it('says everything that was said, and every result', () =>
    fc.assert(
      fc.property(anything, (conversation) => {
        const context = contextOf(conversation);
        const printed = [contextAsAnthropic(context), contextAsOpenAi(context)].map((one) => JSON.stringify(one));
        for (const part of context.messages.flatMap(({ parts }) => parts)) {
          if (part.type !== 'text' && part.type !== 'tool_result') continue;
          const text = JSON.stringify(part.text.trim().toWellFormed()).slice(1, -1);
          for (const one of printed) expect(one).toContain(text);
        }
      }),
      { numRuns: 300 },
    ));
});

/** Sessions of real agents below a folder. Only files that open as one session are included. */
function filesBelow(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

describe.each([fixtures, ...(moreSamples === undefined ? [] : [moreSamples])])('the sessions below %s', (folder) => {
  it('are valid for the providers, raw and compacted', async () => {
    const invalid: string[] = [];
    let opened = 0;
    for (const file of filesBelow(folder)) {
      const outcome = await openSession(file);
      if (outcome.kind !== 'opened') continue;
      opened += 1;
      const { conversation } = outcome.session;
      const raw = faultsOf(contextOf(conversation));
      const { after } = await compact(conversation, { strategy: 'ladder', targetTokens: 2000 });
      const compacted = faultsOf(after);
      if (raw.length > 0) invalid.push(`${file}: ${raw.slice(0, 3).join('; ')}`);
      if (compacted.length > 0) invalid.push(`${file}, compacted: ${compacted.slice(0, 3).join('; ')}`);
    }
    expect(opened).toBeGreaterThanOrEqual(15);
    expect(invalid).toEqual([]);
  }, 600_000);
});
