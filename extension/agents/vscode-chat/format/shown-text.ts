import * as s from '../../../platform/json/schemas';
import { addressOf, locationText, plainText, treeText } from './text';

export interface ShownText {
  readonly text: string;
  /** A separate paragraph, not continued by the text around it. */
  readonly isBlock: boolean;
}

const shownPart = s.record({
  kind: s.anything,
  value: s.anything,
  content: s.anything,
  title: s.anything,
  message: s.anything,
  name: s.name,
  label: s.name,
  uri: s.anything,
  inlineReference: s.jsonRecord,
  treeData: s.jsonRecord,
  editKind: s.name,
  edits: s.records({ newResource: s.anything, oldResource: s.anything, resource: s.anything }),
});

type ShownPart = s.Read<typeof shownPart>;

const reference = s.record({ name: s.name, location: s.anything });

/** The text that a person sees for a part of a response; null for other parts, such as progress, buttons and undo stops. */
export function shownText(record: s.JsonRecord): ShownText | null {
  const part = s.read(shownPart, record);
  switch (part.kind) {
    case undefined:
      return textWithoutKind(part, record);
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
      return block(treeText(part.treeData));
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
function textWithoutKind({ value, label }: ShownPart, record: s.JsonRecord): ShownText | null {
  if (value !== undefined) return piece(plainText(value));
  return label === null ? null : block(treeText(record));
}

function referenceText({ name, inlineReference }: ShownPart): string {
  const { name: referenceName, location } = s.read(reference, inlineReference);
  const shownName = name ?? referenceName ?? locationText(location ?? inlineReference);
  return shownName === null ? '' : `\`${shownName}\``;
}

function editText({ editKind, uri, edits }: ShownPart): string {
  const edited = edits.map(({ newResource, oldResource, resource }) => newResource ?? oldResource ?? resource);
  const names = (uri === undefined ? edited : [uri]).map(addressOf).filter((name) => name !== null);
  return names.length === 0 ? '' : `[${editKind ?? 'edit'}: ${names.join(', ')}]`;
}

function piece(text: string): ShownText {
  return { text, isBlock: false };
}

function block(text: string): ShownText {
  return { text, isBlock: true };
}
