import { blockOf, type ContextMessage } from '../conversation/context';
import type { ToolCallPart, ToolResultPart } from '../conversation/entry';
import { toolCalls, toolResults } from '../conversation/entry';
import { untouchableOf } from '../conversation/steps';
import { opensTurn, stepsOf } from '../conversation/turns';
import { type StepKind, stepKind } from '../ledger/steps';

/** A tool call of the context with its result, which is a message of its own. */
export interface AnsweredCall {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart;
  /** The message of the result. */
  readonly message: ContextMessage;
  readonly kind: StepKind;
  /** The person's message that opens the turn. */
  readonly user: ContextMessage | null;
  /** Ordinal of the turn, for grouping results by it. */
  readonly turn: number;
  /** It belongs to the newest step or to one with an open call. */
  readonly isUntouchable: boolean;
}

/** The calls of a context that have a result, in the order of the results. A result answers the newest call of its id. */
export function answeredCalls(messages: readonly ContextMessage[]): AnsweredCall[] {
  const untouchable = untouchableOf(messages);
  const open = new Set(stepsOf(messages).filter(({ isOpen }) => isOpen));
  const found: AnsweredCall[] = [];
  let user: ContextMessage | null = null;
  let turn = 0;
  for (const step of stepsOf(messages)) {
    const called = new Map<string, ToolCallPart>();
    for (let at = step.start; at < step.end; at += 1) {
      const message = messages[at];
      if (!message || blockOf(message)) continue;
      if (opensTurn(message)) {
        user = message;
        turn += 1;
      }
      for (const result of message.kind === 'tool_result' ? toolResults(message.parts) : []) {
        const call = called.get(result.callId);
        const isUntouchable = open.has(step) || untouchable.has(at);
        if (call) found.push({ call, result, message, kind: stepKind(call), user, turn, isUntouchable });
      }
      for (const call of toolCalls(message.parts)) called.set(call.callId, call);
    }
  }
  return found;
}
