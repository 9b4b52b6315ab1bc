import { type Part, textOf } from '../../engine/conversation/entry';
import { asRecord, asTexts, type JsonRecord } from '../records/json';

/** What the parts of a message are, by Codex's own words (since 0.16x): `user.text`, `compaction.summary` and so on. */
export function contentKinds(item: JsonRecord): string[] {
  return asTexts(asRecord(item.internal_chat_message_metadata_passthrough)?.content_item_kinds);
}

export const summaryKind = 'compaction.summary';

/** Whether no person wrote this message in the user role. Older versions do not say so; there its first words tell. */
export function isInjected(item: JsonRecord, parts: readonly Part[]): boolean {
  const kinds = contentKinds(item).filter((kind) => kind !== 'unknown');
  if (kinds.length > 0) return !kinds.some((kind) => kind.startsWith('user.'));
  return injectedBeginning.test(textOf(parts).slice(0, 200));
}

/** How Codex begins texts of its own, as seen in sessions of versions 0.2 to 0.169. */
const injectedBeginning = new RegExp(
  `^\\s*(?:<(?:${[
    'environment_context',
    'user_instructions',
    'INSTRUCTIONS',
    'permissions instructions',
    'turn_aborted',
    'subagent_notification',
    'user_shell_command',
    'user_action',
    'skill',
    'skills_instructions',
    'collaboration_mode',
    'model_switch',
    'personality_spec',
  ].join('|')})>|# AGENTS\\.md instructions)`,
);
