import * as vscode from 'vscode';
import type { Part } from '../../engine/conversation/entry';

/** Maximum number of characters of one attachment; about ten thousand tokens. */
const longestAttachment = 40_000;

const imageTypes: Readonly<Partial<Record<string, string>>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** The attachments of a message as text. An unreadable one is replaced by a note. */
export async function attachmentParts(
  references: readonly vscode.ChatPromptReference[],
  stream?: Pick<vscode.ChatResponseStream, 'reference'>,
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { value, modelDescription, id } of references) {
    if (value instanceof vscode.Uri || value instanceof vscode.Location) stream?.reference(value);
    parts.push(await attachmentPart(value, modelDescription ?? id));
  }
  return parts;
}

async function attachmentPart(value: unknown, label: string): Promise<Part> {
  try {
    if (typeof value === 'string') return attachment(label, value);
    if (value instanceof vscode.Uri) return await filePart(value);
    if (value instanceof vscode.Location) return await locationPart(value);
    if (isBinary(value)) return imagePart(value.mimeType, await value.data());
    return attachment(label, JSON.stringify(value) ?? '');
  } catch (error) {
    return attachment(label, `[This attachment could not be read: ${error instanceof Error ? error.message : error}]`);
  }
}

async function filePart(uri: vscode.Uri): Promise<Part> {
  const name = vscode.workspace.asRelativePath(uri);
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) return attachment(name, await listing(uri));
  const mediaType = imageTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (mediaType) return imagePart(mediaType, bytes);
  if (bytes.subarray(0, 8000).includes(0)) return attachment(name, `[A binary file of ${bytes.length} bytes]`);
  return attachment(name, await openText(uri, bytes));
}

/** Uses the editor's text, including unsaved changes. */
async function openText(uri: vscode.Uri, bytes: Uint8Array): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.getText() ?? new TextDecoder().decode(bytes);
}

async function listing(folder: vscode.Uri): Promise<string> {
  const children = await vscode.workspace.fs.readDirectory(folder);
  return children.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name)).join('\n');
}

async function locationPart({ uri, range }: vscode.Location): Promise<Part> {
  const document = await vscode.workspace.openTextDocument(uri);
  const lines = `${range.start.line + 1}-${range.end.line + 1}`;
  return attachment(`${vscode.workspace.asRelativePath(uri)}:${lines}`, document.getText(range));
}

function attachment(name: string, text: string): Part {
  const rest = text.length - longestAttachment;
  const shown = rest > 0 ? `${text.slice(0, longestAttachment)}\n[… ${rest} more characters]` : text;
  return { type: 'text', text: `<attachment name=${JSON.stringify(name)}>\n${shown}\n</attachment>` };
}

function imagePart(mediaType: string, data: Uint8Array): Part {
  return { type: 'image', mediaType, data: Buffer.from(data).toString('base64') };
}

interface Binary {
  readonly mimeType: string;
  data(): Thenable<Uint8Array>;
}

/** A pasted picture. The class that VS Code gives it is not in its stable API. */
function isBinary(value: unknown): value is Binary {
  if (typeof value !== 'object' || value === null) return false;
  const { mimeType, data } = value as Partial<Record<keyof Binary, unknown>>;
  return typeof mimeType === 'string' && typeof data === 'function';
}
