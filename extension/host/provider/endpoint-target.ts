import * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import { textOf } from '../../engine/conversation/entry';
import { TokenLedger } from '../../engine/conversation/tokens';
import { sum } from '../../engine/conversation/whole-tokens';
import { receivedConversation } from '../../middleware/recognition/received-entries';
import type { ChatModel, ChatPiece } from '../../models/chat-model';
import { newerParts } from '../language-api';
import { inputObject } from '../models/vscode-messages';
import { receivedMessage } from './received-messages';
import type { Counted, Target, TargetOrder } from './target';

/** The settings that a request needs. */
export interface Endpoint {
  readonly model: string;
  /** In tokens; null if unknown. */
  readonly contextWindow: number | null;
  /** Rejects if the person does not consent to the destination. */
  readonly admit: () => Promise<void>;
  /** Rejects with `ModelFailed` if the settings are invalid. */
  readonly open: () => Promise<ChatModel>;
}

/** The number that VS Code has for a request in which the model must call a tool. */
const toolRequired = 2;

/** An OpenAI-compatible endpoint, which receives the context in its own format. */
export function endpointTarget({ model, contextWindow, admit, open }: Endpoint): Target {
  return {
    model,
    contextWindow,
    admit,
    answer: (order) => answer(open, order),
    countTokens,
  };
}

async function answer(open: Endpoint['open'], order: TargetOrder): Promise<void> {
  const { context, options, signal, report, heard } = order;
  const model = await open();
  const pieces = model.converse({
    messages: context.messages.filter(saysSomething),
    tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
      name,
      description,
      ...(inputSchema ? { inputSchema } : {}),
    })),
    toolMode: options.toolMode === toolRequired ? 'required' : 'auto',
    signal,
  });
  for await (const received of pieces) {
    const piece = withObjectInput(received);
    heard(piece);
    const part = partOf(piece);
    if (part) report(part);
  }
}

/** A prompt with only tool definitions is not a message: tools are sent beside the messages. */
function saysSomething({ role, parts }: ContextMessage): boolean {
  return role !== 'system' || textOf(parts) !== '';
}

function withObjectInput(piece: ChatPiece): ChatPiece {
  if (piece.type !== 'tool_call') return piece;
  return { ...piece, input: inputObject(piece) };
}

function partOf(piece: ChatPiece): vscode.LanguageModelResponsePart | null {
  switch (piece.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(piece.text);
    case 'tool_call':
      return new vscode.LanguageModelToolCallPart(piece.callId, piece.name, piece.input as object);
    case 'reasoning':
      return thinkingPart(piece.text);
    case 'usage':
      return null;
  }
}

/** The class is not in the typings. Null in versions of VS Code that do not have it. */
function thinkingPart(text: string): vscode.LanguageModelResponsePart | null {
  const { LanguageModelThinkingPart } = newerParts();
  if (LanguageModelThinkingPart === undefined) return null;
  return new LanguageModelThinkingPart(text) as unknown as vscode.LanguageModelResponsePart;
}

async function countTokens(content: Counted): Promise<number> {
  const { countWithO200k } = await import('../../engine/conversation/tokenizer');
  if (typeof content === 'string') return countWithO200k(content);
  const ledger = new TokenLedger(countWithO200k);
  const { entries, system } = receivedConversation([receivedMessage(content)], '');
  const texts = system.map((text) => ledger.ofParts([{ type: 'text', text }]));
  return sum([...texts, ...entries.map(({ parts }) => ledger.ofParts(parts))]);
}
