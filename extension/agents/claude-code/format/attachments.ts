import type { Part, Role } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { userContent } from './content';

/**
 * The content that an attachment row adds to the request.
 * Versions with the field `rendered` log what they send: texts for the user message, or (`renderedRole` `system`) texts
 * for a system message after it, without reminder tags. Verified on a sample: the 9,699 characters sent are the
 * attachments' texts without their tags, joined by empty lines.
 */
interface Attachment {
  readonly role: Extract<Role, 'user' | 'system'>;
  readonly parts: readonly Part[];
  /** A person typed this while the agent was at work. */
  readonly fromPerson: boolean;
}

const attachmentRow = s.record({
  attachment: s.jsonRecord,
  rendered: s.records({ content: s.anything }),
  renderedRole: s.name,
});

/** Null for attachments that are not sent as messages, such as snapshots of the prompt. */
export function attachmentOf(row: s.JsonRecord): Attachment | null {
  const { attachment, rendered: messages, renderedRole } = s.read(attachmentRow, row);
  if (attachment === null) return null;
  if (attachment.type === 'queued_command') return queuedMessage(attachment);
  const rendered = messages.flatMap(({ content }) => userContent(content).parts);
  if (rendered.length > 0) return asSent(rendered, renderedRole === 'system' ? 'system' : 'user');
  const parts = unrenderedTexts(attachment).map((text): Part => ({ type: 'text', text }));
  return parts.length > 0 ? asSent(parts, 'user') : null;
}

function asSent(parts: readonly Part[], role: 'user' | 'system'): Attachment {
  return { role, parts: role === 'system' ? parts.map(withoutTags) : parts, fromPerson: false };
}

const queuedCommand = s.record({ prompt: s.anything, commandMode: s.name });

/**
 * A person's prompt that is sent in a system message, with a sentence about when it was typed. Here it is an ordinary
 * prompt without that sentence, so that a direction is not lost because of when it was given.
 */
function queuedMessage(attachment: s.JsonRecord): Attachment | null {
  const { prompt, commandMode } = s.read(queuedCommand, attachment);
  const { parts } = userContent(prompt);
  const fromPerson = (commandMode ?? 'prompt') === 'prompt';
  return parts.length > 0 ? { role: 'user', parts, fromPerson } : null;
}

const reminder = /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>\s*$/;

function withoutTags(part: Part): Part {
  if (part.type !== 'text') return part;
  return { type: 'text', text: reminder.exec(part.text)?.[1] ?? part.text };
}

const unrendered = s.record({ content: s.anything, snippet: s.text });
const memoryFile = s.record({ content: s.text });
const fileContent = s.record({ file: s.record({ content: s.text }) });

/**
 * Older versions log only the data and add text around it when they send it. For each of these types, version 2.1.330
 * was observed to send the data when it resumed such rows.
 */
function unrenderedTexts(attachment: s.JsonRecord): readonly string[] {
  const { content, snippet } = s.read(unrendered, attachment);
  switch (attachment.type) {
    case 'hook_additional_context':
      return s.read(s.texts, content);
    case 'edited_text_file':
      return [snippet].filter(isNotEmpty);
    case 'nested_memory':
      return [s.read(memoryFile, content).content].filter(isNotEmpty);
    case 'file':
      return [s.read(fileContent, content).file.content].filter(isNotEmpty);
    default:
      return [];
  }
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}
