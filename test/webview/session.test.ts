import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionState } from '../../webview/state/session.svelte';
import { row, rows, view } from './builders/view';

const keysOf = (session: SessionState) => session.rows.map(({ key }) => key).join('');

describe('the session on screen', () => {
  it('replaces a run of rows and keeps the objects of all others', () => {
    const session = new SessionState();
    const [a, b, c, d] = rows('a', 'b', 'c', 'd');
    session.open(view({ rows: [a, b, c, d].filter((each) => each !== undefined) }));

    const outcome = session.apply({ revision: 2, splice: { at: 1, removed: 2, rows: rows('x') } });

    expect(outcome).toBe('applied');
    expect(keysOf(session)).toBe('axd');
    expect(session.rows[0]).toBe(a);
    expect(session.rows[2]).toBe(d);
  });

  it('leaves alone what a change does not mention', () => {
    const session = new SessionState();
    session.open(view({ rows: rows('a'), undo: { label: '#1' } }));

    session.apply({ revision: 2, redo: { label: '#2' } });

    expect(session.view).toMatchObject({ revision: 2, undo: { label: '#1' }, redo: { label: '#2' } });
    expect(keysOf(session)).toBe('a');
  });

  it('tells a field that became null from one that is absent', () => {
    const session = new SessionState();
    session.open(view({ undo: { label: '#1' }, ageLineKey: 'a' }));

    session.apply({ revision: 2, undo: null });

    expect(session.view).toMatchObject({ undo: null, ageLineKey: 'a' });
  });

  it.each([
    ['a revision is missing', { revision: 3 }],
    ['a change comes twice', { revision: 1 }],
    ['rows are replaced that are not there', { revision: 2, splice: { at: 1, removed: 1, rows: [] } }],
  ])('the session on screen is out of step when %s', (_, change) => {
    const session = new SessionState();
    session.open(view({ rows: rows('a') }));

    expect(session.apply(change)).toBe('out-of-step');
    expect(keysOf(session)).toBe('a');
  });

  it('counts the changes of the context, not those of the header', () => {
    const session = new SessionState();
    session.open(view());
    const opened = session.contextRevision;

    session.apply({ revision: 2, undo: null });
    expect(session.contextRevision).toBe(opened);

    session.apply({ revision: 3, splice: { at: 0, removed: 0, rows: rows('a') } });
    expect(session.contextRevision).toBe(opened + 1);
  });

  it('ends up with the rows that a plain array would have, whatever the changes', () => {
    const splices = fc.array(fc.record({ at: fc.nat(), removed: fc.nat(), added: fc.nat({ max: 4 }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(splices, (changes) => {
        const session = new SessionState();
        const expected = [...'abcdef'];
        session.open(view({ rows: rows(...expected) }));
        for (const [index, { at, removed, added }] of changes.entries()) {
          const start = at % (expected.length + 1);
          const count = removed % (expected.length - start + 1);
          const keys = Array.from({ length: added }, (_, position) => `${index}.${position};`);
          expected.splice(start, count, ...keys);
          const splice = { at: start, removed: count, rows: keys.map((key) => row(key)) };
          expect(session.apply({ revision: index + 2, splice })).toBe('applied');
        }
        expect(keysOf(session)).toBe(expected.join(''));
      }),
    );
  });
});
