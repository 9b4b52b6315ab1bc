import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateLines, maxLinesSearched } from '../../../extension/engine/language/candidate-lines';
import { isParaphrased, TextIndex } from '../../../extension/engine/language/paraphrase';

describe('candidate lines', () => {
  const everywhere = Array.from({ length: 5000 }, (_, line) => line);

  it('candidate lines have the rarest words; lines with only common words are not searched', () => {
    const linesWith = new Map([
      ['ran', everywhere],
      ['tests', everywhere],
      ['parser', [4000]],
      ['passed', everywhere],
    ]);
    expect(candidateLines(['ran', 'tests', 'parser', 'passed'], 4, linesWith)).toEqual([4000]);
    expect(candidateLines(['ran', 'tests', 'parser', 'passed'], 3, linesWith)[0]).toBe(4000);
  });

  it('candidate lines are limited in number, even if all lines have all words', () => {
    const words = ['ran', 'tests', 'passed', 'again'];
    const linesWith = new Map(words.map((word) => [word, everywhere]));
    expect(candidateLines(words, 3, linesWith)).toHaveLength(maxLinesSearched);
  });

  it('include every match if there are few lines', () => {
    const lines = fc.uniqueArray(fc.nat({ max: 30 })).map((some) => some.sort((a, b) => a - b));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), lines),
        fc.integer({ min: 1, max: 5 }),
        (by, least) => {
          const words = ['a', 'b', 'c', 'd', 'e'];
          const likely = new Set(candidateLines(words, least, new Map(Object.entries(by))));
          for (let line = 0; line <= 30; line += 1) {
            if (words.filter((word) => by[word]?.includes(line)).length >= least) expect(likely).toContain(line);
          }
        },
      ),
    );
  });
});

describe('paraphrase', () => {
  const block = [
    '## Constraints',
    '- The config loader stays untouched, and its tests have to stay green.',
    '- At most 200 lines in one file.',
    '',
    '## Done',
    '- Moved the session picker to the command line folder.',
    '- Files: src/config/loader.ts src/session-picker.ts src/bash-executor.ts',
  ].join('\n');

  it.each([
    'Please keep the tests of the config loader green.',
    'move the session picker into a folder for the command line',
    'never let a file have more than 200 lines in it',
  ])('paraphrase is found by shared words: %s', (said) => expect(isParaphrased(said, block)).toBe(true));

  it.each([
    ['of something else', 'Write a migration for the customers table.'],
    ['with another number', 'never let a file have more than 300 lines in it'],
    ['whose words stand far apart', 'Test the session, then move the config into one folder.'],
    ['of two words, which may be there by chance', 'Moved tests'],
    ['that a list of names has by itself', 'bash executor session picker loader'],
    ['that says nothing', ''],
  ])('paraphrase is not found in a text %s', (_, said) => expect(isParaphrased(said, block)).toBe(false));

  it.each([
    ['Never touch the legacy parser module.', 'Touched the legacy parser module and rewrote it.'],
    ['Never touch the legacy parser module.', 'Touched the legacy parser module and did not add tests.'],
    ['The legacy parser module must not be touched.', 'Touched the legacy parser module, not the new one.'],
    ['Rewrite the legacy parser module.', 'Never rewrite the legacy parser module.'],
    ['Rewrite the legacy parser module.', 'Tests pass now, but did not rewrite the legacy parser module.'],
    ['Do not push commits to the main branch.', 'I pushed all commits to the main branch.'],
    ['Don’t push commits to the main branch.', 'Pushed all commits to the main branch.'],
    ['Keep retries at most 3 for the upload queue worker.', 'The upload queue worker keeps 5 retries.'],
    ['The upload queue worker makes at most 3 retries.', '3. The upload queue worker makes at most 5 retries.'],
    ['The upload queue worker makes at most three retries.', 'The upload queue worker makes at most five retries.'],
    ['The upload queue worker makes at most 3 retries.', 'The upload queue worker makes at least 3 retries.'],
    ['The upload queue worker makes at most 3 retries.', 'The upload queue worker makes no less than 3 retries.'],
    ['The upload queue worker makes 3 retries.', 'The upload queue worker makes 5 retries.\n3 files are left.'],
    ['The bundle budget must stay under 200 kilobytes.', 'The bundle budget must stay under 1200 kilobytes.'],
    ['The bundle budget must stay under 200 kilobytes.', 'The bundle budget must stay under 1,200 kilobytes.'],
    ['The bundle budget must stay under 200 kilobytes.', 'The bundle budget must stay over 200 kilobytes.'],
    ['The upload queue worker makes 3-5 retries.', 'The upload queue worker makes 3-7 retries.'],
    ['Split the upload queue worker into 200-line files.', 'Split the upload queue worker into 300-line files.'],
    ['Only touch the files of the upload queue.', 'Touched the files of the upload queue.'],
    ['Avoid new dependencies in the upload queue.', 'Added new dependencies to the upload queue.'],
    ['Use tabs, not spaces, in the python generator.', 'Use spaces, not tabs, in the python generator.'],
    ['Use tabs not spaces in the python generator.', 'Use spaces not tabs in the python generator.'],
    ['Use tabs instead of spaces in the python generator.', 'Spaces instead of tabs in the python generator.'],
    ['Das Modul des alten Parsers niemals anfassen.', 'Das Modul des alten Parsers anfassen.'],
    ['请不要修改配置加载器的代码', '修改配置加载器的代码'],
  ])('paraphrase is not found if it says the opposite: “%s” by “%s”', (said, block) =>
    expect(isParaphrased(said, block)).toBe(false),
  );

  it.each([
    ['Never touch the legacy parser module.', '- The legacy module of the parser must not be touched.'],
    ['Never touch the legacy parser module.', 'The legacy parser module stays untouched. It is touched by nobody.'],
    ['Do not push commits to the main branch.', 'Tests are green; never push commits to the main branch.'],
    [
      'The upload queue worker makes at most 3 retries.',
      'The worker of the upload queue never makes more than three retries.',
    ],
    [
      'The bundle budget must stay under 1200 kilobytes.',
      'The budget of the bundle has to stay under 1,200 kilobytes.',
    ],
    ['Use tabs, not spaces, in the python generator.', 'The python generator uses tabs, not spaces.'],
    ['Use tabs, not spaces, in the python generator.', 'The python generator uses tabs instead of spaces.'],
  ])('paraphrase is found if it is as firm: “%s” by “%s”', (said, block) =>
    expect(isParaphrased(said, block)).toBe(true),
  );

  it('paraphrase is found in a script without spaces', () => {
    expect(isParaphrased('请不要修改配置加载器的代码', '- 配置加载器的代码不要修改')).toBe(true);
    expect(isParaphrased('请不要修改配置加载器的代码', '- 数据库迁移已经完成')).toBe(false);
  });

  it('paraphrase is found across two adjacent lines, but not more', () => {
    const said = 'alpha bravo charlie delta echo';
    expect(isParaphrased(said, 'alpha bravo\ncharlie delta')).toBe(true);
    expect(isParaphrased(said, 'alpha bravo\nnothing\ncharlie delta')).toBe(false);
  });

  it('differs from a verbatim match, which also spans line breaks', () => {
    const index = new TextIndex('Keep  the\nold code around for reference.');
    expect(index.contains('the old code')).toBe(true);
    expect(index.contains('old cod')).toBe(false);
    expect(index.contains('reference the code')).toBe(false);
    expect(index.contains(' ')).toBe(false);
  });
});
