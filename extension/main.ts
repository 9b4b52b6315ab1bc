import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CompactingThreads } from './conversations/threads/compacting-threads';
import type { PreparedRun } from './engine/run/prepare/prepared-run';
import { AgentSetups } from './host/agents/agent-setups';
import { registerInsideAgents } from './host/agents/inside-agents';
import { registerMcpServer } from './host/agents/mcp-definition';
import { chatIdOf } from './host/chat/history-reader';
import { OpenChats } from './host/chat/open-chats';
import { registerChat } from './host/chat/participant';
import { PreparedRuns } from './host/chat/prepared-runs';
import { chatCommandIds, showInspectorId } from './host/command-ids';
import { registerCommands } from './host/commands';
import { AutoCompact } from './host/compaction/auto-compact';
import { DiffDocuments } from './host/compaction/diff-documents';
import { Forks } from './host/compaction/forks';
import { tellOfRun } from './host/compaction/run-notice';
import { type EditorConversation, EditorConversations } from './host/conversations/editor-conversations';
import { OldConversations } from './host/conversations/old-conversations';
import { workFolder } from './host/conversations/work-folder';
import { Counter } from './host/counting/counter';
import { reloadWhenRebuilt } from './host/development';
import { registerEncoder } from './host/encoder/register';
import { registerEvaluationCommands } from './host/evaluation/commands';
import { Evaluations } from './host/evaluation/evaluations';
import { registerGateway } from './host/gateway/register';
import { Inspector } from './host/inspector';
import { missingInEditor } from './host/language-api';
import { ModelAccess } from './host/models/model-access';
import { FirstMinute } from './host/opening/first-minute';
import { LastSession, reopenSession } from './host/opening/last-session';
import { notePendingSizes, PendingSizes } from './host/opening/pending-sizes';
import { SessionList } from './host/opening/session-list';
import { registerUriHandler } from './host/opening/uri-handler';
import { OwnCompactionWatch } from './host/own-compaction-watch';
import { Placements } from './host/panel/placements';
import { registerRowMenu } from './host/panel/row-menu';
import { Views } from './host/panel/views';
import { Visibility } from './host/panel/visibility';
import { registerModelProvider } from './host/provider/register';
import { RescueWatch } from './host/rescue/rescue-watch';
import { registerTreeCommands } from './host/session-tree/commands';
import { SessionTree } from './host/session-tree/session-tree';
import { readSettings } from './host/settings';
import { StatusBar } from './host/status-bar/status-bar';
import { registerStoreCommands } from './host/stores/commands';
import { KnownStores } from './host/stores/known-stores';
import { CompactionWishes } from './host/tools/compaction-wishes';
import { registerTools } from './host/tools/register';
import { updateWhenContexts } from './host/when-contexts';
import { localEmbedder } from './models/embeddings/local';
import { processEnvironment } from './platform/files/environment';
import { conversationsFolder, journalsFolder } from './sessions/strata/places';

