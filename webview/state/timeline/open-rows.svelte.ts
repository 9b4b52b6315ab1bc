import type { Caller } from '../../../extension/protocol/rpc';
import type { Row, RowDetail, RowsBeneath } from '../../../extension/protocol/view';
import { type Loadable, load, loading } from '../shared/loadable';
import type { Line } from './outline';

/** Everything that is open in the timeline, by the key of the line: rows beneath blocks, and details of rows, which the host reads. */
export class OpenRows {
  beneath = $state.raw<ReadonlyMap<string, Loadable<RowsBeneath>>>(new Map());
  details = $state.raw<ReadonlyMap<string, Loadable<RowDetail>>>(new Map());

  constructor(private readonly request: Caller['request']) {}

  closeAll(): void {
    this.beneath = new Map();
    this.details = new Map();
  }

  toggleDetail(line: Line): void {
    if (this.details.has(line.key)) this.details = without(this.details, line.key);
    else void this.readDetail(line);
  }

  toggleBeneath(line: Line): void {
    if (this.beneath.has(line.key)) this.beneath = without(this.beneath, line.key);
    else void this.#readBeneath(line);
  }

  retry(line: Line): void {
    if (this.details.get(line.key)?.kind === 'failed') void this.readDetail(line);
    if (this.beneath.get(line.key)?.kind === 'failed') void this.#readBeneath(line);
  }

  /** Reads the detail of a row again if it is open. */
  renewDetail(row: Row): void {
    if (this.details.has(row.key)) void this.readDetail({ key: row.key, row });
  }

  /** Outer blocks first: a nested block has a line only after its parent is read. */
  async readBeneathAgain(keys: readonly string[], lines: () => readonly Line[]): Promise<void> {
    const byDepth = [...keys].sort((a, b) => depthOf(a) - depthOf(b));
    for (const key of byDepth) {
      const line = lines().find((candidate) => candidate.key === key);
      if (line?.row.block) await this.#readBeneath(line);
      else this.beneath = without(this.beneath, key);
    }
  }

  async #readBeneath({ key, row }: Pick<Line, 'key' | 'row'>): Promise<void> {
    if (!row.block) return;
    if (!this.beneath.has(key)) this.beneath = withEntry(this.beneath, key, loading);
    const read = await load(this.request('rows-beneath', { compactionId: row.block.compactionId }));
    // Closed while it was being read: keep it closed.
    if (this.beneath.has(key)) this.beneath = withEntry(this.beneath, key, read);
  }

  async readDetail({ key, row }: Pick<Line, 'key' | 'row'>): Promise<void> {
    if (!this.details.has(key)) this.details = withEntry(this.details, key, loading);
    const read = await load(this.request('read-row', { key: row.key }));
    if (this.details.has(key)) this.details = withEntry(this.details, key, read);
  }
}

function depthOf(key: string): number {
  return key.split('>').length;
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
