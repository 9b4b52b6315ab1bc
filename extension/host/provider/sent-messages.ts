import * as vscode from 'vscode';
import type { Remainder } from '../../middleware/recognition/authorship';
import type { Projected, ResultFate } from '../../middleware/recognition/outgoing';
import { contextAsVscode } from '../models/vscode-messages';
import { isImage, systemRole, userRole } from './received-messages';

type Received = vscode.LanguageModelChatRequestMessage;
type Sent = vscode.LanguageModelChatMessage;

/** Messages for another model of VS Code: received ones unchanged, and Strata's blocks between them. */
export function sentMessages(outgoing: readonly Projected[], received: readonly Received[]): Sent[] {
  return outgoing.flatMap((piece) => {
    if (piece.kind === 'made') return contextAsVscode([piece.message]);
    const message = received[piece.index];
    if (message === undefined) return [];
    return [piece.kind === 'original' ? asSent(message) : asSent(altered(message, piece))];
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
): Received {
  const content = message.content.flatMap((part) => {
    if (!(part instanceof vscode.LanguageModelToolResultPart)) {
      return keepsRest ? [part] : remainingParts(part, remaining);
    }
    const fate = results.get(part.callId);
    return fate ? fated(part, fate) : [part];
  });
  return { role: message.role, content, name: message.name };
}

function remainingParts(part: Received['content'][number], remaining: Remainder | undefined) {
  if (remaining === undefined) return [];
  if (!(part instanceof vscode.LanguageModelTextPart)) return remaining.others ? [part] : [];
  const text = remaining.textIn(part.value);
  return text === '' ? [] : [new vscode.LanguageModelTextPart(text)];
}

/** A pruned result keeps its pictures and its outcome, and loses only its text. */
function fated(part: vscode.LanguageModelToolResultPart, fate: ResultFate): vscode.LanguageModelToolResultPart[] {
  if (fate.kind === 'replaced') return [];
  const content = [new vscode.LanguageModelTextPart(fate.text), ...part.content.filter(isImage)];
  return [Object.assign(Object.create(Object.getPrototypeOf(part)), part, { content })];
}
