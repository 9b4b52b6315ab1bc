import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../../extension/agents/vscode-chat/format/adapter';
import { RequestLines } from '../../../extension/agents/vscode-chat/format/lines';
import { ChatRequest } from '../../../extension/agents/vscode-chat/format/request';
import { build } from '../../sessions/build';
import { picture } from '../../sessions/picture';
import { answered, asked, began, markdown, pending, push, remove, set, thought, tool } from './records';

/** A request that counts the property reads of its response's parts. */
function counted() {
  const response: unknown[] = [];
  const request = asked('q1', 'go', response, pending);
  const lines = new RequestLines(1);
  const chat = new ChatRequest(request, { file: 'chat.jsonl', index: 0, lines });
  const seen = { reads: 0, line: 1 };
  const watched = (part: object) =>
    new Proxy(part, {
      get: (target, key) => {
        seen.reads += 1;
        return Reflect.get(target, key);
      },
    });
  return {
    read: () => chat.read().entries,
    /** Property reads of the parts while the request is read after these were appended to the first `kept` parts. */
    readsAfterPush: (parts: readonly object[], kept = response.length): number => {
      response.length = kept;
      response.push(...parts.map(watched));
      seen.line += 1;
      seen.reads = 0;
      lines.note(['response'], { kind: 'pushed', path: [], kept, added: parts.length }, seen.line);
      chat.read();
      return seen.reads;
    },
    readsAfterField: (field: string, value: unknown): number => {
      Object.assign(request, { [field]: value });
      seen.line += 1;
      seen.reads = 0;
      lines.note([field], { kind: 'set', path: [] }, seen.line);
      chat.read();
      return seen.reads;
    },
  };
}

const call = (id: string) => tool(id, 'read', answered({ path: id }, `text of ${id}`));
const calls = (count: number) => Array.from({ length: count }, (_, index) => call(`c${index}`));
const steps = (count: number) => calls(count).flatMap((part, index) => [markdown(`step ${index}`), part]);

describe('a growing VS Code chat response', () => {
  it.each([
    ['one reply with many calls', calls],
    ['many replies', steps],
  ])('a growing VS Code chat response is read where it is new, however long it is: %s', (_what, parts) => {
    const cost = (length: number): number => {
      const request = counted();
      request.readsAfterPush(parts(length));
      return request.readsAfterPush([call('new')]);
    };
    expect(cost(300)).toBe(cost(3));
    expect(cost(3)).toBeGreaterThan(0);
  });

  it('does not read the response again when only its newest part or another field changes', () => {
    const request = counted();
    const whole = request.readsAfterPush(steps(100));
    expect(request.readsAfterPush([call('c99')], 199)).toBeLessThan(whole / 50);
    expect(request.readsAfterField('result', { timings: {} })).toBe(0);
    expect(request.readsAfterField('modelState', { value: 1 })).toBe(0);
    const told = { metadata: { toolCallResults: { c0: { content: [{ value: 'the truth' }] } } } };
    expect(request.readsAfterField('result', told)).toBeGreaterThan(whole * 0.9);
  });

  it('keeps the entries of unchanged parts', () => {
    const request = counted();
    request.readsAfterPush([...steps(20), ...calls(3)]);
    const before = request.read();
    request.readsAfterPush([call('new')]);
    const after = request.read();
    expect(after).toHaveLength(before.length + 1);
    // The newest reply has one more call; the earlier results after it are unchanged.
    const changed = before.flatMap((entry, index) => (after[index] === entry ? [] : [entry.id]));
    expect(changed).toEqual(['q1-response:20']);
    request.readsAfterField('modelState', { value: 2 });
    expect(request.read().slice(0, -1)).toEqual(after);
    expect(
      request
        .read()
        .slice(0, -1)
        .every((entry, index) => entry === after[index]),
    ).toBe(true);
  });

  it('moves the reported usage to the newest reply', () => {
    const request = counted();
    request.readsAfterPush(steps(2));
    request.readsAfterField('promptTokens', 900);
    const reported = () => request.read().map((entry) => entry.usage?.input ?? 0);
    expect(reported()).toEqual([0, 0, 0, 900, 0]);
    request.readsAfterPush([markdown('done')]);
    expect(reported()).toEqual([0, 0, 0, 0, 0, 900]);
  });

  it('adds the result of a running call with the next text, and removes it if the text is removed', () => {
    const request = counted();
    request.readsAfterPush([markdown('Now'), tool('c1', 'run')]);
    expect(picture(request.read())).toEqual(['user: go', 'assistant: Now + run c1']);
    request.readsAfterPush([markdown('Done.')]);
    expect(picture(request.read()).slice(2)).toEqual([
      'tool: c1 → [VS Code did not keep what this tool answered.]',
      'assistant: Done.',
    ]);
    request.readsAfterPush([], 2);
    expect(picture(request.read())).toEqual(['user: go', 'assistant: Now + run c1']);
  });
});

