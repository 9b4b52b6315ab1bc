import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupSessions } from '../../../extension/host/session-tree/groups';
import type { SessionListItem } from '../../../extension/protocol/view';

function session(file: string, over: Partial<SessionListItem> = {}): SessionListItem {
  return { agent: 'pi', agentName: 'pi', file, title: file, cwd: '/work/api', modified: 1, live: false, ...over };
}

const inApi: Parameters<typeof groupSessions>[2] = {
  openFolders: ['/work/api'],
  isOfOpenFolder: ({ cwd }) => cwd === '/work/api',
};

const pictureOf = (items: readonly SessionListItem[], grouping: 'folder' | 'agent', surroundings = inApi) =>
  groupSessions(items, grouping, surroundings).map(({ kind, name, sessions }) => [
    kind,
    name,
    sessions.map(({ file }) => file).join(' '),
  ]);

describe('the groups of the Sessions view', () => {
  it('the groups of the Sessions view show the open folder first, then the folder with the newest session', () => {
    const items = [
      session('a', { cwd: '/work/old', modified: 5 }),
      session('b', { cwd: '/work/new', modified: 9 }),
      session('c', { modified: 2 }),
      session('d', { modified: 3 }),
    ];
    expect(pictureOf(items, 'folder')).toEqual([
      ['open-folder', '/work/api', 'd c'],
      ['folder', '/work/new', 'b'],
      ['folder', '/work/old', 'a'],
    ]);
  });

  it('put sessions without a folder into a separate group', () => {
    expect(pictureOf([session('a', { cwd: null })], 'folder')).toEqual([['no-folder', '', 'a']]);
  });

  it('put a chat of this workspace into its folder, although the chat does not name it', () => {
    const surroundings = { openFolders: ['/work/api'], isOfOpenFolder: () => true };
    expect(pictureOf([session('a', { cwd: null }), session('b')], 'folder', surroundings)).toEqual([
      ['open-folder', '/work/api', 'a b'],
    ]);
  });

  it('the groups of the Sessions view show each agent once, newest first, over all folders', () => {
    const items = [
      session('a', { modified: 1 }),
      session('b', { agent: 'codex', agentName: 'Codex', cwd: null, modified: 2 }),
      session('c', { cwd: '/elsewhere', modified: 3 }),
    ];
    expect(pictureOf(items, 'agent')).toEqual([
      ['agent', 'pi', 'c a'],
      ['agent', 'Codex', 'b'],
    ]);
  });

  it('the groups of the Sessions view contain every session once, and have unique keys', () => {
    const anySession = fc
      .record({
        agent: fc.constantFrom('pi', 'codex'),
        cwd: fc.constantFrom(null, '/work/api', '/b'),
        modified: fc.nat(),
      })
      .map(({ agent, ...rest }) => ({ agent, agentName: agent, ...rest }));
    fc.assert(
      fc.property(fc.array(anySession), fc.constantFrom('folder', 'agent'), (parts, grouping) => {
        const items = parts.map((part, index) => session(`${index}`, part));
        const groups = groupSessions(items, grouping, inApi);
        expect(groups.flatMap(({ sessions }) => sessions.map(({ file }) => file)).sort()).toEqual(
          items.map(({ file }) => file).sort(),
        );
        expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
        expect(groups.every(({ sessions }) => sessions.length > 0)).toBe(true);
      }),
    );
  });
});
