import * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import type { Entry } from '../../engine/conversation/entry';
import { earlierMessages } from '../../inspection/earlier';
import { type Inspection, OperationRefused } from '../../inspection/inspection';
import { earlierRows } from '../../protocol/earlier-rows';
import type { RequestHandlers } from '../../protocol/rpc';
import type { Row, RowDetail, RowsBeneath } from '../../protocol/view';
import { openCompaction, outsideContext } from '../view/compaction-detail';
import { findRows } from '../view/find-rows';
import { rowDetail, rowImages } from '../view/row-detail';
import { Outdated } from './recent-items';
import type { PanelServices } from './services';
import type { Travel } from './travel';

type RowContext = Pick<PanelServices, 'inspector' | 'views'> & { readonly travel: Travel };
type Messages = readonly ContextMessage[];

/** The rows that one webview shows: those of the context, and those beneath the blocks that were opened in it. */
export class ShownRows {
  readonly #opened = new WeakMap<Inspection, Map<string, Messages>>();
  /** Places of the entries of earlier sessions that were read. */
  #earlier: ReadonlyMap<string, Entry['origin']> = new Map();

  constructor(private readonly context: RowContext) {}

  /** The session as this webview shows it, possibly at an earlier moment. */
  shown(): Inspection {
    const inspection = this.context.inspector.required();
    return this.context.travel.pastOf(inspection)?.inspection ?? inspection;
  }

  find(key: string): RowDetail {
    const detail = this.#firstIn((messages, inspection) =>
      rowDetail(rowKeyOf(key), messages, (id) => originOf(inspection, id) ?? this.#earlier.get(id) ?? null),
    );
    if (!detail) throw new Outdated(vscode.l10n.t('This row is no longer in the context.'));
    return detail;
  }

  images(key: string) {
    return this.#firstIn((messages) => rowImages(rowKeyOf(key), messages)) ?? [];
  }

  async beneath(compactionId: string): Promise<RowsBeneath> {
    const inspection = this.shown();
    const builder = this.context.views.builderOf(inspection);
    if (compactionId !== earlierRows) {
      const compaction = openCompaction(compactionId, inspection);
      this.#openedIn(inspection).set(compactionId, compaction.replaced);
      return { rows: marked(compactionId, builder.rowsBeneath(inspection, compaction)), unread: null };
    }
    const { messages, entries, unread } = await earlierMessages(inspection);
    this.#openedIn(inspection).set(earlierRows, messages);
    this.#earlier = new Map(entries.map(({ id, origin }) => [id, origin]));
    const rows = builder.rowsBeneath(inspection, outsideContext(messages, inspection));
    return { rows: marked(earlierRows, rows), unread };
  }

  #openedIn(inspection: Inspection): Map<string, Messages> {
    const opened = this.#opened.get(inspection) ?? new Map<string, Messages>();
    this.#opened.set(inspection, opened);
    return opened;
  }

  /** Searches the context, then the messages beneath opened blocks. */
  #firstIn<T>(look: (messages: Messages, inspection: Inspection) => T | null): T | null {
    const inspection = this.shown();
    for (const messages of [inspection.context.messages, ...this.#openedIn(inspection).values()]) {
      const found = look(messages, inspection);
      if (found) return found;
    }
    return null;
  }
}

type RowMethods =
  | 'rows-beneath'
  | 'read-row'
  | 'read-images'
  | 'find-rows'
  | 'reveal-row'
  | 'reveal-entry'
  | 'reveal-issue';

export function rowHandlers({ inspector }: RowContext, rows: ShownRows): Pick<RequestHandlers, RowMethods> {
  let searches = 0;
  return {
    'rows-beneath': ({ compactionId }) => rows.beneath(compactionId),
    'read-row': async ({ key }) => rows.find(key),
    'read-images': async ({ key }) => rows.images(key),
    'find-rows': async ({ words }) => {
      searches += 1;
      const search = searches;
      const { context, session } = rows.shown();
      const searched = { messages: context.messages, conversation: session.conversation };
      return { keys: await findRows(words, searched, () => search === searches) };
    },
    'reveal-row': async ({ key }) => await reveal(inspector.required(), rows.find(key).origin),
    'reveal-entry': async ({ entryId }) => {
      const inspection = inspector.required();
      await reveal(inspection, originOf(inspection, entryId));
    },
    'reveal-issue': async (place) => await reveal(inspector.required(), place),
  };
}

interface Place {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Opens the record in the session file that something on screen came from. */
async function reveal({ session }: Inspection, place: Place | null): Promise<void> {
  if (session.store)
    throw new OperationRefused(vscode.l10n.t('This conversation is in a store, which has no file to show.'));
  if (!place) throw new Outdated(vscode.l10n.t('This row combines several records. Open it to reach each of them.'));
  const at = new vscode.Position(Math.max(0, place.line - 1), 0);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.file));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: true });
}

function originOf({ session }: Inspection, entryId: string): Place | null {
  const origin = session.conversation.entries.find((entry) => entry.id === entryId)?.origin;
  // A database has no lines to show in an editor.
  return origin === undefined || origin.line === 0 ? null : origin;
}

/** Separates the compaction's id in row keys: the same entry can be beneath two opened compactions. */
const beneathMark = '↓';

function marked(compactionId: string, rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, key: `${compactionId}${beneathMark}${row.key}` }));
}

/** The key that a row has in its own list of messages. */
export function rowKeyOf(key: string): string {
  return key.slice(key.lastIndexOf(beneathMark) + 1);
}
