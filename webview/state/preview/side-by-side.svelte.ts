import type { Caller } from '../../../extension/protocol/rpc';
import type { ComparisonRow, PreviewView } from '../../../extension/protocol/view';
import { type Loadable, load, loading } from '../shared/loadable';

/** One run in the side-by-side view. */
export interface BesideColumn {
  readonly row: ComparisonRow;
  readonly preview: Loadable<PreviewView>;
}

const maxColumns = 4;
const fewestBeside = 2;

/** Two to four runs of a comparison, with the preview of each. */
export class SideBySide {
  picked = $state.raw<readonly ComparisonRow[]>([]);
  /** The columns; null while the table is shown. */
  columns = $state.raw<readonly BesideColumn[] | null>(null);
  /** Number of the newest request; answers to older ones are dropped. */
  #asked = 0;

  constructor(private readonly request: Caller['request']) {}

  readonly canOpen = $derived(this.picked.length >= fewestBeside);
  readonly isFull = $derived(this.picked.length >= maxColumns);

  isPicked(row: ComparisonRow): boolean {
    return this.picked.some(({ previewId }) => previewId === row.previewId);
  }

  toggle = (row: ComparisonRow): void => {
    if (this.isPicked(row)) this.picked = this.picked.filter(({ previewId }) => previewId !== row.previewId);
    else if (row.previewId !== null && !this.isFull) this.picked = [...this.picked, row];
  };

  open = async (): Promise<void> => {
    if (!this.canOpen) return;
    this.#asked += 1;
    const asked = this.#asked;
    this.columns = this.picked.map((row) => ({ row, preview: loading }));
    await Promise.all(this.picked.map((row) => this.#read(row, asked)));
  };

  openBoth = async (one: ComparisonRow, other: ComparisonRow): Promise<void> => {
    this.picked = [one, other];
    await this.open();
  };

  close = (): void => {
    this.#asked += 1;
    this.columns = null;
  };

  reset(): void {
    this.close();
    this.picked = [];
  }

  async #read(row: ComparisonRow, asked: number): Promise<void> {
    const preview = await load(this.request('read-preview', { id: row.previewId ?? '' }));
    if (asked !== this.#asked || !this.columns) return;
    this.columns = this.columns.map((column) => (column.row.previewId === row.previewId ? { row, preview } : column));
  }
}
