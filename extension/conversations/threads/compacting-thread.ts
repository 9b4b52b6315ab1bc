import { parentPort } from 'node:worker_threads';
import { counterNamed } from '../../engine/conversation/token-counters';
import { askedTools } from './asked-tools';
import { ConversationCopy } from './copied-conversation';
import { errorOf, failureOf } from './failures';
import type { Answered, CountOrder, EntriesOrder, FromThread, PrepareOrder, Question, ToThread } from './messages';

/** Program of a compacting thread. */

const copies = new Map<number, Promise<ConversationCopy>>();
const running = new Map<number, AbortController>();
const waiting = new Map<number, WaitingQuestion>();
let lastQuestion = 0;

interface WaitingQuestion {
  readonly resolve: (value: Answered) => void;
  readonly reject: (error: unknown) => void;
  readonly onText?: (text: string) => void;
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'count':
      void settle(message.id, () => countTexts(message));
      break;
    case 'entries':
      void settle(message.id, () => addEntries(message));
      break;
    case 'prepare':
      void settle(message.id, () => prepare(message));
      break;
    case 'abort':
      running.get(message.id)?.abort();
      break;
    case 'forget':
      copies.delete(message.copy);
      break;
    case 'answer-text':
      waiting.get(message.question)?.onText?.(message.text);
      break;
    case 'answer': {
      const question = waiting.get(message.question);
      if (message.outcome === 'answered') question?.resolve(message.value);
      else question?.reject(errorOf(message.failure));
      break;
    }
  }
});

async function settle(id: number, work: () => Promise<FromThread>): Promise<void> {
  try {
    post(await work());
  } catch (error) {
    post({ kind: 'failed', id, failure: failureOf(error) });
  }
}

/** Handles messages in order; each copy waits only for its counter. */
function copyOf({ copy, counter }: Pick<EntriesOrder, 'copy' | 'counter'>): Promise<ConversationCopy> {
  const known = copies.get(copy) ?? counterNamed(counter).then((count) => new ConversationCopy(count));
  copies.set(copy, known);
  return known;
}

async function countTexts({ id, counter, texts }: CountOrder): Promise<FromThread> {
  const count = await counterNamed(counter);
  return { kind: 'counted', id, counts: texts.map((text) => count(text)) };
}

async function addEntries(order: EntriesOrder): Promise<FromThread> {
  const copy = await copyOf(order);
  copy.add(order);
  return { kind: 'copied', id: order.id };
}

async function prepare({ id, tools, ...order }: PrepareOrder): Promise<FromThread> {
  const copy = await copyOf(order);
  const controller = new AbortController();
  running.set(id, controller);
  const { signal } = controller;
  try {
    const asking = {
      ask: (asked: Question, asking: AbortSignal, onText?: (text: string) => void) => ask(id, asked, asking, onText),
      placeOf: (entry: Parameters<ConversationCopy['placeOf']>[0]) => copy.placeOf(entry),
    };
    const onProgress = (progress: Extract<FromThread, { kind: 'progress' }>['progress']) =>
      post({ kind: 'progress', id, progress });
    const run = await copy.prepare(order, {
      signal,
      tools: askedTools(tools, asking),
      ...(order.input.hasProgress ? { onProgress } : {}),
    });
    return { kind: 'prepared', id, run };
  } finally {
    running.delete(id);
  }
}

async function ask(
  id: number,
  asked: Question,
  signal: AbortSignal,
  onText?: (text: string) => void,
): Promise<Answered> {
  signal.throwIfAborted();
  lastQuestion += 1;
  const question = lastQuestion;
  let stopped = () => undefined;
  try {
    return await new Promise((resolve, reject) => {
      stopped = () => void reject(signal.reason);
      signal.addEventListener('abort', stopped, { once: true });
      waiting.set(question, { resolve, reject, ...(onText ? { onText } : {}) });
      post({ kind: 'question', id, question, asked });
    });
  } finally {
    signal.removeEventListener('abort', stopped);
    waiting.delete(question);
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}
