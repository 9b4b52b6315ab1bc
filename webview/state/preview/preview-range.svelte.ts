import type { Row, RowRange } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { SessionState } from '../session.svelte';

/** A turn at which a range can start or end. */
export interface RangeTurn {
  readonly key: string;
  readonly turn: number;
  readonly preview: string;
}

/** The range of turns that a compaction may use, by turn numbers. */
export class PreviewRange {
  value = $state.raw<RowRange | null>(null);

  constructor(private readonly session: SessionState) {}

  readonly #turns: readonly RangeTurn[] = $derived.by(() => this.session.rows.flatMap(turnOf));
  /** The turns before the age line; later ones are never compacted. */
  readonly turns: readonly RangeTurn[] = $derived.by(() => {
    const ageLineKey = this.session.view?.ageLineKey ?? null;
    const rows = this.session.rows;
    const end = rows.findIndex(({ key }) => key === ageLineKey);
    return (end < 0 ? rows : rows.slice(0, end)).flatMap(turnOf);
  });
  /** The last turn of the range; null for the newest. */
  readonly lastKey: string | null = $derived.by(() => this.#before(this.value?.upTo ?? null)?.key ?? null);
  /** `Only turns 3–8`; null without a range. */
  readonly words: string | null = $derived.by(() => (this.value === null ? null : this.#wordsOf(this.value)));

  set = (range: RowRange | null): void => {
    this.value = range && (range.from !== null || range.upTo !== null) ? range : null;
  };

  /** Null: from the first turn. If the range would end before its start, it ends with its first turn. */
  setFrom = (key: string | null): void => {
    const upTo = this.value?.upTo ?? null;
    const isInOrder = key === null || upTo === null || this.#place(key) < this.#place(upTo);
    this.set({ from: key, upTo: isInOrder ? upTo : this.#keyAfter(key) });
  };

  /** The last turn of the range; null: all turns that are old enough. */
  setLast = (key: string | null): void => {
    const from = this.value?.from ?? null;
    const isInOrder = key === null || from === null || this.#place(from) <= this.#place(key);
    this.set({ from: isInOrder ? from : key, upTo: key === null ? null : this.#keyAfter(key) });
  };

  #wordsOf({ from, upTo }: RowRange): string {
    const first = from === null ? null : this.#turn(from);
    const stays = upTo === null ? null : this.#turn(upTo);
    const last = this.#before(upTo);
    if ((from !== null && !first) || (upTo !== null && !stays)) return t('Turns that are no longer in the context');
    if (stays && !last) return t('Only what is before turn {0}', stays.turn);
    if (first && last) {
      return first.turn === last.turn ? t('Only turn {0}', first.turn) : t('Only turns {0}–{1}', first.turn, last.turn);
    }
    return first ? t('Only from turn {0} on', first.turn) : t('Only up to turn {0}', last?.turn ?? '');
  }

  #place(key: string): number {
    return this.#turns.findIndex((turn) => turn.key === key);
  }

  #turn(key: string): RangeTurn | null {
    return this.#turns.find((turn) => turn.key === key) ?? null;
  }

  #before(key: string | null): RangeTurn | null {
    const place = key === null ? -1 : this.#place(key);
    return this.#turns[place - 1] ?? null;
  }

  /** Null for the newest turn, after which nothing follows. */
  #keyAfter(key: string): string | null {
    return this.#turns[this.#place(key) + 1]?.key ?? null;
  }
}

export function sameRange(a: RowRange | null, b: RowRange | null): boolean {
  return (a?.from ?? null) === (b?.from ?? null) && (a?.upTo ?? null) === (b?.upTo ?? null);
}

function turnOf({ key, turn, preview }: Row): RangeTurn[] {
  return turn !== null ? [{ key, turn, preview }] : [];
}
