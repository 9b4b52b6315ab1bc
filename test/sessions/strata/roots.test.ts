import { describe, expect, it } from 'vitest';
import { strata } from '../../../extension/sessions/strata/adapter';

describe('conversations of Strata’s own', () => {
  const inEditor = '/e/User/globalStorage/strata.strata/conversations';

  it.each([
    [{}, '/h/.local/share/strata/conversations'],
    [{ XDG_DATA_HOME: '/data' }, '/data/strata/conversations'],
    [{ XDG_DATA_HOME: 'relative' }, '/h/.local/share/strata/conversations'],
    [{ XDG_DATA_HOME: '' }, '/h/.local/share/strata/conversations'],
  ])(
    'conversations of Strata’s own are looked for in the editors and in the data folder: %o',
    (variables, expected) => {
      expect(strata.roots({ home: '/h', variables, editorFolders: ['/e/User'] })).toEqual([inEditor, expected]);
      expect(strata.roots({ home: '/h', variables })).toEqual([expected]);
    },
  );
});