describe('a VS Code chat read after every line', () => {
  const ids = fc.constantFrom('c1', 'c2', 'c1#2', 'c3');
  const part = fc.oneof(
    fc.constantFrom('', 'a', 'b').map(markdown),
    fc.constantFrom('', 'hm').map((text) => thought(text)),
    ids.map((id) => tool(id, 'read', answered({ id }, 'text'))),
    ids.map((id) => tool(id, 'run')),
    ids.map((id) => tool(id, 'run', { subAgentInvocationId: 'c9' })),
    fc.constant({ kind: 'warning', content: { value: 'careful' } }),
    fc.constant({ kind: 'undoStop', id: 'u' }),
  );
  const at = (...path: readonly (string | number)[]) => ['requests', 0, ...path];
  const round = (id: string) => ({ toolCalls: [{ id, name: 'told', arguments: '{"told":true}' }] });
  const result = fc.oneof(
    fc.constant({ timings: {} }),
    fc.array(ids, { maxLength: 3 }).map((told) => ({ metadata: { toolCallRounds: told.map(round) } })),
    ids.map((id) => ({
      metadata: { resolvedModel: 'm', toolCallResults: { [id]: { content: [{ value: 'told' }] } } },
    })),
  );
  const change = fc.oneof(
    { weight: 4, arbitrary: fc.array(part, { maxLength: 3 }).map((parts) => push(at('response'), parts)) },
    fc.tuple(fc.array(part, { maxLength: 3 }), fc.nat(8)).map(([parts, kept]) => push(at('response'), parts, kept)),
    fc.tuple(fc.nat(8), part).map(([index, value]) => set(at('response', index), value)),
    fc.nat(8).map((index) => remove(at('response', index))),
    fc.nat(8).map((index) => set(at('response', index, 'pastTenseMessage'), 'Ran it')),
    fc.array(part, { maxLength: 3 }).map((parts) => set(at('response'), parts)),
    fc.nat(4).map((value) => set(at('modelState'), { value })),
    result.map((value) => set(at('result'), value)),
    fc.constantFrom('m1', 'm2').map((model) => set(at('modelId'), model)),
    fc.constantFrom(0, 900).map((tokens) => set(at('promptTokens'), tokens)),
    fc.constant(set(at('message'), { text: 'something else' })),
    fc.constant(set(at('responseTimestamp'), 1_790_000_005_000)),
  );

  it('equals the same chat read at once after every line', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 14 }), (changes) => {
        const lines = [began([asked('q1', 'go', [], pending)]), ...changes].map((line) => JSON.stringify(line));
        const builder = vscodeChat.createBuilder('session.jsonl');
        for (const [index, text] of lines.entries()) {
          builder.accept({ number: index + 1, text });
          expect(builder.session()).toEqual(build(vscodeChat, lines.slice(0, index + 1)));
        }
      }),
      { numRuns: 400 },
    );
  });
});
