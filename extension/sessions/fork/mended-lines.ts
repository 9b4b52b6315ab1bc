import { toolResults } from '../../engine/conversation/entry';
import { localizable } from '../../engine/wording/localizable-text';
import type { JsonRecord } from '../../platform/json/schemas';
import { type Line, recordsIn } from '../../platform/lines/line';
import { StrayResults } from '../records/stray-results';
import type { ParsedSession } from '../session';
import { type Chance, ForkRefused, type MendRules } from './fork-format';

interface MendOrder {
  readonly original: ParsedSession;
  readonly lines: () => AsyncIterable<Line>;
  readonly chance: Chance;
}

/**
 * The records of a session, completed so that its agent can read them: the first record is added, each record names the one before it, and
 * results without a call become text. Other records stay unchanged.
 */
export async function* mendedLines(rules: MendRules, { original, lines, chance }: MendOrder): AsyncIterable<Line> {
  const strays = strayTexts(original);
  const { links, beginning } = rules;
  const found = await survey(rules, lines());
  let needsBeginning = beginning !== undefined && !found.hasBeginning;
  let newest: unknown = null;
  for await (const { record, line } of recordsIn(lines())) {
    if (needsBeginning && beginning !== undefined) {
      const made = beginning.make(original, record, chance);
      newest = idInChain(made, rules);
      yield { number: 0, text: recordLine(made) };
    }
    needsBeginning = false;
    const parent = links === undefined ? undefined : record[links.parent];
    const isLost = typeof parent === 'string' && parent !== '' && !found.ids.has(parent) && parent !== newest;
    const linked = links !== undefined && isLost ? { ...record, [links.parent]: newest } : record;
    const mended = strays.size > 0 ? rules.asText(linked, strays) : linked;
    yield mended === record ? line : { number: line.number, text: recordLine(mended) };
    newest = idInChain(record, rules) ?? newest;
  }
}

/** The id of a record that others may follow; headers are outside the chain. */
function idInChain(record: JsonRecord, { links }: MendRules): unknown {
  return links !== undefined && links.parent in record ? record[links.id] : null;
}

async function survey({ links, beginning }: MendRules, lines: AsyncIterable<Line>) {
  const ids = new Set<unknown>();
  let hasBeginning = false;
  for await (const { record } of recordsIn(lines)) {
    if (links !== undefined) ids.add(record[links.id]);
    hasBeginning ||= record.type === beginning?.type;
  }
  return { ids, hasBeginning };
}

/** The texts of results whose calls are not in the session, by call id. */
function strayTexts({ conversation }: ParsedSession): ReadonlyMap<string, string> {
  const strays = new StrayResults().in(conversation.entries);
  return new Map(
    strays.flatMap(({ parts }) => toolResults(parts).map(({ callId, text }) => [callId, strayText(text)] as const)),
  );
}

function strayText(text: string): string {
  return `[The result of a tool call that was lost from this session]\n${text}`;
}

/**
 * A record as a line. Parsing accepts any nesting depth, but serializing needs a stack frame per level, so it can fail.
 */
export function recordLine(record: JsonRecord): string {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ForkRefused(localizable('A record of this session is nested too deeply to be written again.'));
  }
}
