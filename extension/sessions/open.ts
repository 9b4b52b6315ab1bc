import { type LocalizableText, localizable } from '../engine/wording/localizable-text';
import { type AgentEnvironment, processEnvironment } from '../platform/files/environment';
import { type NoFile, withFile } from '../platform/files/with-file';
import type { LineFormat, SessionAdapter, StoreFormat } from './adapter';
import { adapterOf, lineFormats, storeFormats } from './adapters';
import { addressText, readAddress, type SessionAddress } from './address';
import { LineReading, type ReadingStart, tornLineIssue } from './line-reading';
import { isLive, liveMilliseconds } from './live';
import type { SessionReading } from './reading';
import { recognisedStore } from './recognised-store';
import { agentNames, type Session, type SessionIssue, type Subagent } from './session';

export type NotOpened =
  | NoFile
  | {
      readonly kind: 'empty' | 'binary' | 'foreign';
      /** A sentence for a person; names the file. */
      readonly message: LocalizableText;
    };

export type OpenOutcome = { readonly kind: 'opened'; readonly session: Session } | NotOpened;

export interface OpenOptions {
  /** The adapter for the file, if it is known; otherwise every agent's adapter is tried. */
  readonly adapter?: SessionAdapter;
  readonly environment?: AgentEnvironment;
  readonly now?: () => number;
}

/**
 * Reads the current state of a session by its address. Its file is never written, and never held in memory as a whole.
 */
export async function openSession(address: string, options: OpenOptions = {}): Promise<OpenOutcome> {
  const start = await startReading(address, options.adapter);
  if (start.kind !== 'reading') return start;
  const { reading } = start;
  const torn = reading.tornLine;
  const issues = torn === null ? [] : [tornLineIssue(reading.parsed.file, torn)];
  return { kind: 'opened', session: await sessionOf(reading, issues, options) };
}

type Start = { readonly kind: 'reading'; readonly reading: SessionReading } | NotOpened;

export async function startReading(address: string, adapter: SessionAdapter | undefined): Promise<Start> {
  const formats = adapter === undefined ? { lines: lineFormats, stores: storeFormats } : onlyOf(adapter);
  let first: NotOpened | null = null;
  for (const place of readAddress(address)) {
    const start = await startAt(place, formats);
    if (start.kind !== 'missing') return start;
    first ??= start;
  }
  return first ?? { kind: 'missing', message: localizable('There is no file {0}', address) };
}

interface Formats {
  readonly lines: readonly LineFormat[];
  readonly stores: readonly StoreFormat[];
}

/** If a person chose the agent, the file's first bytes are not checked. */
function onlyOf(adapter: SessionAdapter): Formats {
  return adapter.kind === 'lines'
    ? { lines: [{ ...adapter, recognises: () => true }], stores: [] }
    : { lines: [], stores: [{ ...adapter, recognises: () => true }] };
}

async function startAt(place: SessionAddress, { lines, stores }: Formats): Promise<Start> {
  const { file, key } = place;
  const found = await withFile<Start | { readonly kind: 'store'; readonly store: StoreFormat }>(
    file,
    async (handle) => {
      const store = await recognisedStore(file, handle, stores);
      if (store !== undefined) return { kind: 'store', store };
      const start = await LineReading.start(file, handle, lines, key);
      if (key !== null && !hasConversation(start))
        return { kind: 'missing', message: localizable('There is no file {0}', addressText(place)) };
      return start.kind === 'reading' ? start : notASession(file, start.kind);
    },
  );
  return found.kind === 'store' ? await found.store.open(file, key) : found;
}

function hasConversation(start: ReadingStart): boolean {
  return start.kind === 'reading' && start.reading.parsed.conversation.entries.length > 0;
}

/**
 * The present session of a reading, with issues of the file that the reading itself does not know. `known`: its
 * subagents, if they cannot have changed.
 */
export async function sessionOf(
  reading: SessionReading,
  fileIssues: readonly SessionIssue[],
  options: Pick<OpenOptions, 'environment' | 'now'>,
  known: readonly Subagent[] | null = null,
): Promise<Session> {
  const { parsed, modified } = reading;
  const { id, awaitsReply } = parsed;
  const adapter = adapterOf(parsed.agent);
  const occupancy = await adapter.occupancy?.(options.environment ?? processEnvironment());
  const inUse = reading.inUse === true || occupancy?.inUse.has(id) === true;
  const isLeft = occupancy?.left.has(id) === true;
  const live = isLive({ inUse, isLeft, modified, awaitsReply }, (options.now ?? Date.now)());
  const rest = live && !inUse ? { restsFrom: modified + liveMilliseconds } : {};
  const cwd = parsed.cwd ?? (await adapter.folderOf?.(parsed.file)) ?? null;
  const subagents = known ?? parsed.subagents ?? (await adapter.subagentsOf?.(parsed)) ?? [];
  return { ...parsed, cwd, live, ...rest, subagents, issues: [...fileIssues, ...parsed.issues] };
}

function notASession(file: string, kind: Exclude<ReadingStart['kind'], 'reading'>): NotOpened {
  switch (kind) {
    case 'empty':
      return { kind, message: localizable('{0} is empty', file) };
    case 'binary':
      return { kind, message: localizable('{0} is not a text file', file) };
    case 'foreign':
      return { kind, message: localizable('{0} is not a session of {1}', file, Object.values(agentNames).join(', ')) };
  }
}
