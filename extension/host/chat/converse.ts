import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { PreparedRun } from '../../engine/compaction/run';
import type { Part } from '../../engine/conversation/entry';
import { assistantInstructions } from '../../engine/prompts/assistant';
import type { OwnConversation } from '../../inspection/own-conversation';
import type { ChatModel, ChatTool } from '../../models/chat-model';
import type { ConversationRecord, EntryRecord, TurnEndedRecord } from '../../sessions/strata/records';
import { chatResult, failureText } from './chat-result';
import type { ChatCall } from './chat-services';
import { chatTools, runTool } from './chat-tools';
import { ChatTurn } from './chat-turn';
import { attachmentParts } from './references';
import { tellAutomaticRun } from './run-text';
import { tellHowToGetAModel } from './set-up';

/** A message of the person and the answer to it: one turn of the conversation. */
export async function converse(call: ChatCall): Promise<vscode.ChatResult> {
  const { services, request, stream, chat } = call;
  const { conversation } = chat;
  const model = await services.chatModelOf(request.model);
  if (!model) {
    tellHowToGetAModel(stream);
    return await keepForLater(call);
  }
  const runs = await compactedBetweenTurns(call);
  const tools = chatTools(request);
  const messages = await messagesOf(call);
  await conversation.append([...settingChanges(conversation, model, tools), ...messages]);
  try {
    return await answerMessage(call, { model, tools, runs }, leafOf(messages));
  } finally {
    // At the end: VS Code folds away what comes before a tool call.
    for (const run of runs) tellAutomaticRun(stream, conversation, run);
  }
}

async function compactedBetweenTurns({ services, signal, chat }: ChatCall): Promise<PreparedRun[]> {
  const run = await services.conversations.compactIfDue(chat.conversation, signal);
  return run ? [run] : [];
}

/** A message that nobody could answer belongs to the conversation all the same. */
async function keepForLater(call: ChatCall): Promise<vscode.ChatResult> {
  const { conversation } = call.chat;
  const messages = await messagesOf(call);
  await conversation.append(messages);
  await endTurn(conversation, 'failed');
  return chatResult(conversation, leafOf(messages));
}

function leafOf(messages: readonly [EntryRecord, ...EntryRecord[]]): string {
  return (messages.at(-1) ?? messages[0]).entry.id;
}

/** The person's own words, and behind them what they attached: that is material, and nobody's instruction. */
async function messagesOf({ request, stream, chat }: ChatCall): Promise<[EntryRecord, ...EntryRecord[]]> {
  const timestamp = new Date().toISOString();
  const said: EntryRecord = {
    type: 'entry',
    parent: chat.leaf,
    entry: { id: `message-${randomUUID()}`, role: 'user', parts: [{ type: 'text', text: request.prompt }], timestamp },
  };
  const parts = await attachmentParts(request.references, stream);
  if (parts.length === 0) return [said];
  const id = `attachments-${randomUUID()}`;
  return [
    said,
    { type: 'entry', parent: said.entry.id, entry: { id, role: 'user', parts, timestamp, injected: true } },
  ];
}

interface Answering {
  readonly model: ChatModel;
  readonly tools: readonly ChatTool[];
  /** Compactions that started by themselves in this turn. */
  readonly runs: PreparedRun[];
}

async function answerMessage(
  call: ChatCall,
  { model, tools, runs }: Answering,
  leaf: string,
): Promise<vscode.ChatResult> {
  const { services, request, stream, token, signal, chat } = call;
  const { conversation } = chat;
  const work = {
    conversation,
    model,
    tools,
    stream,
    signal,
    makeFit: () => makeFit(call, runs),
    runTool: (toolCall) => runTool(toolCall, request.toolInvocationToken, token),
    onCut: () => stream.markdown(cutOff()),
    onUnwritten: (error) => services.log.warn(`A part of a reply was not kept: ${failureText(error)}`),
  } satisfies ConstructorParameters<typeof ChatTurn>[0];
  const turn = new ChatTurn(work, leaf);
  try {
    const outcome = await turn.take();
    await endTurn(conversation, 'answered');
    if (outcome === 'too-many-rounds') stream.markdown(tooManyRounds());
    return chatResult(conversation, turn.leaf);
  } catch (error) {
    await endTurn(conversation, signal.aborted ? 'cancelled' : 'failed');
    if (signal.aborted) return chatResult(conversation, turn.leaf);
    services.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return { ...chatResult(conversation, turn.leaf), errorDetails: { message: failureText(error) } };
  }
}

/** Tools can return more than the window has room for. What is older than this turn is compacted then, once in a turn. */
async function makeFit({ services, signal, chat }: ChatCall, runs: PreparedRun[]): Promise<void> {
  const { conversation } = chat;
  const { context, contextWindow } = conversation.inspection;
  if (context.tokens.total <= contextWindow || runs.some(({ after }) => after.tokens.total > contextWindow)) return;
  const run = await services.conversations.compactToFit(conversation, signal);
  if (run) runs.push(run);
}

function cutOff(): string {
  return vscode.l10n.t('\n\n> The model has reached the length of its answers. Say “go on” for more.');
}

function tooManyRounds(): string {
  return vscode.l10n.t('\n\nThis turn has called tools a hundred times. Say “go on” if it should.');
}

function endTurn(conversation: OwnConversation, outcome: TurnEndedRecord['outcome']): Promise<void> {
  return conversation.append([{ type: 'turn-ended', time: new Date().toISOString(), outcome }]);
}

/** The system prompt, the tools and the model, as far as they are others than the last time. */
function settingChanges(
  { inspection }: OwnConversation,
  { model, contextWindow }: ChatModel,
  tools: readonly ChatTool[],
): ConversationRecord[] {
  const { session } = inspection;
  const changes: ConversationRecord[] = [];
  const parts = systemParts(tools);
  const system = session.conversation.agentContext.find(({ role }) => role === 'system');
  if (JSON.stringify(system?.parts) !== JSON.stringify(parts)) {
    const timestamp = new Date().toISOString();
    changes.push({ type: 'system', entry: { id: `system-${randomUUID()}`, role: 'system', parts, timestamp } });
  }
  const isSameModel = session.model === model && (session.contextWindow ?? null) === contextWindow;
  return isSameModel ? changes : [...changes, { type: 'model', model, contextWindow }];
}

function systemParts(tools: readonly ChatTool[]): Part[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const text: Part = { type: 'text', text: assistantInstructions(folders) };
  if (tools.length === 0) return [text];
  const names = tools.map(({ name }) => name);
  return [text, { type: 'tool_definitions', names, text: JSON.stringify(tools) }];
}
