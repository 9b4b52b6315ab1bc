import { sameItems } from '../../engine/conversation/same-items';
import type { Moment } from '../../engine/history/moments';
import type { Inspection } from '../../inspection/inspection';

/** A moment that stays the same while the session continues. */
interface Anchor {
  readonly of: Inspection;
  readonly entryId: string;
  readonly records: number;
}

/** A moment of a session, and the session as it was then. */
export interface Past {
  readonly moment: Moment;
  readonly inspection: Inspection;
}

/** The moment that one webview shows. */
export class Travel {
  #anchor: Anchor | null = null;
  #newest: { readonly key: readonly unknown[]; readonly past: Past } | null = null;

  /** Goes to a moment by its index; null or the last one: back to now. */
  to(inspection: Inspection, index: number | null): void {
    const { branch, list } = inspection.moments;
    const moment = index === null || index >= list.length - 1 ? undefined : list[index];
    const entry = moment && branch.entries[moment.step]?.entry;
    this.#anchor = moment && entry ? { of: inspection, entryId: entry.id, records: moment.records } : null;
  }

  back(): void {
    this.#anchor = null;
    this.#newest = null;
  }

  /** The shown moment; null for now, also if the session has since left the branch of the moment. */
  pastOf(inspection: Inspection): Past | null {
    const anchor = this.#anchor?.of === inspection ? this.#anchor : null;
    if (!anchor) return null;
    const { moments, ledger } = inspection;
    const key = [anchor, moments, ledger];
    if (!this.#newest || !sameItems(this.#newest.key, key)) {
      const moment = momentOf(anchor, inspection);
      this.#newest = moment && { key, past: { moment, inspection: inspection.at(moment) } };
    }
    return this.#newest?.past ?? null;
  }
}

function momentOf({ entryId, records }: Anchor, { moments }: Inspection): Moment | null {
  const step = moments.branch.stepOf.get(entryId);
  const found = moments.list.find((moment) => moment.step === step && moment.records === records);
  return found === undefined || found === moments.list.at(-1) ? null : found;
}
