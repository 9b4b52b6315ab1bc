import { text } from 'node:stream/consumers';

let read: Promise<string> | undefined;

/** All of standard input, which can be read only once. */
export function standardInput(): Promise<string> {
  read ??= text(process.stdin);
  return read;
}
