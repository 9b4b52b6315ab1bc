import { CompactingThreads, type CompactingThreadsOptions } from '../conversations/threads/compacting-threads';
import type { Threads } from './options';

export type CompactingThreadsChoice = Partial<CompactingThreadsOptions>;

/** Threads, with a method that ends them. */
export interface DisposableThreads extends Threads {
  /** Ends the threads. The next work starts new ones. */
  dispose(): void;
}

/**
 * Threads that count tokens and prepare compactions, for the option `threads` of `createConversations` and `createContext`.
 * They start when there is much work, and end when they are idle. Models are called on the main thread. If
 * the program of the threads cannot be loaded, because a bundler left it out, all work is done on the main thread and `onNotice`
 * is called.
 *
 * @example
 * const conversations = await createConversations({ window: 200_000, threads: compactingThreads() });
 */
export function compactingThreads({
  // A variable, because bundlers treat a literal here as a file to bundle.
  program = new URL(programFile, import.meta.url),
  onNotice = (message) => console.warn(`strata: ${message}`),
  ...more
}: CompactingThreadsChoice = {}): DisposableThreads {
  return new CompactingThreads({ program, onNotice, ...more });
}

/** Relative to this module in the package. */
const programFile = '../compacting-thread.js';
