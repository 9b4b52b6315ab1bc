import * as l10n from '@vscode/l10n';
import type { ContextMessage } from '../../engine/conversation/context';
import { textOf } from '../../engine/conversation/entry';
import { runNumbers } from '../../engine/journal/runs';
import { planRedo, planUndo } from '../../engine/journal/undo';
import { findStrategy, untouchedFrom } from '../../engine/run/prepare/registry';
import { effectOf } from '../../inspection/effect';
import type { Inspection } from '../../inspection/inspection';
import type { CoreView, HeaderView, Row, SessionView } from '../../protocol/view';
import { agentNames } from '../../sessions/session';
import { translated } from '../failures/failure-text';
import type { OpenedCompaction } from './compaction-detail';
import { compactionViews } from './compactions';
import { effectSentences } from './effect-sentences';
import { gaugeInAgent, gaugeView } from './gauge';
import { autoCompactView, coreShare, noticeViews, type ViewSettings } from './notices';
import { rescueView } from './rescue';
import type { RowSurroundings } from './row-surroundings';
import { rowTokens, SizedRows } from './row-tokens';
import { RowBuilder } from './rows';
import { Surroundings } from './surroundings';
import { systemPieces } from './system-pieces';
import { type KnownForks, writingView } from './writing';

type ReplacedMessages = Pick<OpenedCompaction, 'replaced' | 'ofReplaced'>;

/** Builds views of one session. Unchanged parts are the same objects as before. */
export class SessionViewBuilder {
  readonly #rows = new RowBuilder();
  readonly #sized = new SizedRows();
  readonly #surroundings = new Surroundings();
  #revision = 0;

  build(inspection: Inspection, settings: ViewSettings, forks: KnownForks): SessionView {
    const { messages, tokens } = inspection.context;
    const rows = this.#rows.rowsOf(messages, this.#surroundings.of(inspection));
    return this.#build(inspection, settings, forks, this.#withTokens(rows, messages, tokens.ofMessages, inspection));
  }

  /** A view with the rows of the newest messages only. */
  buildNewest(inspection: Inspection, settings: ViewSettings, forks: KnownForks, count: number): SessionView {
    const { messages, tokens } = inspection.context;
    const newest = messages.slice(-count);
    const built = this.#rows.rowsOf(newest, this.#surroundings.of(inspection));
    const rows = this.#withTokens(built, newest, tokens.ofMessages.slice(-count), inspection);
    return { ...this.#build(inspection, settings, forks, rows), earlierRowsFollow: true };
  }

  /** Builds rows in advance, one slice of messages per step, so that the next `build` finds them cached. */
  *makeRows(inspection: Inspection, slice: number): Generator<void> {
    const { messages } = inspection.context;
    const around = this.#surroundings.of(inspection);
    for (let end = messages.length; end > 0; end -= slice) {
      this.#rows.rowsOf(messages.slice(Math.max(0, end - slice), end), around);
      yield;
    }
  }

  #build(inspection: Inspection, settings: ViewSettings, forks: KnownForks, rows: readonly Row[]): SessionView {
    const around = this.#surroundings.of(inspection);
    this.#revision += 1;
    return {
      revision: this.#revision,
      header: headerView(inspection, forks),
      system: systemPieces(inspection),
      gauge: gaugeView(inspection, settings),
      inAgent: gaugeInAgent(inspection, settings),
      past: null,
      effect: effectOf(inspection),
      effectSentences: effectSentences(inspection),
      rows,
      ageLineKey: this.#ageLineKey(inspection.context.messages, around, settings),
      compactions: compactionViews(inspection),
      core: coreView(inspection),
      undo: undoView(inspection),
      redo: redoView(inspection),
      autoCompact: autoCompactView(inspection, settings),
      rescue: inspection.rescue && rescueView(inspection.rescue),
      notices: noticeViews(inspection, settings),
    };
  }

  rowsBeneath(inspection: Inspection, { replaced, ofReplaced }: ReplacedMessages): readonly Row[] {
    const rows = this.#rows.rowsOf(replaced, this.#surroundings.of(inspection));
    return this.#withTokens(rows, replaced, ofReplaced, inspection);
  }

  #withTokens(
    rows: readonly Row[],
    messages: readonly ContextMessage[],
    ofMessages: readonly number[],
    { ledger, context }: Inspection,
  ): readonly Row[] {
    return this.#sized.of(rows, rowTokens(rows, messages, ofMessages, ledger), context.tokens.calibration);
  }

  /** Key of the first row that the chosen strategy may not touch. */
  #ageLineKey(
    messages: readonly ContextMessage[],
    around: RowSurroundings,
    { strategy, parameters }: ViewSettings,
  ): string | null {
    const choice = findStrategy(strategy);
    const from = choice ? untouchedFrom(choice, { messages, floorTokens: 0 }, parameters) : 0;
    return from === 0 ? null : (this.#rows.rowsOf(messages.slice(from), around)[0]?.key ?? null);
  }
}

function headerView(inspection: Inspection, forks: KnownForks): HeaderView {
  const { session, issues } = inspection;
  const { agent, id, file, store, cwd, title, model, live, parent } = session;
  return {
    ...{ agent, agentName: agentNames[agent], id, file, cwd, title, model, live },
    ...(store ? { store } : {}),
    issues: issues.map((issue) => ({ ...issue, message: translated(issue.message) })),
    parent: parent ? { file: parent.file } : null,
    predecessor: predecessorView(inspection),
    forks: inspection.relatives.forks,
    subagents: session.subagents.map((subagent) => ({ file: subagent.file, title: subagent.title })),
    otherRecords: Object.entries(session.otherRecords).map(([type, count]) => ({ type, count })),
    writing: writingView(inspection, forks),
  };
}

function predecessorView({ session: { predecessor }, relatives }: Inspection): HeaderView['predecessor'] {
  if (predecessor === undefined) return null;
  const { title, byStrata } = predecessor;
  return { file: relatives.predecessor, title, isOriginal: byStrata === true };
}

function coreView(inspection: Inspection): CoreView {
  const { journal, context, originalGoal } = inspection;
  const core = coreMessageIn(context.messages);
  return {
    items: journal.state.items,
    history: Object.fromEntries(journal.state.itemHistory),
    originalGoal,
    asserted: core ? textOf(core.parts) : null,
    tokens: core ? context.tokens.byKind.core : 0,
    sharePercent: coreShare(inspection),
  };
}

/** The core, which directly follows the system prompt if there is one. */
function coreMessageIn(messages: readonly ContextMessage[]): ContextMessage | null {
  for (const message of messages) {
    if (message.kind === 'core') return message;
    if (message.kind !== 'system') return null;
  }
  return null;
}

function undoView(inspection: Inspection): SessionView['undo'] {
  const plan = planUndo(inspection.state);
  if (plan.kind !== 'undoes') return null;
  return { label: compactionsLabel(runNumbers(inspection.state, [...plan.asked, ...plan.alsoUndone])) };
}

function redoView({ journal }: Inspection): SessionView['redo'] {
  const plan = planRedo(journal.state);
  return plan.kind === 'redoes' ? { label: compactionsLabel(runNumbers(journal.state, plan.compactions)) } : null;
}

/** `compaction #3`, or `2 compactions (#3, #4)`. */
export function compactionsLabel(runs: readonly number[]): string {
  const [first = 0] = runs;
  return runs.length === 1
    ? l10n.t('compaction #{0}', first)
    : l10n.t('{0} compactions ({1})', runs.length, runs.map((run) => `#${run}`).join(', '));
}
