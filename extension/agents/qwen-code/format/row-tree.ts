import { localizable } from '../../../engine/wording/localizable-text';
import type { IssueAtLine } from '../../../sessions/records/issues';
import type { RowNode } from './rows';

/** Rows by id. Parents are looked up on demand, because a parent may follow its child in the file. */
export class RowTree {
  readonly #nodes = new Map<string, RowNode>();
  /** Rows whose parent was not read yet, by the parent's id. */
  readonly #orphans = new Map<string, RowNode[]>();
  #first: RowNode | null = null;
  /** The newest row of the chain. The context consists of the rows from here to the root. */
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

  /** The path from this row to the root. In a cycle each row is visited once, as in Qwen Code. */
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

/** Qwen Code's context starts at a row whose parent is missing. */
const missingParent = localizable(
  'The parent of this row is not in this file; Qwen Code does not send anything before this row',
);
