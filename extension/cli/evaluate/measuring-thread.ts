import { fileURLToPath } from 'node:url';

/** The program of a thread that measures sessions. The build puts it next to the command line's bundle. */
export function measuringThread(): string {
  return fileURLToPath(new URL('./measuring-thread.js', import.meta.url));
}
