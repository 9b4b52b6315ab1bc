import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { LocalizableError, localizable } from '../../extension/engine/wording/localizable-text';
import type { ThreadContract } from '../../extension/platform/threads/messages';
import { serveOwner } from '../../extension/platform/threads/serve-owner';

export interface ExampleContract extends ThreadContract {
  readonly requests: {
    readonly add: { params: { readonly a: number; readonly b: number }; result: string };
    readonly ask: { params: string; result: readonly string[] };
    readonly fail: { params: null; result: never };
    /** Settles when it is aborted, and writes that into the file. */
    readonly wait: { params: { readonly file: string | null }; result: never };
    /** Blocks the thread. */
    readonly hang: { params: null; result: never };
    readonly exit: { params: null; result: never };
    readonly crash: { params: null; result: never };
  };
  readonly progress: string;
  readonly question: string;
  readonly answer: string;
}

/** Program of a thread for tests. */
serveOwner<ExampleContract>({
  add({ a, b }, { onProgress }) {
    onProgress('adding');
    return `${a + b} ${workerData.unit}`;
  },
  async ask(question, { ask, signal }) {
    const texts: string[] = [];
    const answer = await ask(question, signal, (text) => texts.push(text));
    return [...texts, answer];
  },
  fail() {
    throw new LocalizableError(localizable('{0}: torn', 'a.jsonl:3'));
  },
  async wait({ file }, { signal, onProgress }) {
    onProgress('waiting');
    await once(signal, 'abort');
    if (file !== null) writeFileSync(file, 'aborted');
    throw signal.reason;
  },
  hang() {
    for (;;);
  },
  exit() {
    process.exit(3);
  },
  crash() {
    setImmediate(() => {
      throw new Error('on the rocks');
    });
    return new Promise<never>(() => undefined);
  },
});
