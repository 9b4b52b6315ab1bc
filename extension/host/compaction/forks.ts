import * as vscode from 'vscode';
import { type Entry, textOf } from '../../engine/conversation/entry';
import { newestPrompts } from '../../engine/conversation/turn-numbers';
import { compactInPlace } from '../../inspection/fork/compact-in-place';
import type { Fork, ForkOrder } from '../../inspection/fork/fork';
import { forkSession } from '../../inspection/fork/fork-session';
import { restsFrom } from '../../inspection/fork/forkable';
import { type ResumeCommand, resumeCommand, resumeLine } from '../../inspection/fork/resume';
import { type Inspection, OperationRefused } from '../../inspection/inspection';
import { agentNames, type Session } from '../../sessions/session';
import { commandIds } from '../command-ids';
import { isConfirmed, offer, openDraft } from '../dialogs';
import { failureText, translated } from '../failures/failure-text';
import { tellingFailures } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import { isFolder, runInTerminal } from './run-in-terminal';

const forksKey = 'strata.forks';
/** The files of older forks have probably been deleted. */
const mostRemembered = 200;

/** A session that Strata wrote, and how long its file was then. */
interface RememberedFork {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

/** Writes new sessions of an agent, continues them in a terminal, and moves them to the trash. */
export class Forks {
  constructor(
    private readonly inspector: Inspector,
    private readonly state: vscode.Memento,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** `inspection`: the session, or as it was at a moment. */
  async fork(inspection = this.inspector.required(), order: ForkOrder = {}): Promise<void> {
    const fork = await this.#write(inspection, order);
    if (fork === null) return;
    // The prompt that a branch omits, to edit and send again.
    if (fork.prompt !== null) await openDraft(fork.prompt);
    // Not awaited: a notification stays until it is dismissed.
    void tellingFailures(this.log, 'strata.fork', () => this.#offer(fork));
  }

  /** Writes a new session with the shown context, shows it, and continues it in its agent, in a terminal. */
  async forkAndResume(inspection = this.inspector.required()): Promise<void> {
    const fork = await this.#write(inspection, {});
    if (fork === null) return;
    await inspect(fork);
    const canContinue = fork.command.length > 0 && (fork.cwd === null || (await isFolder(fork.cwd)));
    void tellingFailures(this.log, 'strata.fork', () => (canContinue ? continueInTerminal(fork) : this.#offer(fork)));
  }

  /** Null if the person did not confirm it. */
  async #write(inspection: Inspection, order: ForkOrder): Promise<Fork | null> {
    const question = order.before === undefined ? askInterrupted(inspection) : null;
    if (question !== null && !(await question)) return null;
    const fork = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Writing a new session…') },
      () => forkSession(inspection, question === null ? order : { ...order, isInterrupted: true }),
    );
    await this.#remember(fork.file);
    await this.inspector.lookForRelatives();
    return fork;
  }

  async branch(): Promise<void> {
    const inspection = this.inspector.required();
    const chosen = await choosePrompt(inspection);
    if (chosen) await this.fork(inspection, { before: chosen.id });
  }

  async compactInPlace(): Promise<void> {
    const inspection = this.inspector.required();
    const agent = agentNames[inspection.session.agent];
    const isAgreed = await isConfirmed(
      vscode.l10n.t('Write this compaction into the session of {0} itself?', agent),
      vscode.l10n.t('Write'),
      vscode.l10n.t(
        'Close {1} first: while it is open, it continues from its memory and ignores the compaction. Records are appended to {0}; nothing in it is changed. Strata cannot undo this.',
        inspection.session.file,
        agent,
      ),
    );
    if (isAgreed) await this.inspector.change((current) => compactInPlace(current));
  }

  /** Continues the open session in its agent, in a terminal. */
  async resume(): Promise<void> {
    const { session } = this.inspector.required();
    await resumeInTerminal(session.agent, resumeCommand(session));
  }

  isFork(file: string): boolean {
    return this.#remembered().some((fork) => fork.file === file);
  }

  /** Undoes a fork: its file goes to the trash. */
  async delete(file = this.inspector.required().session.file): Promise<void> {
    const fork = this.#remembered().find((candidate) => candidate.file === file);
    if (!fork)
      throw new OperationRefused(
        vscode.l10n.t('This session was not written by Strata, so Strata does not delete it.'),
      );
    const uri = vscode.Uri.file(file);
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size !== fork.size && !(await confirmedThoughChanged(file))) return;
    const how = await removed(uri);
    if (how === 'kept') return;
    await this.state.update(
      forksKey,
      this.#remembered().filter((other) => other.file !== file),
    );
    void vscode.window.showInformationMessage(
      how === 'in-trash'
        ? vscode.l10n.t('The new session is in the trash. Its original is unchanged.')
        : vscode.l10n.t('The new session is deleted. Its original is unchanged.'),
    );
  }

  async #offer(fork: Fork): Promise<void> {
    const resume = { [vscode.l10n.t('Resume in Terminal')]: () => resumeInTerminal(fork.agent, fork) };
    await offer(
      [
        vscode.l10n.t(
          'A new session of {0} was written. Continue it with: {1}',
          agentNames[fork.agent],
          resumeLine(fork),
        ),
        ...fork.notes.map(translated),
      ].join(' '),
      {
        ...(fork.command.length > 0 ? resume : {}),
        [vscode.l10n.t('Inspect')]: () => inspect(fork),
        [vscode.l10n.t('Delete')]: () => this.delete(fork.file),
      },
    );
  }

