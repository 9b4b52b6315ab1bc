import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameIndex, namesIn, textOfMessages, usedBy } from '../../../../extension/evaluation/measure/replay/names';
import { assistant, call, injected, result, talk, user } from '../../../builders/conversation';

describe('names', () => {
  it('names are paths, files and words in the form of identifiers', () => {
    const text = 'Look at src/plan.ts and config.toml, then call parseIni() with max_tokens and lastSeq.value. Done.';
    expect([...namesIn(text)]).toEqual(['src/plan.ts', 'config.toml', 'parseIni', 'max_tokens', 'lastSeq.value']);
  });

  it('names are kept if the whole name occurs, with or without folders before it', () => {
    const index = new NameIndex('The file src/engine/plan.ts calls parseIni.');
    expect(['src/engine/plan.ts', 'engine/plan.ts', 'plan.ts', 'parseIni'].every((name) => index.holds(name))).toBe(
      true,
    );
    expect(['lan.ts', 'plan.tsx', 'parseInis', 'Ini', 'other.ts'].some((name) => index.holds(name))).toBe(false);
  });

  it('names are kept by a folder with a list of its files', () => {
    const index = new NameIndex('Changed src/{plan.ts,run.ts} today.');
    expect([index.holds('src/plan.ts'), index.holds('src/run.ts'), index.holds('src/undo.ts')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('names are found by the index exactly where a full text search finds them as whole words', () => {
    const piece = fc.constantFrom('plan', 'plan.ts', 'src/', '-', '_', '.', ' ', '\n', '$', 'é', 'run.ts', '/');
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('plan.ts', 'src/plan.ts', 'run.ts', 'plan'), (said, name) => {
        const escaped = name.replaceAll('.', '\\.');
        const whole = new RegExp(`(?<![\\p{L}\\p{N}_$-])${escaped}(?![\\p{L}\\p{N}_$-])`, 'u');
        expect(new NameIndex(said).holds(name)).toBe(whole.test(said));
      }),
    );
  });

  it('names count as used in messages and tool arguments, not in tool results', () => {
    const { entries } = talk(
      user('See askedFor.ts.'),
      injected('See reminderOf.ts.'),
      call('a', 'read', { path: 'src/passed.ts', content: `writtenOut.ts ${'x'.repeat(500)}` }),
      result('a', 'answeredWith.ts'),
      assistant('I saw saidHere.ts.'),
    );
    expect([...namesIn(usedBy(entries, { written: false }))]).toEqual(['askedFor.ts', 'src/passed.ts', 'saidHere.ts']);
    expect([...namesIn(usedBy(entries, { written: true }))]).toContain('writtenOut.ts');
  });

  it('occur in tool arguments without JSON escapes', () => {
    const { entries } = talk(call('a', 'write', { files: [{ text: 'one\ntwoThree' }] }));
    expect(textOfMessages(entries)).toBe('one\ntwoThree');
  });
});
