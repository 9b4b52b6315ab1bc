import { describe, expect, it } from 'vitest';
import { isParaphrased, TextIndex } from '../../extension/engine/compaction/paraphrase';

describe('a paraphrase', () => {
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
  ])('is found by the words it shares: %s', (said) => expect(isParaphrased(said, block)).toBe(true));

  it.each([
    ['of something else', 'Write a migration for the customers table.'],
    ['with another number', 'never let a file have more than 300 lines in it'],
    ['whose words stand far apart', 'Test the session, then move the config into one folder.'],
    ['of two words, which may be there by chance', 'Moved tests'],
    ['that a list of names has by itself', 'bash executor session picker loader'],
    ['that says nothing', ''],
  ])('is none: one %s', (_, said) => expect(isParaphrased(said, block)).toBe(false));

  it('is found where a script writes no spaces', () => {
    expect(isParaphrased('请不要修改配置加载器的代码', '- 配置加载器的代码不要修改')).toBe(true);
    expect(isParaphrased('请不要修改配置加载器的代码', '- 数据库迁移已经完成')).toBe(false);
  });

  it('is found across two lines that follow each other, and not across more', () => {
    const said = 'alpha bravo charlie delta echo';
    expect(isParaphrased(said, 'alpha bravo\ncharlie delta')).toBe(true);
    expect(isParaphrased(said, 'alpha bravo\nnothing\ncharlie delta')).toBe(false);
  });

  it('is told from what stands there verbatim, across line breaks too', () => {
    const index = new TextIndex('Keep  the\nold code around for reference.');
    expect(index.says('the old code')).toBe(true);
    expect(index.says('old cod')).toBe(false);
    expect(index.says('reference the code')).toBe(false);
    expect(index.says(' ')).toBe(false);
  });
});
