import { type Entry, type Part, toolCalls, toolResults } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import {
  type CompactedOrder,
  type EntryPiece,
  type ForkPiece,
  hasContent,
  partsOf,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import { syntheticModel } from '../format/reply';
import { blocksLeft, messageBlocks, messageContent, replyBlocks, resultBlock, writtenResult } from './blocks';
import type { OriginalRows } from './original-rows';

/** Fields that all rows written by one version share. */
const commonFields = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch', 'slug'] as const;

/** Providers reject a conversation that starts with a reply. */
const leadIn = 'The conversation goes on from here; what came before was left out.';

/** Usage of copied replies. Their real usage is in the original and would make Claude Code compact at once. */
const noUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/**
 * A compaction as Claude Code itself writes it: a boundary, the summary, and the messages after it. The messages are
 * written again in one chain, because rows from before a boundary can only be preserved unchanged and directly after
 * the summary. Observed with 2.1.330: without a summary the request starts with the row after the boundary.
 */
export class CompactedRows {
  readonly #newUuids = new Map<string, string>();
  readonly #common: s.JsonRecord;
  #parent: string | null = null;
  /**
   * Whether text was written since the newest reply. Claude Code sends attachments before such texts, wherever their
   * rows are in the file.
   */
  #textWasSaid = false;

  constructor(
    private readonly order: CompactedOrder,
    private readonly original: OriginalRows,
  ) {
    const { newest } = original;
    const known = commonFields.flatMap((field) => (newest?.[field] === undefined ? [] : [[field, newest[field]]]));
    this.#common = Object.fromEntries(known) as s.JsonRecord;
  }

  *lines(): Generator<string> {
    for (const row of this.#rows()) yield recordLine(row);
  }

  *#rows(): Generator<s.JsonRecord> {
    const pieces = this.order.pieces.filter(hasContent);
    yield this.#boundary();
    const leading = pieces.findIndex((piece) => piece.kind !== 'text' || piece.role !== 'user');
    const summaries = leading < 0 ? pieces : pieces.slice(0, leading);
    for (const piece of summaries) if (piece.kind === 'text') yield this.#summary(piece.text);
    const rest = pieces.slice(summaries.length);
    const [first] = rest;
    if (summaries.length === 0 && first !== undefined && roleOf(first) === 'assistant') yield this.#note(leadIn);
    for (const piece of rest) yield* this.#piece(piece);
  }

  #boundary(): s.JsonRecord {
    const { before, after } = this.order.tokens;
    return this.#row({
      logicalParentUuid: this.original.newest?.uuid ?? null,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens: before, postTokens: after },
    });
  }

  *#piece(piece: ForkPiece): Generator<s.JsonRecord> {
    if (piece.kind === 'text') yield piece.role === 'user' ? this.#note(piece.text) : this.#reply(piece.text);
    else if (piece.entry.role === 'assistant') yield* this.#replyAgain(piece);
    else if (piece.entry.role === 'tool') yield* this.#resultAgain(piece);
    else if (piece.entry.role === 'user') yield* this.#textAgain(piece);
  }

  #summary(text: string): s.JsonRecord {
    return this.#userRow({ content: text, role: 'user' }, { isVisibleInTranscriptOnly: true, isCompactSummary: true });
  }

  /** A text in the user role that no person wrote. */
  #note(text: string): s.JsonRecord {
    return this.#userRow({ role: 'user', content: text }, { isMeta: true });
  }

  #userRow(message: s.JsonRecord, marks: s.JsonRecord): s.JsonRecord {
    this.#textWasSaid = true;
    return this.#row({ type: 'user', message, ...marks });
  }

  #reply(text: string): s.JsonRecord {
    return this.#replyOf([{ type: 'text', text }]);
  }

  #replyOf(content: readonly s.JsonRecord[]): s.JsonRecord {
    this.#textWasSaid = false;
    const message = {
      id: this.#messageId(),
      type: 'message',
      role: 'assistant',
      model: syntheticModel,
      content,
      stop_reason: content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: noUsage,
    };
    return this.#row({ type: 'assistant', message });
  }

  /**
   * Writes a reply with a new message id, because rows with the old id would count as parts of the reply before the
   * boundary.
   */
  *#replyAgain(piece: EntryPiece): Generator<s.JsonRecord> {
    const rows = this.#rowsOf(piece.entry);
    const parts = partsOf(piece);
    const id = this.#messageId();
    let isSaid = false;
    for (const row of rows) {
      const message = messageOf(row);
      const blocks = s.read(s.list, message.content);
      const content = piece.kind === 'edited' ? blocksLeft(blocks, parts) : blocks;
      if (content.length === 0) continue;
      isSaid = true;
      // Versions without stop reasons omit them in finished replies too.
      const stop_reason = message.stop_reason ?? stopReason(parts);
      yield this.#again(row, { message: { ...message, id, content, stop_reason, usage: noUsage } });
    }
    // No row contains the placeholder that Claude Code sends for an empty reply.
    if (!isSaid) yield this.#replyOf(replyBlocks(parts));
    this.#textWasSaid = false;
  }

  /** Results in one row are separate pieces, so each gets a row of its own. */
  *#resultAgain({ kind, entry, ...edit }: EntryPiece): Generator<s.JsonRecord> {
    const [row] = this.#rowsOf(entry);
    const callId = toolResults(entry.parts)[0]?.callId ?? '';
    const recorded = resultBlock(row, callId);
    const own = kind === 'original' ? recorded : null;
    const content = own === null ? writtenResult('parts' in edit ? edit : entry, recorded) : [own];
    const isAlone = own !== null && messageContent(row).length === 1;
    const detail = isAlone ? {} : { toolUseResult: undefined };
    yield this.#again(row ?? { type: 'user' }, { message: { role: 'user', content }, ...detail });
  }

  *#textAgain(piece: EntryPiece): Generator<s.JsonRecord> {
    const [row] = this.#rowsOf(piece.entry);
    const parts = partsOf(piece);
    const isWhole = piece.kind === 'original' && row !== undefined;
    if (isWhole && row.type === 'attachment' && this.#keepsItsPlace(row)) {
      this.#textWasSaid ||= isTyped(row);
      yield this.#again(row, {});
    } else if (isWhole && row.type !== 'attachment') {
      this.#textWasSaid = true;
      yield this.#again(row, row.type === 'user' ? { message: textMessage(row), toolUseResult: undefined } : {});
    } else {
      yield this.#userRow(
        { role: 'user', content: messageBlocks(parts, blocksOf(row)) },
        {
          ...(piece.entry.injected ? { isMeta: true } : {}),
          ...(piece.entry.summary ? { isCompactSummary: true } : {}),
        },
      );
    }
  }

  #keepsItsPlace(row: s.JsonRecord): boolean {
    return !this.#textWasSaid || isTyped(row);
  }

  #rowsOf(entry: Entry): readonly s.JsonRecord[] {
    return this.original.rows.get(entry.origin.line) ?? [];
  }

  /** Copies a row to its new place. */
  #again(row: s.JsonRecord, changes: s.JsonRecord): s.JsonRecord {
    const { uuid, parentUuid: _parent, sessionId: _session, timestamp: _time, ...fields } = row;
    const answered = this.#newUuids.get(s.read(s.text, row.sourceToolAssistantUUID));
    const source = row.sourceToolAssistantUUID === undefined ? {} : { sourceToolAssistantUUID: answered };
    return this.#row({ ...fields, ...source, ...changes }, s.read(s.name, uuid));
  }

  /** Writes a row whose parent is the previous row. */
  #row(fields: s.JsonRecord, oldUuid: string | null = null): s.JsonRecord {
    const { chance, session } = this.order;
    const uuid = chance.uuid();
    const row = {
      parentUuid: this.#parent,
      isSidechain: false,
      ...this.#common,
      sessionId: session.id,
      ...fields,
      uuid,
      timestamp: chance.now().toISOString(),
    };
    if (oldUuid !== null) this.#newUuids.set(oldUuid, uuid);
    this.#parent = uuid;
    return row;
  }

  #messageId(): string {
    return `msg_${this.order.chance.uuid().replaceAll('-', '')}`;
  }
}

