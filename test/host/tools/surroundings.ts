import type { CoreItem } from '../../../extension/engine/core/core';
import { type EditorSurroundings, surroundingsOfCall } from '../../../extension/host/tools/tool-call';
import type { Inspection } from '../../../extension/inspection/inspection';
import { answerTools } from '../../../extension/inspection/tools/answers';
import type { ToolCall } from '../../../extension/inspection/tools/tool';
import type { ToolKey } from '../../../extension/inspection/tools/tool-names';
import type { SessionSummary } from '../../../extension/sessions/session';
import { WordEmbedder } from '../../engine/memory/builders';

export function summaryOf({ session }: Inspection, changes: Partial<SessionSummary> = {}): SessionSummary {
  const { agent, id, file, title, cwd } = session;
  return { agent, id, file, title, cwd, modified: Date.UTC(2026, 0, 2, 3, 4), size: 1, live: false, ...changes };
}

/** Fake surroundings of the tools that record their effects. */
export class Surroundings implements EditorSurroundings {
  readonly embedder = new WordEmbedder();
  readonly proposals: CoreItem[] = [];
  readonly wishes: string[] = [];
  readonly offers: string[] = [];
  readonly warnings: string[] = [];
  inspection: Inspection | null = null;
  readonly own = new Map<string, Inspection>();
  listed: readonly (readonly [SessionSummary, Inspection])[] = [];
  folders: readonly string[] = [];
  chat: string | null = null;
  recent: string | null = null;
  isAutomatic = true;

  inspected = () => this.inspection;
  sessions = async () => this.listed.map(([summary]) => summary);
  openFolders = () => this.folders;
  openFound = async (found: SessionSummary) => {
    const inspection = this.listed.find(([summary]) => summary === found)?.[1];
    if (!inspection) throw new Error(`${found.file} was not listed`);
    return inspection;
  };
  openOwn = async (id: string) => {
    const inspection = this.own.get(id);
    if (!inspection) throw new Error(`there is no conversation ${id}`);
    return inspection;
  };
  conversationOfChat = (token: unknown) => (token === undefined ? null : this.chat);
  recentConversation = () => this.recent;
  compactsAutomatically = () => this.isAutomatic;
  requestCompaction: EditorSurroundings['requestCompaction'] = ({ inspection }, reason) =>
    void this.wishes.push(`${inspection.session.id}: ${reason}`);
  offerCompaction: EditorSurroundings['offerCompaction'] = ({ inspection }, reason) =>
    void this.offers.push(`${inspection.session.id}: ${reason}`);
  announceProposal: EditorSurroundings['announceProposal'] = (_target, item) => void this.proposals.push(item);
  change: EditorSurroundings['change'] = (inspection, act) => act(inspection);
  warn = (message: string) => void this.warnings.push(message);
}

/** Calls a tool as the editor does. `token` is that of the calling chat. */
export async function answer(
  key: ToolKey,
  around: Surroundings,
  input: unknown,
  { token, ...changes }: Partial<ToolCall> & { token?: unknown } = {},
): Promise<string> {
  const { signal } = new AbortController();
  const call = { input, model: null, most: Number.POSITIVE_INFINITY, signal, ...changes };
  return await answerTools[key](call, surroundingsOfCall(around, token));
}
