import type { AgentCompaction, Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import type { ForkedBlock, ForkedContext } from '../../engine/conversation/forked';
import { parsedJson } from '../../platform/json/json-text';
import * as s from '../../platform/json/schemas';

/** The field of a record in which Strata describes a fork. Agents ignore it. */
const field = 'strata';

/** The kind of content that Strata wrote into a message of a fork. */
export type ForkedMessage =
  | { readonly kind: 'core' }
  | { readonly kind: 'block'; readonly block: ForkedBlock }
  /** An earlier summary of the agent, by the id of its entry in the original. */
  | { readonly kind: 'summary'; readonly of: string };

/** The session that a fork was made from. */
export interface ForkOrigin {
  readonly id: string;
  readonly file: string;
  readonly title: string | null;
}

/** Records that a fork has in addition to the copy. */
export interface WrittenContext extends Pick<ForkedContext, 'tokens' | 'calibration'> {
  /** Size of the context that it replaced, in the provider's unit. */
  readonly tokensBefore: number;
  /** By entry id, as the fork is read. */
  readonly messages: ReadonlyMap<string, ForkedMessage>;
}

/** The first line of a fork with the name of its original. A native copy of the fork has another id, so it does not say so. */
export function lineWithOrigin(line: string, id: string, { file, title, id: of }: ForkOrigin): string {
  const record = s.read(s.jsonRecord, parsedJson(line));
  if (record === null) return line;
  const mark = { fork: id, of, file, ...(title === null ? {} : { title }) };
  if (field in record) return JSON.stringify({ ...record, [field]: mark });
  // The rest of the line stays as it is, numbers included.
  const rest = line.slice(line.indexOf('{') + 1);
  return `{${JSON.stringify(field)}:${JSON.stringify(mark)}${Object.keys(record).length === 0 ? '' : ','}${rest}`;
}

export function withWritten(record: s.JsonRecord, { messages, ...sizes }: WrittenContext): s.JsonRecord {
  const written = [...messages].map(([id, { kind, ...message }]) => {
    return 'block' in message ? { id, ...message.block } : { id, ...message };
  });
  return { ...record, [field]: { ...sizes, messages: written } };
}

const originMark = s.record({ fork: s.name, of: s.name, file: s.name, title: s.name });

/** The session that a record's fork was made from, with the id of the fork. */
export function originIn(record: s.JsonRecord): { readonly fork: string; readonly origin: ForkOrigin } | null {
  if (!(field in record)) return null;
  const { fork, of, file, title } = s.read(originMark, record[field]);
  return fork === null || of === null || file === null ? null : { fork, origin: { id: of, file, title } };
}

const blockMark = s.record({
  id: s.name,
  of: s.name,
  seq: s.count,
  run: s.count,
  strategy: s.text,
  tier: s.name,
  metadata: s.record({ summary_type: s.name, turn_count: s.countOrZero, entries_summarized: s.count }),
  entryIds: s.texts,
  tokensBefore: s.countOrZero,
  displayLine: s.name,
});
const writtenMark = s.record({
  tokens: s.count,
  tokensBefore: s.countOrZero,
  calibration: s.record({
    ratio: s.count,
    derived: s.countOrZero,
    remainder: s.optionalRecord({ tokens: s.countOrZero, hasEarlier: s.flag }),
  }),
  messages: s.records({ id: s.name }),
});

export function writtenIn(record: s.JsonRecord): WrittenContext | null {
  if (!(field in record)) return null;
  const { tokens, tokensBefore, calibration } = s.read(writtenMark, record[field]);
  if (tokens === null || calibration.ratio === null) return null;
  const { messages } = s.read(s.record({ messages: s.jsonRecords }), record[field]);
  return {
    tokens,
    tokensBefore,
    calibration: { ...calibration, ratio: calibration.ratio },
    messages: new Map(messages.flatMap(messageIn)),
  };
}

function messageIn(value: s.JsonRecord): [string, ForkedMessage][] {
  const { id, of, seq, run, metadata, ...block } = s.read(blockMark, value);
  if (id === null) return [];
  if (of !== null) return [[id, { kind: 'summary', of }]];
  const { summary_type: type, turn_count: turns, entries_summarized: entries } = metadata;
  if (seq === null || run === null || type === null) return [[id, { kind: 'core' }]];
  const own = { summarized: true, summary_type: type, turn_count: turns } as const;
  const whole = { ...own, ...(entries === null ? {} : { entries_summarized: entries }) };
  return [[id, { kind: 'block', block: { seq, run, ...block, metadata: whole } }]];
}

/** The messages of a session that Strata wrote, and the contexts in which they were written. */
export class ForkedSession {
  readonly #messages = new Map<string, ForkedMessage>();
  /** Ids of the newest entries that repeat summaries of the agent, by the id of the summary. */
  readonly #repeated = new Map<string, string>();
  readonly #contexts: (ForkedContext & Pick<WrittenContext, 'tokensBefore'>)[] = [];
  readonly #known = new WeakMap<Entry, Entry>();

  note({ messages, ...sizes }: WrittenContext, now: NowWritten): void {
    for (const [id, message] of messages) {
      this.#messages.set(id, message);
      if (message.kind === 'summary') this.#repeated.set(this.#summaryOf(message.of), id);
    }
    this.#contexts.push({ ...now, ...sizes });
  }

  /** How many entries there were when a context was written last; null if none was. */
  get entryCount(): number | null {
    return this.#contexts.at(-1)?.entryCount ?? null;
  }

  /** Marks the messages and compactions that Strata wrote. Returns the same conversation if there are none. */
  in(conversation: Conversation): Conversation {
    const newest = this.#contexts.at(-1);
    if (newest === undefined) return conversation;
    const { entries, agentContext, agentCompactions } = conversation;
    const isNow = (agentCompactions.at(-1)?.id ?? null) === newest.compactionId;
    const { tokensBefore: _before, ...fork } = newest;
    return {
      ...conversation,
      entries: entries.map((entry) => this.#marked(entry)),
      agentContext: agentContext.map((entry) => this.#marked(entry)),
      agentCompactions: agentCompactions.map((compaction) => this.#byStrata(compaction)),
      ...(isNow ? { fork } : {}),
    };
  }

  /** The same entry each time, so that unchanged messages can be recognised. */
  #marked(entry: Entry): Entry {
    const message = this.#messages.get(entry.id);
    if (message === undefined) return entry;
    const known = this.#known.get(entry);
    if (known !== undefined) return known;
    const marked: Entry = { ...entry, ...marksOf(message) };
    this.#known.set(entry, marked);
    return marked;
  }

  #byStrata(compaction: AgentCompaction): AgentCompaction {
    const repeatedBy = this.#repeated.get(compaction.summaryEntryId ?? '');
    if (repeatedBy !== undefined) return { ...compaction, repeatedBy };
    const context = this.#contexts.findLast(({ compactionId }) => compactionId === compaction.id);
    if (context === undefined) return compaction;
    const { tokensBefore, tokens, entryIds } = context;
    return { ...compaction, tokensBefore, tokensAfter: tokens, byStrata: entryIds };
  }

  /** The id of the original summary: a fork of a fork repeats a summary that was already a repetition. */
  #summaryOf(id: string): string {
    return [...this.#repeated].find(([, repeatedBy]) => repeatedBy === id)?.[0] ?? id;
  }
}

function marksOf(message: ForkedMessage): Pick<Entry, 'core' | 'block' | 'summary'> {
  switch (message.kind) {
    case 'core':
      return { core: true };
    case 'block':
      return { block: message.block };
    case 'summary':
      return { summary: true };
  }
}

type NowWritten = Pick<ForkedContext, 'compactionId' | 'entryIds' | 'entryCount'>;
