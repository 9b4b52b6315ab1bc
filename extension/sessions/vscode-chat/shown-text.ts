import { asList, asName, asRecord, type JsonRecord } from '../records/json';
import { addressOf, locationText, plainText, treeText } from './text';

export interface ShownText {
  readonly text: string;
  /** A separate paragraph, not continued by the text around it. */
  readonly isBlock: boolean;
}

/** The text that a person sees for a part of a response; null for other parts, such as progress, buttons and undo stops. */
export function shownText(part: JsonRecord): ShownText | null {
  switch (part.kind) {
    case undefined:
      return textWithoutKind(part);
    case 'markdownContent':
    case 'markdownVuln':
      return piece(plainText(part.content ?? part.value));
    case 'inlineReference':
      return piece(referenceText(part));
    case 'textEditGroup':
    case 'notebookEditGroup':
      return block(`[Edited ${addressOf(part.uri) ?? 'a file'}]`);
    case 'externalEdit':
    case 'workspaceEdit':
      return block(editText(part));
    case 'treeData':
      return block(treeText(asRecord(part.treeData) ?? {}));
    case 'warning':
    case 'info':
    case 'systemNotification':
      return block(plainText(part.content));
    case 'confirmation':
    case 'elicitationSerialized':
      return block([part.title, part.message].map(plainText).filter(Boolean).join('\n'));
    case 'planReview':
      return block([part.title, part.content].map(plainText).filter(Boolean).join('\n'));
    default:
      return null;
  }
}

/** Markdown has no kind, nor does a file tree in older versions. */
function textWithoutKind(part: JsonRecord): ShownText | null {
  if (part.value !== undefined) return piece(plainText(part.value));
  return asName(part.label) === null ? null : block(treeText(part));
}

function referenceText(part: JsonRecord): string {
  const reference = asRecord(part.inlineReference);
  const name = asName(part.name) ?? asName(reference?.name) ?? locationText(reference?.location ?? reference);
  return name === null ? '' : `\`${name}\``;
}

function editText({ editKind, uri, edits }: JsonRecord): string {
  const files = uri === undefined ? asList(edits).map(editedFile) : [addressOf(uri)];
  const names = files.filter((name) => name !== null);
  return names.length === 0 ? '' : `[${asName(editKind) ?? 'edit'}: ${names.join(', ')}]`;
}

function editedFile(edit: unknown): string | null {
  const fields = asRecord(edit);
  return addressOf(fields?.newResource ?? fields?.oldResource ?? fields?.resource);
}

function piece(text: string): ShownText {
  return { text, isBlock: false };
}

function block(text: string): ShownText {
  return { text, isBlock: true };
}
