import { oneLine } from '../conversation/text';
import { stringArgument, type ToolStep } from './steps';

/** The person's reaction to a tool call of the agent. */
export interface PersonsAnswer {
  readonly kind: 'refused' | 'answered' | 'accepted-plan';
  /** The subject of the call, on one line. */
  readonly subject: string;
  /** The person's answer as the result has it, or the plan that was accepted; empty for a refusal without words. */
  readonly text: string;
  readonly entryId: string;
}

/** Tools that ask the person, by the names that agents give them. */
const asking = /^(?:ask_?user_?question|ask_?followup_?question|request_user_input|ask_user|question)$/i;
const planning = /^(?:exit_?plan_?mode|plan_exit|present_plan|plan_mode_respond)$/i;

/** How agents report that the person did not allow a call; the person's own words may follow. */
const refusal =
  /^(?:the user doesn['’]t want to |user (?:rejected|denied|declined|refused|cancelled)|the user (?:rejected|denied|declined|refused|has denied)|permission (?:denied|rejected) by (?:the )?user|tool use rejected)/i;

/** Claude Code's text if no answer came in time. */
const unanswered = /^no response after \d+ ?s/i;

/** The prefixes that agents put before the words with which the person refused. */
const reason = /(?:the user said|reason for the rejection|user feedback|with the following (?:reason|feedback)):\s*/i;

/** Claude Code adds this text after the person's words. */
const added = /\n\s*Note: The user['’]s next message may contain a correction\b[\s\S]*$/;

/** Whether the person did not allow a call. */
export function isRefused({ result }: Pick<ToolStep, 'result'>): boolean {
  return result?.isError === true && refusal.test(result.text.trim());
}

/** The person's answers at tool calls, in order, recognised by the form of the agents' results. */
export function personsAnswers(steps: readonly ToolStep[]): PersonsAnswer[] {
  return steps.flatMap((step) => {
    const { call, result, subject, entryIds } = step;
    if (result === null) return [];
    const answer = (kind: PersonsAnswer['kind'], text: string): PersonsAnswer => {
      return {
        kind,
        subject: subject === '' ? call.name : `${call.name} ${oneLine(subject)}`,
        text: text.trim(),
        entryId: entryIds.at(-1) ?? '',
      };
    };
    if (isRefused(step)) {
      const [, said = ''] = result.text.split(reason);
      return [answer('refused', said.replace(added, ''))];
    }
    if (result.isError || unanswered.test(result.text.trim())) return [];
    if (asking.test(call.name)) return [answer('answered', result.text)];
    const plan = planning.test(call.name) ? stringArgument(call.input, 'plan') : null;
    return plan === null ? [] : [{ ...answer('accepted-plan', plan), entryId: entryIds[0] ?? '' }];
  });
}
