import { describe, expect, it } from 'vitest';
import { errorLines, problemLine } from '../../../extension/engine/ledger/problems';

describe('problem in command output', () => {
  it.each([
    'src/run.ts(3,1): error TS2322: Type "string" is not assignable.',
    'error[E0382]: borrow of moved value',
    'Tests: 2 failed, 14 passed',
    'bash: strata: command not found',
    'cat: data.txt: No such file or directory',
    'Traceback (most recent call last):',
    'FAIL test/run.test.ts',
    'TypeError: undefined is not a function',
    'fatal: not a git repository',
    'npm ERR! missing script: build',
  ])('problem in command output is found: %s', (line) => {
    expect(problemLine(`starting\n  ${line}\ndone`)).toBe(line);
  });

  it.each([
    'Found 0 errors.',
    '✓ reports an error: the file is gone',
    '12:  throw new TypeError("no");',
    'src/errors.ts',
    'export class ParseError extends Error {',
    '# how an error is handled',
    'All 14 tests passed, no failures.',
  ])('problem in command output is not found in passing tests, printed code or names: %s', (line) => {
    expect(problemLine(line)).toBeUndefined();
  });
});

describe('the output of a test runner', () => {
  const printed = 'error: Database connection failed\n  at handler (src/api.ts:3:1)\n\n';

  it('the output of a test runner has no problem if it counts no failure, whatever the tests print', () => {
    expect(problemLine(`${printed} 1309 pass\n 0 fail\nRan 1309 tests across 58 files.`)).toBeUndefined();
    expect(problemLine(`${printed}12 passed in 0.31s`)).toBeUndefined();
  });

  it.each([
    `${printed} 1308 pass\n 1 fail`,
    `${printed}12 passed, 2 failed in 0.31s`,
    '12 passed\nsrc/run.ts(3,1): error TS2322: Type "string" is not assignable.',
  ])('has one if it counts a failure, or something fails after it: %j', (output) => {
    expect(problemLine(output)).toBeDefined();
  });
});

describe('error lines of a result', () => {
  it('error lines of a result are at most three lines that state an error', () => {
    const text = ['$ make', 'error: a', 'error: bcd', 'note', 'error: efg', 'error: hij', 'error: klm'].join('\n');
    expect(errorLines(text, true)).toEqual(['error: a', 'error: bcd', 'error: efg']);
    expect(errorLines('exporter started\nit exited early\nopen: ENOENT', true)).toEqual(['open: ENOENT']);
  });

  it('error lines of a result are the first line of a failed call that states no error, and none for a successful call', () => {
    expect(errorLines('\n  Command aborted\nafter 3 s', true)).toEqual(['Command aborted']);
    expect(errorLines('error: printed by a program', false)).toEqual([]);
  });
});
