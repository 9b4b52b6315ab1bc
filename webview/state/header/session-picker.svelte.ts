import type { Method } from '../../../extension/protocol/messages';
import type { Caller } from '../../../extension/protocol/rpc';
import type { SessionListItem } from '../../../extension/protocol/view';
import type { Notices } from '../notices.svelte';
import { failureText } from '../shared/failure-text';
import { haveAllWords, wordsOf } from '../shared/search-words';
import { OwnConversations } from './own-conversations.svelte';

/** An entry of the picker: a session, or at the end the choice of another file. */
export type PickerEntry =
  | { readonly kind: 'session'; readonly session: SessionListItem }
  | { readonly kind: 'choose-file' };

export type PickerFilterKind = 'agent' | 'folder';

/** An agent or a folder with the number of its sessions that match the other filters. */
export interface PickerFilter {
  readonly value: string;
  readonly count: number;
}

/** The part of a list entry that the header shows while the session is opened. */
export type SessionOutline = Pick<SessionListItem, 'agentName' | 'file' | 'title' | 'cwd' | 'live'>;

export class SessionPicker {
  sessions = $state.raw<readonly SessionListItem[]>([]);
  isOpen = $state(false);
  query = $state('');
  activeIndex = $state(0);
  agent = $state<string | null>(null);
  folder = $state<string | null>(null);
  #isReading = $state(false);
  readonly ownConversations: OwnConversations;

  constructor(
    private readonly request: Caller['request'],
    private readonly notices: Notices,
    private readonly onChosen: () => void = () => undefined,
  ) {
    this.ownConversations = new OwnConversations(request, notices);
  }

  /** Live sessions first, then newest first. */
  readonly recent = $derived([...this.sessions].sort(byLiveThenNewest));
  readonly #matching = $derived.by(() => {
    const words = wordsOf(this.query);
    return this.recent.filter(({ agentName, title, cwd, branch, file }) =>
      haveAllWords([agentName, title, cwd, branch, file], words),
    );
  });
  readonly found = $derived(
    this.#matching.filter((session) => this.#isOf('agent', session) && this.#isOf('folder', session)),
  );
  /** No session is known yet. */
  readonly isLooking = $derived(this.#isReading && this.sessions.length === 0);
  readonly entries: readonly PickerEntry[] = $derived(
    this.isLooking
      ? []
      : [...this.found.map((session) => ({ kind: 'session' as const, session })), { kind: 'choose-file' as const }],
  );

  /** Most sessions first. Empty for a single option, which would filter nothing. */
  readonly agents: readonly PickerFilter[] = $derived.by(() => this.#filtersOf('agent', 'folder'));
  readonly folders: readonly PickerFilter[] = $derived.by(() => this.#filtersOf('folder', 'agent'));

  open = (): void => {
    this.query = '';
    this.agent = null;
    this.folder = null;
    this.activeIndex = 0;
    this.isOpen = true;
    this.#refresh();
  };

  close = (): void => {
    this.isOpen = false;
  };

  search(query: string): void {
    this.query = query;
    this.activeIndex = 0;
  }

  /** Null shows all sessions. */
  narrow(kind: PickerFilterKind, value: string | null): void {
    this[kind] = value;
    this.activeIndex = 0;
  }

  /** Null if the session is not in the list. */
  outlineOf(file: string): SessionOutline | null {
    return this.sessions.find((session) => session.file === file) ?? null;
  }

  /** False if the list does not use the key, which then belongs to the text field. */
  press(key: string): boolean {
    const last = this.entries.length - 1;
    if (key === 'Escape') this.close();
    else if (last < 0) return false;
    else if (key === 'ArrowDown') this.activeIndex = this.activeIndex >= last ? 0 : this.activeIndex + 1;
    else if (key === 'ArrowUp') this.activeIndex = this.activeIndex <= 0 ? last : this.activeIndex - 1;
    else if (key === 'PageDown') this.activeIndex = Math.min(last, this.activeIndex + 10);
    else if (key === 'PageUp') this.activeIndex = Math.max(0, this.activeIndex - 10);
    else if (key === 'Enter') this.#chooseActive();
    else return false;
    return true;
  }

  choose = (entry: PickerEntry): void => {
    this.close();
    this.onChosen();
    if (entry.kind === 'choose-file') this.#watch('choose-session-file', this.request('choose-session-file', {}));
    else this.#watch('open-session', this.request('open-session', { file: entry.session.file }));
  };

  #watch(method: Method, work: Promise<unknown>): void {
    void this.notices.watch(work, (reason) => failureText(method, reason));
  }

  #isOf(kind: PickerFilterKind, session: SessionListItem): boolean {
    return this[kind] === null || originOf(kind, session) === this[kind];
  }

  #filtersOf(kind: PickerFilterKind, other: PickerFilterKind): readonly PickerFilter[] {
    const counts = new Map<string, number>();
    for (const session of this.sessions) {
      const value = originOf(kind, session);
      if (value !== null) counts.set(value, 0);
    }
    if (counts.size < 2) return [];
    for (const session of this.#matching) {
      const value = originOf(kind, session);
      if (value !== null && this.#isOf(other, session)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
  }

  #chooseActive(): void {
    const entry = this.entries[this.activeIndex];
    if (entry) this.choose(entry);
  }

  #refresh(): void {
    this.#isReading = true;
    const read = this.request('list-sessions', {})
      .then((sessions) => {
        this.sessions = sessions;
      })
      .finally(() => {
        this.#isReading = false;
      });
    this.#watch('list-sessions', read);
  }
}

function originOf(kind: PickerFilterKind, { agentName, cwd }: SessionListItem): string | null {
  return kind === 'agent' ? agentName : cwd;
}

function byLiveThenNewest(a: SessionListItem, b: SessionListItem): number {
  return Number(b.live) - Number(a.live) || b.modified - a.modified;
}
