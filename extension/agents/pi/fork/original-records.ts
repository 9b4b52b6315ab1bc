import * as s from '../../../platform/json/schemas';
import { type Line, recordsIn } from '../../../platform/lines/line';
import { type ForkPiece, linesOfPieces } from '../../../sessions/fork/fork-format';

/** The records of the entries that are written again, and what the file says about itself. */
export interface OriginalRecords {
  readonly version: number;
  /** By line. */
  readonly records: ReadonlyMap<number, s.JsonRecord>;
  /** Every id in the file, with the number of its occurrences. */
  readonly ids: ReadonlyMap<string, number>;
  /** The id of the newest record, which the next one follows. */
  readonly leaf: string | null;
  /** `api`, `provider` and `model` of the newest reply. */
  readonly speaker: s.JsonRecord;
  /** The prompt as pi stores it since 0.87; null if it was changed in pieces, or is not stored. */
  readonly prompt: s.JsonRecord | null;
  /** The newest record of each setting that pi reads from the records. */
  readonly settings: readonly s.JsonRecord[];
}

const settingTypes = new Set(['model_change', 'thinking_level_change']);
const fieldsOfAll = s.record({ type: s.text, id: s.name, version: s.count, message: s.jsonRecord });

export async function originalRecords(
  pieces: readonly ForkPiece[],
  lines: AsyncIterable<Line>,
): Promise<OriginalRecords> {
  const wanted = linesOfPieces(pieces);
  const records = new Map<number, s.JsonRecord>();
  const ids = new Map<string, number>();
  const settings = new Map<string, s.JsonRecord>();
  let version: number | null = null;
  let leaf: string | null = null;
  let speaker: s.JsonRecord = {};
  let prompts: readonly s.JsonRecord[] = [];
  for await (const { record, line } of recordsIn(lines)) {
    const fields = s.read(fieldsOfAll, record);
    if (fields.type === 'session') {
      version ??= fields.version ?? 1;
      continue;
    }
    leaf = fields.id ?? leaf;
    if (leaf !== null) ids.set(leaf, (ids.get(leaf) ?? 0) + 1);
    if (settingTypes.has(fields.type)) settings.set(fields.type, record);
    speaker = speakerOf(record, fields.message) ?? speaker;
    prompts = promptsWith(prompts, record, fields.message);
    if (wanted.has(line.number)) records.set(line.number, record);
  }
  const [prompt = null, ...changes] = prompts;
  return {
    version: version ?? 1,
    records,
    ids,
    leaf,
    speaker,
    prompt: changes.length === 0 ? prompt : null,
    settings: [...settings.values()],
  };
}

/** The first message has the whole prompt, later ones have changes; a compaction has the whole prompt again. */
function promptsWith(
  prompts: readonly s.JsonRecord[],
  record: s.JsonRecord,
  message: s.JsonRecord | null,
): readonly s.JsonRecord[] {
  const checkpoint = record.type === 'compaction' ? s.read(s.jsonRecord, record.systemMessage) : null;
  if (checkpoint !== null) return [checkpoint];
  return record.type === 'message' && message?.role === 'system' ? [...prompts.slice(0, 1), message] : prompts;
}

function speakerOf(record: s.JsonRecord, message: s.JsonRecord | null): s.JsonRecord | null {
  if (record.type === 'model_change') return { provider: record.provider, model: record.modelId };
  if (message?.role !== 'assistant') return null;
  return { api: message.api, provider: message.provider, model: message.model };
}
