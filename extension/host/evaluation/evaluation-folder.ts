import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orIfMissing } from '../../platform/files/with-file';
import type { ResultPlaces } from './reading/messages';

/** Paths of the editor's evaluation results. */
export class EvaluationFolder {
  readonly quick: string;
  readonly model: string;
  readonly replay: string;
  readonly replayRecords: string;

  constructor(readonly path: string) {
    this.quick = join(path, 'quick', 'results.jsonl');
    this.model = join(path, 'model', 'results.jsonl');
    this.replay = join(path, 'sessions', 'replay.json');
    this.replayRecords = join(path, 'sessions', 'replay.jsonl');
  }

  /** The newest results of tasks and of sessions. */
  async newest(): Promise<Omit<ResultPlaces, 'source'>> {
    const [quick, model, replay] = await Promise.all([this.quick, this.model, this.replay].map(writtenAt));
    const results = (model ?? 0) > (quick ?? 0) ? this.model : this.quick;
    return {
      results: (model ?? quick) == null ? null : results,
      replay: replay == null ? null : this.replay,
    };
  }
}

/** Milliseconds since the epoch; null if there is no such file. */
async function writtenAt(path: string): Promise<number | null> {
  return (await orIfMissing(stat(path), null))?.mtimeMs ?? null;
}
