import type { IssueAtLine } from '../records/issues';
import type { RowNode } from './rows';

/** Rows by their ids. Which row comes before another is looked up when that is asked: it may stand later in the file. */
export class RowTree {
  readonly #nodes = new Map<string, RowNode>();
  /** Rows whose parent did not come up so far, by that parent. */
  readonly #orphans = new Map<string, RowNode[]>();
  #first: RowNode | null = null;
  /** The newest row of the chain. The request is made of the rows from here to the root. */
  leaf: RowNode | null = null;

  at(uuid: string | null): RowNode | null {
    return uuid === null ? null : (this.#nodes.get(uuid) ?? null);
  }

  add(node: RowNode): void {
    this.#first ??= node;
    this.#nodes.set(node.uuid, node);
    this.#orphans.delete(node.uuid);
    const { parentUuid } = node;
    if (parentUuid === null || this.#nodes.has(parentUuid)) return;
    const others = this.#orphans.get(parentUuid);
    if (others === undefined) this.#orphans.set(parentUuid, [node]);
    else others.push(node);
  }

  /** The rows that lead to this one, the newest first. Rows that lead to themselves are walked once, as by Qwen Code. */
  *pathFrom(node: RowNode | null): Generator<RowNode> {
    const seen = new Set<RowNode>();
    for (let row = node; row !== null && !seen.has(row); row = this.at(row.parentUuid)) {
      seen.add(row);
      yield row;
    }
  }

  get beginsMidway(): boolean {
    const parent = this.#first?.parentUuid ?? null;
    return parent !== null && !this.#nodes.has(parent);
  }

  gaps(): IssueAtLine[] {
    const lines = [...this.#orphans.values()].flat().map(({ place }) => place.origin.line);
    return lines.sort((one, other) => one - other).map((line) => ({ line, message: missingParent }));
  }
}

/** Where Qwen Code does not find the row before, it sends nothing from before. */
const missingParent = 'The row before this one is not in this file; Qwen Code would send nothing from before it';
