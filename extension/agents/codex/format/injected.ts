import { type Part, textOf } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { isAgentsOnly } from '../../../sessions/injected/split-by-author';
import { beginsUnclosed, codexTags } from '../../../sessions/injected/tags';

const markedItem = s.record({ internal_chat_message_metadata_passthrough: s.record({ content_item_kinds: s.texts }) });
const typedEvent = s.record({ kind: s.textOrNull, message: s.name });

/** The kinds that Codex gives the parts of a message since 0.16x: `user.text`, `compaction.summary` and so on. */
export function contentKinds(item: s.JsonRecord): string[] {
  return s.read(markedItem, item).internal_chat_message_metadata_passthrough.content_item_kinds;
}

export const summaryKind = 'compaction.summary';

/**
 * Whether Codex wrote this message of the user role. Older versions do not say, so its first words decide, until a
 * record repeats what was typed: see `typedText`.
 */
export function isInjected(item: s.JsonRecord, parts: readonly Part[]): boolean {
  const kinds = recordedKinds(item);
  if (kinds.length > 0) return !kinds.some((kind) => kind.startsWith('user.'));
  return isAgentsOnly(parts) || beginsUnclosed(textOf(parts), codexTags);
}

/** Whether only the first words of a message suggest who wrote it. */
export function isGuessed(item: s.JsonRecord): boolean {
  return item.type === 'message' && recordedKinds(item).length === 0;
}

function recordedKinds(item: s.JsonRecord): string[] {
  return contentKinds(item).filter((kind) => kind !== 'unknown');
}

/**
 * The text that a person typed, which older versions repeat after the message. Some of them also repeat Codex's own
 * texts, with a kind other than `plain`.
 */
export function typedText(event: s.JsonRecord): string | null {
  const { kind, message } = s.read(typedEvent, event);
  return (kind ?? 'plain') === 'plain' ? message : null;
}
