import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Embedder } from '../../engine/block/language-model';
import { recallToolOf } from '../../inside/setup/installed';
import { effectOf, reachesAgent } from '../../inspection/effect';
import { Inspection } from '../../inspection/inspection';
import { openJournal } from '../../inspection/journal-store';
import { contextTools } from '../../inspection/tools/definitions';
import type { AgentEnvironment } from '../../platform/files/environment';
import { discoverSessions } from '../../sessions/discover';
import { openSession } from '../../sessions/open';
import type { SessionSummary } from '../../sessions/session';
import type { EditorConversations } from '../conversations/editor-conversations';
import { tellingFailures } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import { languageApi, nothingRegistered } from '../language-api';
import { SessionNotOpened } from '../opening/followed';
import type { Placements } from '../panel/placements';
import { readSettings } from '../settings';
import { editorTool } from './invocation';
import { ToolNotices } from './notices';
import type { EditorSurroundings, ToolEffects } from './tool-call';
import type { TargetSources } from './tool-target';

interface ToolServices
  extends Pick<TargetSources, 'conversationOfChat' | 'recentConversation'>,
    Pick<ToolEffects, 'requestCompaction'> {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly own: EditorConversations;
  /** Locations of agents' sessions. */
  readonly environment: AgentEnvironment;
  readonly embedder: Embedder;
  readonly log: vscode.LogOutputChannel;
}

/** Registers the language model tools. */
export function registerTools(services: ToolServices): vscode.Disposable {
  const surroundings = surroundingsOf(services);
  return vscode.Disposable.from(
    ...contextTools.map(
      ({ name, key }) => languageApi().registerTool?.(name, editorTool(key, surroundings)) ?? nothingRegistered,
    ),
  );
}

function surroundingsOf(services: ToolServices): EditorSurroundings {
  const { inspector, own, log, embedder, conversationOfChat, recentConversation, requestCompaction } = services;
  const change = changeWith(inspector);
  const notices = noticesOf(services, change);
  return {
    ...{ embedder, conversationOfChat, recentConversation, requestCompaction, change },
    inspected: () => inspector.inspection,
    sessions: () => foundSessions(services),
    openFolders: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    openFound: (session) => openFound(session, own),
    openOwn: async (id) => (await own.open(id)).workbench,
    compactsAutomatically: (inspection) => readSettings().automation.enabled && reachesAgent(effectOf(inspection)),
    offerCompaction: (target, reason) => notices.offerCompaction(target, reason),
    announceProposal: (target, item) => notices.announceProposal(target, item),
    warn: (message) => log.warn(message),
  };
}

/** Changes the open session through the inspector. For other sessions, the inspector reads the journal again afterwards. */
function changeWith(inspector: Inspector): ToolEffects['change'] {
  return async (inspection, act) => {
    if (inspector.inspection === inspection) return await inspector.change(act);
    const result = await act(inspection);
    await inspector.refresh();
    return result;
  };
}

function noticesOf({ inspector, placements, log }: ToolServices, change: ToolEffects['change']): ToolNotices {
  const show = async ({ session }: Inspection, what: 'core' | 'compact') => {
    if (inspector.inspection?.session.file !== session.file) await inspector.open(session.file);
    await placements.tell('show', { what });
  };
  return new ToolNotices({
    change,
    showCore: (inspection) => show(inspection, 'core'),
    showPreview: (inspection) => show(inspection, 'compact'),
    run: (label, work) => void tellingFailures(log, `A tool’s ${label}`, work),
  });
}

/** Limits the time of a call. Older sessions can be opened in the inspector. */
const maxFound = 300;

async function foundSessions({ environment, log }: ToolServices): Promise<readonly SessionSummary[]> {
  const { sessionFolders } = readSettings();
  const { sessions, issues } = await discoverSessions(environment, { limit: maxFound, folders: sessionFolders });
  for (const issue of issues) log.warn(`${issue.file}: ${issue.message}`);
  return sessions;
}

/** Opens a session with its journal. Strata's own conversations are opened once per window and shared. */
async function openFound(found: SessionSummary, own: EditorConversations): Promise<Inspection> {
  const { conversations, journals } = own.folders;
  if (found.agent === 'strata' && dirname(found.file) === conversations) return (await own.open(found.id)).workbench;
  const outcome = await openSession(found.file);
  if (outcome.kind !== 'opened') throw new SessionNotOpened(outcome.message);
  const { session } = outcome;
  const journal = await openJournal(journals, { agent: session.agent, id: session.id, file: session.file });
  const inspection = await Inspection.of(session, journal, readSettings().fallbackContextWindow);
  inspection.recallTool = await recallToolOf(session.agent);
  return inspection;
}
