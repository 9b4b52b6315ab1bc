import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * What a translator works from: every sentence that host and panel show. `STRATA_UPDATE_WORDS=1` writes it anew.
 */
const root = resolve(import.meta.dirname, '..');
const bundle = join(root, 'media/l10n/bundle.l10n.json');

const call = /(?:\bl10n\.t|(?<![\w.$'])t)\(/g;
const literal = /^\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/;

function sentencesIn(file: string): { sentences: string[]; others: string[] } {
  const text = readFileSync(join(root, file), 'utf8');
  const sentences: string[] = [];
  const others: string[] = [];
  for (const { index, 0: opening } of text.matchAll(call)) {
    const rest = text.slice(index + opening.length);
    const found = literal.exec(rest);
    if (found) sentences.push((found[1] ?? found[2] ?? '').replace(/\\(.)/g, '$1'));
    else others.push(`${file}: ${opening}${rest.slice(0, 40)}`);
  }
  return { sentences, others };
}

/** Where a refusal gets its sentence. Those of files that know VS Code are translated already. */
const refusal = /(?:new (?:OperationRefused|ForkRefused)|(?<!function )\brefusalSentence)\(\s*/g;
/** A template, or a sum of texts. */
const builtRefusal = /new OperationRefused\(\s*(?:`|'(?:[^'\\]|\\.)*'\s*\+).{0,40}/g;

function refusalsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(refusal)].flatMap(({ index, 0: opening }) => {
    const found = literal.exec(text.slice(index + opening.length));
    return found ? [(found[1] ?? found[2] ?? '').replace(/\\(.)/g, '$1')] : [];
  });
}

/** Sentences that are built at run time, which no translator could be given. */
function builtRefusalsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(builtRefusal)].map(([built]) => `${file}: ${built}`);
}

const pureFiles = globSync('extension/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('extension/host/'));
const files = globSync(['extension/host/**/*.ts', 'webview/**/*.{ts,svelte}'], { cwd: root }).filter(
  (file) => file !== 'webview/l10n.ts',
);
const found = files.map(sentencesIn);
const refusals = pureFiles.flatMap(refusalsIn);
const sentences = [...new Set([...found.flatMap((each) => each.sentences), ...refusals])].sort();

describe('what is shown to people', () => {
  it('is written as whole sentences, which can be found and translated', () => {
    expect(found.flatMap(({ others }) => others)).toEqual([]);
    expect(sentences.length).toBeGreaterThan(300);
  });

  it('includes the sentence of every refusal of the parts that do not know VS Code', () => {
    expect(pureFiles.flatMap(builtRefusalsIn)).toEqual([]);
    expect(refusals.length).toBeGreaterThan(40);
  });

  it('is all in the bundle that translators work from', () => {
    const expected = `${JSON.stringify(Object.fromEntries(sentences.map((each) => [each, each])), null, 2)}\n`;
    if (process.env.STRATA_UPDATE_WORDS) writeFileSync(bundle, expected);
    expect(readFileSync(bundle, 'utf8')).toBe(expected);
  });
});
