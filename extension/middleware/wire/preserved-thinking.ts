import * as s from '../../sessions/records/schemas';
import { isThinking } from './before-thinking';
import type { BodyMessages } from './body-messages';
import { listWith, membersOf, type Piece } from './splice';

const thinkingRequest = s.record({
  model: s.text,
  thinking: s.record({ block_binding: s.record({ prefix_mismatch_behavior: s.name }) }),
});

/**
 * Newer Anthropic models accept thinking only if nothing before it has changed. Otherwise they refuse the request, unless
 * it allows them to drop such thinking. Leaving thinking out is always accepted.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
export function refusesStaleThinking(body: s.JsonRecord): boolean {
  const { model, thinking } = s.read(thinkingRequest, body);
  return thinking.block_binding.prefix_mismatch_behavior !== 'drop_block' && preservesThinking(model);
}

/** Versions from 5.1 on. A date may follow the version: `claude-opus-5-20260901` is version 5. */
function preservesThinking(model: string): boolean {
  const [, major = '0', minor = '0'] = /claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)/.exec(model) ?? [];
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 1);
}

/** Removes the thinking after the first change. */
export function withoutStaleThinking(
  pieces: readonly Piece[],
  messages: BodyMessages,
  isSystemChanged: boolean,
): Piece[] {
  const changed = pieces.findIndex((piece, at) => piece.kind === 'new' || piece.index !== at);
  const from = isSystemChanged ? 0 : changed === -1 ? pieces.length : changed;
  return pieces.flatMap((piece, at) => {
    const message = piece.kind === 'kept' && at >= from ? messages.messageAt(piece.index) : undefined;
    if (piece.kind === 'new' || message?.role !== 'assistant') return [piece];
    return withoutThinking(piece, message, messages.textAt(piece.index));
  });
}

/** Other blocks keep their exact text. A message with thinking only is dropped. */
function withoutThinking(piece: Piece, { content }: s.JsonRecord, text: string): Piece[] {
  const blocks = s.read(s.list, content);
  const kept = blocks.flatMap((block, index): Piece[] => (isThinking(block) ? [] : [{ kind: 'kept', index }]));
  if (kept.length === blocks.length) return [piece];
  const member = membersOf(text).get('content');
  if (kept.length === 0 || member === undefined) return [];
  const { start, end } = member.value;
  return [{ kind: 'new', text: `${text.slice(0, start)}${listWith(text, member, kept)}${text.slice(end)}` }];
}
