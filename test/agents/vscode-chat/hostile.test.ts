import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../../extension/agents/vscode-chat/format/adapter';
import { toolCalls } from '../../../extension/engine/conversation/entry';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import type { SessionBuilder } from '../../../extension/sessions/adapter';
import type { ParsedSession } from '../../../extension/sessions/session';
import { inEnglish } from '../../builders/in-english';
import { expectLinear } from '../../builders/linear';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { fixtures } from '../../sessions/samples';
import { answered, asked, began, markdown, push, set, thought, tool } from './records';

const names = [
  'kind',
  'value',
  'requests',
  'response',
  'requestId',
  'responseId',
  'message',
  'text',
  'toolInvocationSerialized',
  'toolCallId',
  'toolSpecificData',
  'resultDetails',
  'output',
  'result',
  'metadata',
  'toolCallRounds',
  'toolCallResults',
  'modelState',
  'terminal',
  'variableData',
  'variables',
  'thinking',
  'sessionId',
  '__proto__',
  'constructor',
  'length',
  'toString',
];

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...names, null, true, 0, 1, -1, Number.MAX_VALUE, 'a', 'b'),
    fc.jsonValue(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 6 }),
  ),
})).any;

const path = fc.array(fc.oneof(fc.constantFrom(...names, 'requests', 'response'), fc.nat(3)), { maxLength: 5 });
const change = fc.record({ kind: fc.constantFrom(0, 1, 2, 3, 4), k: path, v: value, i: fc.option(fc.nat(5)) });

function expectSound({ conversation }: ParsedSession): void {
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  expect(new Set(conversation.entries.map((entry) => entry.id)).size).toBe(conversation.entries.length);
}

describe('malformed VS Code chats', () => {
  it('builds a context that a provider accepts from any records', () => {
    const beginning = began([asked('a', 'b', [tool('a', 'b'), markdown('x')])]);
    fc.assert(
      fc.property(fc.array(fc.oneof(change, value), { maxLength: 10 }), (records) => {
        expectSound(build(vscodeChat, [beginning, ...records.map((record) => JSON.stringify(record) ?? '')]));
      }),
      { numRuns: 600 },
    );
    expect({}).not.toHaveProperty('polluted');
  });

  it('builds a context that a provider accepts from any requests', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (requests) => expectSound(build(vscodeChat, [began(requests)]))),
      { numRuns: 400 },
    );
  });

  it('reads any text without failing, and does not recognise it as a chat', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (lines) => {
        build(vscodeChat, ['{', ...lines]);
        build(vscodeChat, lines);
        expect(vscodeChat.recognises(['{', ...lines])).toBe(false);
      }),
    );
  });

  it('builds a context that a provider accepts from a damaged chat', () => {
    const lines = linesOf(`${fixtures}/vscode-chat/tools-and-endings.jsonl`).slice(0, -1);
    const place = fc.tuple(fc.nat(), fc.nat(), value);
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 6 }), (blows) => {
        expectSound(build(vscodeChat, blows.reduce<readonly string[]>(withReplaced, lines)));
      }),
      { numRuns: 150 },
    );
  });

  it('reads trees of any depth', () => {
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
    const request = JSON.stringify(asked('q', 'x', [tool('c1', 'read'), thought('T'), 'TREE'], { result: 'RESULT' }))
      .replace('"T"', deep('[', ']'))
      .replace('"TREE"', `{"label":"src","children":${deep('[{"label":"x","children":', '}]').replace(':}', ':[]}')}}`)
      .replace(
        '"RESULT"',
        `{"metadata":{"toolCallResults":{"c1":{"content":[{"value":{"node":${deep('{"children":[', ']}')}}}]}}}}`,
      );
    const session = build(vscodeChat, [JSON.stringify(began(['REQUEST'])).replace('"REQUEST"', request)]);
    expect(session.issues).toEqual([]);
    expect(session.conversation.entries.map((entry) => entry.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });
});

describe('a tool input nested too deeply', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const call = tool('c1', 'mcp', { toolSpecificData: { kind: 'input', rawInput: 'DEEP' } });
  const answer = tool('c1', 'mcp', { resultDetails: { input: deep, output: [] } });
  const metadata = { toolCallRounds: [{ toolCalls: [{ id: 'c1', name: 'mcp', arguments: deep }] }] };

  it.each([
    [
      'as raw input',
      [began([asked('q1', 'go')]), JSON.stringify(push(['requests', 0, 'response'], [call])).replace('"DEEP"', deep)],
      2,
    ],
    ['as a JSON text', [began([asked('q1', 'go', [answer])])], 1],
    ['in the metadata', [began([asked('q1', 'go', [tool('c1', 'mcp')], { result: { metadata } })])], 1],
  ])('replaces a tool input nested too deeply with a text and reports an issue: %s', (_how, records, line) => {
    const { conversation, issues } = build(vscodeChat, [...records, set(['customTitle'], 'T')]);
    expect(issues.map(inEnglish)).toEqual([
      { file: 'session.jsonl', line, message: expect.stringMatching(/more than 500 levels deep/) },
    ]);
    const ledger = new TokenLedger((text) => text.length);
    for (const entry of conversation.entries) expect(ledger.ofEntry(entry)).toBeLessThan(200);
    const [called] = conversation.entries.flatMap(({ parts }) => toolCalls(parts));
    expect(called?.input).toMatch(/more than 500 levels deep/);
  });

  it('limits the issues about tool inputs, and removes those of removed calls', () => {
    const builder = vscodeChat.createBuilder('session.jsonl');
    const calls = Array.from({ length: 1000 }, (_, index) => ({ ...answer, toolCallId: `c${index}` }));
    accept(builder, 1, began([asked('q1', 'go', calls)]));
    const { issues } = builder.session();
    expect([issues.length, String(issues.at(-1)?.message)]).toEqual([
      201,
      '800 more issues in this file are not listed',
    ]);
    accept(builder, 2, push(['requests', 0, 'response'], [], 1));
    expect(builder.session().issues).toHaveLength(1);
  });

  it('reports a deeply nested value as the kind of a change', () => {
    const line = JSON.stringify({ kind: 'DEEP', k: ['customTitle'] }).replace('"DEEP"', deep);
    expect(build(vscodeChat, [began(), line]).issues).toMatchObject([{ line: 2 }]);
  });
});

