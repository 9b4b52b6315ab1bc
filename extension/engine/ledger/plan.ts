import { type Entry, inputText } from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import { brief } from '../conversation/text';
import { argumentsIn } from '../conversation/tool-subject';
import { firstString, stringArgument, type ToolStep, toolStepsOf } from './steps';

type PlanState = 'pending' | 'in progress' | 'done';

/** An item of the agent's own to-do list, with its last state. */
export interface PlanItem {
  readonly text: string;
  readonly state: PlanState;
  /** The call that named it; a later call may have changed its state. */
  readonly entryId: string;
}

const textLength = 160;

/**
 * The agent's newest to-do list: of tools that send the whole list each time (Claude Code's `TodoWrite`, Codex's
 * `update_plan`, `todowrite` of OpenCode, `write_todos`), or one task a call (`TaskCreate`, `TaskUpdate`).
 */
export function planOf(steps: readonly ToolStep[]): PlanItem[] {
  const plan = new Map<string, PlanItem>();
  for (const step of steps) {
    if (step.problem !== null) continue;
    const [entryId = ''] = step.entryIds;
    const whole = wholeListOf(step.call.input);
    if (whole !== null && /todo|plan|task/i.test(step.call.name)) {
      plan.clear();
      for (const [index, item] of whole.entries()) plan.set(`${index}`, { ...item, entryId });
    } else if (/^task_?create$/i.test(step.call.name)) create(plan, step, entryId);
    else if (/^task_?update$/i.test(step.call.name)) update(plan, step);
  }
  return [...plan.values()];
}

const planAtEnd = oncePer((context: readonly Entry[]) => planOf(toolStepsOf(context)));

/** The items that these entries name and that no later list replaced, with their states at the end of the context. */
export function planNamedIn(entries: readonly Entry[], context: readonly Entry[]): PlanItem[] {
  const named = new Set(entries.map(({ id }) => id));
  return planAtEnd(context).filter(({ entryId }) => named.has(entryId));
}

function wholeListOf(input: unknown): Omit<PlanItem, 'entryId'>[] | null {
  const { todos, plan, items } = argumentsIn(input);
  const list = [todos, plan, items].find(Array.isArray);
  if (list === undefined) return null;
  return list.flatMap((item: unknown) => {
    const text = firstString(item, ['content', 'step', 'description', 'text', 'title', 'subject']);
    return text === null ? [] : [{ text: brief(text, textLength), state: stateOf(stringArgument(item, 'status')) }];
  });
}

function stateOf(status: string | null): PlanState {
  if (/complete|done/i.test(status ?? '')) return 'done';
  return /progress|active/i.test(status ?? '') ? 'in progress' : 'pending';
}

/** The result contains the number of the task. */
function create(plan: Map<string, PlanItem>, { call, result }: ToolStep, entryId: string): void {
  const text = firstString(call.input, ['subject', 'description']);
  if (text === null) return;
  const id = /#?(\d+)/.exec(result?.text ?? '')?.[1] ?? `${plan.size + 1}`;
  plan.set(id, { text: brief(text, textLength), state: 'pending', entryId });
}

function update(plan: Map<string, PlanItem>, { call }: ToolStep): void {
  const id = stringArgument(call.input, 'taskId') ?? /"taskId":\s*"?(\d+)/.exec(inputText(call.input))?.[1] ?? '';
  const known = plan.get(id);
  const status = stringArgument(call.input, 'status');
  if (known === undefined || status === null) return;
  if (status === 'deleted') plan.delete(id);
  else plan.set(id, { ...known, state: stateOf(status) });
}
