import type { Caller } from '../../../extension/protocol/rpc';
import type { HistoryView, PastView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { SessionState } from '../session.svelte';
import { formatTime } from '../shared/format';

/** The moment after now: the context after the preview on screen. */
export interface Future {
  readonly tokens: number;
}

/** Share of the chart's width, after now, for the preview. */
export const futureShare = 0.06;

interface Surroundings {
  readonly history: () => HistoryView | null;
  /** Null without a preview that is up to date. */
  readonly future: () => Future | null;
}

/**
 * Moves the panel through the moments of its session, and after now to the preview. One request is under way at a time,
 * and the newest wish wins, so that dragging asks for no more than the host can answer.
 */
export class Travel {
  /** The moment that was asked for and is not shown yet; undefined without one. */
  #wanted = $state<number | null | undefined>(undefined);
  #wantsFuture = $state(false);
  #isAsking = false;

  constructor(
    private readonly session: SessionState,
    private readonly request: Caller['request'],
    private readonly around: Surroundings,
  ) {}

  /** The moment on screen; null for now. */
  readonly past: PastView | null = $derived.by(() => this.session.view?.past ?? null);
  /** Why nothing can be changed now; null if it can. */
  readonly whyFixed: string | null = $derived.by(() =>
    this.past === null ? null : t('This is the past, which cannot be changed. Go back to now first.'),
  );
  /** Index in the conversation of the newest entry, by moment; the last one is now. */
  readonly moments: readonly number[] = $derived.by(() => this.around.history()?.moments ?? []);
  readonly future: Future | null = $derived.by(() => this.around.future());
  readonly isFuture: boolean = $derived.by(() => this.#wantsFuture && this.past === null && this.future !== null);
  /** Number of moments, now included. */
  readonly count: number = $derived.by(() => this.past?.of ?? this.moments.length);
  /** The greatest position: now, or the preview after it. */
  readonly end: number = $derived.by(() => this.count - 1 + (this.future ? 1 : 0));
  readonly position: number = $derived.by(() => {
    if (this.isFuture) return this.count;
    if (typeof this.#wanted === 'number') return this.#wanted;
    return this.#wanted === null ? this.count - 1 : (this.past?.moment ?? this.count - 1);
  });

  /** The range and the value of the slider. They are indices in the conversation, as on the axis of the chart above it. */
  readonly places: { readonly first: number; readonly last: number; readonly at: number } = $derived.by(() => {
    const { moments, position } = this;
    const [first = 0, last = this.end] = [moments[0], moments.at(-1)];
    if (moments.length === 0) return { first: 0, last, at: position };
    const previewWidth = Math.max(1, Math.round((last - first) * futureShare));
    const end = this.future ? last + previewWidth : last;
    return { first, last: end, at: this.isFuture ? end : (moments[position] ?? last) };
  });

  /** Goes to a position from 0 to `end`. */
  to = (position: number): void => {
    const now = this.count - 1;
    this.#wantsFuture = position > now;
    void this.#ask(position >= now ? null : Math.max(0, position));
  };

  /** Goes to the newest moment at an entry, by its index in the conversation; after the last one, to the preview. */
  toEntry = (at: number): void => {
    const { moments, count } = this;
    if (moments.length === 0) {
      this.to(at);
      return;
    }
    const isAfterNow = this.future !== null && at > (moments.at(-1) ?? 0);
    const moment = moments.findLastIndex((place) => place <= at);
    this.to(isAfterNow ? count : Math.max(0, moment));
  };

  toNow = (): void => {
    this.#wantsFuture = false;
    if (this.past !== null || typeof this.#wanted === 'number') void this.#ask(null);
  };

  reset(): void {
    this.#wanted = undefined;
    this.#wantsFuture = false;
  }

  async #ask(moment: number | null): Promise<void> {
    this.#wanted = moment;
    if (this.#isAsking) return;
    this.#isAsking = true;
    let asked: number | null | undefined;
    try {
      while (this.#wanted !== undefined && this.#wanted !== asked) {
        asked = this.#wanted;
        await this.request('travel', { moment: asked });
      }
    } finally {
      this.#isAsking = false;
      this.#wanted = undefined;
    }
  }
}

/** `turn 12, 14:03`. */
export function momentText({ turn, time }: PastView, now: number): string {
  if (time === null) return t('turn {0}', turn);
  return t('turn {0}, {1}', turn, formatTime(time, now));
}

/** The moment that the whole panel shows if it is not the present. */
export function pastText(past: PastView, now: number): string {
  return past.after === 'record'
    ? t('As it was at {0}, after a change in Strata', momentText(past, now))
    : t('As it was at {0}', momentText(past, now));
}
