import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { usualReplyTokens } from '../../conversations/compaction/fit';
import { tooLargeText } from '../../conversations/requests/recording-notices';
import { surroundingRecords } from '../../conversations/requests/request-records';
import { assistantInstructions } from '../../engine/prompts/assistant';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import type { Surroundings } from '../../middleware/requests/recording';
import type { ChatModel, ChatTool } from '../../models/chat-model';
import { extensionId } from '../../sessions/strata/extension-id';
import type { EntryRecord, TurnEndedRecord } from '../../sessions/strata/records';
import { chatCommandIds, commandIds } from '../command-ids';
import { runLine } from '../compaction/run-notice';
import type { EditorConversation } from '../conversations/editor-conversations';
import { failureDetail, failureText } from '../failures/failure-text';
import { setUpText } from '../provider/set-up-text';
import type { ChatCall } from './chat-services';
import { chatTools, runTool } from './chat-tools';
import { ChatTurn, type TurnWork } from './chat-turn';
import { chatResult } from './history-reader';
import { attachmentParts } from './references';

/** A message of the person and the answer to it: one turn of the conversation. */
export async function converse(call: ChatCall): Promise<vscode.ChatResult> {
  const { services, request, stream, chat } = call;
  const { conversation } = chat;
  const model = await services.chatModelOf(request.model);
  if (!model) {
    tellHowToGetAModel(stream);
    return await storeUnanswered(call);
  }
  const runs = await compactedBetweenTurns(call);
  const notices = new Set<string>();
  const tools = chatTools(request);
  const messages = await messagesOf(call);
  const changes = surroundingRecords(conversation, surroundings(model, tools), new Date().toISOString());
  await conversation.append([...changes, ...messages]);
  try {
    return await answerMessage(call, { model, tools, runs, notices }, leafOf(messages));
  } finally {
    // At the end: VS Code folds away what comes before a tool call.
    for (const notice of notices) stream.markdown(`\n\n> ${notice}`);
    for (const run of runs) tellAutomaticRun(stream, conversation, run);
  }
}

async function compactedBetweenTurns({ signal, chat }: ChatCall): Promise<PreparedRun[]> {
  const run = await chat.conversation.automatic.compactIfDue(signal);
  return run ? [run] : [];
}

/** A message without an answer is part of the conversation as well. */
async function storeUnanswered(call: ChatCall): Promise<vscode.ChatResult> {
  const { conversation } = call.chat;
  const messages = await messagesOf(call);
  await conversation.append(messages);
  await endTurn(conversation, 'failed');
  return chatResult(conversation, leafOf(messages));
}

function leafOf(messages: readonly [EntryRecord, ...EntryRecord[]]): string {
  return (messages.at(-1) ?? messages[0]).entry.id;
}

/** The person's message, followed by the attachments, which are data and not instructions. */
async function messagesOf({ request, stream, chat }: ChatCall): Promise<[EntryRecord, ...EntryRecord[]]> {
  const timestamp = new Date().toISOString();
  const message: EntryRecord = {
    type: 'entry',
    parent: chat.leaf,
    entry: { id: `message-${randomUUID()}`, role: 'user', parts: [{ type: 'text', text: request.prompt }], timestamp },
  };
  const parts = await attachmentParts(request.references, stream);
  if (parts.length === 0) return [message];
  const id = `attachments-${randomUUID()}`;
  return [
    message,
    { type: 'entry', parent: message.entry.id, entry: { id, role: 'user', parts, timestamp, injected: true } },
  ];
}

interface Answering {
  readonly model: ChatModel;
  readonly tools: readonly ChatTool[];
  /** Automatic compactions in this turn. */
  readonly runs: PreparedRun[];
  /** Notices for the person about this turn. */
  readonly notices: Set<string>;
}

