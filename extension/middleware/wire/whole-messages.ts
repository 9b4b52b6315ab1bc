import type { Outgoing } from '../recognition/outgoing';
import type { BodyMessages } from './body-messages';
import type { BodyShape, ParsedRequest } from './protocol';
import { byName, elementsIn, elementsWith } from './splice';

/** The body with other messages, from one that was parsed as a whole. */
export function changedText(shape: BodyShape, parsed: ParsedRequest, outgoing: readonly Outgoing[]): string {
  const { body, text } = parsed;
  const members = byName(parsed.members);
  const member = members.get(shape.list);
  if (member === undefined) throw new Error(`The body has no ${shape.list}.`);
  const { value, elements } = member;
  const list = text.startsWith('[', value.start) ? elementsIn(member) : value;
  const textAt = (index: number) => {
    const { start, end } = found(elements, index);
    return text.slice(start, end);
  };
  const messages = { ...parsedMessages(parsed), textAt };
  const { before, pieces, after } = shape.changed({ body, messages, text, members, list }, outgoing);
  return `${before}${elementsWith(text, elements, pieces)}${after}`;
}

function parsedMessages({ format, groups, messages }: ParsedRequest): Omit<BodyMessages, 'textAt'> {
  const before = [0];
  for (const group of groups) before.push((before.at(-1) ?? 0) + group.messages.length);
  return {
    format,
    before: (group) => found(before, group),
    groupAt: (group) => found(groups, group),
    messageAt: (index) => found(messages, index),
  };
}

function found<T>(list: readonly T[], index: number): T {
  const one = list[index];
  if (one === undefined) throw new Error(`The body has nothing at ${index}.`);
  return one;
}