export function activate(context: vscode.ExtensionContext): void {
  translateWithoutEditor();
  const { extensionUri, workspaceState, globalState, globalStorageUri } = context;
  const log = vscode.window.createOutputChannel('Strata', { log: true });
  const folders = {
    conversations: within(globalStorageUri, conversationsFolder),
    journals: within(globalStorageUri, journalsFolder),
  };
  const environment = processEnvironment(editorFolder(globalStorageUri));
  const program = within(extensionUri, 'dist/cli/strata.js');
  const models = new ModelAccess(context);
  for (const missing of missingInEditor()) log.info(`This editor has no ${missing}.`);
  const counter = new Counter(within(extensionUri, 'dist/host/counting.cjs'), log);
  const threads = new CompactingThreads({
    program: within(extensionUri, 'dist/host/compacting-thread.cjs'),
    onNotice: (message) => log.warn(message),
  });
  const stores = new KnownStores(context.secrets, log);
  const visibility = new Visibility();
  const places = { journalFolder: folders.journals, stores, watched: visibility };
  const inspector = new Inspector(places, models, counter, threads, log);
  const cacheFile = within(globalStorageUri, 'sessions.jsonl');
  const pendingSizes = new PendingSizes(context.globalState);
  const sessions = new SessionList(environment, workspaceStorage(context), cacheFile, pendingSizes, log);
  const forks = new Forks(inspector, globalState, log);
  const diffs = new DiffDocuments(inspector);
  const views = new Views(forks, readSettings);
  const evaluations = new Evaluations({
    folder: within(globalStorageUri, 'evaluation'),
    programs: {
      evaluating: within(extensionUri, 'dist/host/evaluating-thread.cjs'),
      playing: within(extensionUri, 'dist/host/playing-thread.cjs'),
      replaying: within(extensionUri, 'dist/host/replaying-thread.cjs'),
      reading: within(extensionUri, 'dist/host/reading-thread.cjs'),
    },
    page: within(extensionUri, 'dist/dashboard'),
    study: within(extensionUri, 'media/study.jsonl'),
    madeWith: { strata: String(context.extension.packageJSON.version), node: process.version },
    ...{ sessions, models, log },
  });
  const agentSetups = new AgentSetups({ environment, program, plugins: within(extensionUri, 'dist/agents'), log });
  const placements = new Placements(
    {
      ...{ extensionUri, inspector, sessions, forks, diffs, log, views, evaluations, agentSetups },
      storage: globalStorageUri.fsPath,
    },
    visibility,
  );
  const tree = new SessionTree(sessions, stores, globalState);
  const wishes = new CompactionWishes();
  const conversations = new EditorConversations({
    ...{ folders, models, wishes, threads, settings: readSettings, cwd: workFolder },
    warn: (message) => log.warn(message),
    onSchedule: (sentence) => log.info(sentence),
  });
  const keeping = { conversations, onCompacted: tellOfOwnRun, log };
  const provider = registerModelProvider({ ...keeping, models });
  const chats = new OpenChats(conversations, workspaceState);
  const { chatModelOf } = provider;
  const lastSession = new LastSession(workspaceState);
  const prepared = new PreparedRuns();

  context.subscriptions.push(
    log,
    stores,
    visibility,
    inspector,
    counter,
    threads,
    pendingSizes,
    notePendingSizes(inspector, pendingSizes),
    sessions,
    diffs,
    evaluations,
    placements,
    provider,
    registerCommands({
      ...{ inspector, placements, sessions, forks, log, extensionId: context.extension.id },
      storage: globalStorageUri.fsPath,
    }),
    registerEvaluationCommands({ evaluations, placements, log }),
    registerRowMenu(placements, log),
    tree,
    registerTreeCommands({ inspector, placements, sessions, tree, log }),
    registerStoreCommands({ stores, tree, inspector, placements, log }),
    registerUriHandler({ inspector, placements, sessions, log }),
    new StatusBar(inspector, showInspectorId),
    registerChat(
      { extensionUri, conversations, chats, prepared, inspector, lastSession, models, chatModelOf, log },
      placements,
    ),
    registerGateway({ ...keeping, inspector, placements, globalState, secrets: context.secrets }),
    registerTools({
      ...{ inspector, placements, own: conversations, environment, embedder: localEmbedder, log },
      conversationOfChat: (token) => chats.conversationOf(chatIdOf(token)),
      recentConversation: () => provider.recentConversation(),
      requestCompaction: ({ inspection }, reason) => wishes.add(inspection.session.file, reason),
    }),
    new OldConversations(globalStorageUri.fsPath, log),
    registerMcpServer(program, folders.journals, String(context.extension.packageJSON.version)),
    registerEncoder({
      ...{ environment, log, onMissing: inspector.onEncoderMissing },
      releaseFile: within(extensionUri, 'dist/encoder.json'),
    }),
    agentSetups,
    new AutoCompact(inspector, wishes, () => placements.tell('show', { what: 'compactions' }), log),
    new OwnCompactionWatch(inspector, sessions, environment, log),
    new RescueWatch(inspector, () => placements.show(), log),
    registerInsideAgents({ environment, journals: folders.journals, models, threads, log }),
    updateWhenContexts(inspector, forks),
    reopenSession(inspector, placements, sessions, lastSession, log),
    new FirstMinute({ inspector, placements, sessions, state: globalState, log }),
    reloadWhenRebuilt(context),
  );
}

function tellOfOwnRun({ id }: EditorConversation, run: PreparedRun): Promise<void> {
  return tellOfRun(run, {
    undo: (first) => vscode.commands.executeCommand(chatCommandIds.undoRun, id, first),
    show: () => vscode.commands.executeCommand(chatCommandIds.show, id, 'compactions'),
  });
}

/** Parts that do not know the editor translate their texts through a library, which gets the editor's own translations. */
function translateWithoutEditor(): void {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
}

function within(folder: vscode.Uri, name: string): string {
  return vscode.Uri.joinPath(folder, name).fsPath;
}

/** The extension's storage is `<editor folder>/globalStorage/<extension>`. */
function editorFolder(storage: vscode.Uri): string {
  return dirname(dirname(storage.fsPath));
}

/** `<editor folder>/workspaceStorage/<workspace>/<extension>` is the extension's own part of it. */
function workspaceStorage({ storageUri }: vscode.ExtensionContext): string | null {
  return storageUri ? dirname(storageUri.fsPath) : null;
}
