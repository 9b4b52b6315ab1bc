import { stat } from 'node:fs/promises';
import { localizable } from '../../../engine/wording/localizable-text';
import { type EvaluationResults, ResultsUnusable } from '../../../evaluation/measure/evaluation-results';
import { reportOf } from '../../../evaluation/measure/make-report';
import type { ReplayReport } from '../../../evaluation/measure/replay';
import { replayMarkdown } from '../../../evaluation/measure/replay/replay-text';
import { reportCsv, reportMarkdown } from '../../../evaluation/measure/report-text';
import { dashboardPage } from '../../../evaluation/outputs';
import { loadReplay } from '../../../evaluation/replay-file';
import { loadResults } from '../../../evaluation/results-file';
import { probeViewOf, replayViewOf } from '../../../protocol/evaluation-views';
import type { Readings, ResultPlaces } from './messages';

type Reading<M extends keyof Readings> = (
  loaded: Loaded,
  params: Readings[M]['params'],
) => Readings[M]['result'] | Promise<Readings[M]['result']>;

interface Loaded {
  readonly results: EvaluationResults | null;
  readonly replay: ReplayReport | null;
  readonly source: string;
}

/** Answers requests about results. Reads a file again only if it has changed. */
export class ResultsReader {
  readonly #results = new NewestOf(loadResults);
  readonly #replay = new NewestOf(loadReplay);

  /** Rejects with `ResultsUnusable`, which names the file and line. */
  async read<M extends keyof Readings>(
    { results, replay, source }: ResultPlaces,
    method: M,
    params: Readings[M]['params'],
  ): Promise<Readings[M]['result']> {
    const loaded = {
      results: results === null ? null : await this.#results.of(results),
      replay: replay === null ? null : await this.#replay.of(replay),
      source,
    };
    return await readings[method](loaded, params);
  }
}

const readings: { readonly [M in keyof Readings]: Reading<M> } = {
  'read-evaluation': ({ results, replay, source }, { filter }) => ({
    source,
    report: results && reportOf(results, filter),
    replay: replay && replayViewOf(replay),
  }),
  'read-probe': ({ results }, { id }) => found((results && probeViewOf(results, id)) ?? undefined, id),
  'read-replay-boundary': ({ replay }, { id }) =>
    found(
      replay?.boundaries.find((boundary) => boundary.id === id),
      id,
    ),
  export: async (loaded, { format, page }) => new TextEncoder().encode(await exported(loaded, format, page)),
};

function found<T>(item: T | undefined, id: string): T {
  if (item === undefined) throw new ResultsUnusable(localizable('The current results contain no item "{0}".', id));
  return item;
}

async function exported(
  { results, replay }: Loaded,
  format: Readings['export']['params']['format'],
  page: string,
): Promise<string> {
  if (results === null && replay === null) throw new ResultsUnusable(localizable('There are no results to export.'));
  if (format === 'html') return await dashboardPage({ results, replay }, page);
  if (format === 'csv') return results ? reportCsv(reportOf(results)) : replayCsvRefused();
  const parts = [results && reportMarkdown(reportOf(results)), replay && replayMarkdown(replay)];
  return parts.filter((part) => part !== null).join('\n');
}

function replayCsvRefused(): never {
  throw new ResultsUnusable(
    localizable(
      'CSV export works for results of tasks, and these are results of real sessions. Choose another format.',
    ),
  );
}

/** Caches the content of the last file. */
class NewestOf<T> {
  #newest: { readonly version: string; readonly content: Promise<T> } | null = null;

  constructor(private readonly load: (path: string) => Promise<T>) {}

  async of(path: string): Promise<T> {
    const version = await versionOf(path);
    if (this.#newest?.version !== version) this.#newest = { version, content: this.load(path) };
    return await this.#newest.content;
  }
}

async function versionOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(path);
    return `${path} ${size} ${mtimeMs}`;
  } catch (cause) {
    throw new ResultsUnusable(localizable('{0}: these results cannot be read: {1}', path, String(cause)), { cause });
  }
}
