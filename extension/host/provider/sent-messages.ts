import type * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import type { Remainder } from '../../middleware/recognition/authorship';
import type { Projected, ResultFate } from '../../middleware/recognition/outgoing';
import { isImage, type PartClasses, systemRole, userRole } from './received-messages';

type Received = vscode.LanguageModelChatRequestMessage;
type Sent = vscode.LanguageModelChatMessage;

/** How blocks and the core become messages of VS Code. */
export type MakeMessages = (messages: readonly ContextMessage[]) => readonly Sent[];

/** Messages for another model of VS Code: received ones unchanged, and Strata's blocks between them. */
export function sentMessages(
  outgoing: readonly Projected[],
  received: readonly Received[],
  make: MakeMessages,
  classes: PartClasses,
): Sent[] {
  return outgoing.flatMap((piece) => {
    if (piece.kind === 'made') return make([piece.message]);
    const message = received[piece.index];
    if (message === undefined) return [];
    return [piece.kind === 'original' ? asSent(message) : asSent(altered(message, piece, classes))];
  });
}

/** Only some extensions may send a system prompt, and Strata may not. */
function asSent(message: Received): Sent {
  const isSystem: boolean = Number(message.role) === systemRole;
  return (isSystem ? { role: userRole, content: message.content, name: message.name } : message) as Sent;
}

function altered(
  message: Received,
  { results, keepsRest, remaining }: Extract<Projected, { kind: 'altered' }>,
  classes: PartClasses,
): Received {
  const content = message.content.flatMap((part) => {
    if (!(part instanceof classes.LanguageModelToolResultPart)) {
      return keepsRest ? [part] : remainingParts(part, remaining, classes);
    }
    const fate = results.get(part.callId);
    return fate ? fated(part, fate, classes) : [part];
  });
  return { role: message.role, content, name: message.name };
}

function remainingParts(part: Received['content'][number], remaining: Remainder | undefined, classes: PartClasses) {
  if (remaining === undefined) return [];
  if (!(part instanceof classes.LanguageModelTextPart)) return remaining.others ? [part] : [];
  const text = remaining.textIn(part.value);
  return text === '' ? [] : [new classes.LanguageModelTextPart(text)];
}

/** A pruned result keeps its pictures and its outcome, and loses only its text. */
function fated(
  part: vscode.LanguageModelToolResultPart,
  fate: ResultFate,
  { LanguageModelTextPart }: PartClasses,
): vscode.LanguageModelToolResultPart[] {
  if (fate.kind === 'beneath') return [];
  const content = [new LanguageModelTextPart(fate.text), ...part.content.filter(isImage)];
  return [Object.assign(Object.create(Object.getPrototypeOf(part)), part, { content })];
}
