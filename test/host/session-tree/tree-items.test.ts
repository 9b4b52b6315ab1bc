import { describe, expect, it, vi } from 'vitest';
import { groupItem, type SessionNode, sessionItem } from '../../../extension/host/session-tree/tree-items';
import type { SessionListItem } from '../../../extension/protocol/view';

/** Tests of the tree items that VS Code gets. */

vi.mock('vscode', async () => (await import('../tree-api')).treeApi);

const minute = 60_000;
const now = Date.UTC(2026, 0, 10, 12);

function node(over: Partial<SessionListItem>, kind: 'folder' | 'agent' = 'folder'): SessionNode {
  const item = {
    ...{ agent: 'claude-code', agentName: 'Claude Code', file: '/s/1.jsonl', title: 'fix the loader' },
    ...{ cwd: '/work/api', modified: now - 5 * minute, live: false },
    ...over,
  };
  return { kind: 'session', item, parent: { kind: 'group', group: { key: 'k', kind, name: 'n', sessions: [item] } } };
}

describe('a row of the Sessions view', () => {
  it('shows its title, what its group does not show, and its last change', () => {
    expect(sessionItem(node({}), now)).toMatchObject({
      label: 'fix the loader',
      description: 'Claude Code · 5 min. ago',
    });
    expect(sessionItem(node({}, 'agent'), now).description).toBe('api · 5 min. ago');
    expect(sessionItem(node({ cwd: null }, 'agent'), now).description).toBe('5 min. ago');
  });

  it('shows how full the context is, and the branch, if the session has them', () => {
    const row = sessionItem(node({ branch: 'main', fill: { tokens: 136_000, window: 200_000 } }), now);
    expect(row.description).toBe('68 % · Claude Code · main · 5 min. ago');
    expect(row.tooltip).toContain('136k of 200k tokens, 68 %\n/work/api\nBranch main');
  });

  it('shows what the agent has and what it would have, while they differ', () => {
    const row = sessionItem(node({ fill: { tokens: 136_000, window: 200_000, after: 24_000 } }), now);
    expect(row.description).toBe('68 % → 12 % · Claude Code · 5 min. ago');
    expect(row.tooltip).toContain(
      'Agent now: 136k of 200k tokens, 68 %\nAfter Strata’s compactions: 24k of 200k tokens, 12 %',
    );
  });

  it('shortens a long title if two fill levels would not be seen beside it', () => {
    const title = 'Write the release notes for the new version of the parser';
    const two = sessionItem(node({ title, fill: { tokens: 136_000, window: 200_000, after: 24_000 } }), now);
    expect(two.label).toBe('Write the release not…');
    expect(two.tooltip).toContain(title);
    expect(two.accessibilityInformation?.label).toContain(title);
    expect(sessionItem(node({ title, fill: { tokens: 136_000, window: 200_000 } }), now).label).toBe(title);
  });

  it('marks a live session by icon and for screen readers', () => {
    const row = sessionItem(node({ live: true, title: null }), now);
    expect(row.iconPath).toMatchObject({ id: 'circle-filled' });
    expect(row.accessibilityInformation?.label).toBe('Untitled session, Claude Code, live');
    expect(row.tooltip).toContain('Claude Code, live\n/work/api');
  });

  it('offers to resume a session only if its agent has a resume command', () => {
    expect(sessionItem(node({}), now).contextValue).toBe('session resumable');
    expect(sessionItem(node({ agent: 'vscode-chat' }), now).contextValue).toBe('session');
  });

  it('opens its session with a click', () => {
    const given = node({});
    expect(sessionItem(given, now).command).toMatchObject({ command: 'strata.sessions.open', arguments: [given] });
  });
});

describe('a group of the Sessions view', () => {
  const group = (kind: 'open-folder' | 'folder' | 'no-folder' | 'agent', name: string) =>
    groupItem({ kind: 'group', group: { key: 'k', kind, name, sessions: [] } });

  it('a group of the Sessions view is expanded at first for the open folder and for agents', () => {
    expect(group('open-folder', '/work/api')).toMatchObject({ label: 'api', description: 'open', collapsibleState: 2 });
    expect(group('agent', 'Codex')).toMatchObject({ label: 'Codex', collapsibleState: 2 });
    expect(group('folder', '/srv/web')).toMatchObject({ label: 'web', description: '/srv', collapsibleState: 1 });
    expect(group('no-folder', '')).toMatchObject({ label: 'No Folder', collapsibleState: 1 });
    const first = groupItem({
      kind: 'group',
      group: { key: 'k', kind: 'folder', name: '/srv/web', sessions: [] },
      isFirst: true,
    });
    expect(first.collapsibleState).toBe(2);
  });
});
