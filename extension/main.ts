import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { AutoCompact } from './host/auto-compact';
import { chatCommandIds } from './host/chat/command-ids';
import { chatIdOf } from './host/chat/history-reader';
import { OpenChats } from './host/chat/open-chats';
import { PreparedRuns } from './host/chat/prepared-runs';
import { registerChat } from './host/chat/register-chat';
import { registerCommands } from './host/commands';
import { OwnConversations } from './host/conversations/own-conversations';
import { DiffDocuments } from './host/diff-documents';
import { Forks } from './host/forks';
import { Inspector } from './host/inspector';
import { ModelAccess } from './host/models/model-access';
import { Placements } from './host/panel/placements';
import { Views } from './host/panel/views';
import { registerModelProvider } from './host/provider/register';
import { reopenSession } from './host/reopen';
import { Reveal } from './host/reveal';
import { tellOfRun } from './host/run-notice';
import { SessionList } from './host/session-list';
import { CompactionWishes } from './host/tools/compaction-wishes';
import { registerTools } from './host/tools/register';
import { keepWhenContexts } from './host/when-contexts';
import { localEmbedder } from './models/embeddings/local';
import { processEnvironment } from './sessions/files/environment';

export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, workspaceState, globalState, globalStorageUri } = context;
  const log = vscode.window.createOutputChannel('Strata', { log: true });
  const folders = {
    conversations: within(globalStorageUri, 'conversations'),
    journals: within(globalStorageUri, 'journals'),
  };
  const environment = processEnvironment(editorFolder(globalStorageUri));
  const models = new ModelAccess(context);
  const inspector = new Inspector(folders.journals, models, log);
  const cacheFile = within(globalStorageUri, 'sessions.jsonl');
  const sessions = new SessionList(environment, workspaceStorage(context), cacheFile, log);
  const forks = new Forks(inspector, globalState, log);
  const diffs = new DiffDocuments();
  const views = new Views(forks);
  const placements = new Placements({
    extensionUri,
    inspector,
    sessions,
    forks,
    diffs,
    log,
    views,
    reveal: new Reveal(),
  });
  const wishes = new CompactionWishes();
  const conversations = new OwnConversations(folders, models, wishes, log);
  const provider = registerModelProvider({
    ...{ conversations, models, log },
    onCompacted: ({ id }, run) =>
      tellOfRun(run, {
        undo: (first) => vscode.commands.executeCommand(chatCommandIds.undoRun, id, first),
        show: () => vscode.commands.executeCommand(chatCommandIds.show, id, 'compactions'),
      }),
  });
  const chats = new OpenChats(conversations, workspaceState);
  const { chatModelOf } = provider;
  const prepared = new PreparedRuns();

  context.subscriptions.push(
    log,
    inspector,
    sessions,
    diffs,
    placements,
    provider,
    registerCommands({ inspector, placements, sessions, forks, log }),
    registerChat({ extensionUri, conversations, chats, prepared, inspector, models, chatModelOf, log }, placements),
    registerTools({
      ...{ inspector, placements, own: conversations, environment, embedder: localEmbedder, log },
      conversationOfChat: (token) => chats.conversationOf(chatIdOf(token)),
      recentConversation: () => provider.recentConversation(),
      requestCompaction: ({ inspection }, reason) => wishes.add(inspection.session.file, reason),
    }),
    new AutoCompact(inspector, wishes, () => placements.tell('show', { what: 'compactions' }), log),
    keepWhenContexts(inspector, forks),
    reopenSession(inspector, placements, sessions, workspaceState, log),
  );
}

function within(storage: vscode.Uri, name: string): string {
  return vscode.Uri.joinPath(storage, name).fsPath;
}

/** The extension's storage is `<editor folder>/globalStorage/<extension>`. */
function editorFolder(storage: vscode.Uri): string {
  return dirname(dirname(storage.fsPath));
}

/** `<editor folder>/workspaceStorage/<workspace>/<extension>` is the extension's own part of it. */
function workspaceStorage({ storageUri }: vscode.ExtensionContext): string | null {
  return storageUri ? dirname(storageUri.fsPath) : null;
}