function withReplaced(lines: readonly string[], [line, place, replacement]: [number, number, unknown]): string[] {
  const index = line % lines.length;
  let values = 0;
  JSON.parse(lines[index] ?? '', () => (values += 1));
  let seen = 0;
  const damaged: unknown = JSON.parse(lines[index] ?? '', (_key, item: unknown) =>
    seen++ === place % values ? replacement : item,
  );
  // `JSON.stringify` returns undefined for some values, and a line must have a value.
  return lines.with(index, JSON.stringify(damaged) ?? 'null');
}

describe('a VS Code chat log compared with its state', () => {
  const part = fc.oneof(
    fc.string().map(markdown),
    fc.string().map((text) => thought(text)),
    fc.constantFrom('c1', 'c2', 'c3').map((id) => tool(id, 'read', answered({ id }, 'text'))),
  );
  const request = fc
    .tuple(fc.nat(99), fc.array(part, { maxLength: 4 }))
    .map(([id, parts]) => asked(`q${id}`, 'x', parts));
  const step = fc.oneof(
    request.map((item) => ({ what: 'ask', item }) as const),
    fc.tuple(fc.nat(3), request).map(([kept, item]) => ({ what: 'ask again', kept, item }) as const),
    fc
      .tuple(fc.nat(3), fc.array(part, { maxLength: 3 }))
      .map(([at, parts]) => ({ what: 'answer', at, parts }) as const),
    fc.tuple(fc.nat(3), fc.nat(4)).map(([at, state]) => ({ what: 'state', at, state }) as const),
  );

  /** The log that VS Code writes for these steps, and the resulting state. */
  function written(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
    const requests: Record<string, unknown>[] = [];
    const lines: unknown[] = [began()];
    for (const one of steps) {
      const { what } = one;
      if (what === 'ask' || what === 'ask again') {
        const kept = what === 'ask' ? requests.length : Math.min(one.kept, requests.length);
        lines.push(push(['requests'], [one.item], kept));
        requests.splice(kept, requests.length, structuredClone(one.item));
        continue;
      }
      const target = requests[one.at];
      if (target === undefined) continue;
      if (what === 'answer') {
        lines.push(push(['requests', one.at, 'response'], one.parts));
        (target.response as unknown[]).push(...one.parts);
      } else {
        lines.push(set(['requests', one.at, 'modelState'], { value: one.state }));
        target.modelState = { value: one.state };
      }
    }
    return { lines, requests };
  }

  it('builds the same conversation from the log as from its final state', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(5), (steps, often) => {
        const { lines, requests } = written(steps);
        const builder = vscodeChat.createBuilder('session.jsonl');
        for (const [index, line] of lines.entries()) {
          accept(builder, index + 1, line);
          if (index % (often + 1) === 0) builder.session();
        }
        const { conversation, awaitsReply, issues } = builder.session();
        const whole = build(vscodeChat, [began(requests)]);
        expect(issues).toEqual([]);
        expect(awaitsReply).toBe(whole.awaitsReply);
        expect(withoutOrigins(conversation)).toEqual(withoutOrigins(whole.conversation));
        expect(conversation).toEqual(build(vscodeChat, lines).conversation);
      }),
      { numRuns: 300 },
    );
  });

  it('reads a long answer in small pieces in linear time', { timeout: 30_000 }, () => {
    const requests = Array.from({ length: 2000 }, (_, index) => asked(`q${index}`, 'x', [markdown('y')]));
    expectLinear(7500, (size) => {
      const builder = vscodeChat.createBuilder('session.jsonl');
      accept(builder, 1, began(requests));
      builder.session();
      for (let line = 2; line < size; line += 1)
        accept(builder, line, push(['requests', 1999, 'response'], [markdown('z')]));
      expect(builder.session().conversation.entries).toHaveLength(4000);
    });
  });
});

function accept(builder: SessionBuilder, number: number, record: unknown): void {
  builder.accept({ number, text: JSON.stringify(record) });
}

function withoutOrigins(conversation: ParsedSession['conversation']): unknown {
  return JSON.parse(JSON.stringify(conversation, (key, item: unknown) => (key === 'origin' ? undefined : item)));
}
