import type { NoticeView } from '../../../extension/protocol/view';
import type { SessionState } from '../session.svelte';

type NoticeKind = NoticeView['kind'];

/** The icon of each kind, most urgent first. */
export const noticeIcons: Readonly<Record<NoticeKind, string>> = {
  'store-unreachable': 'debug-disconnect',
  'not-in-agent': 'git-compare',
  'auto-compact-stopped': 'debug-pause',
  'auto-compact-soon': 'history',
  'in-effect': 'pass',
  'many-compactions': 'layers',
  'core-large': 'shield',
};
const byUrgency = Object.keys(noticeIcons);

/** Maximum number shown; with more, only the most urgent is shown, so that the context stays visible. */
const mostShown = 2;
const mostShownSlim = 1;

/** Notices about the session. A dismissed notice stays hidden until its cause has disappeared and reappeared. */
export class SessionNotices {
  #hidden = $state.raw<readonly NoticeKind[]>([]);

  /** `isSlim`: the view is narrow. */
  constructor(
    private readonly session: SessionState,
    private readonly isSlim: () => boolean,
  ) {}

  readonly list: readonly NoticeView[] = $derived.by(() =>
    (this.session.view?.notices ?? []).filter(({ kind }) => !this.#hidden.includes(kind)),
  );

  readonly #isLong = $derived.by(() => this.list.length > (this.isSlim() ? mostShownSlim : mostShown));
  #wantsAll = $state(false);
  readonly showsAll: boolean = $derived(this.#isLong && this.#wantsAll);
  readonly shown: readonly NoticeView[] = $derived(
    this.#isLong && !this.showsAll ? [...this.list].sort(moreUrgent).slice(0, 1) : this.list,
  );
  readonly more: number = $derived(this.list.length - this.shown.length);

  toggleAll = (): void => {
    this.#wantsAll = !this.#wantsAll;
  };

  dismiss = (kind: NoticeKind): void => {
    this.#hidden = [...this.#hidden, kind];
  };

  refresh(notices: readonly NoticeView[] | undefined): void {
    if (!notices || this.#hidden.length === 0) return;
    this.#hidden = this.#hidden.filter((hidden) => notices.some(({ kind }) => kind === hidden));
  }

  reset(): void {
    this.#hidden = [];
    this.#wantsAll = false;
  }
}

function moreUrgent(a: NoticeView, b: NoticeView): number {
  return byUrgency.indexOf(a.kind) - byUrgency.indexOf(b.kind);
}
