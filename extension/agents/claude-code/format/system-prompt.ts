import type { Entry, Origin, Part } from '../../../engine/conversation/entry';
import { oncePer } from '../../../engine/conversation/once-per';
import { sameItems } from '../../../engine/conversation/same-items';
import * as s from '../../../platform/json/schemas';

const shapeRecord = s.record({
  shape: s.optionalRecord({ system: s.records({ text: s.textOrNull }), tools: s.jsonRecords }),
});
const snapshot = s.record({ tools: s.jsonRecords, systemPrompt: s.texts });

/** A system prompt and its tools, as one record contains them. */
export interface PromptRecord {
  readonly texts: readonly string[];
  readonly tools: readonly s.JsonRecord[];
  /**
   * `shape`: what was sent. `snapshot`: what it was made of: the same text in pieces, without the line that names the
   * program, and without tools until the first request.
   */
  readonly source: 'shape' | 'snapshot';
}

export function promptOfShape(record: s.JsonRecord): PromptRecord | null {
  const { shape } = s.read(shapeRecord, record);
  if (shape === null) return null;
  return { texts: shape.system.flatMap(({ text }) => text ?? []), tools: shape.tools, source: 'shape' };
}

export function promptOfSnapshot(attachment: s.JsonRecord): PromptRecord {
  const { tools, systemPrompt: texts } = s.read(snapshot, attachment);
  return { texts, tools: tools.map((tool) => s.read(s.jsonRecord, tool.schema) ?? tool), source: 'snapshot' };
}

/**
 * The system prompts of a session. Each new prompt is an entry that replaces the one before; a record with more detail
 * about the same prompt updates its entry in place.
 */
export class SystemPrompt {
  #current: { readonly record: PromptRecord; readonly position: number } | null = null;

  /** Position of the newest prompt among all entries. */
  get position(): number | null {
    return this.#current?.position ?? null;
  }

  /** @param end Position of a new entry. */
  note(record: PromptRecord, end: number): PromptChange {
    const before = this.#current;
    const change = before === null ? 'begins' : changeBetween(before.record, record);
    if (change === 'begins') this.#current = { record, position: end };
    if (change === 'refines' && before !== null) this.#current = { record, position: before.position };
    return change;
  }
}

type PromptChange = 'begins' | 'refines' | 'known';

function changeBetween(before: PromptRecord, after: PromptRecord): PromptChange {
  if (before.source !== after.source) return after.source === 'shape' ? 'refines' : 'known';
  if (!sameItems(before.texts, after.texts)) return 'begins';
  if (after.tools.length === 0) return 'known';
  if (before.tools.length === 0) return 'refines';
  return toolsAsJson(before.tools) === toolsAsJson(after.tools) ? 'known' : 'begins';
}

/** Cached, because each request may have a record that is compared with the previous one. */
const toolsAsJson = oncePer((tools: PromptRecord['tools']) => JSON.stringify(tools));

export function promptEntry(id: string, record: PromptRecord, timestamp: string | null, origin: Origin): Entry {
  const texts = record.texts.map((text): Part => ({ type: 'text', text }));
  return { id, role: 'system', parts: [...texts, ...toolParts(record.tools)], timestamp, origin };
}

function toolParts(tools: readonly s.JsonRecord[]): Part[] {
  if (tools.length === 0) return [];
  const names = tools.flatMap((tool) => s.read(s.textOrNull, tool.name) ?? []);
  return [{ type: 'tool_definitions', names, text: toolsAsJson(tools) }];
}
