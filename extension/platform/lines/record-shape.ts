import type { JsonRecord } from '../json/schemas';

/** Fewer records do not show what all of them have in common. */
const fewest = 10;
const most = 100;

/** The fields that all records of a file have. They tell a record in a damaged line from an object inside another record. */
export class RecordShape {
  #common: readonly string[] = [];
  #learnt = 0;

  learn(record: JsonRecord): void {
    if (this.#learnt === most) return;
    this.#common = this.#learnt === 0 ? Object.keys(record) : this.#common.filter((field) => field in record);
    this.#learnt += 1;
  }

  /** `line`: the line in which it was found. As long as few records are known, a record must begin as this line does. */
  fits(record: JsonRecord, line: string): boolean {
    if (this.#learnt >= fewest && this.#common.length > 0) return this.#common.every((field) => field in record);
    const [first = ''] = Object.keys(record);
    return line.startsWith(`{${JSON.stringify(first)}`);
  }
}
