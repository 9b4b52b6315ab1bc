import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, isPrompt, textOf } from '../../engine/conversation/entry';
import type { CoreItem } from '../../engine/core/core';
import type { JournalState } from '../../engine/journal/journal-state';
import { type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';
import { type AgentEnvironment, processEnvironment } from '../../platform/files/environment';
import { orIfUnreadable, systemErrorCode, withFile } from '../../platform/files/with-file';
import { linesOf } from '../../platform/lines/lines-of';
import type { SessionBuilder } from '../../sessions/adapter';
import { ForkFile } from '../../sessions/fork/fork-file';
import { type Chance, type ForkPlace, ForkRefused } from '../../sessions/fork/fork-format';
import { lineWithOrigin, withWritten } from '../../sessions/fork/fork-mark';
import { mendedLines, recordLine } from '../../sessions/fork/mended-lines';
import { agentNames, type ParsedSession } from '../../sessions/session';
import { type Inspection, OperationRefused } from '../inspection';
import { headerRecord } from '../journal-file';
import { openJournal } from '../journal-store';
import { type Fork, type ForkOrder, forkTitle } from './fork';
import { rememberFork } from './fork-index';
import { asRefusal, chanceOfThisProcess, type ForkableFormat, forkableFormat, refuseWhileAtWork } from './forkable';
import { hasSameText, type Replacement, refuseDifferentText, refuseWhatIsLost, replacementFor } from './replacement';
import { resumeCommand } from './resume';

/**
 * Writes a new session of the same agent with the projected context, or with the conversation before one prompt. For a
 * session as it was at a moment, the context is that of the moment. The original is only read. Throws
 * `OperationRefused` unless it is certain that the fork is what is shown.
 */
export async function forkSession(inspection: Inspection, order: ForkOrder = {}): Promise<Fork> {
  const { session } = inspection;
  const format = forkableFormat(session.agent);
  const prompt = order.before === undefined ? null : promptOf(session.conversation, order.before);
  if (prompt === null && inspection.endsBefore === null) refuseWhileAtWork(inspection, order);
  try {
    const chance = order.chance ?? chanceOfThisProcess;
    const environment = order.environment ?? processEnvironment();
    // The agent looks next to the file itself, not next to a link to it.
    const file = await realPathOf(session.file);
    return await new Forking(inspection, format, prompt, chance, environment, file, order.mends === true).write();
  } catch (error) {
    throw asRefusal(error);
  }
}

async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    throw new ForkRefused(localizable('{0} cannot be read ({1}).', file, String(systemErrorCode(error))), {
      cause: error,
    });
  }
}

function promptOf({ entries }: Conversation, id: string): Entry {
  const entry = entries.find((candidate) => candidate.id === id);
  if (entry && isPrompt(entry)) return entry;
  throw new OperationRefused('This session has no user prompt with the id {0}.', [id]);
}

class Forking {
  readonly #original: ParsedSession;
  readonly #place: ForkPlace;
  /** Parses the lines that are written. */
  readonly #builder: SessionBuilder;
  #lines = 0;

  constructor(
    private readonly inspection: Inspection,
    private readonly format: ForkableFormat,
    private readonly prompt: Entry | null,
    private readonly chance: Chance,
    private readonly environment: AgentEnvironment,
    file: string,
    private readonly mends: boolean,
  ) {
    const { live: _live, subagents: _subagents, ...original } = inspection.session;
    this.#original = { ...original, file };
    this.#place = format.fork.place(this.#original, chance);
    this.#builder = format.createBuilder(this.#place.file);
  }

