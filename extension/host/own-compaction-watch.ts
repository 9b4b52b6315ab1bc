import type * as vscode from 'vscode';
import type { Inspection } from '../inspection/inspection';
import type { AgentEnvironment } from '../platform/files/environment';
import { stampOf } from '../platform/files/files-stamp';
import { EarlierSizes } from '../sessions/own-compaction/earlier-sizes';
import { readAgentSettings, settingsFilesOf } from '../sessions/own-compaction/settings';
import { failureDetail, translated } from './failures/failure-text';
import type { Inspector } from './inspector';
import type { SessionList } from './opening/session-list';

/** Determines when the agent of the open session compacts by itself, from its settings files and from earlier sessions. */
export class OwnCompactionWatch implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[];
  readonly #earlier = new EarlierSizes();
  /** The stamps of the settings files when they were last read. */
  readonly #stamps = new WeakMap<Inspection, string>();

  constructor(
    private readonly inspector: Inspector,
    private readonly sessions: Pick<SessionList, 'summaries'>,
    private readonly environment: AgentEnvironment,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#disposables = [
      inspector.onDidOpen(() => this.#inBackground(this.#lookAtAll())),
      inspector.onDidChange(() => this.#inBackground(this.#lookAtSettings())),
    ];
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error) =>
      this.log.error(`When the agent compacts by itself could not be found: ${failureDetail(error)}`),
    );
  }

  async #lookAtAll(): Promise<void> {
    await this.#lookAtSettings();
    const { inspection } = this.inspector;
    if (!inspection || inspection.session.store) return;
    const earlierSession = await this.#earlier.find(inspection.session, await this.sessions.summaries());
    if (earlierSession === null) return;
    inspection.ownCompaction = { ...inspection.ownCompaction, earlierSession };
    await this.#show(inspection);
  }

  /** Reads them again only after one of them was written. */
  async #lookAtSettings(): Promise<void> {
    const { inspection } = this.inspector;
    if (!inspection) return;
    const stamp = await stampOf(settingsFilesOf(inspection.session, this.environment));
    if (this.#stamps.get(inspection) === stamp) return;
    this.#stamps.set(inspection, stamp);
    const { files, issues } = await readAgentSettings(inspection.session, this.environment);
    for (const { message } of issues) this.log.warn(translated(message));
    const { variables } = this.environment;
    inspection.ownCompaction = { ...inspection.ownCompaction, settings: files, variables };
    await this.#show(inspection);
  }

  async #show(inspection: Inspection): Promise<void> {
    if (this.inspector.inspection === inspection) await this.inspector.change(async () => undefined);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
