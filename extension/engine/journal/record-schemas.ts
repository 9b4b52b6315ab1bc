import * as v from 'valibot';
import type { LossReport } from '../block/loss';
import { type Memory, observationTypes } from '../block/memory';
import { isSectionName, type SectionName } from '../block/sections';
import { coreItemStatuses, pinKinds } from '../core/core';
import type { JournalRecord } from './records';

/*
 * A checksum only proves that some version of Strata wrote a record, not that this version can use it. A record that
 * does not fit its schema counts as damaged; the rest of the journal stays usable. Additional fields are allowed.
 */

const text = v.string();
const texts = v.array(text);
const textOrNull = v.nullable(text);
const number = v.number();
const wholeNumber = v.pipe(number, v.safeInteger(), v.minValue(0));
const wholeNumbers = v.array(wholeNumber);

const base = { seq: wholeNumber, time: text };

const item = { text, entryId: text };
const tally = v.object({ named: number, unnamed: number, listed: v.array(v.object(item)) });

const report: v.GenericSchema<unknown, LossReport> = v.object({
  messages: v.object({
    whole: number,
    shortened: number,
    gone: number,
    listed: v.array(v.object({ ...item, fate: v.picklist(['shortened', 'gone']) })),
  }),
  files: tally,
  open: tally,
  outputs: v.object({ count: number, tokens: number, largest: v.array(v.object({ ...item, tokens: number })) }),
});

const loss = v.nullable(report);

const sectionName = v.custom<SectionName>((value) => typeof value === 'string' && isSectionName(value));

const by = v.picklist(['model', 'extraction']);

const memory: v.GenericSchema<unknown, Memory> = v.looseObject({
  notes: v.array(
    v.looseObject({
      id: text,
      content: text,
      keywords: texts,
      tags: texts,
      context: text,
      category: text,
      links: texts,
      timestamp: textOrNull,
      entryIds: texts,
      evolution: texts,
      retrievals: number,
      lastRetrieved: textOrNull,
      by,
    }),
  ),
  observations: v.array(
    v.looseObject({
      id: text,
      type: v.picklist(observationTypes),
      title: text,
      subtitle: text,
      facts: texts,
      narrative: text,
      concepts: texts,
      filesRead: texts,
      filesModified: texts,
      discoveryTokens: number,
      timestamp: textOrNull,
      entryIds: texts,
      by,
    }),
  ),
  summaries: v.array(
    v.looseObject({
      id: text,
      request: text,
      investigated: text,
      learned: text,
      completed: text,
      nextSteps: text,
      notes: text,
      timestamp: textOrNull,
    }),
  ),
});

const compaction = {
  ...base,
  run: wholeNumber,
  runLength: wholeNumber,
  strategy: text,
  parameters: v.record(text, v.union([number, v.boolean(), texts])),
  trigger: v.picklist(['manual', 'automatic']),
  instructions: textOrNull,
  summarizer: v.looseObject({ name: text, model: textOrNull }),
  promptHash: textOrNull,
  summaryType: text,
  turnCount: number,
  entryIds: texts,
  swallowed: wholeNumbers,
  tokensBefore: number,
  tokensAfter: number,
  tokensSpent: v.looseObject({ input: number, output: number }),
  durationMs: number,
  text,
  resultTexts: v.exactOptional(v.record(text, text)),
  spans: v.array(v.looseObject({ section: v.nullable(sectionName), text, entryId: text })),
  loss,
  displayLine: v.exactOptional(text),
  tier: v.exactOptional(text),
  place: v.exactOptional(v.picklist(['first', 'last'])),
  entriesSummarized: v.exactOptional(number),
  repaired: v.exactOptional(texts),
  edited: v.exactOptional(v.literal(true)),
  effect: v.exactOptional(v.literal('agent')),
  newestEntryId: v.exactOptional(text),
  cacheTokensInvalidated: v.exactOptional(number),
  contextTokens: v.exactOptional(v.looseObject({ before: number, after: number })),
  wholeRun: v.exactOptional(
    v.looseObject({
      strategy: text,
      tokensSpent: v.looseObject({ input: number, output: number }),
      loss: v.exactOptional(report),
    }),
  ),
  memory: v.exactOptional(memory),
};

const writing = v.looseObject({
  summarizer: compaction.summarizer,
  promptHash: textOrNull,
  tokensSpent: compaction.tokensSpent,
  durationMs: number,
  spans: compaction.spans,
  repaired: compaction.repaired,
  edited: compaction.edited,
});

const coreItem = v.looseObject({
  id: text,
  kind: v.picklist(pinKinds),
  text,
  rationale: textOrNull,
  timestamp: text,
  entryId: textOrNull,
  status: v.picklist(coreItemStatuses),
  proposedBy: v.exactOptional(text),
});

type Kind = JournalRecord['kind'];

type RecordSchemas = { readonly [K in Kind]: v.GenericSchema<unknown, Extract<JournalRecord, { kind: K }>> };

const recordSchemas: RecordSchemas = {
  header: v.looseObject({
    kind: v.literal('header'),
    ...base,
    version: number,
    session: v.looseObject({ agent: text, id: text, file: text }),
  }),
  version: v.looseObject({ kind: v.literal('version'), ...base, version: number }),
  compaction: v.looseObject({ kind: v.literal('compaction'), ...compaction }),
  prepared: v.looseObject({
    kind: v.literal('prepared'),
    ...base,
    strategy: text,
    records: v.array(v.looseObject({ kind: v.literal('compaction'), ...compaction })),
    model: textOrNull,
    contextTokens: number,
    tokensSpent: compaction.tokensSpent,
  }),
  edit: v.looseObject({
    kind: v.literal('edit'),
    ...base,
    compaction: wholeNumber,
    text,
    tokensAfter: number,
    loss,
    writing: v.exactOptional(writing),
  }),
  undo: v.looseObject({ kind: v.literal('undo'), ...base, compactions: wholeNumbers }),
  redo: v.looseObject({ kind: v.literal('redo'), ...base, compactions: wholeNumbers }),
  pin: v.looseObject({ kind: v.literal('pin'), ...base, item: coreItem }),
  'core-change': v.looseObject({
    kind: v.literal('core-change'),
    ...base,
    itemId: text,
    status: v.picklist(coreItemStatuses),
  }),
  'core-edit': v.looseObject({ kind: v.literal('core-edit'), ...base, itemId: text, text, rationale: textOrNull }),
  'core-order': v.looseObject({ kind: v.literal('core-order'), ...base, itemIds: texts }),
};

/** Result of checking a record with a valid checksum. `wrong` names the first invalid field. */
export type CheckedRecord =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'wrong'; readonly field: string }
  /** Not a record. */
  | { readonly kind: 'none' }
  /** A kind that this version does not know. */
  | { readonly kind: 'unknown'; readonly name: string };

const anyRecord = v.looseObject({ kind: text, seq: number });

export function checkedRecord(value: unknown): CheckedRecord {
  if (!v.is(anyRecord, value)) return { kind: 'none' };
  const schema = Object.hasOwn(recordSchemas, value.kind) ? recordSchemas[value.kind as Kind] : undefined;
  if (schema === undefined) return { kind: 'unknown', name: value.kind };
  const checked = v.safeParse(schema, value, { abortEarly: true });
  if (checked.success) return { kind: 'record', record: value as unknown as JournalRecord };
  return { kind: 'wrong', field: v.getDotPath(checked.issues[0]) ?? '' };
}
