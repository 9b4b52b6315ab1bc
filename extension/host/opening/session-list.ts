import { join, sep } from 'node:path';
import * as vscode from 'vscode';
import type { AgentEnvironment } from '../../platform/files/environment';
import type { FillView, SessionListItem } from '../../protocol/view';
import { adapters } from '../../sessions/adapters';
import { type Discovery, SessionCatalogue } from '../../sessions/catalogue/catalogue';
import { OutlineCache } from '../../sessions/catalogue/outline-cache';
import { agentNames, type SessionSummary } from '../../sessions/session';
import { failureDetail } from '../failures/failure-text';
import { readSettings } from '../settings';
import type { PendingSizes } from './pending-sizes';

/** More than a person scrolls through. Others can be opened by file. */
const maxListed = 300;
/** Combines a burst of writes into one update. */
const lookDelayMs = 400;
/** Some file systems report no changes, so reading a list older than this rescans in the background. */
const rescanAfterMs = 60_000;
/** A live session stops being live without a write, so the list is checked again after this time. */
const livenessCheckMs = 60_000;

/**
 * The sessions of all agents, newest first, with those of the open folder before the others. Scanned once; after that
 * file watchers report changes, and only changed files are read.
 */
export class SessionList implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<readonly SessionListItem[]>();
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  #catalogue: Promise<SessionCatalogue> | null = null;
  #watching: vscode.Disposable | null = null;
  readonly #changedPaths = new Set<string>();
  #looking: NodeJS.Timeout | undefined;
  #livenessTimer: NodeJS.Timeout | undefined;
  #listed: readonly SessionListItem[] | null = null;
  #found: readonly SessionSummary[] = [];
  /** Time of the last full scan, in milliseconds since the epoch. */
  #scanned = 0;
  /** Updates run one after the other, because two would write the cache at the same time. */
  #lastLook: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly environment: AgentEnvironment,
    /** VS Code's storage folder of this workspace; null if no folder is open. */
    private readonly workspaceStorage: string | null,
    /** Cache of the data read from each file, for the next start. */
    private readonly cacheFile: string,
    private readonly pending: PendingSizes,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#disposables.push(
      pending.onDidChange(() => this.#listed !== null && this.#list()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('strata.sessions.folders')) this.#rescan();
      }),
    );
  }

  async read(): Promise<readonly SessionListItem[]> {
    if (this.#listed === null) return await this.#scan();
    if (Date.now() - this.#scanned > rescanAfterMs) this.#inBackground(this.#scan());
    return this.#listed;
  }

  /** Scans all folders again. */
  async refresh(): Promise<void> {
    await this.#scan();
  }

  /** The newest session that an agent had in an open folder. */
  async newestHere(): Promise<SessionListItem | undefined> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    return (await this.read()).find(({ cwd }) => cwd !== null && folders.includes(cwd));
  }

  /** File of the session with this id; null if it is not in the list. */
  async fileOf(agent: string, id: string): Promise<string | null> {
    await this.read();
    return this.#found.find((session) => session.agent === agent && session.id === id)?.file ?? null;
  }

  /** All that the list shows, newest first. */
  async summaries(): Promise<readonly SessionSummary[]> {
    await this.read();
    return this.#found;
  }

  /** Whether an agent keeps it in a folder of its own. Other sessions are in folders from the settings. */
  isInAgentFolder(file: string): boolean {
    const roots = adapters.flatMap((adapter) => adapter.roots(this.environment));
    return roots.some((root) => file.startsWith(join(root, sep)));
  }

  #scan(): Promise<readonly SessionListItem[]> {
    this.#scanned = Date.now();
    return this.#queue(async (catalogue) => {
      this.#watch(catalogue);
      return await catalogue.scan(maxListed);
    });
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.log.error(`Looking for sessions failed: ${failureDetail(error)}`));
  }

  #queue(work: (catalogue: SessionCatalogue) => Promise<Discovery>): Promise<readonly SessionListItem[]> {
    const next = this.#lastLook.then(async () => {
      this.#catalogue ??= this.#openCatalogue();
      return this.#take(await work(await this.#catalogue));
    });
    // The caller gets the failure. It does not prevent the next update.
    this.#lastLook = next.catch(() => undefined);
    return next;
  }

  async #openCatalogue(): Promise<SessionCatalogue> {
    const cache = await OutlineCache.open(this.cacheFile);
    return new SessionCatalogue(this.environment, { adapters, folders: readSettings().sessionFolders, cache });
  }

  #take({ sessions, issues }: Discovery): readonly SessionListItem[] {
    for (const issue of issues) this.log.warn(`${issue.file}: ${issue.message}`);
    this.#found = sessions;
    return this.#list();
  }

  #list(): readonly SessionListItem[] {
    const sessions = this.#found;
    const here = sessions.filter((session) => this.isOfOpenFolder(session));
    const isHere = new Set(here);
    const { fallbackContextWindow } = readSettings();
    const listed = [...here, ...sessions.filter((session) => !isHere.has(session))].map((session) =>
      this.#item(session, fallbackContextWindow),
    );
    if (JSON.stringify(listed) === JSON.stringify(this.#listed)) return this.#listed ?? listed;
    this.#listed = listed;
    this.#changed.fire(listed);
    this.#checkLivenessLater(listed);
    return listed;
  }

  #checkLivenessLater(listed: readonly SessionListItem[]): void {
    clearTimeout(this.#livenessTimer);
    if (!listed.some(({ live }) => live)) return;
    this.#livenessTimer = setTimeout(() => this.#look(), livenessCheckMs);
  }

  /** VS Code's watchers include folders outside the workspace and folders created later. */
  #watch(catalogue: SessionCatalogue): void {
    this.#watching ??= vscode.Disposable.from(...catalogue.roots.flatMap((root) => this.#watchRoot(root)));
  }

  #watchRoot(root: string): vscode.Disposable[] {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(root), '**');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const touch = ({ fsPath }: vscode.Uri) => this.#noteChange(fsPath);
    return [watcher, watcher.onDidChange(touch), watcher.onDidCreate(touch), watcher.onDidDelete(touch)];
  }

  #noteChange(path: string): void {
    this.#changedPaths.add(path);
    this.#looking ??= setTimeout(() => this.#look(), lookDelayMs);
  }

  #look(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
    const paths = [...this.#changedPaths];
    this.#changedPaths.clear();
    this.#inBackground(this.#queue((catalogue) => catalogue.look(paths, maxListed)));
  }

  #rescan(): void {
    this.#watching?.dispose();
    this.#watching = null;
    this.#catalogue = null;
    this.#listed = null;
    this.#inBackground(this.#scan());
  }

  /** VS Code's chats are stored with their workspace's data and mostly do not name a folder. */
  isOfOpenFolder({ cwd, file }: Pick<SessionSummary, 'cwd' | 'file'>): boolean {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (cwd !== null) return folders.some((folder) => folder.uri.fsPath === cwd);
    return this.workspaceStorage !== null && file.startsWith(join(this.workspaceStorage, sep));
  }

  dispose(): void {
    clearTimeout(this.#looking);
    clearTimeout(this.#livenessTimer);
    this.#watching?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #item(summary: SessionSummary, fallbackWindow: number): SessionListItem {
    const { agent, file, title, cwd, modified, live, branch, fill, isFork } = summary;
    return {
      ...{ agent, agentName: agentNames[agent], file, title, cwd, modified, live },
      ...(branch === undefined ? {} : { branch }),
      ...(fill === undefined ? {} : { fill: this.#fill(file, fill.tokens, fill.window ?? fallbackWindow) }),
      ...(isFork ? { isFork } : {}),
    };
  }

  #fill(file: string, tokens: number, window: number): FillView {
    const after = this.pending.afterOf(file, tokens);
    return { tokens, window, ...(after === undefined ? {} : { after }) };
  }
}
