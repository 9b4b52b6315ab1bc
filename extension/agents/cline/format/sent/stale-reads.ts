import * as s from '../../../../platform/json/schemas';
import { callBlock, fileBlock, resultBlock } from '../content';
import type { Message } from '../messages';
import { type FileRead, isWhole, readKey, readsInInput, readsInResult } from './file-reads';
import { bytesOfReads, type FileReads } from './stale-content';

/** Bytes. Stale reads are left out only if this much is saved at once, because each edit invalidates the prompt cache. */
const minimumSaving = 65_536;

const readTools = new Set(['read', 'read_files']);

/** The reads that are not sent, by the id of the call whose result contains them. */
export type StaleReads = ReadonlyMap<string, FileReads>;

/**
 * Reads of files that a later result repeats or contains completely. A read that was left out stays out while the
 * process runs. `wasSentFor`: whether the running process requested this reply.
 */
export function staleReads(messages: readonly Message[], wasSentFor: (reply: Message) => boolean): StaleReads {
  const scan = new Scan();
  for (const message of messages) {
    if (message.fields.role === 'assistant' && wasSentFor(message)) scan.request();
    for (const block of s.read(s.jsonRecords, message.fields.content)) scan.take(block);
  }
  scan.request();
  return scan.leftOut;
}

interface Result {
  readonly callId: string;
  readonly content: unknown;
}

class Scan {
  readonly leftOut = new Map<string, FileReads>();
  readonly #tools = new Map<string, string>();
  readonly #requested = new Map<string, readonly FileRead[]>();
  /** The newest result of a read of exactly these lines. */
  readonly #byKey = new Map<string, Result>();
  /** The reads of a file, with their results. */
  readonly #byPath = new Map<string, { read: FileRead; result: Result }[]>();
  /** The id of the call that read the whole file; empty for a file attached to a prompt. */
  readonly #owners = new Map<string, string>();
  #pending = new Map<Result, Map<string, FileRead>>();
  /** Bytes that each pending result would save. */
  readonly #bytes = new WeakMap<Result, number>();
  #isChanged = false;

  take(block: s.JsonRecord): void {
    if (block.type === 'file') this.#own(s.read(fileBlock, block).path, '');
    else if (block.type === 'tool_use') this.#call(s.read(callBlock, block));
    else if (block.type === 'tool_result') this.#result(s.read(resultBlock, block));
  }

  request(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    let bytes = 0;
    for (const [result, reads] of this.#pending) bytes += this.#bytesOf(result, reads);
    if (bytes < minimumSaving) return;
    for (const [{ callId }, reads] of this.#pending) {
      this.leftOut.set(callId, new Map([...(this.leftOut.get(callId) ?? []), ...reads]));
    }
    this.#pending = new Map();
  }

  #bytesOf(result: Result, reads: FileReads): number {
    const bytes = this.#bytes.get(result) ?? bytesOfReads(result.content, reads);
    this.#bytes.set(result, bytes);
    return bytes;
  }

  #call({ id, name, input }: s.Read<typeof callBlock>): void {
    if (id === null || name === null) return;
    this.#tools.set(id, name.toLowerCase());
    if (readTools.has(name.toLowerCase())) this.#requested.set(id, readsInInput(input));
  }

  #result({ tool_use_id: callId, name, content, is_error: isError }: s.Read<typeof resultBlock>): void {
    if (callId === null || isError) return;
    const tool = this.#tools.get(callId) ?? name?.toLowerCase() ?? '';
    if (!readTools.has(tool)) return;
    const reported = readsInResult(content);
    const result = { callId, content };
    const reads = reported.length > 0 ? reported : (this.#requested.get(callId) ?? []);
    // A result does not outdate its own reads, so its whole files are handled first.
    for (const read of [...reads.filter(isWhole), ...reads.filter((read) => !isWhole(read))]) this.#read(read, result);
  }

  #read(read: FileRead, result: Result): void {
    const { path } = read;
    const key = readKey(read);
    const before = this.#byKey.get(key);
    if (before !== undefined) this.#outdate(before, read, result.callId);
    this.#byKey.set(key, result);
    if (isWhole(read)) this.#own(path, result.callId);
    else if (this.#owners.has(path)) this.#outdate(result, read, this.#owners.get(path) ?? '');
    const ofFile = this.#byPath.get(path);
    if (ofFile === undefined) this.#byPath.set(path, [{ read, result }]);
    else ofFile.push({ read, result });
  }

  /** A read of the whole file outdates all other reads of it, including later reads of single lines. */
  #own(path: string, callId: string): void {
    this.#owners.set(path, callId);
    const ofFile = this.#byPath.get(path) ?? [];
    for (const { read, result } of ofFile) this.#outdate(result, read, callId);
    const own = ofFile.filter(({ result }) => result.callId === callId);
    this.#byPath.set(path, own);
  }

  #outdate(result: Result, read: FileRead, by: string): void {
    const key = readKey(read);
    if (result.callId === by || this.leftOut.get(result.callId)?.has(key)) return;
    const reads = this.#pending.get(result) ?? new Map<string, FileRead>();
    if (reads.has(key)) return;
    this.#pending.set(result, reads.set(key, read));
    this.#bytes.delete(result);
    this.#isChanged = true;
  }
}
