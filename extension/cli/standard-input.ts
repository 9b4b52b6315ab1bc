import { text } from 'node:stream/consumers';

let read: Promise<string> | undefined;

/** All of standard input, which can be read only once. */
export function standardInput(): Promise<string> {
  read ??= text(process.stdin);
  return read;
}

/** The JSON object on standard input; null if there is none. */
export async function objectOnInput(): Promise<object | null> {
  const json = await standardInput();
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
