import { asName, asRecords, type JsonRecord } from '../../records/json';
import type { Message } from '../messages';
import { isWhole, type Reading, readingKey, readingsInInput, readingsInResult } from './readings';
import { bytesOfReadings, type Readings } from './stale-content';

/** Bytes. Stale readings stay until so many of them can be spared at once, since each edit costs the provider's cache. */
const enoughToSpare = 65_536;

const readingTools = new Set(['read', 'read_files']);

/** The readings that are not sent, by the call whose result they stand in. */
export type StaleReadings = ReadonlyMap<string, Readings>;

/**
 * Readings of files that are in a later result anew, or in one that has the whole file. What is once left out stays so
 * for as long as the process runs: `wasSentFor` tells the replies that this process has asked for.
 */
export function staleReadings(messages: readonly Message[], wasSentFor: (reply: Message) => boolean): StaleReadings {
  const scan = new Scan();
  for (const message of messages) {
    if (message.fields.role === 'assistant' && wasSentFor(message)) scan.request();
    for (const block of asRecords(message.fields.content)) scan.take(block);
  }
  scan.request();
  return scan.leftOut;
}

interface Result {
  readonly callId: string;
  readonly content: unknown;
}

function isOfLines(reading: Reading): boolean {
  return !isWhole(reading);
}

class Scan {
  readonly leftOut = new Map<string, Readings>();
  readonly #tools = new Map<string, string>();
  readonly #asked = new Map<string, readonly Reading[]>();
  /** The newest result in which just these lines were read. */
  readonly #byKey = new Map<string, Result>();
  /** What was read of a file, by whom. */
  readonly #byPath = new Map<string, { reading: Reading; result: Result }[]>();
  /** Who has the whole file: a call, or a file beside a prompt. */
  readonly #owners = new Map<string, string>();
  #pending = new Map<Result, Map<string, Reading>>();
  #isChanged = false;

  take(block: JsonRecord): void {
    if (block.type === 'file') this.#own(asName(block.path) ?? '', '');
    else if (block.type === 'tool_use') this.#call(block);
    else if (block.type === 'tool_result') this.#result(block);
  }

  request(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    let bytes = 0;
    for (const [{ content }, readings] of this.#pending) bytes += bytesOfReadings(content, readings);
    if (bytes < enoughToSpare) return;
    for (const [{ callId }, readings] of this.#pending) {
      this.leftOut.set(callId, new Map([...(this.leftOut.get(callId) ?? []), ...readings]));
    }
    this.#pending = new Map();
  }

  #call({ id, name, input }: JsonRecord): void {
    if (typeof id !== 'string' || typeof name !== 'string') return;
    this.#tools.set(id, name.toLowerCase());
    if (readingTools.has(name.toLowerCase())) this.#asked.set(id, readingsInInput(input));
  }

  #result({ tool_use_id: callId, name, content, is_error: isError }: JsonRecord): void {
    if (typeof callId !== 'string' || isError === true) return;
    const tool = this.#tools.get(callId) ?? asName(name)?.toLowerCase() ?? '';
    if (!readingTools.has(tool)) return;
    const told = readingsInResult(content);
    const result = { callId, content };
    const readings = told.length > 0 ? told : (this.#asked.get(callId) ?? []);
    // A result that has the whole file does not outdate what else it has of it.
    for (const reading of [...readings.filter(isWhole), ...readings.filter(isOfLines)]) this.#read(reading, result);
  }

  #read(reading: Reading, result: Result): void {
    const { path } = reading;
    const key = readingKey(reading);
    const before = this.#byKey.get(key);
    if (before !== undefined) this.#outdate(before, reading, result.callId);
    this.#byKey.set(key, result);
    if (isWhole(reading)) this.#own(path, result.callId);
    else if (this.#owners.has(path)) this.#outdate(result, reading, this.#owners.get(path) ?? '');
    const ofFile = this.#byPath.get(path);
    if (ofFile === undefined) this.#byPath.set(path, [{ reading, result }]);
    else ofFile.push({ reading, result });
  }

  /** Whoever has the whole file outdates all other readings of it, also those of some lines that come later. */
  #own(path: string, callId: string): void {
    this.#owners.set(path, callId);
    const ofFile = this.#byPath.get(path) ?? [];
    for (const { reading, result } of ofFile) this.#outdate(result, reading, callId);
    const own = ofFile.filter(({ result }) => result.callId === callId);
    this.#byPath.set(path, own);
  }

  #outdate(result: Result, reading: Reading, by: string): void {
    const key = readingKey(reading);
    if (result.callId === by || this.leftOut.get(result.callId)?.has(key)) return;
    const readings = this.#pending.get(result) ?? new Map<string, Reading>();
    if (readings.has(key)) return;
    this.#pending.set(result, readings.set(key, reading));
    this.#isChanged = true;
  }
}
