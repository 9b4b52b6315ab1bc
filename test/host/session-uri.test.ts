import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSessionLink } from '../../extension/host/opening/session-uri';

/** `vscode://strata.strata/open?…` as VS Code passes it, with a decoded query. */
const read = (query: string, path = '/open') => readSessionLink({ path, query });

describe('a link to a session', () => {
  it('a link to a session can name a file by its absolute path', () => {
    expect(read('file=/home/me/a session.jsonl')).toEqual({ kind: 'file', file: '/home/me/a session.jsonl' });
  });

  it('a link to a session can name a session by its agent and id, in any order', () => {
    const wanted = { kind: 'session', agent: 'codex', id: '0199-ab' };
    expect(read('agent=codex&id=0199-ab')).toEqual(wanted);
    expect(read('id=0199-ab&agent=codex')).toEqual(wanted);
  });

  it.each([
    ['agent=codex', 'nothing-named'],
    ['id=1', 'nothing-named'],
    ['agent=&id=', 'nothing-named'],
    ['', 'nothing-named'],
    ['file=', 'nothing-named'],
    ['file=../secret.jsonl', 'relative-path'],
    ['file=~/secret.jsonl', 'relative-path'],
    ['file=/tmp/a\u202Elnosj.exe', 'not-plain'],
    ['file=/tmp/a\nOpen it', 'not-plain'],
    ['file=/tmp/\u200Ba', 'not-plain'],
    ['agent=pi&id=\u0000', 'not-plain'],
  ])('reports the fault of %j', (query, reason) => {
    expect(read(query)).toEqual({ kind: 'malformed', reason });
  });

  it('supports only the action /open', () => {
    expect(read('file=/a', '/delete')).toEqual({ kind: 'malformed', reason: 'unknown-action' });
    expect(read('file=/a', '/open/')).toEqual({ kind: 'malformed', reason: 'unknown-action' });
  });

  it('keeps every visible character of a path', () => {
    const visible = fc.stringMatching(/^[ -~äöü漢字&=+%#?]*$/);
    fc.assert(
      fc.property(visible, (name) => {
        expect(read(`file=/${name}`)).toEqual({ kind: 'file', file: `/${name}` });
      }),
    );
  });

  it('never yields a relative path, whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, query) => {
        const link = readSessionLink({ path, query: `file=${query}` });
        return link.kind === 'malformed' || (link.kind === 'file' && link.file.startsWith('/'));
      }),
    );
  });
});
