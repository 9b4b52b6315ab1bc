import { describe, expect, it } from 'vitest';
import { rangeOf, referenceOf } from '../../../extension/engine/conversation/reference';
import { assistant, call, result, type Said, talk, user } from '../../builders/conversation';
import { build, linesOf } from '../../sessions/build';
import { everySample } from '../../sessions/samples';

const one = (said: Said) => talk(said).entries[0] ?? expect.fail();

describe('the reference to an entry', () => {
  it('the reference to an entry is six letters that depend on the content, not on the position', () => {
    const { entries } = talk(user('fix it'), assistant('done'), user('fix it'));
    const [first, second, third] = entries.map(referenceOf);
    expect(first).toMatch(/^[a-z]{6}$/);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it('the reference to an entry does not depend on reasoning or white space, which agents keep in some places only', () => {
    const thought = { type: 'reasoning', text: 'Hm.' } as const;
    const said = assistant('All of\n  it.');
    expect(referenceOf(one({ ...said, parts: [thought, ...said.parts] }))).toBe(
      referenceOf(one(assistant('All of it.'))),
    );
  });

  it('differs by role, and for outputs of different calls', () => {
    expect(referenceOf(one(user('ok')))).not.toBe(referenceOf(one(assistant('ok'))));
    expect(referenceOf(one(result('a', 'ok')))).not.toBe(referenceOf(one(result('b', 'ok'))));
    expect(referenceOf(one(result('a', 'ok')))).not.toBe(referenceOf(one(result('a', '[CLEARED]'))));
    expect(referenceOf(one(call('a')))).not.toBe(referenceOf(one(call('b'))));
  });

  it('names a range by its two ends', () => {
    const [first, last] = talk(user('a'), assistant('b')).entries;
    if (!first || !last) return expect.fail();
    expect(rangeOf(first, last)).toBe(`${referenceOf(first)}..${referenceOf(last)}`);
    expect(rangeOf(first, first)).toBe(referenceOf(first));
  });

  it.each(everySample())('names one text of $name only', ({ file, format }) => {
    const texts = new Map<string, string>();
    for (const entry of build(format, linesOf(file)).conversation.entries) {
      const said = entry.parts.filter(({ type }) => type !== 'reasoning');
      const text = JSON.stringify([entry.role, said.map(({ type, ...rest }) => rest)]).replace(/\\[nrt]|\s/g, '');
      const reference = referenceOf(entry);
      if (said.some(({ type }) => type === 'text' || type === 'tool_result'))
        expect(texts.get(reference) ?? text).toBe(text);
      texts.set(reference, text);
    }
  });
});