function stopReason(parts: readonly Part[]): string {
  return toolCalls(parts).length > 0 ? 'tool_use' : 'end_turn';
}

const attachmentRow = s.record({
  attachment: s.record({ type: s.name, prompt: s.list }),
  rendered: s.records({ content: s.list }),
});

function messageOf({ message }: s.JsonRecord): s.JsonRecord {
  return s.read(s.jsonRecord, message) ?? {};
}

/** The content of a message, or of an attachment as it is sent. */
function blocksOf(row: s.JsonRecord | undefined): readonly unknown[] {
  if (row?.type !== 'attachment') return messageContent(row);
  const { attachment, rendered } = s.read(attachmentRow, row);
  return [...attachment.prompt, ...rendered.flatMap(({ content }) => content)];
}

function roleOf(piece: ForkPiece): string {
  return piece.kind === 'text' ? piece.role : piece.entry.role;
}

/** Whether a person typed this while the agent was working: such a row is sent at its place. */
function isTyped(row: s.JsonRecord): boolean {
  return s.read(attachmentRow, row).attachment.type === 'queued_command';
}

/** The message of a row without its results, which are separate pieces. */
function textMessage(row: s.JsonRecord): s.JsonRecord {
  const message = messageOf(row);
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: message.content.filter((block) => !s.isRecord(block) || block.type !== 'tool_result') };
}
