import { dirname, join } from 'node:path';
import { localizable } from '../../../engine/wording/localizable-text';
import type { JsonRecord } from '../../../platform/json/schemas';
import { recordsIn } from '../../../platform/lines/line';
import type { Chance, CompactedOrder, CopyOrder, ForkFormat, ForkPlace } from '../../../sessions/fork/fork-format';
import { ForkRefused } from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/record-line';
import type { ParsedSession } from '../../../sessions/session';
import { branchBefore } from './branch';
import { CompactedRows } from './compacted-rows';
import { claudeCodeMends } from './mends';
import { recordsOfPieces } from './original-rows';
import { withField } from './own-field';
import { QueuedRecords } from './queued-records';

/**
 * Observed with Claude Code 2.1.330: its own fork keeps the rows and their uuids and changes only the session id, and
 * it accepts a compaction written by another program when it resumes a file.
 */
export const claudeCodeFork: ForkFormat = {
  place,
  copy,
  compacted,
  titled: async ({ session: { id }, title }) => ({ type: 'custom-title', customTitle: title, sessionId: id }),
  mends: claudeCodeMends,
};

function place(original: ParsedSession, chance: Chance): ForkPlace {
  const id = chance.uuid();
  return { id, file: join(dirname(original.file), `${id}.jsonl`) };
}

async function* copy({ original, place: { id }, lines, before }: CopyOrder): AsyncGenerator<string> {
  if (original.parent !== undefined)
    throw new ForkRefused(
      localizable('Claude Code cannot resume the conversation of a subagent, so a fork of it would be useless.'),
    );
  const branch = before === null ? null : await branchBefore(before, lines());
  if (branch?.isEmpty)
    throw new ForkRefused(localizable('Nothing was said before this prompt: start a new conversation with it.'));
  // Claude Code skips unreadable lines too.
  const queued = new QueuedRecords(branch === null ? [] : original.conversation.entries);
  for await (const { record, line } of recordsIn(lines())) {
    queued.note(record, line.number);
    if (branch !== null && !branch.keeps(line.number, record)) continue;
    for (const message of queued.before(line.number)) yield recordLine({ ...message, sessionId: id });
    yield withSessionId(line.text, record, id);
  }
}

/** Changes only the record's own session id: the input of a tool may contain a field of the same name. */
function withSessionId(text: string, record: JsonRecord, id: string): string {
  return typeof record.sessionId === 'string' ? withField(text, 'sessionId', JSON.stringify(id)) : text;
}

async function* compacted(order: CompactedOrder): AsyncGenerator<string> {
  const original = await recordsOfPieces(order.pieces, order.lines());
  yield* new CompactedRows(order, original).lines();
}
