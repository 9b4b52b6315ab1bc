import { type Part, textOf } from '../../engine/conversation/entry';
import { beginsWithTag, codexTags } from '../injected/tags';
import { codexRulesHeading } from '../injected/whole-texts';
import * as s from '../records/schemas';

const markedItem = s.record({ internal_chat_message_metadata_passthrough: s.record({ content_item_kinds: s.texts }) });
const typedEvent = s.record({ kind: s.textOrNull, message: s.name });

/** What the parts of a message are, by Codex's own words (since 0.16x): `user.text`, `compaction.summary` and so on. */
export function contentKinds(item: s.JsonRecord): string[] {
  return s.read(markedItem, item).internal_chat_message_metadata_passthrough.content_item_kinds;
}

export const summaryKind = 'compaction.summary';

/**
 * Whether no person wrote this message in the user role. Older versions do not say so; there its first words tell, until
 * what was typed is repeated: see `typedText`.
 */
export function isInjected(item: s.JsonRecord, parts: readonly Part[]): boolean {
  const kinds = toldKinds(item);
  if (kinds.length > 0) return !kinds.some((kind) => kind.startsWith('user.'));
  const text = textOf(parts).slice(0, 200);
  return injectedBeginning.test(text) || codexRulesHeading.test(text);
}

/** Whether nothing but its first words tells who wrote a message. */
export function isGuessed(item: s.JsonRecord): boolean {
  return item.type === 'message' && toldKinds(item).length === 0;
}

function toldKinds(item: s.JsonRecord): string[] {
  return contentKinds(item).filter((kind) => kind !== 'unknown');
}

/**
 * What a person typed, which older versions repeat behind the message. Some of them repeat texts of their own, too, under
 * another kind than `plain`.
 */
export function typedText(event: s.JsonRecord): string | null {
  const { kind, message } = s.read(typedEvent, event);
  return (kind ?? 'plain') === 'plain' ? message : null;
}

/** Beginnings of texts that Codex adds itself. */
const injectedBeginning = beginsWithTag(Object.keys(codexTags));
