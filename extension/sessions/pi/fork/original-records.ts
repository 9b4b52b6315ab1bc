import type { ForkPiece } from '../../fork/fork-format';
import { asCount, asName, asRecord, type JsonRecord } from '../../records/json';
import { type Line, readLine } from '../../records/line';

/** What the file says of the entries that are to be written again, and of itself. */
export interface OriginalRecords {
  readonly version: number;
  /** By line. */
  readonly records: ReadonlyMap<number, JsonRecord>;
  /** Every id in the file, with how often it occurs. */
  readonly ids: ReadonlyMap<string, number>;
  /** The id of the newest record: what comes next follows it. */
  readonly leaf: string | null;
  /** Who replied last: `api`, `provider` and `model` of that message. */
  readonly speaker: JsonRecord;
  /** The prompt as pi keeps it since 0.87; null where it was changed in pieces, or is not kept. */
  readonly prompt: JsonRecord | null;
  /** The newest record of each setting that pi takes from the records. */
  readonly settings: readonly JsonRecord[];
}

const settingTypes = new Set(['model_change', 'thinking_level_change']);

export async function originalRecords(
  pieces: readonly ForkPiece[],
  lines: AsyncIterable<Line>,
): Promise<OriginalRecords> {
  const wanted = new Set(pieces.flatMap((piece) => (piece.kind === 'text' ? [] : [piece.entry.origin.line])));
  const records = new Map<number, JsonRecord>();
  const ids = new Map<string, number>();
  const settings = new Map<string, JsonRecord>();
  let version: number | null = null;
  let leaf: string | null = null;
  let speaker: JsonRecord = {};
  let prompts: readonly JsonRecord[] = [];
  for await (const line of lines) {
    const reading = readLine(line);
    if (reading.kind !== 'record') continue;
    const { record } = reading;
    const type = asName(record.type) ?? '';
    if (type === 'session') {
      version ??= asCount(record.version) ?? 1;
      continue;
    }
    leaf = asName(record.id) ?? leaf;
    if (leaf !== null) ids.set(leaf, (ids.get(leaf) ?? 0) + 1);
    if (settingTypes.has(type)) settings.set(type, record);
    speaker = speakerOf(record) ?? speaker;
    prompts = promptsWith(prompts, record);
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

/** The first message tells the whole prompt, later ones what changed; a compaction tells the whole of it again. */
function promptsWith(prompts: readonly JsonRecord[], record: JsonRecord): readonly JsonRecord[] {
  const checkpoint = record.type === 'compaction' ? asRecord(record.systemMessage) : null;
  if (checkpoint !== null) return [checkpoint];
  const message = record.type === 'message' ? asRecord(record.message) : null;
  return message?.role === 'system' ? [...prompts.slice(0, 1), message] : prompts;
}

function speakerOf(record: JsonRecord): JsonRecord | null {
  if (record.type === 'model_change') return { provider: record.provider, model: record.modelId };
  const message = asRecord(record.message);
  if (message?.role !== 'assistant') return null;
  return { api: message.api, provider: message.provider, model: message.model };
}
