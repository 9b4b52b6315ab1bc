import { portableSha256, type TextHash } from '../conversation/sha256';

/** A line, without its line break, by which a damaged record is found. The checksum covers the record exactly as written. */
export function checkedLine(body: string, hash: TextHash = portableSha256): string {
  return `{"checksum":"${checksumOf(body, hash)}","record":${body}}`;
}

/** One character may follow: the line break of the newest record, where it was damaged. */
const linePattern = /^\{"checksum":"([0-9a-f]{16})","record":(.*)\}.?$/s;

type CheckedLine =
  | { readonly kind: 'intact'; readonly body: string }
  | { readonly kind: 'no-record' }
  | { readonly kind: 'damaged' };

export function readCheckedLine(line: string, hash: TextHash = portableSha256): CheckedLine {
  const [, checksum, body] = linePattern.exec(line) ?? [];
  if (checksum === undefined || body === undefined) return { kind: 'no-record' };
  return checksumOf(body, hash) === checksum ? { kind: 'intact', body } : { kind: 'damaged' };
}

const recordBegins = '{"checksum":"';

/**
 * Whether the last line of a file is what a killed process or a loss of power left of a record: a part of one, or zero
 * bytes. Only that line can lack a line break. Bytes that do not begin a record are from another program.
 */
export function isTorn(line: string): boolean {
  if (line.endsWith('\n')) return false;
  return line.startsWith(recordBegins) || recordBegins.startsWith(line) || /^\0+$/.test(line);
}

/** Whether a line was written as the first line of a journal, damaged or not. */
export function isMeantAsHeader(line: string): boolean {
  return line.includes('"kind":"header"') || /^\{"checksum":"[0-9a-f]{16}","record":/.test(line);
}

function checksumOf(body: string, hash: TextHash): string {
  return hash(body).slice(0, 16);
}
