import { join, sep } from 'node:path';
import * as vscode from 'vscode';
import type { SessionListItem } from '../../protocol/view';
import type { AgentEnvironment } from '../../sessions/adapter';
import { adapters } from '../../sessions/adapters';
import { type Discovery, SessionCatalogue } from '../../sessions/catalogue/catalogue';
import { OutlineCache } from '../../sessions/catalogue/outline-cache';
import { agentNames, type SessionSummary } from '../../sessions/session';
import { failureDetail } from '../failures/failure-text';
import { readSettings } from '../settings';

/** More than anyone scrolls through; the rest can be opened by file. */
const mostListed = 300;
/** A burst of writes is one look, in milliseconds. */
const lookAfter = 400;
/** Some disks do not tell what changed: a list that is asked for after this long is searched for anew behind it. */
const trustedFor = 60_000;
/** A session that waits for an answer passes for live for a while; nothing is written when that ends. */
const lifeSignsAfter = 60_000;

/**
 * The sessions of all agents, newest first; those of the open folder before the others. Searched for once; from then on
 * the editor tells what changed, and only that is looked at.
 */
export class SessionList implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<readonly SessionListItem[]>();
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  #catalogue: Promise<SessionCatalogue> | null = null;
  #watching: vscode.Disposable | null = null;
  readonly #touched = new Set<string>();
  #looking: NodeJS.Timeout | undefined;
  #lifeSigns: NodeJS.Timeout | undefined;
  #listed: readonly SessionListItem[] | null = null;
  #found: readonly SessionSummary[] = [];
  /** Milliseconds since the epoch: when all folders were searched last. */
  #scanned = 0;
  /** One look after the other: two at once would write the cache at once. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly environment: AgentEnvironment,
    /** Where this window's workspace has its data; null where no folder is open. */
    private readonly workspaceStorage: string | null,
    /** Where what was read of each file is kept for the next start. */
    private readonly cacheFile: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#disposables.push(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('strata.sessions.folders')) this.#searchAnew();
      }),
    );
  }

  async read(): Promise<readonly SessionListItem[]> {
    if (this.#listed === null) return await this.#scan();
    if (Date.now() - this.#scanned > trustedFor) this.#inBackground(this.#scan());
    return this.#listed;
  }

  /** Searches all folders anew. */
  async refresh(): Promise<void> {
    await this.#scan();
  }

  /** Where the session of this id is; null where no such session is in the list. */
  async fileOf(agent: string, id: string): Promise<string | null> {
    await this.read();
    return this.#found.find((session) => session.agent === agent && session.id === id)?.file ?? null;
  }

  #scan(): Promise<readonly SessionListItem[]> {
    this.#scanned = Date.now();
    return this.#inTurn(async (catalogue) => {
      this.#watch(catalogue);
      return await catalogue.scan(mostListed);
    });
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.log.error(`Looking for sessions failed: ${failureDetail(error)}`));
  }

  #inTurn(work: (catalogue: SessionCatalogue) => Promise<Discovery>): Promise<readonly SessionListItem[]> {
    const next = this.#turn.then(async () => {
      this.#catalogue ??= this.#openCatalogue();
      return this.#take(await work(await this.#catalogue));
    });
    // A failure is told to whoever asked, and does not keep the next one from looking.
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #openCatalogue(): Promise<SessionCatalogue> {
    const cache = await OutlineCache.open(this.cacheFile);
    return new SessionCatalogue(this.environment, { adapters, folders: readSettings().sessionFolders, cache });
  }

  #take({ sessions, issues }: Discovery): readonly SessionListItem[] {
    for (const issue of issues) this.log.warn(`${issue.file}: ${issue.message}`);
    this.#found = sessions;
    const here = sessions.filter((session) => this.isOfOpenFolder(session));
    const isHere = new Set(here);
    const listed = [...here, ...sessions.filter((session) => !isHere.has(session))].map(listItem);
    if (JSON.stringify(listed) === JSON.stringify(this.#listed)) return this.#listed ?? listed;
    this.#listed = listed;
    this.#changed.fire(listed);
    this.#expectSilence(listed);
    return listed;
  }

  #expectSilence(listed: readonly SessionListItem[]): void {
    clearTimeout(this.#lifeSigns);
    if (!listed.some(({ live }) => live)) return;
    this.#lifeSigns = setTimeout(() => this.#look(), lifeSignsAfter);
  }

  /** The editor watches folders outside the workspace too, and folders that are made later. */
  #watch(catalogue: SessionCatalogue): void {
    this.#watching ??= vscode.Disposable.from(...catalogue.roots.flatMap((root) => this.#watchRoot(root)));
  }

  #watchRoot(root: string): vscode.Disposable[] {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(root), '**');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const touch = ({ fsPath }: vscode.Uri) => this.#touch(fsPath);
    return [watcher, watcher.onDidChange(touch), watcher.onDidCreate(touch), watcher.onDidDelete(touch)];
  }

  #touch(path: string): void {
    this.#touched.add(path);
    this.#looking ??= setTimeout(() => this.#look(), lookAfter);
  }

  #look(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
    const paths = [...this.#touched];
    this.#touched.clear();
    this.#inBackground(this.#inTurn((catalogue) => catalogue.look(paths, mostListed)));
  }

  #searchAnew(): void {
    this.#watching?.dispose();
    this.#watching = null;
    this.#catalogue = null;
    this.#listed = null;
    this.#inBackground(this.#scan());
  }

  /** The chats of VS Code lie with the data of their workspace, and most do not say which folder that is. */
  isOfOpenFolder({ cwd, file }: Pick<SessionSummary, 'cwd' | 'file'>): boolean {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (cwd !== null) return folders.some((folder) => folder.uri.fsPath === cwd);
    return this.workspaceStorage !== null && file.startsWith(join(this.workspaceStorage, sep));
  }

  dispose(): void {
    clearTimeout(this.#looking);
    clearTimeout(this.#lifeSigns);
    this.#watching?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function listItem({ agent, file, title, cwd, modified, live }: SessionSummary): SessionListItem {
  return { agent, agentName: agentNames[agent], file, title, cwd, modified, live };
}
