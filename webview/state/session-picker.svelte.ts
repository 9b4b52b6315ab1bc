import type { Caller } from '../../extension/protocol/rpc';
import type { SessionListItem } from '../../extension/protocol/view';
import type { Notices } from './notices.svelte';

/** What the picker lists: sessions, and at the end the way to any other file. */
export type PickerEntry =
  | { readonly kind: 'session'; readonly session: SessionListItem }
  | { readonly kind: 'choose-file' };

/** One way to narrow the list down: all sessions of an agent, or of a folder. */
export interface PickerFilter {
  readonly kind: 'agent' | 'folder';
  readonly value: string;
  readonly count: number;
}

/** Folders beyond these are found by searching. */
const foldersShown = 5;

/** The searchable list of sessions. */
export class SessionPicker {
  sessions = $state.raw<readonly SessionListItem[]>([]);
  isOpen = $state(false);
  query = $state('');
  activeIndex = $state(0);
  agent = $state<string | null>(null);
  folder = $state<string | null>(null);
  readonly #request: Caller['request'];
  readonly #notices: Notices;

  constructor(request: Caller['request'], notices: Notices) {
    this.#request = request;
    this.#notices = notices;
  }

  /** Live ones first, then the newest. */
  readonly recent = $derived([...this.sessions].sort(byLiveThenNewest));
  readonly entries: readonly PickerEntry[] = $derived.by(() => {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.recent.filter((session) => this.#isFiltered(session) && saysAll(session, words));
    return [...found.map((session) => ({ kind: 'session' as const, session })), { kind: 'choose-file' as const }];
  });

  /** The most used first. One alone would narrow nothing down. */
  readonly agents: readonly PickerFilter[] = $derived(
    filtersOf(
      'agent',
      this.sessions.map(({ agentName }) => agentName),
    ),
  );
  readonly folders: readonly PickerFilter[] = $derived(
    filtersOf(
      'folder',
      this.sessions.flatMap(({ cwd }) => cwd ?? []),
    ).slice(0, foldersShown),
  );

  open = (): void => {
    this.query = '';
    this.agent = null;
    this.folder = null;
    this.activeIndex = 0;
    this.isOpen = true;
    void this.#refresh();
  };

  close = (): void => {
    this.isOpen = false;
  };

  search(query: string): void {
    this.query = query;
    this.activeIndex = 0;
  }

  /** A filter that is on goes off. */
  toggle = ({ kind, value }: PickerFilter): void => {
    this[kind] = this[kind] === value ? null : value;
    this.activeIndex = 0;
  };

  isOn({ kind, value }: PickerFilter): boolean {
    return this[kind] === value;
  }

  /** False when the key means nothing here and belongs to the text field. */
  press(key: string): boolean {
    const last = this.entries.length - 1;
    if (key === 'ArrowDown') this.activeIndex = this.activeIndex >= last ? 0 : this.activeIndex + 1;
    else if (key === 'ArrowUp') this.activeIndex = this.activeIndex <= 0 ? last : this.activeIndex - 1;
    else if (key === 'PageDown') this.activeIndex = Math.min(last, this.activeIndex + 10);
    else if (key === 'PageUp') this.activeIndex = Math.max(0, this.activeIndex - 10);
    else if (key === 'Escape') this.close();
    else if (key === 'Enter') this.#chooseActive();
    else return false;
    return true;
  }

  choose = (entry: PickerEntry): void => {
    this.close();
    if (entry.kind === 'choose-file') void this.#notices.watch(this.#request('choose-session-file', {}));
    else void this.#notices.watch(this.#request('open-session', { file: entry.session.file }));
  };

  #isFiltered({ agentName, cwd }: SessionListItem): boolean {
    return (this.agent === null || agentName === this.agent) && (this.folder === null || cwd === this.folder);
  }

  #chooseActive(): void {
    const entry = this.entries[this.activeIndex];
    if (entry) this.choose(entry);
  }

  async #refresh(): Promise<void> {
    await this.#notices.watch(
      this.#request('list-sessions', {}).then((sessions) => {
        this.sessions = sessions;
      }),
    );
  }
}

function filtersOf(kind: PickerFilter['kind'], values: readonly string[]): readonly PickerFilter[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size < 2) return [];
  return [...counts].map(([value, count]) => ({ kind, value, count })).sort((a, b) => b.count - a.count);
}

function byLiveThenNewest(a: SessionListItem, b: SessionListItem): number {
  return Number(b.live) - Number(a.live) || b.modified - a.modified;
}

function saysAll(session: SessionListItem, words: readonly string[]): boolean {
  const said = [session.agentName, session.title, session.cwd, session.file].join(' ').toLowerCase();
  return words.every((word) => said.includes(word));
}
