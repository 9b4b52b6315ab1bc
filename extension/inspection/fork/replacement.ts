import type { Context } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, readableText } from '../../engine/conversation/entry';
import { emptyOverlay, project } from '../../engine/conversation/projection';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { JournalState } from '../../engine/journal/journal-state';
import { overlayOf } from '../../engine/journal/overlay';
import { localizable } from '../../engine/wording/localizable-text';
import {
  type Chance,
  type CompactedOrder,
  type ForkFormat,
  type ForkPiece,
  ForkRefused,
  forkPieces,
} from '../../sessions/fork/fork-format';
import { joinedAgain } from '../../sessions/injected/told-apart';
import { StrayResults } from '../../sessions/records/stray-results';
import type { ParsedSession } from '../../sessions/session';

/** Records that, after a session, make its agent send Strata's projected context, and the messages of that context. */
export interface Replacement {
  readonly records: AsyncIterable<string>;
  readonly pieces: readonly ForkPiece[];
}

export interface ReplacementOrder {
  readonly session: ParsedSession;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
  readonly lines: CompactedOrder['lines'];
  readonly chance: Chance;
}

/** Null if Strata's projected context equals the agent's own: nothing was compacted or pinned. */
export function replacementFor(
  format: ForkFormat,
  { session, state, ledger, lines, chance }: ReplacementOrder,
): Replacement | null {
  const { conversation } = session;
  const context = project(conversation, overlayOf(state, conversation), ledger);
  if (!isChanged(context)) return null;
  const before = project(conversation, emptyOverlay, ledger).tokens.total;
  const tokens = { before, after: context.tokens.total };
  const pieces = forkPieces(context.messages, conversation);
  const recorded = { ...session, conversation: joinedAgain(conversation) };
  return { pieces, records: format.compacted({ session: recorded, lines, pieces, tokens, chance }) };
}

/** Whether the context contains anything of Strata: a block, a pruned result or the core. */
export function isChanged({ messages }: Context): boolean {
  return messages.some(({ kind, block, pruned }) => kind === 'core' || block !== undefined || pruned !== undefined);
}

/** Checks the written session, which was read again: it must contain exactly the shown messages in their order. */
export function refuseDifferentText({ agentContext }: Conversation, pieces: readonly ForkPiece[]): void {
  const written = agentContext.filter(({ role }) => role !== 'system').map(({ parts }) => saidIn(parts));
  if (wordsOf(written) === wordsOf(pieces.map(saidInPiece))) return;
  throw new ForkRefused(localizable('The new session would not contain what is shown here. Nothing was written.'));
}

/** Whether two contexts have the same text, ignoring reasoning and white space. */
export function hasSameText(one: Conversation, other: Conversation): boolean {
  const words = ({ agentContext }: Conversation) => wordsOf(agentContext.map(({ parts }) => saidIn(parts)));
  return words(one) === words(other);
}

/** Checks a mended session: it has every message of the original's context in order, and all its results as messages. */
export function refuseWhatIsLost(mended: Conversation, original: Conversation): void {
  const said = mended.agentContext.map(({ parts }) => wordsOf([saidIn(parts)]));
  let next = 0;
  const isKept = ({ parts }: Entry): boolean => {
    const at = said.indexOf(wordsOf([saidIn(parts)]), next);
    next = at + 1;
    return at >= 0;
  };
  if (original.agentContext.every(isKept) && new StrayResults().in(mended.entries).length === 0) return;
  throw new ForkRefused(localizable('The mended session would lack a message of this one. Nothing was written.'));
}

function saidInPiece(piece: ForkPiece): string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'original':
      return saidIn(piece.entry.parts);
    case 'edited':
      return saidIn(piece.parts);
  }
}

/** Without reasoning, because an agent may drop it when it sends a reply again. A picture counts as one character. */
function saidIn(parts: Entry['parts']): string {
  return parts
    .map((part) => (part.type === 'image' ? '🖼' : part.type === 'reasoning' ? '' : readableText(part)))
    .join('\n');
}

/** Ignores white space, because formats join texts with different line breaks. */
function wordsOf(texts: readonly string[]): string {
  return texts.join('').replace(/\s+/gu, '');
}
