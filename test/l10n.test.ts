import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import { type AST, parse } from 'svelte/compiler';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/**
 * Tests of the file for translators, which contains every sentence that host and panel show. `STRATA_UPDATE_WORDS=1`
 * writes it.
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

/**
 * The places where a localizable text is made. Refusals may also get a literal, which files of the host have translated
 * already.
 */
const made = /(?<!function )\b(?:new OperationRefused|localizable)\(\s*/g;
/** A template, or a concatenation of texts. */
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

/** Texts that cannot be given to a translator. */
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

/** Files with sentences that are not translated, by their readers. */
const otherReaders: Readonly<Record<string, readonly string[]>> = {
  'models, in prompts, blocks and answers of tools': [
    'extension/engine/{prompts,memory,language,ledger}/**',
    'extension/engine/block/{omission,record-continues}.ts',
    'extension/engine/asking/questions.ts',
    'extension/engine/compaction/{display-line,guard}.ts',
    'extension/engine/core/core.ts',
    'extension/engine/journal/overlay.ts',
    'extension/engine/policies/{history,llm-prompt}.ts',
    'extension/engine/run/change/exclusion.ts',
    'extension/engine/strategies/{cleared,last-rungs,one-summary,prune,superseded}.ts',
    'extension/host/chat/{chat-tools,references}.ts',
    'extension/host/models/vscode-messages.ts',
    'extension/host/provider/received-messages.ts',
    'extension/host/tools/{tool-call,tool-target}.ts',
    'extension/inspection/{lookup,tools}/**',
    'extension/middleware/{exchanges,pictures}.ts',
    'extension/models/command/**',
    'extension/middleware/formats/**',
    'extension/sessions/fork/mended-lines.ts',
    'extension/summarizers/**',
  ],
  'models, as the agent itself words it': [
    'extension/{sessions/strata,agents/*/format}/{content,context,messages}.ts',
    'extension/agents/claude-code/format/compactions.ts',
    'extension/agents/claude-code/fork/compacted-rows.ts',
    'extension/agents/cline/format/sent/*.ts',
    'extension/agents/codex/format/{items,records}.ts',
    'extension/sessions/injected/*.ts',
    'extension/sessions/{gemini-content/content,records/paired-context,records/tool-input}.ts',
    'extension/agents/vscode-chat/format/{request,tool-call}.ts',
  ],
  'clients of the gateway': ['extension/gateway/{admission,app,refusal}.ts'],
  'the log, which is English': [
    'extension/conversations/requests/{conversation-finder,recording-notices,request-recorder}.ts',
    'extension/conversations/shelves/fallback-shelf.ts',
    'extension/conversations/stores/places/{open-store,store-kinds}.ts',
    'extension/conversations/threads/{background-conversation,compacting-threads}.ts',
    'extension/host/gateway/register.ts',
    'extension/middleware/wire/{openai-responses,relay,request-reader}.ts',
    'extension/sessions/strata/beginnings.ts',
  ],
  'developers: a broken promise, or a program that uses the library': [
    'extension/conversations/stores/*.ts',
    'extension/engine/policies/{policy-list,policy-strategy,tiers}.ts',
    'extension/engine/run/prepare/registry.ts',
    'extension/library/*.ts',
    'extension/middleware/requests/not-compacted.ts',
    'extension/protocol/{rpc,schemas}.ts',
  ],
  'readers of reports and tasks, which are files in English': ['extension/evaluation/**'],
  'nobody: it is no sentence': [
    'extension/host/panel/page.ts',
    'extension/host/view/{compactions,rows}.ts',
    'extension/host/evaluation/reading/results-reader.ts',
    'extension/sessions/catalogue/candidates.ts',
  ],
  'whoever types commands: the command line is English': [
    'extension/cli/**',
    'extension/inside/**',
    'extension/agents/*/inside/**',
    'extension/agents/*/setup.ts',
  ],
};

const translators = ['localizable', 'OperationRefused', 't'];

/** The literals of three or more words that are not translated, except those of the log and of internal errors. */
function untranslatedIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression.getText();
      if (/(?:^|\.)log\.\w+$|^(?:Error|RangeError|TypeError)$/.test(called)) return;
      if (translators.includes(called.split('.').at(-1) ?? '')) {
        node.arguments?.slice(1).forEach(visit);
        return;
      }
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      if (/\p{L}+ \p{Ll}+ \p{Ll}+/u.test(wordsOf(node))) literals.push(`${file}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return literals;
}

function wordsOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x');
}

/** Words in the markup of a component, outside expressions. Names of keys are the same in every language. */
function bareWordsIn(file: string): string[] {
  const bare: string[] = [];
  const take = ({ data }: AST.Text) => {
    if (/\p{L}{2,}/u.test(data) && data !== 'Ctrl+Enter') bare.push(`${file}: ${data.trim()}`);
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (isNode(node)) {
      if (node.type === 'Text') take(node as AST.Text);
      else if (node.type === 'StyleDirective') return;
      else if (node.type === 'Attribute') visitAttribute(node as AST.Attribute);
      else Object.values(node).forEach(visit);
    }
  };
  const visitAttribute = ({ name, value }: AST.Attribute) => {
    const isShown = /^(?:title|alt|placeholder|label|aria-(?:label|description|roledescription|valuetext))$/.test(name);
    for (const part of [value].flat()) {
      if (part !== true && (part.type !== 'Text' || isShown)) visit(part);
    }
  };
  visit(parse(readFileSync(join(root, file), 'utf8'), { modern: true }).fragment);
  return bare;
}

function isNode(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

describe('what is shown to people', () => {
  it('is written as whole sentences, which can be found and translated', () => {
    expect(found.flatMap(({ others }) => others)).toEqual([]);
    expect(sentences.length).toBeGreaterThan(300);
  });

  it('includes every localizable text of the parts that do not know VS Code', () => {
    expect(sources.flatMap(untranslatableIn)).toEqual([]);
    expect(localizableTexts.length).toBeGreaterThan(150);
  });

  it('is translated, unless it has other readers', () => {
    const isForOthers = (file: string) =>
      Object.values(otherReaders).some((patterns) => patterns.some((pattern) => matchesGlob(file, pattern)));
    expect(sources.filter((file) => !isForOthers(file)).flatMap(untranslatedIn)).toEqual([]);
  });

  it('is translated in the markup of the panel', () => {
    expect(globSync('webview/**/*.svelte', { cwd: root }).flatMap(bareWordsIn)).toEqual([]);
  });

  it('is all in the bundle that translators work from', () => {
    const expected = `${JSON.stringify(Object.fromEntries(sentences.map((each) => [each, each])), null, 2)}\n`;
    if (process.env.STRATA_UPDATE_WORDS) writeFileSync(bundle, expected);
    expect(readFileSync(bundle, 'utf8')).toBe(expected);
  });
});
