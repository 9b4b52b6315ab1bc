import { coreState, coreText } from '../../engine/core/core';
import { overlayOf } from '../../engine/journal/overlay';
import type { Workbench } from '../../engine/run/workbench';
import type { LateCore } from '../../middleware/recognition/late-core';

/**
 * The core as a conversation came to it since its newest compaction: what was pinned after a reply goes where the
 * conversation was at that time, so that the prompt before it stays in the provider's cache. Null where all of the core goes
 * first: after a compaction, and where an item was changed or retired.
 */
export function lateCoreOf({ state, conversation }: Pick<Workbench, 'state' | 'conversation'>): LateCore | null {
  if (state.items.length === 0) return null;
  const compacted = state.compactions.reduce((newest, { record }) => (record.time > newest ? record.time : newest), '');
  const replies = conversation.entries.filter(({ role }) => role === 'assistant');
  // Replies that came with the first request were not made from a prompt of Strata's.
  const begun = conversation.entries.find(({ role }) => role !== 'system')?.timestamp ?? '';
  const first = replies.find(({ timestamp }) => timestamp !== null && timestamp !== begun)?.timestamp;
  if (first === undefined || first === null) return null;
  const isSettled = (time: string) => time <= compacted || time <= first;
  const unsettled = [...state.itemHistory].filter(([, events]) => events.some(({ time }) => !isSettled(time)));
  const late = state.items.filter(({ id }) => unsettled.some(([changed]) => changed === id));
  const isPlain =
    unsettled.length === late.length && late.every(({ kind, status }) => kind !== 'goal' && status === 'active');
  if (late.length === 0 || !isPlain || unsettled.some(([, events]) => events.length > 1)) return null;
  const earlier = state.items.filter((item) => !late.includes(item));
  const { core } = overlayOf({ ...state, items: earlier }, conversation);
  const parts = late.map((item) => ({
    before: replies.find(({ timestamp }) => timestamp !== null && timestamp > item.timestamp)?.id ?? null,
    text: coreText(coreState([item], null)),
  }));
  return { first: core === null ? null : coreText(core), parts };
}
