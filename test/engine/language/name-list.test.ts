import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { type Artifact, phraseMatcher } from '../../../extension/engine/language/loss-report';
import { listNames } from '../../../extension/engine/language/name-list';

function artifact(text: string, weight = 1): Artifact {
  return { kind: /[./]/.test(text) ? 'file' : 'identifier', text, entryIds: ['e1'], weight };
}

function listed(texts: readonly string[], tokens = 1000) {
  return listNames(
    texts.map((text, index) => artifact(text, texts.length - index)),
    { tokens, countTokens: countWithO200k, isCovered: () => false },
  );
}

describe('list of names', () => {
  it('groups files by folder and puts other names side by side', () => {
    expect(listed(['src/plan.ts', 'loadConfig', 'src/run.ts', 'docs/cli.md', 'readFile']).lines).toEqual([
      '- Files: src/{plan.ts,run.ts} docs/cli.md',
      '- Names: loadConfig readFile',
    ]);
  });

  it('writes only the longest form of a path', () => {
    const { lines, names } = listed(['run.ts', 'src/run.ts', '/app/src/run.ts']);
    expect(lines).toEqual(['- Files: /app/src/run.ts']);
    expect(names).toHaveLength(1);
  });

  it('list of names ends before it is a wall, however much room there is', () => {
    const many = Array.from({ length: 400 }, (_, index) => [`src/part${index}.ts`, `loadPart${index}`]).flat();
    expect(listed(many, 100_000).names).toHaveLength(110);
  });

  it('leaves out names that other text covers', () => {
    const names = [artifact('src/run.ts'), artifact('loadConfig')];
    const isSaid = phraseMatcher('I changed src/run.ts.');
    expect(listNames(names, { tokens: 100, countTokens: countWithO200k, isCovered: isSaid }).lines).toEqual([
      '- Names: loadConfig',
    ]);
  });

  it('list of names is empty if nothing fits', () => {
    expect(listed(['src/run.ts'], 3)).toEqual({ lines: [], names: [] });
  });

  it('contains each of its names, heaviest first, within its token limit', () => {
    const name = fc
      .constantFrom('plan', 'run', 'größe', 'loader', 'файл', 'index')
      .chain((base) =>
        fc.constantFrom('', 'src/', 'src/engine/', '/app/src/', 'docs/').map((folder) => `${folder}${base}`),
      );
    const file = fc.tuple(name, fc.constantFrom('.ts', '.py', '.md')).map(([base, end]) => `${base}${end}`);
    const word = fc.constantFrom('loadConfig', 'readFile', 'TokenLedger', 'parse_ini', 'isSaid');
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(file, word), { maxLength: 40 }), fc.nat(200), (texts, tokens) => {
        const { lines, names } = listed(texts, tokens);
        const holds = phraseMatcher(lines.join('\n'));
        for (const { text } of names) expect(holds(text)).toBe(true);
        expect(countWithO200k(lines.join('\n'))).toBeLessThanOrEqual(tokens);
        if (countWithO200k(texts.join(' ')) + 60 < tokens) expect(texts.every(holds)).toBe(true);
      }),
    );
  });
});
