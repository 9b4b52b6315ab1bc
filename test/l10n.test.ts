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

/** Where a localizable text is made. Refusals may also be given a literal, which host files have translated already. */
const made = /(?<!function )\b(?:new OperationRefused|localizable)\(\s*/g;
/** A template, or a sum of texts. */
const built = /(?<!function )\b(?:new OperationRefused|localizable)\(\s*(?:`|'(?:[^'\\]|\\.)*'\s*\+).{0,40}/g;
/** The message of a model's failure may be a string, for models from outside; those of Strata are localizable. */
const untranslated = /new ModelFailed\(\s*[^,()]+,\s*[`'"].{0,40}/g;

function localizableIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(made)].flatMap(({ index, 0: opening }) => {
    const found = literal.exec(text.slice(index + opening.length));
    return found ? [(found[1] ?? found[2] ?? '').replace(/\\(.)/g, '$1')] : [];
  });
}

/** Texts that no translator could be given. */
function untranslatableIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [built, untranslated].flatMap((form) => [...text.matchAll(form)].map(([found]) => `${file}: ${found}`));
}

const sources = globSync('extension/**/*.ts', { cwd: root });
const files = globSync(['extension/host/**/*.ts', 'webview/**/*.{ts,svelte}'], { cwd: root }).filter(
  (file) => file !== 'webview/l10n.ts',
);
const found = files.map(sentencesIn);
const localizableTexts = sources.flatMap(localizableIn);
const sentences = [...new Set([...found.flatMap((each) => each.sentences), ...localizableTexts])].sort();

describe('what is shown to people', () => {
  it('is written as whole sentences, which can be found and translated', () => {
    expect(found.flatMap(({ others }) => others)).toEqual([]);
    expect(sentences.length).toBeGreaterThan(300);
  });

  it('includes every localizable text of the parts that do not know VS Code', () => {
    expect(sources.flatMap(untranslatableIn)).toEqual([]);
    expect(localizableTexts.length).toBeGreaterThan(150);
  });

  it('is all in the bundle that translators work from', () => {
    const expected = `${JSON.stringify(Object.fromEntries(sentences.map((each) => [each, each])), null, 2)}\n`;
    if (process.env.STRATA_UPDATE_WORDS) writeFileSync(bundle, expected);
    expect(readFileSync(bundle, 'utf8')).toBe(expected);
  });
});
