import { parentPort, type TransferListItem } from 'node:worker_threads';
import { failureOf } from '../../../evaluation/threads/work';
import type { ReadingReply, ReadingRequest } from './messages';
import { ResultsReader } from './results-reader';

/** Program of the thread that reads results and computes reports. Large results would block the host. */

const reader = new ResultsReader();

parentPort?.on('message', ({ id, places, method, params }: ReadingRequest) => {
  void reader.read(places, method, params).then(
    (result) => reply({ id, kind: 'done', result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []),
    (error: unknown) => reply({ id, kind: 'failed', ...failureOf(error) }),
  );
});

function reply(message: ReadingReply, handedOver: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(message, handedOver);
}
