import { type PinKind, pinKinds } from '../../engine/core/core';
import type { RecallQuestion } from '../lookup/recall-answer';
import { ToolInput, ToolInputRefused } from './tool-input';
import { toolNames } from './tool-names';

/** In UTF-16 units. Core items are short because they are sent with every request. */
export const maxLength = { session: 400, question: 2000, item: 2000, reason: 1000, id: 200 } as const;

export const maxIds = 20;

interface OfSession {
  /** The named session; null to let the tool choose. */
  readonly session: string | null;
}

interface ContextInput extends OfSession {
  readonly maxTokens: number;
}

export function readContextInput(input: unknown): ContextInput {
  const fields = new ToolInput(toolNames.context, input, ['session', 'maxTokens']);
  return { session: fields.optionalText('session', maxLength.session), maxTokens: fields.budget() };
}

interface LostInput extends OfSession {
  /** Number of the compaction; null for the newest. */
  readonly compaction: number | null;
  readonly maxTokens: number;
}

export function readLostInput(input: unknown): LostInput {
  const fields = new ToolInput(toolNames.lost, input, ['compaction', 'session', 'maxTokens']);
  return {
    compaction: fields.optionalNumber('compaction', 1),
    session: fields.optionalText('session', maxLength.session),
    maxTokens: fields.budget(),
  };
}

interface CoreInput extends OfSession {}

export function readCoreInput(input: unknown): CoreInput {
  return { session: new ToolInput(toolNames.core, input, ['session']).optionalText('session', maxLength.session) };
}

type SessionInput =
  | { readonly kind: 'list'; readonly maxTokens: number }
  | { readonly kind: 'ask'; readonly session: string; readonly question: string; readonly maxTokens: number };

export function readSessionInput(input: unknown): SessionInput {
  const fields = new ToolInput(toolNames.session, input, ['session', 'question', 'maxTokens']);
  const session = fields.optionalText('session', maxLength.session);
  const question = fields.optionalText('question', maxLength.question);
  const maxTokens = fields.budget();
  if (session === null) return { kind: 'list', maxTokens };
  if (question === null) return fields.refuse('question', 'what you want to know of the session', undefined);
  return { kind: 'ask', session, question, maxTokens };
}

interface ProposeInput extends OfSession {
  readonly kind: PinKind;
  readonly text: string;
  readonly reason: string | null;
}

export function readProposeInput(input: unknown): ProposeInput {
  const fields = new ToolInput(toolNames.propose, input, ['kind', 'text', 'reason', 'session']);
  return {
    kind: fields.choice('kind', pinKinds),
    text: fields.text('text', maxLength.item),
    reason: fields.optionalText('reason', maxLength.reason),
    session: fields.optionalText('session', maxLength.session),
  };
}

interface RecallInput extends OfSession {
  readonly question: RecallQuestion;
  readonly maxTokens: number;
}

export function readRecallInput(input: unknown): RecallInput {
  const fields = new ToolInput(toolNames.recall, input, ['query', 'around', 'ids', 'session', 'maxTokens']);
  const query = fields.optionalText('query', maxLength.question);
  const id = fields.optionalText('around', maxLength.id);
  const ids = fields.optionalTexts('ids', maxIds);
  const questions: readonly (RecallQuestion | null)[] = [
    query === null ? null : { kind: 'search', query },
    id === null ? null : { kind: 'around', id },
    ids === null ? null : { kind: 'fetch', ids },
  ];
  const [question, ...others] = questions.filter((asked) => asked !== null);
  if (question === undefined || others.length > 0) {
    throw new ToolInputRefused(`${toolNames.recall}: give exactly one of "query", "around" and "ids".`);
  }
  const session = fields.optionalText('session', maxLength.session);
  return { question, session, maxTokens: fields.budget() };
}

interface CompactInput extends OfSession {
  readonly reason: string;
}

export function readCompactInput(input: unknown): CompactInput {
  const fields = new ToolInput(toolNames.compact, input, ['reason', 'session']);
  return {
    reason: fields.text('reason', maxLength.reason),
    session: fields.optionalText('session', maxLength.session),
  };
}
