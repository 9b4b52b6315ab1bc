import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight } from '../../../webview/state/markdown/highlight';
import { parseMarkdown } from '../../../webview/state/markdown/parse';
import { type Block, canOpen, type Inline } from '../../../webview/state/markdown/tree';

const blocksOf = (text: string): readonly Block[] => {
  const parsed = parseMarkdown(text);
  if (parsed.kind === 'plain') throw new Error(`plain: ${parsed.reason}`);
  return parsed.blocks;
};

/** Every string in the parsed result, in order. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const text = (said: string): Inline => ({ kind: 'text', text: said });

describe('a text with structure', () => {
  it('parses paragraphs, emphasis, code and links', () => {
    expect(blocksOf('Use **`a`** or *b*, ~~not c~~: [d](https://e.org)')).toEqual([
      {
        kind: 'paragraph',
        children: [
          text('Use '),
          { kind: 'strong', children: [{ kind: 'code', text: 'a' }] },
          text(' or '),
          { kind: 'emphasis', children: [text('b')] },
          text(', '),
          { kind: 'deleted', children: [text('not c')] },
          text(': '),
          { kind: 'link', url: 'https://e.org', children: [text('d')] },
        ],
      },
    ]);
  });

  it('ends a quotation before the words of another speaker', () => {
    const said = [
      '- User: “go on” · 3 calls',
      'User:',
      '> first',
      '> second',
      '(no answer)',
      'User:',
      '> third',
      'I, after 2 calls:',
    ];
    const kinds = blocksOf(said.join('\n')).map(({ kind }) => kind);
    expect(kinds).toEqual(['list', 'paragraph', 'quote', 'paragraph', 'quote', 'paragraph']);
    expect(textsOf(blocksOf(said.join('\n'))[3])).toContain('(no answer)\nUser:');
  });

  it('leaves code as it is written', () => {
    const code = '> is a prompt\nand this its output';
    expect(blocksOf(`\`\`\`\n${code}\n\`\`\``)).toEqual([{ kind: 'code', text: code, language: '' }]);
  });

  const diff = ['```diff', '> a', 'b', '```'];
  it.each([
    ['a fence in a list item', ['- ```js', '  one()', '  ```', '', ...diff]],
    ['a fence below the words of a numbered item', ['1. first', '   ```js', '   one()', '   ```', '', ...diff]],
    ['a fence in a nested item', ['- one', '  - two', '    ```js', '    one()', '    ```', '', ...diff]],
    ['a longer fence around a shorter one', ['````md', '```js', 'one()', '````', '', ...diff]],
    ['a fence of the other character', ['~~~md', '```js', 'one()', '~~~', '', ...diff]],
    ['a fence with a language, which closes nothing', ['```md', '```js', 'one()', '```', '', ...diff]],
    ['a fence that its list item ends', ['- ```js', '  one()', '', 'Then:', '', ...diff]],
    ['code in a line that begins like a fence', ['```one()```', '', ...diff]],
    ['code by indentation that looks like a fence', ['Then:', '', '    ```js', '', ...diff]],
  ])('leaves code as it is written after %s', (_what, lines) => {
    expect(blocksOf(lines.join('\n')).at(-1)).toEqual({ kind: 'code', text: '> a\nb', language: 'diff' });
  });

  it('ends a quotation after a fence in a list item', () => {
    const lines = ['- ```js', '  one()', '  ```', '', '> first', '(no answer)'];
    expect(blocksOf(lines.join('\n')).map(({ kind }) => kind)).toEqual(['list', 'quote', 'paragraph']);
  });

  it('parses ordered lists with their start, tasks, and nested lists', () => {
    const item = (checked: boolean | null, said: string, ...more: Block[]) => ({
      checked,
      children: [{ kind: 'paragraph', children: [text(said)] }, ...more],
    });

    expect(blocksOf('3. one\n   - [x] done\n   - [ ] open\n4. two')).toEqual([
      {
        kind: 'list',
        start: 3,
        items: [
          item(null, 'one', { kind: 'list', start: null, items: [item(true, 'done'), item(false, 'open')] } as Block),
          item(null, 'two'),
        ],
      },
    ]);
  });

  it('takes the first word after a fence as the language of the code', () => {
    expect(blocksOf('```TS title="a"\nlet a;\n```')).toEqual([{ kind: 'code', text: 'let a;', language: 'ts' }]);
  });

  it('parses headings, quotes, rules and tables', () => {
    const kinds = blocksOf('# a\n\n> b\n\n---\n\n| c |\n| -: |\n| d |').map(({ kind }) => kind);

    expect(kinds).toEqual(['heading', 'quote', 'rule', 'table']);
  });

  it('shows markup as the text it is', () => {
    expect(blocksOf('<script>alert(1)</script>')).toEqual([{ kind: 'verbatim', text: '<script>alert(1)</script>' }]);
    expect(blocksOf('a <b onclick="x">b</b>')).toEqual([
      { kind: 'paragraph', children: [text('a '), text('<b onclick="x">'), text('b'), text('</b>')] },
    ]);
  });

  it('names images and never loads them', () => {
    expect(blocksOf('![alt](https://e.org/a.png)')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'image', text: 'alt', url: 'https://e.org/a.png' }] },
    ]);
  });

  it.each([
    ['https://example.org/a?b#c', true],
    ['http://localhost:3000', true],
    ['mailto:dev@example.org', true],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['command:workbench.action.quit', false],
    ['vscode://some.extension/do', false],
    ['data:text/html,<script>', false],
    ['//example.org', false],
    ['#anchor', false],
  ])('leads to %s: %s', (url, opens) => {
    expect(canOpen(url)).toBe(opens);
  });
});

describe('a text that is made to hang the panel', () => {
  it.each([
    ['brackets', '['.repeat(50_000)],
    ['stars', '*a'.repeat(25_000)],
    ['quotes', '>'.repeat(50_000)],
    ['quotes over lines', Array.from({ length: 60 }, (_, depth) => `${'> '.repeat(depth)}a`).join('\n')],
    ['lists on one line', '- '.repeat(5_000)],
    ['lists set in ever further', Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['emphasis in emphasis', `${'*a **b '.repeat(40)}x${'** *'.repeat(40)}`.repeat(20)],
    ['more than anybody reads', 'words '.repeat(20_000)],
    ['tags', '<a '.repeat(15_000)],
    ['table', `${'|a'.repeat(3_000)}\n${'|-'.repeat(3_000)}`],
  ])('a text that is made to hang the panel is shown as it is, or small: %s', (_, written) => {
    const parsed = parseMarkdown(written);

    if (parsed.kind === 'plain') expect(parsed.text).toBe(written);
    else expect(textsOf(parsed.blocks).length).toBeLessThan(40_000);
  });

  it('falls back to the text if its nesting has no end', () => {
    expect(parseMarkdown('>'.repeat(50_000))).toMatchObject({ kind: 'plain', reason: 'too-deep' });
    expect(parseMarkdown('['.repeat(50_000))).toMatchObject({ kind: 'plain', reason: 'too-many-marks' });
    expect(parseMarkdown('a'.repeat(100_001))).toMatchObject({ kind: 'plain', reason: 'too-long' });
  });

  it('neither hides nor turns around anything, whatever was written', () => {
    const pieces = fc.constantFrom(
      '\u202e',
      '\u2066',
      '\ud83d',
      '\u001b[1m',
      '[a](',
      'https://e.org',
      ')',
      '`',
      '```\n',
      '# ',
      '- ',
      '> ',
      '|',
      '\n',
      'a',
      ' ',
      '&#x202e;',
      '<',
      '*',
    );
    const unsafe = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u200b]/;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        for (const painted of textsOf(parseMarkdown(parts.join('')))) {
          expect(painted.isWellFormed()).toBe(true);
          expect(painted).not.toMatch(unsafe);
        }
      }),
    );
  });
});

describe('code in colours', () => {
  it('splits code into pieces without changing it', async () => {
    const code = 'const a = "b"; // c\n';

    const pieces = (await highlight(code, 'ts')) ?? [];

    expect(pieces.map((piece) => piece.text).join('')).toBe(code);
    expect(pieces.find((piece) => piece.text === 'const')?.scope).toBe('hljs-keyword');
  });

  it.each([
    ['an unknown language', 'a', 'klingon'],
    ['no language', 'a', ''],
    ['more than is worth it', 'a'.repeat(20_001), 'ts'],
  ])('code in colours has one colour for %s', async (_, code, language) => {
    expect(await highlight(code, language)).toBeNull();
  });
});
