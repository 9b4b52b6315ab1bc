import { describe, expect, it } from 'vitest';
import { commonFolder, workByFile } from '../../../extension/engine/ledger/files';
import { toolStepsOf } from '../../../extension/engine/ledger/steps';
import { call, result, talk, user } from '../../builders/conversation';

describe('the folder that paths are written relative to', () => {
  it('the folder that paths are written relative to is the one that shortens the paths most', () => {
    const deep = Array.from({ length: 6 }, (_, index) => `/home/dev/shop/apps/web/page${index}.ts`);
    const beside = Array.from({ length: 4 }, (_, index) => `/home/dev/shop/docs/page${index}.md`);
    expect(commonFolder([...deep, ...beside])).toBe('/home/dev/shop/');
    expect(commonFolder(deep)).toBe('/home/dev/shop/apps/web/');
  });

  it('the folder that paths are written relative to is empty if few paths share one', () => {
    expect(commonFolder(['/home/a/x.ts', '/srv/b/y.ts', '/opt/c/z.ts'])).toBe('');
  });
});

describe('the files of a work', () => {
  it('the files of a work include neither searched folders nor changes that the person refused', () => {
    const edit = { file_path: '/app/a.ts', old_string: 'x', new_string: 'y' };
    const { entries } = talk(
      user('go'),
      call('g', 'Grep', { pattern: 'x', path: '/app/src' }),
      result('g', 'a.ts:1:x'),
      call('e', 'Edit', edit),
      result('e', 'done'),
      call('f', 'Edit', edit),
      result('f', "The user doesn't want to proceed with this tool use.", true),
    );
    expect(workByFile(toolStepsOf(entries))).toMatchObject([{ path: '/app/a.ts', changes: 1, problem: null }]);
  });
});
