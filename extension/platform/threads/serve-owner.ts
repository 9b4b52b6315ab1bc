import { parentPort } from 'node:worker_threads';
import { errorOf, failureOf } from './failure';
import type { FromThread, MethodOf, ParamsOf, ResultOf, ThreadContract, ToThread } from './messages';

/** The means that a handler gets to carry out a request. */
export interface ServedRequest<C extends ThreadContract> {
  /** Aborted when the owner aborts the request. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: C['progress']) => void;
  /** Asks the owner. Rejects with the owner's failure, or at once with the reason of `signal`, by default the request's. */
  readonly ask: (
    question: C['question'],
    signal?: AbortSignal,
    onText?: (text: string) => void,
  ) => Promise<C['answer']>;
}

type ThreadHandlers<C extends ThreadContract> = {
  readonly [M in MethodOf<C>]: (
    params: ParamsOf<C, M>,
    request: ServedRequest<C>,
  ) => Promise<ResultOf<C, M>> | ResultOf<C, M>;
};

interface PendingQuestion {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  readonly onText: ((text: string) => void) | undefined;
}

/** Answers the requests of this thread's owner (`ThreadLink`). A handler begins before the next message is read. */
export function serveOwner<C extends ThreadContract>(handlers: ThreadHandlers<C>): void {
  const running = new Map<number, AbortController>();
  const questions = new Map<number, PendingQuestion>();
  let lastQuestion = 0;

  parentPort?.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'request':
        void carryOut(message.id, message.method as MethodOf<C>, message.params);
        break;
      case 'abort':
        running.get(message.id)?.abort();
        break;
      case 'text':
        questions.get(message.question)?.onText?.(message.text);
        break;
      case 'answer':
        questions.get(message.question)?.resolve(message.answer as never);
        break;
      case 'unanswered':
        questions.get(message.question)?.reject(errorOf(message.failure));
    }
  });

  async function carryOut(id: number, method: MethodOf<C>, params: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const { signal } = controller;
    try {
      const result = await handlers[method](params as never, {
        signal,
        onProgress: (progress) => post({ kind: 'progress', id, progress }),
        ask: (question, asking = signal, onText = undefined) => ask(id, question, asking, onText),
      });
      post({ kind: 'done', id, result });
    } catch (error) {
      post({ kind: 'failed', id, failure: failureOf(error) });
    } finally {
      running.delete(id);
    }
  }

  async function ask(
    id: number,
    asked: C['question'],
    signal: AbortSignal,
    onText: ((text: string) => void) | undefined,
  ): Promise<C['answer']> {
    signal.throwIfAborted();
    lastQuestion += 1;
    const question = lastQuestion;
    let abort = () => undefined;
    try {
      return await new Promise<C['answer']>((resolve, reject) => {
        abort = () => void reject(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        questions.set(question, { resolve, reject, onText });
        post({ kind: 'question', id, question, asked });
      });
    } finally {
      signal.removeEventListener('abort', abort);
      questions.delete(question);
    }
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}