  async #remember(file: string): Promise<void> {
    const { size } = await vscode.workspace.fs.stat(vscode.Uri.file(file));
    await this.state.update(forksKey, [{ file, size }, ...this.#remembered()].slice(0, mostRemembered));
  }

  #remembered(): readonly RememberedFork[] {
    return this.state.get<readonly RememberedFork[]>(forksKey, []);
  }
}

async function inspect({ file }: Fork): Promise<void> {
  await vscode.commands.executeCommand(commandIds.openSessionFile, vscode.Uri.file(file));
}

/** The session ends in an open call and was written recently: only the person knows whether its agent is still working. */
function askInterrupted(inspection: Inspection): Promise<boolean> | null {
  const from = inspection.endsBefore === null ? restsFrom(inspection, new Date()) : null;
  return from === null ? null : confirmedInterrupted(agentNames[inspection.session.agent], from);
}

function confirmedInterrupted(agent: string, from: Date): Promise<boolean> {
  return isConfirmed(
    vscode.l10n.t('Is {0} still at work in this session?', agent),
    vscode.l10n.t('It Was Interrupted: Fork'),
    vscode.l10n.t(
      'The session ends in a request without an answer, and was written just now. If {0} was interrupted, it can be forked now. If it is at work, its next answer would be missing in the fork: wait for it. If nothing more is written, Strata treats the session as idle from {1}.',
      agent,
      from.toLocaleTimeString(),
    ),
  );
}

async function continueInTerminal(fork: Fork): Promise<void> {
  const started = await resumeInTerminal(fork.agent, fork);
  if (!started) return;
  const text = vscode.l10n.t(
    '{0} continues in a new session in the terminal, which is shown here. The old session is unchanged.',
    agentNames[fork.agent],
  );
  await vscode.window.showInformationMessage([text, ...fork.notes.map(translated)].join(' '));
}

/** Returns false, after a message, if the agent could not be started. */
export async function resumeInTerminal(agent: Session['agent'], command: ResumeCommand): Promise<boolean> {
  if ((await runInTerminal(agent, command)) === 'sent') return true;
  const line = resumeLine(command);
  const text = vscode.l10n.t(
    '{0} could not be started: the terminal cannot run “{1}”. Once it is installed, continue the session with: {2}',
    agentNames[agent],
    command.command[0] ?? '',
    line,
  );
  void offer(text, { [vscode.l10n.t('Copy Command')]: () => vscode.env.clipboard.writeText(line) }, 'Warning');
  return false;
}

async function choosePrompt({ session }: Inspection): Promise<Entry | undefined> {
  const prompts = newestPrompts(session.conversation);
  if (prompts.size === 0)
    throw new OperationRefused(vscode.l10n.t('Nothing was said by a person in this session yet.'));
  const picks = [...prompts].map(([turn, entry]) => ({
    label: `${turn}. ${textOf(entry.parts).replace(/\s+/gu, ' ').slice(0, 160)}`,
    description: entry.timestamp === null ? '' : new Date(entry.timestamp).toLocaleString(),
    entry,
  }));
  const chosen = await vscode.window.showQuickPick(picks.reverse(), {
    title: vscode.l10n.t('Branch from a turn'),
    placeHolder: vscode.l10n.t(
      'The new session has the conversation before it, including messages that were compacted since',
    ),
    matchOnDescription: true,
  });
  return chosen?.entry;
}

/** If the editor's files are on another machine, there is no trash, so the person decides. */
async function removed(uri: vscode.Uri): Promise<'in-trash' | 'deleted' | 'kept'> {
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
    return 'in-trash';
  } catch (error) {
    if (!(await confirmedForGood(uri.fsPath, failureText(error)))) return 'kept';
    await vscode.workspace.fs.delete(uri);
    return 'deleted';
  }
}

function confirmedForGood(file: string, reason: string): Promise<boolean> {
  const question = vscode.l10n.t('There is no trash for this session. Delete it for good?');
  return isConfirmed(question, vscode.l10n.t('Delete for Good'), `${file}\n\n${reason}`);
}

function confirmedThoughChanged(file: string): Promise<boolean> {
  const question = vscode.l10n.t('This session has new messages since Strata wrote it. Move it to the trash anyway?');
  return isConfirmed(question, vscode.l10n.t('Move to Trash'), file);
}
