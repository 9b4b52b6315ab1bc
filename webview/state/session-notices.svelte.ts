import type { NoticeView } from '../../extension/protocol/view';
import type { SessionState } from './session.svelte';

type NoticeKind = NoticeView['kind'];

export const noticeIcons: Readonly<Record<NoticeKind, string>> = {
  'auto-compact-soon': 'history',
  'auto-compact-stopped': 'debug-pause',
  'many-compactions': 'layers',
  'core-large': 'shield',
};

/** What the session has to say. A notice that was dismissed stays away until its reason went and came back. */
export class SessionNotices {
  #hidden = $state.raw<readonly NoticeKind[]>([]);
  readonly #session: SessionState;

  constructor(session: SessionState) {
    this.#session = session;
  }

  readonly list: readonly NoticeView[] = $derived.by(() =>
    (this.#session.view?.notices ?? []).filter(({ kind }) => !this.#hidden.includes(kind)),
  );

  dismiss = (kind: NoticeKind): void => {
    this.#hidden = [...this.#hidden, kind];
  };

  refresh(notices: readonly NoticeView[] | undefined): void {
    if (!notices || this.#hidden.length === 0) return;
    this.#hidden = this.#hidden.filter((hidden) => notices.some(({ kind }) => kind === hidden));
  }

  reset(): void {
    this.#hidden = [];
  }
}
