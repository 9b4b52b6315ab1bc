import { fileURLToPath } from 'node:url';
import type { PlayingStart } from '../../evaluation/threads/messages';
import { PlayingThreads } from '../../evaluation/threads/playing-threads';

// The build puts the folder and the programs below next to the command line's bundle.

/** The folder of the dashboard's page. */
export const pageFolder = fileURLToPath(new URL('../dashboard', import.meta.url));

/** The program of a thread that measures sessions. */
export function measuringThread(): string {
  return fileURLToPath(new URL('./measuring-thread.js', import.meta.url));
}

/** Threads that play units without a model. */
export function playingThreads(start: PlayingStart): PlayingThreads {
  return new PlayingThreads(fileURLToPath(new URL('./playing-thread.js', import.meta.url)), start);
}