  async write(): Promise<Fork> {
    const { agent, cwd } = this.#original;
    const { id, file } = this.#place;
    const mode = await modeOf(this.#original.file);
    await ForkFile.write(file, mode, async (fork) => {
      await this.#copy(fork);
      await this.#name(fork, await this.#replace(fork));
    });
    const { title } = this.#builder.session();
    await rememberFork(dirname(this.inspection.journal.path), this.#original.file, { file, title });
    const prompt = this.prompt === null ? null : textOf(this.prompt.parts);
    const fork = { agent, id, file, ...resumeCommand({ agent, id, file, cwd }), prompt };
    return { ...fork, notes: [...(await this.#placeNotes()), ...(await this.#pinNotes(fork))] };
  }

  /** A note if the agent will not find the fork: it searches only its own folders, but session files can be anywhere. */
  async #placeNotes(): Promise<LocalizableText[]> {
    const { id, file } = this.#place;
    // An agent that resumes by file does not have to find it.
    const isNamedByFile = this.format.resume?.({ id, file }).includes(file);
    if (isNamedByFile) return [];
    for (const root of this.format.roots(this.environment)) {
      if (file.startsWith(join(await orIfUnreadable(realpath(root), root), sep))) return [];
    }
    const name = agentNames[this.format.agent];
    return [localizable('{0} looks for sessions in its own folders only and will not find {1}.', name, file)];
  }

  async #pinNotes(fork: Omit<Fork, 'notes'>): Promise<LocalizableText[]> {
    try {
      await carryPins(this.inspection, fork, this.#state());
      return [];
    } catch (error) {
      return [
        localizable(
          'The new session contains the core, but its items could not be pinned there: {0}',
          wordingOf(error),
        ),
      ];
    }
  }

  #state(): JournalState {
    const { state } = this.inspection.journal;
    return this.prompt === null ? state : stateBefore(state, this.prompt);
  }

  async #copy(fork: ForkFile): Promise<void> {
    const outcome = await withFile(this.#original.file, async (handle) => {
      const { chance } = this;
      const original = this.#original;
      const found = () => linesOf(handle);
      const mended = () => mendedLines(this.format.fork.mends, { original, lines: found, chance });
      const before = this.prompt ?? this.inspection.endsBefore;
      const order = { original, place: this.#place, lines: this.mends ? mended : found, before, chance };
      for await (const line of this.format.fork.copy(order)) await this.#add(fork, line);
      return { kind: 'copied' } as const;
    });
    if (outcome.kind !== 'copied') throw new ForkRefused(outcome.message);
    const { conversation } = this.#builder.session();
    if (this.mends) refuseWhatIsLost(conversation, this.#original.conversation);
    else if (this.prompt === null) this.#refuseWhatDiffers(conversation);
    else this.#refuseWhatIsNotBefore(conversation, this.prompt);
  }

  async #add(fork: ForkFile, line: string): Promise<void> {
    const text = this.#lines === 0 ? lineWithOrigin(line, this.#place.id, this.#original) : line;
    this.#lines += 1;
    this.#builder.accept({ number: this.#lines, text });
    await fork.line(text);
  }

  /** The original may have grown, or its copy may differ; the fork would then not be what is shown. */
  #refuseWhatDiffers(copy: Conversation): void {
    const { conversation } = this.#original;
    if (idsOf(copy) !== idsOf(conversation) || !hasSameText(copy, conversation)) throw new ForkRefused(hasChanged);
  }

  #refuseWhatIsNotBefore(copy: Conversation, prompt: Entry): void {
    const hasMessages = copy.agentContext.some(({ role, injected }) => role !== 'system' && !injected);
    if (!hasMessages) throw new ForkRefused(localizable('Nothing was said before this prompt.'));
    const { entries } = this.#original.conversation;
    const before = new Set(entries.slice(0, entries.indexOf(prompt)).map(({ id }) => id));
    if (copy.entries.some(({ id }) => !before.has(id))) throw new ForkRefused(hasChanged);
  }

  async #replace(fork: ForkFile): Promise<Replacement | null> {
    await this.inspection.counted;
    const { ledger } = this.inspection;
    const replacement = replacementFor(this.format.fork, {
      session: this.#builder.session(),
      state: this.#state(),
      ledger,
      lines: () => fork.lines(),
      chance: this.chance,
      ...(this.prompt === null ? { shown: this.inspection.conversation } : {}),
    });
    if (replacement === null) return null;
    for await (const line of replacement.records) await this.#add(fork, line);
    refuseDifferentText(this.#builder.session().conversation, replacement.pieces);
    return replacement;
  }

  async #name(fork: ForkFile, replacement: Replacement | null): Promise<void> {
    const session = this.#builder.session();
    const title = forkTitle(this.#original.title);
    const order = { session, lines: () => fork.lines(), title, chance: this.chance };
    const record = await this.format.fork.titled(order);
    const written = replacement?.writtenIn(session.conversation);
    if (written === undefined) return await this.#add(fork, recordLine(record));
    const line = recordLine(withWritten(record, written));
    await this.#add(fork, line);
    if (line.length < mostAtEnd) return;
    const short = { ...written, messages: new Map() };
    await this.#add(fork, recordLine(withWritten(await this.format.fork.titled(order), short)));
  }
}

/** In UTF-16 units. Lists read only the end of a file, so its last record is short. */
const mostAtEnd = 16_384;

const hasChanged = localizable('The session has changed while it was copied. Nothing was written; try again.');

async function modeOf(file: string): Promise<number> {
  const outcome = await withFile(file, async (_handle, { mode }) => ({ kind: 'mode', mode }) as const);
  if (outcome.kind !== 'mode') throw new ForkRefused(outcome.message);
  return outcome.mode;
}

function idsOf({ agentContext }: Conversation): string {
  return agentContext.map(({ id }) => id).join('\n');
}

/** The journal's state when a prompt was written, by the times of its records. Empty if the prompt has no time. */
function stateBefore(state: JournalState, { timestamp }: Entry): JournalState {
  const limit = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return {
    ...state,
    compactions: state.compactions.filter(({ record }) => Date.parse(record.time) < limit),
    items: state.items.filter((item) => Date.parse(item.timestamp) < limit),
  };
}

/**
 * Pins the pinned items in the fork as well. The fork's text contains them, but without pins the next compaction there
 * would summarise them like any other text.
 */
async function carryPins({ journal }: Inspection, fork: Omit<Fork, 'notes'>, state: JournalState): Promise<void> {
  const pinned = state.items.filter(({ status }) => status === 'active');
  if (pinned.length === 0) return;
  const { agent, id, file } = fork;
  const ofFork = await openJournal(dirname(journal.path), { agent, id, file });
  const time = new Date().toISOString();
  await ofFork.append(({ lastSeq }) =>
    lastSeq >= 0 ? [] : [headerRecord(ofFork.session, time), ...pinned.map((item, at) => pin(item, at + 1, time))],
  );
}

function pin(item: CoreItem, seq: number, time: string) {
  return { kind: 'pin', seq, time, item } as const;
}
