import { calibrate } from '../../engine/conversation/accounting';
import type { Context } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, readableText } from '../../engine/conversation/entry';
import type { KnownCalibration } from '../../engine/conversation/forked';
import { project, projectAlone } from '../../engine/conversation/projection';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { JournalState } from '../../engine/journal/journal-state';
import { overlayOf } from '../../engine/journal/overlay';
import { tokensReplaced } from '../../engine/run/prepare/run-sizes';
import { localizable } from '../../engine/wording/localizable-text';
import {
  type Chance,
  type CompactedOrder,
  type ForkFormat,
  type ForkPiece,
  ForkRefused,
  forkPieces,
} from '../../sessions/fork/fork-format';
import type { ForkedMessage, WrittenContext } from '../../sessions/fork/fork-mark';
import { rejoined } from '../../sessions/injected/split-by-author';
import { StrayResults } from '../../sessions/records/stray-results';
import type { ParsedSession } from '../../sessions/session';

/** Records that, after a session, make its agent send Strata's projected context, and the messages of that context. */
export interface Replacement {
  readonly records: AsyncIterable<string>;
  readonly pieces: readonly ForkPiece[];
  /** Finds the rewritten messages in the written session. */
  writtenIn(written: Conversation): WrittenContext;
}

interface ReplacementOrder {
  readonly session: ParsedSession;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
  readonly lines: CompactedOrder['lines'];
  readonly chance: Chance;
  /** The conversation with whose calibration sizes are shown. Absent: that of the session. */
  readonly shown?: Conversation;
}

/** Null if Strata's projected context equals the agent's own: nothing was compacted or pinned. */
export function replacementFor(
  format: ForkFormat,
  { session, state, ledger, lines, chance, shown }: ReplacementOrder,
): Replacement | null {
  const { conversation } = session;
  const context = project(conversation, overlayOf(state, conversation), ledger);
  if (!context.isChanged) return null;
  const { newest: _newest, ...calibration } = calibrate(shown ?? conversation, ledger);
  const sizeOf = ({ tokens }: Context) => calibration.derived + Math.round(tokens.counted * calibration.ratio);
  const tokens = { before: sizeOf(projectAlone(conversation, ledger)), after: sizeOf(context) };
  const pieces = forkPieces(context.messages, conversation);
  const recorded = { ...session, conversation: rejoined(conversation) };
  const made = madeMessages(context, state);
  return {
    pieces,
    records: format.compacted({ session: recorded, lines, pieces, tokens, chance }),
    writtenIn: (written) => ({
      tokens: tokens.after,
      tokensBefore: tokens.before,
      calibration: withUnsaid(calibration, context, projectAlone(written, ledger)),
      messages: messagesOf(written, made),
    }),
  };
}

/** Instructions that an agent repeats by itself are not written, but are sent anyway. */
function withUnsaid(
  { ratio, derived, remainder }: KnownCalibration,
  shown: Context,
  written: Context,
): KnownCalibration {
  const systemIn = ({ messages }: Context) =>
    messages.reduce((sum, { kind, tokens }) => sum + (kind === 'system' ? tokens : 0), 0);
  const unsaid = Math.round(ratio * Math.max(0, systemIn(shown) - systemIn(written)));
  const more = remainder === null ? null : { ...remainder, tokens: remainder.tokens + unsaid };
  return { ratio, derived: derived + unsaid, remainder: more };
}

/** A message of the context that Strata made. */
interface MadeMessage {
  readonly words: string;
  readonly message: ForkedMessage;
}

function madeMessages({ messages }: Context, state: JournalState): MadeMessage[] {
  const records = new Map(state.compactions.map(({ record }) => [record.seq, record]));
  const replaced = tokensReplaced(state);
  return messages.flatMap(({ key, kind, parts, block, forked, entryIds }): MadeMessage[] => {
    const words = wordsOf([saidIn(parts)]);
    if (kind === 'core') return [{ words, message: { kind: 'core' } }];
    if (forked !== undefined) return [{ words, message: { kind: 'block', block: forked } }];
    if (block === undefined) return kind === 'summary' ? [{ words, message: { kind: 'summary', of: key } }] : [];
    const record = records.get(block.seq);
    const own = {
      run: record?.run ?? block.seq,
      tokensBefore: replaced.get(block.seq) ?? 0,
      displayLine: record?.displayLine ?? null,
    };
    return [{ words, message: { kind: 'block', block: { ...block, ...own, entryIds } } }];
  });
}

/** Both are in the order of the context. */
function messagesOf({ agentContext }: Conversation, made: readonly MadeMessage[]): Map<string, ForkedMessage> {
  const found = new Map<string, ForkedMessage>();
  let next = 0;
  for (const { id, parts, role } of agentContext) {
    if (role === 'tool' || role === 'system') continue;
    const words = wordsOf([saidIn(parts)]);
    const at = made.findIndex((candidate, index) => index >= next && candidate.words === words);
    const message = made[at]?.message;
    if (message === undefined) continue;
    found.set(id, message);
    next = at + 1;
  }
  return found;
}

/** Checks the written session after reading it again: it must contain exactly the shown messages, in order. */
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
