import { fileURLToPath } from 'node:url';
import type { PlayUnit } from '../../evaluation/run-evaluation';
import type { PlayingStart } from '../../evaluation/threads/messages';
import { PlayingThreads } from '../../evaluation/threads/playing-threads';

/** Threads that play units without a model. The build puts their program next to the command line's bundle. */
export function playingThreads(start: PlayingStart): {
  readonly play: PlayUnit;
  readonly dispose: () => Promise<void>;
} {
  const threads = new PlayingThreads(fileURLToPath(new URL('./playing-thread.js', import.meta.url)), start);
  return { play: threads.play, dispose: () => threads.dispose() };
}
