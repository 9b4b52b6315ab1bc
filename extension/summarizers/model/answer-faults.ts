import type { Prompt } from '../../engine/block/language-model';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';

/** Says what a model wrote instead of a summary, recognised by its form; null if the answer may be a summary. */
export function answerFault(answer: string, prompt: Prompt): LocalizableText | null {
  if (isToolCall(answer)) return localizable('it calls a tool');
  return isEcho(answer, prompt) ? localizable('it repeats what the model was asked') : null;
}

/** How models write tool calls as text, by the templates that they were trained with. */
const toolMarkup =
  /<(?:tool_calls?|function_calls|antml:function_calls|tool_use)>|<tool_call\s|<(?:antml:)?invoke\s+name=|<function=|<\|?tool[▁_]calls?[▁_]?(?:begin)?\|?>|<｜tool▁calls▁begin｜>|\[TOOL_CALLS\]|<\|python_tag\|>|\bto=functions\.\w+/;
const toolJson =
  /^\s*(?:```(?:json)?\s*)?[[{][\s\S]*"(?:tool_calls|function_call|tool_name|arguments|parameters|tool_input)"\s*:[\s\S]*[\]}]\s*(?:```)?\s*$/;

/** A summary may quote such markup, below a heading or after some words. */
function isToolCall(answer: string): boolean {
  const at = answer.search(toolMarkup);
  if (at === -1) return toolJson.test(answer);
  return !/^#{1,6} /m.test(answer) && answer.slice(0, at).trim().length < leastWritten;
}

/** In UTF-16 units. One or two sentences that announce a call are not a summary. */
const leastWritten = 300;

/** Lines of the prompt: those of a record, and those around quotations. */
const ofPrompt =
  /^(?:--- (?:Operation|Turn|Block) \d+ ---|(?:BEGIN|END) QUOTATION [0-9a-f]{16}|Quoted between the two lines with the mark .*)$/m;

/** In UTF-16 units. A shorter line of an answer may match a line of its task by chance. */
const leastLine = 40;
/** An answer counts as an echo of its task if more than this share of its long lines are lines of the task. */
const shareOfEcho = 0.3;

function isEcho(answer: string, { system, user }: Prompt): boolean {
  if (ofPrompt.test(answer)) return true;
  const [task = ''] = user.split(/^BEGIN QUOTATION /m);
  const asked = new Set(longLines(`${system}\n${task}`));
  const lines = longLines(answer);
  const echoed = lines.filter((line) => asked.has(line)).length;
  return echoed > 1 && echoed > lines.length * shareOfEcho;
}

function longLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= leastLine);
}
