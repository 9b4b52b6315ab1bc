import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../extension/engine/language/names';
import { expectLinear } from '../../builders/linear';

function texts(text: string): string[] {
  return namesIn(text).map((name) => name.text);
}

describe('names in a text', () => {
  it('finds files, tests and identifiers', () => {
    expect(namesIn('Run loader.test.ts, then call parseIni() of src/config/loader.ts.')).toEqual([
      { kind: 'test', text: 'loader.test.ts' },
      { kind: 'identifier', text: 'parseIni' },
      { kind: 'file', text: 'src/config/loader.ts' },
    ]);
  });

  it('finds names in any script', () => {
    expect(texts('Öffne größe.ts und файл.py, dann größeÄndern().')).toEqual(['größe.ts', 'файл.py', 'größeÄndern']);
  });

  it('finds names next to a script without spaces', () => {
    expect(texts('请修改config.ts文件，然后调用loadConfig函数')).toEqual(['config.ts', 'loadConfig']);
  });

  it('does not treat line numbers of grep as a part of a file', () => {
    expect(texts('src/hooks.go-25-\tfunc Run() and app.module.ts-81-import { A } and plan-2.md')).toEqual([
      'src/hooks.go',
      'Run()',
      'app.module.ts',
      'plan-2.md',
    ]);
  });

  it('finds no fragments of an escaped line break', () => {
    expect(texts(String.raw`"it broke\nFell over\tThen loadConfig\nreadFile"`)).toEqual(['loadConfig', 'readFile']);
  });

  it.each([
    'and/or',
    'TypeScript/JavaScript',
    'w/o',
    'read/write',
    'on 2026/01/02',
    '1/2',
    'n/a',
    'Node.js',
    'process.env',
    'console.log',
    '> /dev/null',
    '</div>',
    'e.g.',
    '3.14.15',
  ])('finds no name in "%s"', (text) => {
    expect(texts(text)).toEqual([]);
  });

  it('finds names on both sides of a slash that makes no path', () => {
    expect(texts('readFile/writeFile')).toEqual(['readFile', 'writeFile']);
  });

  it('finds folders that are written as paths', () => {
    expect(texts('in src/engine, ./scripts/all, /etc/nginx and @scope/package')).toEqual([
      'src/engine',
      './scripts/all',
      '/etc/nginx',
      '@scope/package',
    ]);
  });

  it('strips the mark of a mentioned file and the full stop', () => {
    expect(texts('Read @docs/plan.md. And -src/run.ts…')).toEqual(['docs/plan.md', 'src/run.ts']);
  });

  it('finds members of a chain that are built like names', () => {
    expect(texts('this._bashProcess and opts.ToolUseID and state.x')).toEqual(['_bashProcess', 'ToolUseID']);
  });

  it('finds no encoded bytes', () => {
    expect(texts(`toolu_01NzjV452GgRf9Xc3hLkTq ${'aGVsbG8gd29y'.repeat(30)}`)).toEqual([]);
  });

  it('returns names that are verbatim in the text', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const name of namesIn(`${text} src/${text}.ts loadConfig()${text}`)) {
          expect(`${text} src/${text}.ts loadConfig()${text}`).toContain(name.text);
        }
      }),
    ));

  it.each([
    ['letters', 'aB'],
    ['digits', '1,'],
    ['slashes', 'a/'],
    ['dots', 'a.b'],
    ['Chinese beside Latin', '改a'],
    ['open braces', '/{'],
  ])('finds names in %s without a space in linear time', (_, unit) => {
    expectLinear(50_000, (size) => namesIn(unit.repeat(size)));
  });
});
