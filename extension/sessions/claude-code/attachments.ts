import type { Part, Role } from '../../engine/conversation/entry';
import { asName, asRecord, asRecords, asText, asTexts, type JsonRecord } from '../records/json';
import { userContent } from './content';

/**
 * What an attachment row puts into the request.
 *
 * Since it keeps `rendered`, Claude Code writes down what it sends: texts for the user message, or (`renderedRole`
 * `system`) texts for a system message that follows it, there without the reminder tags around them: in the sample the
 * 9699 characters sent are exactly the attachments' texts less their tags, joined by empty lines.
 */
export interface Attachment {
  readonly role: Extract<Role, 'user' | 'system'>;
  readonly parts: readonly Part[];
  /** A person typed this while the agent was at work. */
  readonly fromPerson: boolean;
}

/** Null for attachments that are not sent as messages, such as snapshots of the prompt. */
export function attachmentOf(row: JsonRecord): Attachment | null {
  const attachment = asRecord(row.attachment);
  if (attachment === null) return null;
  if (attachment.type === 'queued_command') return queuedMessage(attachment);
  const rendered = asRecords(row.rendered).flatMap((item) => userContent(item.content).parts);
  if (rendered.length > 0) return asSent(rendered, row.renderedRole === 'system' ? 'system' : 'user');
  const parts = unrenderedTexts(attachment).map((text): Part => ({ type: 'text', text }));
  return parts.length > 0 ? asSent(parts, 'user') : null;
}

function asSent(parts: readonly Part[], role: 'user' | 'system'): Attachment {
  return { role, parts: role === 'system' ? parts.map(withoutTags) : parts, fromPerson: false };
}

/**
 * A person's words, sent in a system message with a sentence around them about when they were typed. They stay the
 * person's here, without the sentence: a direction must not be lost because of when it was given.
 */
function queuedMessage(attachment: JsonRecord): Attachment | null {
  const { parts } = userContent(attachment.prompt);
  const fromPerson = (asName(attachment.commandMode) ?? 'prompt') === 'prompt';
  return parts.length > 0 ? { role: 'user', parts, fromPerson } : null;
}

const reminder = /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>\s*$/;

function withoutTags(part: Part): Part {
  if (part.type !== 'text') return part;
  return { type: 'text', text: reminder.exec(part.text)?.[1] ?? part.text };
}

/**
 * Older versions keep only the data and add the words around it when they send it. The data is what counts: version
 * 2.1.330, made to resume such rows, sent each of these.
 */
function unrenderedTexts(attachment: JsonRecord): string[] {
  switch (attachment.type) {
    case 'hook_additional_context':
      return asTexts(attachment.content);
    case 'edited_text_file':
      return texts(attachment.snippet);
    case 'nested_memory':
      return texts(asRecord(attachment.content)?.content);
    case 'file':
      return texts(asRecord(asRecord(attachment.content)?.file)?.content);
    default:
      return [];
  }
}

function texts(value: unknown): string[] {
  const text = asText(value);
  return text === null || text === '' ? [] : [text];
}
