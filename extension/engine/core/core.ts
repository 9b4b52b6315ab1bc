/** The kinds of items in the protected core. */
export const pinKinds = ['goal', 'constraint', 'decision'] as const;
export type PinKind = (typeof pinKinds)[number];

/**
 * The life of a core item. A model may only propose; a person confirms or refuses. Done and superseded items leave the
 * re-asserted text, so that finished work is not restarted. Refused items are not proposed again.
 */
export const coreItemStatuses = ['proposed', 'active', 'done', 'superseded', 'refused'] as const;
export type CoreItemStatus = (typeof coreItemStatuses)[number];

/**
 * Names the original goal where items have an id. It is derived from the conversation and is not an item, but it can be marked done and
 * made active again like one.
 */
export const originalGoalId = 'original-goal';

export interface CoreItem {
  readonly id: string;
  readonly kind: PinKind;
  /** Verbatim, never summarised. */
  readonly text: string;
  readonly rationale: string | null;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The entry that the item was pinned from; null if a person typed it or a tool proposed it. */
  readonly entryId: string | null;
  readonly status: CoreItemStatus;
  /** The origin of a proposed item: `sentences`, or the name of the model. Absent: a person pinned it. */
  readonly proposedBy?: string;
}

/** The protected core as data. The keys are exact (docs/specification.md, "Protected core"). */
export interface CoreState {
  readonly original_goal: string | null;
  readonly current_goal: string | null;
  readonly hard_constraints: readonly string[];
  readonly key_decisions: readonly KeyDecision[];
}

interface KeyDecision {
  readonly decision: string;
  readonly rationale: string | null;
  readonly timestamp: string;
}

/**
 * The core as text for the context. It ends with the rule that the current goal and the constraints take precedence
 * over an unclear summary, or, where it has neither, with what the original goal is worth. Null items are left out.
 */
export function coreText(core: CoreState, retired: readonly string[] = []): string {
  const lines = [heading];
  if (core.original_goal !== null) lines.push('', '## Original Goal', core.original_goal);
  if (core.original_goal !== null && core.current_goal !== null) lines.push(replaced);
  if (core.current_goal !== null) lines.push('', '## Current Goal', core.current_goal);
  if (core.hard_constraints.length > 0) lines.push('', '## Hard Constraints', ...core.hard_constraints.map(bullet));
  if (core.key_decisions.length > 0) {
    const decisions = core.key_decisions.map(({ decision, rationale }) => bullet(withRationale(decision, rationale)));
    lines.push('', '## Key Decisions', ...decisions);
  }
  if (retired.length > 0) lines.push('', '## No Longer in Force', ...retired.map(bullet));
  const isRetiredOnly = retired.length > 0 && core.hard_constraints.length + core.key_decisions.length === 0;
  if (isRetiredOnly) return lines.join('\n').toWellFormed();
  const decides = core.current_goal !== null || core.hard_constraints.length > 0;
  return [...lines, '', decides ? precedence : began].join('\n').toWellFormed();
}

const heading = 'PROTECTED CORE (authoritative)';

const precedence =
  'Where a summary below is unclear or disagrees, the current goal and the hard constraints above decide.';

/** The end of an original goal that shows only the beginning of a long first message. */
export const goalContinues = '[… the first message goes on in the session]';

/** Added if nothing is pinned: the first message may be done or withdrawn long ago. */
const began = 'This is how the work began. Where a newer message of the person says otherwise, the newer one decides.';

/** Added if there is a newer goal: two goals with equal authority would restart work that is over. */
const replaced = '(This is how the work began. The current goal below has taken its place.)';

/** The fixed lines of the core text. */
export const coreFrame = [heading, replaced, precedence, began] as const;

/** Removes a core that Strata wrote into the text. */
export function withoutCoreText(text: string): string {
  const start = text.indexOf(heading);
  if (start < 0) return text;
  for (const closing of [precedence, began]) {
    const end = text.indexOf(closing, start);
    if (end >= 0) return `${text.slice(0, start)}${text.slice(end + closing.length)}`.trim();
  }
  return text;
}

function bullet(text: string): string {
  return `- ${text}`;
}

function withRationale(decision: string, rationale: string | null): string {
  return rationale === null ? decision : `${decision} (because: ${rationale})`;
}

/** How the core states an active item. */
export function statementOf({ kind, text, rationale }: CoreItem): string {
  return kind === 'decision' ? withRationale(text, rationale) : text;
}

export function isEmptyCore(core: CoreState): boolean {
  const { original_goal, current_goal, hard_constraints, key_decisions } = core;
  return original_goal === null && current_goal === null && hard_constraints.length + key_decisions.length === 0;
}

/** The active items as a core. The newest active goal is the current one. */
export function coreState(items: readonly CoreItem[], originalGoal: string | null): CoreState {
  const active = items.filter((item) => item.status === 'active');
  const of = (kind: PinKind) => active.filter((item) => item.kind === kind);
  return {
    original_goal: originalGoal,
    current_goal: of('goal').at(-1)?.text ?? null,
    hard_constraints: of('constraint').map((item) => item.text),
    key_decisions: of('decision').map(({ text, rationale, timestamp }) => ({ decision: text, rationale, timestamp })),
  };
}
