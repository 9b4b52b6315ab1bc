import { visibleJson, visibleText } from '../protocol/visible-text';

export function warn(message: string): void {
  process.stderr.write(`strata: ${visibleText(message)}\n`);
}

/** A session's text can neither control the terminal nor hide or reorder what a person reads. */
export function print(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}
