import type { SessionListItem } from '../../protocol/view';

export const groupings = ['folder', 'agent'] as const;
export type Grouping = (typeof groupings)[number];

/** A group of sessions in the tree. */
export interface SessionGroup {
  /** Unique over both groupings. */
  readonly key: string;
  readonly kind: 'open-folder' | 'folder' | 'no-folder' | 'agent';
  /** The folder's path or the agent's name; empty for sessions without a folder. */
  readonly name: string;
  /** Newest first. */
  readonly sessions: readonly SessionListItem[];
}

interface WorkspaceFolders {
  readonly openFolders: readonly string[];
  readonly isOfOpenFolder: (item: SessionListItem) => boolean;
}

/** Groups of open folders come first. Groups are then sorted by their newest session. */
export function groupSessions(
  items: readonly SessionListItem[],
  grouping: Grouping,
  workspace: WorkspaceFolders,
): readonly SessionGroup[] {
  const groups = new Map<string, SessionGroup & { readonly sessions: SessionListItem[] }>();
  for (const item of newestFirst(items)) {
    const place = grouping === 'agent' ? agentOf(item) : folderOf(item, workspace);
    const group = groups.get(place.key) ?? { ...place, sessions: [] };
    group.sessions.push(item);
    groups.set(place.key, group);
  }
  const isHere = (group: SessionGroup) => group.kind === 'open-folder';
  const all = [...groups.values()];
  return [...all.filter(isHere), ...all.filter((group) => !isHere(group))];
}

function newestFirst(items: readonly SessionListItem[]): readonly SessionListItem[] {
  return [...items].sort((one, other) => other.modified - one.modified);
}

type GroupHeading = Omit<SessionGroup, 'sessions'>;

function agentOf({ agent, agentName }: SessionListItem): GroupHeading {
  return { key: `agent:${agent}`, kind: 'agent', name: agentName };
}

/** A VS Code chat of this workspace may not name its folder; it goes to the first open one. */
function folderOf(item: SessionListItem, { openFolders, isOfOpenFolder }: WorkspaceFolders): GroupHeading {
  const isHere = isOfOpenFolder(item);
  const folder = item.cwd ?? (isHere ? openFolders[0] : undefined);
  if (folder === undefined) return { key: 'no-folder', kind: 'no-folder', name: '' };
  return { key: `folder:${folder}`, kind: isHere ? 'open-folder' : 'folder', name: folder };
}