async function answerMessage(call: ChatCall, answering: Answering, leaf: string): Promise<vscode.ChatResult> {
  const { services, signal, chat } = call;
  const { conversation } = chat;
  const turn = new ChatTurn(workOf(call, answering), leaf);
  try {
    const outcome = await turn.take();
    await endTurn(conversation, 'answered');
    if (outcome === 'too-many-rounds')
      answering.notices.add(
        vscode.l10n.t(
          'This turn has called tools a hundred times and was stopped. Send “continue” to let it continue.',
        ),
      );
    return chatResult(conversation, turn.leaf);
  } catch (error) {
    if (!signal.aborted) services.log.error(failureDetail(error));
    await endTurn(conversation, signal.aborted ? 'cancelled' : 'failed');
    if (signal.aborted) return chatResult(conversation, turn.leaf);
    return { ...chatResult(conversation, turn.leaf), errorDetails: { message: failureText(error) } };
  }
}

function workOf(call: ChatCall, { model, tools, runs, notices }: Answering): TurnWork {
  const { services, request, stream, token, signal, chat } = call;
  return {
    ...{ conversation: chat.conversation, model, tools, stream, signal },
    makeFit: () => makeFit(call, model, runs),
    runTool: (toolCall) => runTool(toolCall, request.toolInvocationToken, token),
    onElsewhere: () =>
      notices.add(
        vscode.l10n.t('Another window continues this conversation too. Each window has its own branch; both are kept.'),
      ),
    onCut: () => notices.add(vscode.l10n.t('The model reached its output limit. Send “continue” for more.')),
    onUnwritten: (error) => services.log.warn(`A part of a reply was not kept: ${failureText(error)}`),
  };
}

/** Tools can return more than the window has room for beside the answer. */
async function makeFit({ services, signal, chat }: ChatCall, { model }: ChatModel, runs: PreparedRun[]): Promise<void> {
  const { automatic, workbench } = chat.conversation;
  const { contextWindow } = workbench;
  const mostTokens = contextWindow - usualReplyTokens(contextWindow);
  const outcome = await automatic.makeFit({ mostTokens, signal });
  if ('run' in outcome && outcome.run) runs.push(outcome.run);
  if (outcome.kind === 'too-large') services.log.warn(tooLargeText(outcome.tokens, { model, contextWindow }));
}

function endTurn(conversation: EditorConversation, outcome: TurnEndedRecord['outcome']): Promise<void> {
  return conversation.append([{ type: 'turn-ended', time: new Date().toISOString(), outcome }]);
}

function surroundings({ model, contextWindow }: ChatModel, tools: readonly ChatTool[]): Surroundings {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const names = tools.map(({ name }) => name);
  return {
    ...{ model, contextWindow },
    system: [assistantInstructions(folders)],
    tools: tools.length === 0 ? null : { type: 'tool_definitions', names, text: JSON.stringify(tools) },
  };
}

/** Reports in the chat that the conversation was compacted automatically, with Undo. */
function tellAutomaticRun(
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>,
  { id }: EditorConversation,
  run: PreparedRun,
): void {
  const [first] = run.records;
  if (!first) return;
  stream.markdown(`\n\n> ${vscode.l10n.t('Compacted automatically: {0}.', runLine(run))}\n\n`);
  stream.button({ command: chatCommandIds.undoRun, title: vscode.l10n.t('Undo'), arguments: [id, first.run] });
  stream.button({ command: chatCommandIds.show, title: vscode.l10n.t('Show'), arguments: [id, 'compactions'] });
}

/** Message for a person without a language model. The rest of Strata works without one. */
function tellHowToGetAModel(stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>): void {
  stream.markdown(setUpText());
  stream.button({ command: commandIds.chooseSummarizer, title: vscode.l10n.t('Choose a Model…') });
  stream.button({
    command: 'workbench.action.openWalkthrough',
    title: vscode.l10n.t('Show the Walkthrough'),
    arguments: [`${extensionId}#strata.start`, false],
  });
}
