import type { Entry } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import type { ForkPiece } from '../../../sessions/fork/fork-format';
import { summaryKind } from '../format/injected';

/** The records of each entry, by entry id. */
export type Items = ReadonlyMap<string, readonly s.JsonRecord[]>;

/** Inserts Codex's own instructions (messages of the role `developer`) at their original places. */
export function withInstructions(pieces: readonly ForkPiece[], context: readonly Entry[], items: Items): ForkPiece[] {
  const places = new Map(context.map((entry, index) => [entry.id, index]));
  const waiting = context.flatMap((entry, index) =>
    entry.role === 'system' && (items.get(entry.id)?.length ?? 0) > 0 ? [{ entry, index }] : [],
  );
  let next = 0;
  const upTo = (index: number): ForkPiece[] => {
    const first = next;
    while ((waiting[next]?.index ?? index) < index) next += 1;
    return waiting.slice(first, next).map(({ entry }) => ({ kind: 'original', entry }));
  };
  const firstSaid = context.findIndex((entry) => entry.role !== 'system');
  const leading = upTo(firstSaid < 0 ? context.length : firstSaid);
  const rest = pieces.flatMap((piece) =>
    piece.kind === 'text' ? [piece] : [...upTo(places.get(piece.entry.id) ?? 0), piece],
  );
  return [...leading, ...rest, ...upTo(context.length)];
}

const callItem = s.record({ call_id: s.name, type: s.text });

/** The record type of each call, by call id. */
export function callTypes(items: Items): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const records of items.values()) {
    for (const record of records) {
      const { call_id: callId, type } = s.read(callItem, record);
      if (callId !== null && !types.has(callId)) types.set(callId, type);
    }
  }
  return types;
}

/** Text of the role `user`, marked as Codex marks its own summaries, so that it does not count as the person's prompt. */
export function summaryItem(content: readonly s.JsonRecord[]): s.JsonRecord {
  return {
    type: 'message',
    role: 'user',
    content,
    internal_chat_message_metadata_passthrough: {
      content_item_kinds: content.map(() => summaryKind),
      content_item_metadata: content.map(() => ({ provenance: { type: 'harness', hook: false } })),
    },
  };
}
