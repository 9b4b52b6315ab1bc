import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { localizable, rebuiltText } from '../../engine/wording/localizable-text';
import type { RunOutcome } from '../../evaluation/run-evaluation';
import type { EvaluationStart } from '../../evaluation/threads/evaluate-here';
import type { Replayed, ReplayStart } from '../../evaluation/threads/replay-here';
import { workInThread } from '../../evaluation/threads/work-in-thread';
import { OperationRefused } from '../../inspection/inspection';
import { privateFile, privateFolder } from '../../platform/files/private-modes';
import { replaceFile } from '../../platform/files/replace-file';
import type { EvaluationRequests, EvaluationState } from '../../protocol/evaluation';
import { offer } from '../dialogs';
import { chooseSessions } from './choose-sessions';
import { EvaluationFolder } from './evaluation-folder';
import type { Readings, ResultPlaces } from './reading/messages';
import { ReadingWorker } from './reading/reading-worker';
import { type EvaluationWork, RunningEvaluation } from './running';
import type { EvaluationServices } from './services';

type ExportFormat = EvaluationRequests['export-evaluation']['params']['format'];
type ShownIn = EvaluationWork<unknown>['shownIn'];

/** Evaluations in the editor: running them and reading their results. All heavy work is done in threads. */
export class Evaluations implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<EvaluationState>();
  readonly onDidChange = this.#changed.event;
  readonly #folder: EvaluationFolder;
  readonly #running = new RunningEvaluation();
  readonly #reading: ReadingWorker;
  /** Results that the person opened; null for the editor's own. */
  #opened: ResultPlaces | null = null;
  #revision = 0;

  constructor(private readonly services: EvaluationServices) {
    this.#folder = new EvaluationFolder(services.folder);
    this.#reading = new ReadingWorker(services.programs.reading);
    this.#running.onDidChange(() => this.#changed.fire(this.state));
  }

  get state(): EvaluationState {
    return { revision: this.#revision, running: this.#running.state };
  }

  async read<M extends Exclude<keyof Readings, 'export'>>(
    method: M,
    params: Readings[M]['params'],
  ): Promise<Readings[M]['result']> {
    return await this.#reading.read(await this.#places(), method, params);
  }

  /** Plays the quick tasks without a model. Continues a stopped run. */
  async runQuick(shownIn: ShownIn): Promise<void> {
    const { programs, madeWith } = this.services;
    const path = this.#folder.quick;
    const start: EvaluationStart = { what: 'quick', path, playingThread: programs.playing, madeWith };
    const outcome = await this.#run(path, {
      label: vscode.l10n.t('Playing the quick tasks'),
      shownIn,
      work: (signal, onProgress) =>
        workInThread<EvaluationStart, RunOutcome>(programs.evaluating, start, { signal, onProgress }),
    });
    if (outcome) this.#report(path, outcome);
  }

  /** Replays the person's sessions without a model. Only reads them. */
  async runSessions(shownIn: ShownIn): Promise<void> {
    this.#running.refuseSecond();
    const sessions = await chooseSessions(this.services);
    if (sessions === null) return;
    const { programs, madeWith, log } = this.services;
    const replayed = await this.#run(this.#folder.replay, {
      label: vscode.l10n.t('Replaying sessions'),
      shownIn,
      work: async (signal, onProgress) => {
        const records = this.#folder.replayRecords;
        const start: ReplayStart = { sessions, records, madeWith };
        const found = await workInThread<ReplayStart, Replayed>(programs.replaying, start, { signal, onProgress });
        await replaceFile(this.#folder.replay, found.bytes);
        return found;
      },
    });
    if (!replayed) return;
    for (const { file, reason } of replayed.skipped) log.warn(`Replay: ${file}: ${reason}`);
    log.info(`Replayed ${replayed.sessions} sessions at ${replayed.boundaries} boundaries.`);
  }

  /** Evaluates with the summarizer’s model, which answers the probes and rates its proposals. Asks first, because it costs. */
  async runWithModel(shownIn: ShownIn): Promise<void> {
    this.#running.refuseSecond();
    const { prepareModelRun } = await import('./model-run');
    const path = this.#folder.model;
    const prepared = await prepareModelRun(path, this.services);
    if (prepared === null) return;
    const { label, work } = prepared;
    const outcome = await this.#run(path, { label, shownIn, work });
    if (outcome) this.#report(path, outcome);
  }

  stop(): void {
    this.#running.stop();
  }

  /** Opens other results, if they can be read. */
  async choose(): Promise<void> {
    const [file] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Open results of an evaluation'),
        defaultUri: vscode.Uri.file(this.#folder.path),
        filters: { [vscode.l10n.t('Results')]: ['jsonl', 'json'], [vscode.l10n.t('All files')]: ['*'] },
      })) ?? [];
    if (!file) return;
    const places = placesOf(file.fsPath);
    await this.#reading.read(places, 'read-evaluation', { filter: {} });
    this.#opened = places;
    this.#resultsChanged();
  }

  showStudy(): void {
    this.#opened = { results: this.services.study, replay: null, source: vscode.l10n.t('Strata’s study') };
    this.#resultsChanged();
  }

  async export(format: ExportFormat): Promise<void> {
    const { extension, name } = exportFiles[format];
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export results'),
      defaultUri: vscode.Uri.joinPath(exportFolder(), name),
      filters: { [extension.toUpperCase()]: [extension] },
    });
    if (!target) return;
    const content = await this.#reading.read(await this.#places(), 'export', { format, page: this.services.page });
    await writeExport(target, content);
    this.#offerToOpen(target, format);
  }

  /** The results are read again afterwards, even after a failure. */
  async #run<Outcome>(path: string, work: EvaluationWork<Outcome>): Promise<Outcome | null> {
    this.#running.refuseSecond();
    const inFolder: EvaluationWork<Outcome>['work'] = async (signal, onProgress) => {
      await mkdir(dirname(path), { recursive: true, mode: privateFolder });
      return await work.work(signal, onProgress);
    };
    try {
      const outcome = await this.#running.run({ ...work, work: inFolder });
      if (outcome === null) this.services.log.info(`${work.label}: stopped.`);
      return outcome;
    } finally {
      this.#opened = null;
      this.#resultsChanged();
    }
  }

  #report(path: string, { done, of, wasTorn, failed }: RunOutcome): void {
    const { log } = this.services;
    log.info(`${path}: ${done} of ${of} units were played.`);
    if (wasTorn) log.warn(`${path}: the last line of an earlier run was incomplete and was left out.`);
    for (const failure of failed) log.error(`${path}: ${rebuiltText(failure)}`);
    const [first] = failed;
    if (first === undefined) return;
    throw new OperationRefused(
      localizable(
        '{0} of {1} units were played. Start the same run again to play the others. {2}',
        done,
        of,
        rebuiltText(first),
      ),
    );
  }

  #resultsChanged(): void {
    this.#revision += 1;
    this.#changed.fire(this.state);
  }

  async #places(): Promise<ResultPlaces> {
    return this.#opened ?? { ...(await this.#folder.newest()), source: '' };
  }

  #offerToOpen(target: vscode.Uri, format: ExportFormat): void {
    void offer(vscode.l10n.t('The results are in {0}.', basename(target.path)), {
      [vscode.l10n.t('Open')]: () =>
        format === 'html' ? vscode.env.openExternal(target) : vscode.commands.executeCommand('vscode.open', target),
    });
  }

  dispose(): void {
    this.#running.dispose();
    this.#reading.dispose();
    this.#changed.dispose();
  }
}

const exportFiles: Readonly<Record<ExportFormat, { readonly extension: string; readonly name: string }>> = {
  html: { extension: 'html', name: 'strata-evaluation.html' },
  markdown: { extension: 'md', name: 'strata-evaluation.md' },
  csv: { extension: 'csv', name: 'strata-evaluation.csv' },
};

function exportFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}

/** Other users may not read a new file on this machine, because it quotes sessions. */
async function writeExport(target: vscode.Uri, content: Uint8Array): Promise<void> {
  if (target.scheme === 'file') await writeFile(target.fsPath, content, { mode: privateFile });
  else await vscode.workspace.fs.writeFile(target, content);
}

/** The extension shows the kind of results: JSON lines for tasks, JSON for sessions. */
function placesOf(file: string): ResultPlaces {
  const isReplay = file.endsWith('.json');
  return { results: isReplay ? null : file, replay: isReplay ? file : null, source: file };
}
