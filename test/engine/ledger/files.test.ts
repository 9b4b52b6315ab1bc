import { describe, expect, it } from 'vitest';
import { commonFolder } from '../../../extension/engine/ledger/files';

describe('the folder that paths are written relative to', () => {
  it('is the one by which they get shortest in all', () => {
    const deep = Array.from({ length: 6 }, (_, index) => `/home/dev/shop/apps/web/page${index}.ts`);
    const beside = Array.from({ length: 4 }, (_, index) => `/home/dev/shop/docs/page${index}.md`);
    expect(commonFolder([...deep, ...beside])).toBe('/home/dev/shop/');
    expect(commonFolder(deep)).toBe('/home/dev/shop/apps/web/');
  });

  it('is none where few paths share one', () => {
    expect(commonFolder(['/home/a/x.ts', '/srv/b/y.ts', '/opt/c/z.ts'])).toBe('');
  });
});
