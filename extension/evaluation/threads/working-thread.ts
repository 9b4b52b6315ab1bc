import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import { failureOf, type WorkOrder, type WorkProgress, type WorkReply } from './work';

export interface Work {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: WorkProgress) => void;
  /** Asks the owner of the thread. Rejects with the signal's reason. */
  readonly ask: (question: unknown) => Promise<unknown>;
}

/** Runs the work of a thread once and replies with its result. */
export async function workOnce<Start, Result>(
  work: (start: Start, tools: Work) => Promise<Result>,
  handedOver: (result: Result) => readonly TransferListItem[] = () => [],
): Promise<void> {
  const stopping = new AbortController();
  const questions = new Questions(stopping.signal);
  const onOrder = (order: WorkOrder) => {
    if (order.kind === 'stop') stopping.abort();
    else questions.answered(order.id, order.answer);
  };
  parentPort?.on('message', onOrder);
  try {
    const onProgress = (progress: WorkProgress) => reply({ kind: 'progress', progress });
    const tools = { signal: stopping.signal, onProgress, ask: questions.ask };
    const result = await work(workerData as Start, tools);
    reply({ kind: 'done', result }, handedOver(result));
  } catch (error) {
    reply({ kind: 'failed', ...failureOf(error) });
  } finally {
    parentPort?.off('message', onOrder);
  }
}

class Questions {
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastId = 0;

  constructor(private readonly signal: AbortSignal) {}

  readonly ask: Work['ask'] = async (question) => {
    this.signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    let stopped = () => undefined;
    try {
      return await new Promise((resolve, reject) => {
        stopped = () => void reject(this.signal.reason);
        this.signal.addEventListener('abort', stopped, { once: true });
        this.#waiting.set(id, resolve);
        reply({ kind: 'question', id, question });
      });
    } finally {
      this.signal.removeEventListener('abort', stopped);
      this.#waiting.delete(id);
    }
  };

  answered(id: number, answer: unknown): void {
    this.#waiting.get(id)?.(answer);
  }
}

function reply<Result>(message: WorkReply<Result>, handedOver: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(message, handedOver);
}
