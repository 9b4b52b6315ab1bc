import * as s from '../../../extension/sessions/records/schemas';
import type { Strictness } from './strict-server';

/** What OpenAI refuses in a conversation with tools: https://platform.openai.com/docs/api-reference */
export const strictChat: Strictness = {
  faults(body) {
    const faults: string[] = [];
    let open: string[] = [];
    for (const [index, message] of s.jsonRecords(body.messages).entries()) {
      if (message.role === 'tool') {
        const id = String(message.tool_call_id);
        if (!open.includes(id)) faults.push(`messages.${index}: no call ${id} directly before it`);
        open = open.filter((one) => one !== id);
        continue;
      }
      if (open.length > 0) faults.push(`messages.${index}: calls without results: ${open.join()}`);
      open = s.jsonRecords(message.tool_calls).map(({ id }) => String(id));
      if (open.length === 0 && s.list(message.content).length === 0 && !message.content)
        faults.push(`messages.${index}: no content`);
    }
    return open.length > 0 ? [...faults, `calls without results: ${open.join()}`] : faults;
  },
};

/** The scripted model gives the items of one reply one number: `rs_7`, `msg_7`, `fc_7_0`. */
export const strictResponses: Strictness = {
  faults(body) {
    const items = s.jsonRecords(body.input);
    const called = items.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id);
    const answered = items.filter(({ type }) => type === 'function_call_output').map(({ call_id }) => call_id);
    return [
      ...answered.filter((id) => !called.includes(id)).map((id) => `No tool call found for function call output ${id}`),
      ...called.filter((id) => !answered.includes(id)).map((id) => `No tool output found for function call ${id}`),
      ...items.flatMap((item, index) => reasoningFaults(item, items[index - 1], items[index + 1])),
    ];
  },
};

function reasoningFaults(item: s.JsonRecord, before: s.JsonRecord | undefined, after: s.JsonRecord | undefined) {
  const number = numberOf(item);
  if (item.type === 'reasoning' && numberOf(after) !== number)
    return [`Item ${item.id} of type 'reasoning' was provided without its required following item`];
  const needsReasoning = item.type === 'function_call' || (item.type === 'message' && item.role === 'assistant');
  return needsReasoning && number !== undefined && numberOf(before) !== number
    ? [`Item ${item.id} was provided without its required 'reasoning' item`]
    : [];
}

function numberOf(item: s.JsonRecord | undefined): string | undefined {
  return /^[a-z]+_(\d+)/.exec(String(item?.id))?.[1];
}
