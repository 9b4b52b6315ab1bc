import type { CoreItem } from '../../../extension/engine/core/core';
import type { ToolCall, ToolSurroundings } from '../../../extension/host/tools/tool-call';
import type { Inspection } from '../../../extension/inspection/inspection';
import type { SessionSummary } from '../../../extension/sessions/session';
import { WordEmbedder } from '../../engine/memory/builders';

export function summaryOf({ session }: Inspection, changes: Partial<SessionSummary> = {}): SessionSummary {
  const { agent, id, file, title, cwd } = session;
  return { agent, id, file, title, cwd, modified: Date.UTC(2026, 0, 2, 3, 4), size: 1, live: false, ...changes };
}

/** Fake surroundings of the tools that record their effects. */
export class Surroundings implements ToolSurroundings {
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
  automationEnabled = () => this.isAutomatic;
  requestCompaction: ToolSurroundings['requestCompaction'] = ({ inspection }, reason) =>
    void this.wishes.push(`${inspection.session.id}: ${reason}`);
  offerCompaction: ToolSurroundings['offerCompaction'] = ({ inspection }, reason) =>
    void this.offers.push(`${inspection.session.id}: ${reason}`);
  announceProposal: ToolSurroundings['announceProposal'] = (_target, item) => void this.proposals.push(item);
  change: ToolSurroundings['change'] = (inspection, act) => act(inspection);
  warn = (message: string) => void this.warnings.push(message);
}

export function callOf(input: unknown, changes: Partial<ToolCall> = {}): ToolCall {
  const { signal } = new AbortController();
  return { input, token: undefined, model: null, most: Number.POSITIVE_INFINITY, signal, ...changes };
}
